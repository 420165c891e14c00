import { describe, expect, it } from "vitest";

import type { FaultMatch, FaultRequest } from "./fault-request.ts";
import { createFaults, type FaultHit } from "./faults.ts";

const send: FaultHit = { method: "sendMessage", places: ["5", "5/2"], direction: "call" };

describe("what a fault hits", () => {
  it.each<{ match: FaultMatch; hit?: Partial<FaultHit>; isHit: boolean }>([
    { match: {}, isHit: true },
    { match: { method: "SENDMESSAGE" }, isHit: true },
    { match: { method: "getMe" }, isHit: false },
    { match: { place: "5" }, isHit: true },
    { match: { place: "topic" }, isHit: true },
    { match: { place: "elsewhere" }, isHit: false },
    { match: { place: "5" }, hit: { places: [] }, isHit: false },
    { match: { direction: "event" }, isHit: false },
    { match: { direction: "event" }, hit: { direction: "event" }, isHit: true },
    { match: {}, hit: { direction: "event" }, isHit: false },
  ])("$match on $hit: $isHit", ({ match, hit, isHit }) => {
    const faults = createFaults((place) => (place === "topic" ? "5/2" : place));
    faults.add({ match, do: { drop: "before" } });
    expect(faults.take({ ...send, ...hit }) !== null).toBe(isHit);
  });

  it("swaps a delivery only when another waits behind it", () => {
    const faults = createFaults();
    faults.add({ match: { direction: "event" }, do: { reorder: true } });
    const delivery = { method: "message", direction: "event" } as const;
    expect(faults.take({ ...delivery, hasNext: false })).toBeNull();
    expect(faults.take({ ...delivery, hasNext: true })).not.toBeNull();
  });
});

describe("how often", () => {
  const hits = (request: Omit<FaultRequest, "do">, tries: number): readonly number[] => {
    const faults = createFaults();
    faults.add({ ...request, do: { status: 500 } });
    return Array.from({ length: tries }, (_, index) => index + 1).filter(() => faults.take(send) !== null);
  };

  it.each([
    { request: { match: {} }, tries: 3, expected: [1] },
    { request: { match: {}, times: 2 }, tries: 4, expected: [1, 2] },
    { request: { match: { nth: 3 } }, tries: 5, expected: [3] },
  ])("$request hits $expected of $tries", ({ request, tries, expected }) => {
    expect(hits(request, tries)).toEqual(expected);
  });

  it("takes the oldest first", () => {
    const faults = createFaults();
    const first = faults.add({ match: {}, do: { status: 500 } });
    const second = faults.add({ match: {}, do: { status: 502 } });
    expect([faults.take(send)?.id, faults.take(send)?.id, faults.take(send)]).toEqual([first.id, second.id, null]);
  });
});

describe("holding", () => {
  it.each(["release", "remove", "clear"] as const)("goes on at %s", async (how) => {
    const faults = createFaults();
    const { id } = faults.add({ match: {}, do: { hold: true } });
    const held = faults.take(send);
    let isReleased = false;
    const released = held?.released.then(() => {
      isReleased = true;
    });
    await Promise.resolve();
    expect(isReleased).toBe(false);
    faults[how](id);
    await released;
    expect(isReleased).toBe(true);
  });

  it("knows no fault twice removed", () => {
    const faults = createFaults();
    const { id } = faults.add({ match: {}, do: { hold: true } });
    expect([faults.remove(id), faults.remove(id), faults.release(id)]).toEqual([true, false, false]);
  });
});

describe("a fault that makes no sense", () => {
  it.each([
    [{ do: {} }, "match"],
    [{ match: {} }, "do"],
    [{ match: {}, times: 0, do: {} }, "times"],
    [{ match: { nth: 0 }, do: {} }, "match.nth"],
    [{ match: { metod: "x" }, do: {} }, "match.metod"],
    [{ match: { direction: "both" }, do: {} }, "match.direction"],
    [{ match: {}, do: { drop: "later" } }, "do.drop"],
    [{ match: {}, do: { status: 42 } }, "do.status"],
    [{ match: {}, do: { delayMs: "5" } }, "do.delayMs"],
    [{ match: {}, do: { explode: true } }, "do.explode"],
    [{ match: {}, do: { reorder: true } }, "do.reorder"],
    [{ match: { direction: "event" }, do: { status: 500 } }, "do.status"],
  ])("%j is refused for %s", (request, field) => {
    expect(() => createFaults().add(request as unknown as FaultRequest)).toThrow(
      expect.objectContaining({ field, expected: expect.stringMatching(/./) as string }) as Error,
    );
  });
});
