import { type Fence, type StoreWrite, type TurnStore, TurnwireError } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { createStepBuffer } from "./step-buffer.ts";

const fence: Fence = { key: "turn:s", epoch: 3 };
const write = (id: number): StoreWrite => ({ op: "inbox.discard", id });

/** Only `commit` is called: each waits until the test lets it end. */
function createCommits() {
  const commits: {
    readonly fences: readonly Fence[];
    readonly writes: readonly StoreWrite[];
    end(error?: Error): void;
  }[] = [];
  const commit: TurnStore["commit"] = async (fences, writes) =>
    new Promise((resolve, reject) => {
      commits.push({ fences, writes, end: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  return { commits, store: { commit } as TurnStore };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("a step buffer", () => {
  it("commits all that was added, in order, under its fences", async () => {
    const { commits, store } = createCommits();
    const step = createStepBuffer(store, [fence]);
    step.add(write(1), write(2));
    step.add(write(3));
    const flushed = step.flush();
    await turns();
    expect(commits).toMatchObject([{ fences: [fence], writes: [write(1), write(2), write(3)] }]);
    commits[0]?.end();
    await flushed;
  });

  it("makes no commit of nothing", async () => {
    const { commits, store } = createCommits();
    await createStepBuffer(store, [fence]).flush();
    expect(commits).toEqual([]);
  });

  it("makes one commit after the other", async () => {
    const { commits, store } = createCommits();
    const step = createStepBuffer(store, [fence]);
    step.add(write(1));
    const first = step.flush();
    await turns();
    step.add(write(2));
    const second = step.flush();
    await turns();
    expect(commits).toHaveLength(1);
    commits[0]?.end();
    await first;
    await turns();
    expect(commits[1]?.writes).toEqual([write(2)]);
    commits[1]?.end();
    await second;
  });

  it("keeps what could not be committed, before what came later", async () => {
    const { commits, store } = createCommits();
    const step = createStepBuffer(store, [fence]);
    step.add(write(1));
    const failing = step.flush();
    await turns();
    step.add(write(2));
    commits[0]?.end(new TurnwireError({ code: "store_unavailable", message: "Away." }));
    await expect(failing).rejects.toMatchObject({ code: "store_unavailable" });
    const again = step.flush();
    await turns();
    expect(commits[1]?.writes).toEqual([write(1), write(2)]);
    commits[1]?.end();
    await again;
  });
});
