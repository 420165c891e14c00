import type { Case } from "./turns.ts";

type PeerRun = (params: object) => Promise<unknown>;

/** The system of the same call shape, when somebody has installed it outside the workspace: measured in the same run. */
export async function peerCases(): Promise<readonly Case[]> {
  const name = "openclaw/plugin-sdk/channel-inbound";
  let run: unknown;
  try {
    run = ((await import(name)) as { readonly runChannelInboundEvent?: unknown }).runChannelInboundEvent;
  } catch {
    console.log(`${name} is not installed; it is not measured`);
    return [];
  }
  if (typeof run !== "function") return [];
  const adapter = {
    ingest: (raw: { readonly id: string; readonly text: string }) => ({ id: raw.id, rawText: raw.text }),
    preflight: () => ({ kind: "drop", reason: "dedupe" }),
    resolveTurn: () => ({}),
  };
  return [
    {
      name: "peer, preflight drop",
      turn: async () => (run as PeerRun)({ channel: "bench", raw: { id: "1", text: "hello" }, adapter }),
    },
  ];
}
