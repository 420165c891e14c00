import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Case } from "./turns.ts";

type Call = (...params: readonly object[]) => unknown;

/** What is called of the peer. */
interface Peer {
  readonly runChannelInboundEvent: Call;
  readonly buildChannelInboundEventContext: Call;
}

const NAME = "openclaw/plugin-sdk/channel-inbound";

/** Turns a round of the peer's whole run: it takes about a hundred times as long as the rest. */
const FULL_TURNS = 500;

async function peerIn(folder: string): Promise<Peer | null> {
  let file: string;
  try {
    file = createRequire(join(resolve(folder), "package.json")).resolve(NAME);
  } catch {
    return null;
  }
  const peer = (await import(pathToFileURL(file).href)) as Partial<Record<keyof Peer, unknown>>;
  const isCallable = typeof peer.runChannelInboundEvent === "function";
  return isCallable && typeof peer.buildChannelInboundEventContext === "function" ? (peer as Peer) : null;
}

/**
 * The system of the same call shape, when somebody has installed it in a folder outside the workspace: measured in the
 * same run, with a recorder, a dispatcher and a delivery that do nothing, as ours have.
 */
export async function peerCases(folder: string): Promise<readonly Case[]> {
  const peer = await peerIn(folder);
  if (peer === null) {
    console.log(`${NAME} is not installed in ${folder}; it is not measured`);
    return [];
  }
  const raw = { id: "1", text: "hello" };
  const ingest = (event: typeof raw): object => ({ id: event.id, rawText: event.text });
  const facts = {
    channel: "bench",
    messageId: raw.id,
    from: "ann",
    sender: { id: "ann", name: "Ann" },
    conversation: { kind: "direct", id: "ann", routePeer: { kind: "direct", id: "ann" } },
    access: { dm: { decision: "allow", allowFrom: [] } },
    route: { agentId: "main", routeSessionKey: "agent:main:main" },
    reply: { to: "ann", originatingTo: "ann" },
    message: { rawBody: raw.text, bodyForAgent: raw.text },
  };
  const resolveTurn = (): object => ({
    cfg: {},
    channel: "bench",
    agentId: "main",
    routeSessionKey: "agent:main:main",
    storePath: "",
    ctxPayload: peer.buildChannelInboundEventContext(facts),
    recordInboundSession: async () => {},
    dispatchReplyWithBufferedBlockDispatcher: async ({
      dispatcherOptions,
    }: {
      readonly dispatcherOptions: { readonly deliver: Call };
    }) => {
      await dispatcherOptions.deliver({ text: "echo" }, { kind: "final" });
      return { queuedFinal: true, counts: { tool: 0, block: 0, final: 1 } };
    },
    delivery: { deliver: async () => {} },
  });
  const dropping = { ingest, resolveTurn, preflight: () => ({ admission: { kind: "drop", reason: "dedupe" } }) };
  const run = peer.runChannelInboundEvent;
  return [
    {
      name: "peer: run",
      turns: FULL_TURNS,
      turn: () => run({ channel: "bench", raw, adapter: { ingest, resolveTurn } }),
    },
    { name: "peer: drop", turn: () => run({ channel: "bench", raw, adapter: dropping }) },
  ];
}
