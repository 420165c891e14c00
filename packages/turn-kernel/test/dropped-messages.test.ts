import { describe, expect, it } from "vitest";

import { createChannelHistoryWindow } from "../src/create-channel-history-window.ts";
import { createTurnKernel } from "../src/create-turn-kernel.ts";
import type { HistoryEntry, HistoryWindow } from "../src/history-window.ts";
import type { PreflightFacts } from "../src/preflight-facts.ts";

const PICTURE = { kind: "image", path: "/p.png" } as const;

/** A message of a group that preflight drops, and what is remembered of it. */
async function dropped(
  facts: PreflightFacts,
  options: { readonly resumed?: boolean; readonly history?: Partial<HistoryWindow>; readonly text?: string } = {},
): Promise<{
  readonly kept: readonly HistoryEntry[];
  readonly warnings: readonly (string | undefined)[];
  readonly fetched: number;
}> {
  const historyMap = new Map<string, HistoryEntry[]>();
  const warnings: (string | undefined)[] = [];
  let fetched = 0;
  const kernel = createTurnKernel({
    clock: { now: () => 1, monotonic: () => 1, setTimer: () => () => {} },
    ids: { next: () => "t" },
    history: { ...createChannelHistoryWindow({ historyMap, isReadable: () => true }), ...options.history },
    log: ({ event, reason }) => void (event === "warning" && warnings.push(reason)),
  });
  const result = await kernel.run({
    channel: "test",
    raw: options.text ?? "",
    resumed: options.resumed,
    adapter: {
      ingest: (raw) => ({ id: "m", rawText: raw, timestamp: 5 }),
      preflight: () => ({
        sender: { id: "7", name: "Ann" },
        conversation: { kind: "group", id: "g", threadId: "th" },
        media() {
          fetched += 1;
          return [PICTURE];
        },
        ...facts,
      }),
      resolveTurn() {
        throw new Error("not reached");
      },
    },
  });
  expect(result).toMatchObject({ admission: { kind: "drop" }, dispatched: false });
  return { kept: historyMap.get("g") ?? [], warnings, fetched };
}

const REMEMBERED: PreflightFacts = {
  admission: { kind: "drop", reason: "missing_mention", recordHistory: true },
  history: { key: "g", limit: 5 },
};

describe("a message that is dropped before it was resolved", () => {
  it("is remembered with id, sender, thread and time, though it is only a picture", async () => {
    expect((await dropped(REMEMBERED)).kept).toEqual([
      { sender: "Ann", senderId: "7", body: "", messageId: "m", timestamp: 5, threadId: "th", media: [PICTURE] },
    ]);
  });

  it.each<{ readonly case: string; readonly facts: PreflightFacts; readonly resumed?: boolean }>([
    { case: "it is not to be", facts: { ...REMEMBERED, admission: { kind: "drop" } } },
    { case: "there is no key", facts: { ...REMEMBERED, history: undefined } },
    { case: "history is off", facts: { ...REMEMBERED, history: { key: "g", limit: 0 } } },
    { case: "the pass is a resumed one", facts: REMEMBERED, resumed: true },
  ])("is not remembered, and its media are not fetched, when $case", async ({ facts, resumed = false }) => {
    expect(await dropped(facts, { resumed, text: "hi" })).toEqual({ kept: [], warnings: [], fetched: 0 });
  });

  it("is not remembered when it is gone by the time of writing", async () => {
    const history = { key: "g", limit: 5, shouldRecord: () => false };
    expect(await dropped({ ...REMEMBERED, history })).toMatchObject({ kept: [], fetched: 1 });
  });

  it("is bounded in media", async () => {
    const media = [PICTURE, PICTURE, PICTURE];
    const { kept } = await dropped({ ...REMEMBERED, media, history: { key: "g", limit: 5, mediaLimit: 2 } });
    expect(kept[0]?.media).toHaveLength(2);
  });

  it("is a warning, and no failed turn, where it cannot be remembered", async () => {
    const history = { recordWithMedia: async (): Promise<void> => Promise.reject(new Error("full")) };
    expect((await dropped(REMEMBERED, { history })).warnings).toEqual(["history_not_recorded"]);
  });
});
