import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { acceptBatch } from "./accept-batch.ts";
import { openEngine, type Engine } from "./engine.ts";
import type { WriteRequest } from "./group-commit.ts";
import { defaultRetention } from "./retention.ts";
import type { Sql } from "./sql.ts";
import { StoreFailure } from "./store-failure.ts";

describe("group commit", () => {
  let folder = "";
  let engine: Engine;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "turnwire-group-"));
    engine = openEngine(
      {
        path: join(folder, "turnwire.db"),
        blobDir: join(folder, "blobs"),
        synchronous: "full",
        mayMigrate: true,
        retention: defaultRetention,
        maxFileBytes: 400 * 4096,
      },
      { nowMs: 1_000, monotonicMs: 0 },
    );
  });
  afterEach(() => {
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const store =
    (n: number, text = "hello"): WriteRequest =>
    (context) =>
      acceptBatch(context, {
        channel: "telegram",
        accountId: "default",
        rows: [
          {
            laneKey: `turn:${n}`,
            dedupeKey: String(n),
            turnKey: null,
            messageId: String(n),
            change: "new",
            routePeer: { kind: "direct", id: "1" },
            senderId: "1",
            replyTarget: "1",
            kind: "text",
            raw: JSON.stringify({ text }),
          },
        ],
      });
  const accepted = (): unknown =>
    engine.db.get<{ value: number }>("SELECT value FROM counter WHERE name = 'accepted'" as Sql)?.value;
  const lanes = (): readonly string[] => engine.direct(engine.openedAt)["lanes.ready"](100).keys;

  test("one transaction for all requests of a group", () => {
    let inside = 0;
    const look: WriteRequest = ({ db }) => {
      inside += db.inTransaction ? 1 : 0;
    };
    engine.write([store(1), look, store(2), look, store(3)], engine.openedAt);
    expect(inside).toBe(2);
    expect(accepted()).toBe(3);
    expect(engine.db.inTransaction).toBe(false);
  });

  test("a request that fails after it has written is undone alone: rows, lanes, counters, wake-ups", () => {
    const failing: WriteRequest = (context) => {
      store(2)(context);
      throw new StoreFailure("fenced", "stale");
    };
    const settled = engine.write([store(1), failing, store(3)], engine.openedAt);
    expect(settled.map((one) => one.ok)).toEqual([true, false, true]);
    expect(accepted()).toBe(2);
    expect(lanes().toSorted()).toEqual(["turn:1", "turn:3"]);
    expect(engine.takeWakes().toSorted()).toEqual(["turn:1", "turn:3"]);
    expect(engine.direct(engine.openedAt)["inbox.waitingOf"]("telegram", "default")).toBe(2);
  });

  test("an account that was first seen in an undone request is stored by the next one", () => {
    const failing: WriteRequest = (context) => {
      store(1)(context);
      throw new StoreFailure("fenced", "stale");
    };
    expect(engine.write([failing, store(2)], engine.openedAt).map((one) => one.ok)).toEqual([false, true]);
    expect(engine.direct(engine.openedAt)["inbox.ready"]("turn:2", 10)).toMatchObject([{ channel: "telegram" }]);
  });

  test("on a full disk the requests that still fit are kept, the others are refused", () => {
    const big = "x".repeat(3_000_000);
    const settled = engine.write([store(1), store(2, big), store(3)], engine.openedAt);
    expect(settled.map((one) => one.ok)).toEqual([true, false, true]);
    expect(settled[1]).toMatchObject({ error: { errcode: 13 } });
    expect(accepted()).toBe(2);
    expect(lanes().toSorted()).toEqual(["turn:1", "turn:3"]);
  });
});
