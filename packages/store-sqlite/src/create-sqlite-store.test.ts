import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { createSqliteStore } from "./create-sqlite-store.ts";

const folder = mkdtempSync(join(tmpdir(), "turnwire-store-"));
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("the store", () => {
  test("takes an event in and keeps it over a restart", async () => {
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const path = join(folder, "turnwire.db");
    const store = createSqliteStore({ path, clock });
    await store.open();
    const accepted = await store.accept({
      channel: "telegram",
      accountId: "default",
      cursor: "7",
      rows: [
        {
          laneKey: "turn:a",
          dedupeKey: "update:1",
          turnKey: "m:1",
          messageId: "1",
          change: "new",
          routePeer: { kind: "direct", id: "42" },
          senderId: "42",
          replyTarget: "42",
          kind: "text",
          raw: { type: "message", payload: { text: "hello" }, receivedAtMs: 5 },
        },
      ],
    });
    expect(accepted).toEqual([{ kind: "accepted", inboxId: 1 }]);
    expect(await store.lanes.ready(10)).toEqual({ keys: ["turn:a"], nextAtMs: null });
    const fence = await store.lanes.claim("turn:a", "me");
    expect(fence).not.toBeNull();
    expect(await store.inbox.ready("turn:a", 10)).toMatchObject([{ id: 1, raw: { payload: { text: "hello" } } }]);
    await store.commit([fence!], [{ op: "inbox.end", ids: [1], ending: "done" }]);
    expect(await store.lanes.release(fence!)).toBe(true);
    await store.close();
    await store.open();
    expect(await store.inbox.counts()).toEqual({ accepted: 1, done: 1, dropped: 0, handled: 0, dead: 0, waiting: 0 });
    expect(await store.channelState("telegram", "default").cursor()).toBe("7");
    await store.close();
  });
});
