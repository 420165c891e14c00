import type { OutboxRow } from "@turnwire/turn-ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { SendFault } from "./support/delivery-platform.ts";
import { type DeliveryRig, isNotice, openDelivery } from "./support/delivery-rig.ts";

const FINAL: ReadonlySet<string> = new Set(["sent", "rejected", "given_up", "superseded"]);

const fault = fc.constantFrom<SendFault[]>(
  "not_sent",
  "wait",
  "refused",
  "refused_markup",
  "lost",
  "lost_before",
  "throws",
);

/** A payload: its chat, how many parts, and how the first calls of each part end. */
const payload = fc.record({
  chat: fc.constantFrom("a", "b", "c"),
  parts: fc.array(fc.array(fault, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  /** Looks of the clock between this payload and the next. */
  pause: fc.nat(3),
});

const scenario = fc.record({
  settlement: fc.constantFrom("none", "idempotent", "read_back" as const),
  onUnknownSend: fc.constantFrom("hold", "resend" as const),
  payloads: fc.array(payload, { minLength: 1, maxLength: 8 }),
  readBack: fc.array(fc.constantFrom("truth", "ambiguous", "fails" as const), { maxLength: 6 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** A part's text is its place; the plainer form has a word before it. */
const nameOf = (text: string | undefined): string => (text ?? "").replace(/^plain /u, "");

async function play(rig: DeliveryRig, { payloads, readBack }: Scenario): Promise<void> {
  const plans = new Map<string, SendFault[]>();
  payloads.forEach(({ parts }, payloadIndex) => {
    parts.forEach((faults, index) => plans.set(`${payloadIndex}.${index}`, [...faults]));
  });
  rig.platform.fault = (call) => plans.get(nameOf(call.text))?.shift();
  const answers = [...readBack];
  rig.platform.readBack = () => answers.shift() ?? "truth";
  for (const [payloadIndex, { chat, parts, pause }] of payloads.entries()) {
    void rig.send(
      chat,
      parts.map((_, index) => `${payloadIndex}.${index}`),
    );
    await rig.clock.advance(pause * 400);
  }
  await rig.settled();
}

function checkRow(
  row: OutboxRow,
  rows: readonly OutboxRow[],
  shown: readonly string[],
  { onUnknownSend }: Scenario,
): void {
  const name = nameOf(row.part.text);
  const times = shown.filter((text) => nameOf(text) === name).length;
  // One end each; what is unknown is held.
  expect(FINAL.has(row.status) || row.status === "unknown").toBe(true);
  if (onUnknownSend === "hold") expect(times).toBeLessThanOrEqual(1);
  if (row.status === "sent") expect(times).toBeGreaterThanOrEqual(1);
  if (row.status !== "superseded") return;
  expect(times).toBe(0);
  const [own = "", index = ""] = name.split(".");
  const failed = rows.some((other) => {
    const [payloadName, otherIndex = ""] = nameOf(other.part.text).split(".");
    return payloadName === own && Number(otherIndex) < Number(index) && /rejected|given_up/u.test(other.status);
  });
  expect(failed).toBe(true);
}

function checkOrder(rows: readonly OutboxRow[], shown: readonly string[]): void {
  const order = rows.map((row) => nameOf(row.part.text));
  const first = shown.map(nameOf).filter((name, index, all) => all.indexOf(name) === index);
  expect(first).toEqual(order.filter((name) => first.includes(name)));
}

describe("whatever calls and reading back tell", () => {
  it("each part ends in one state, in order per chat, one at a time, and none twice without leave", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { settlement, onUnknownSend } = given;
        const rig = await openDelivery({ settlement, account: { onUnknownSend } });
        try {
          await play(rig, given);
          const all = await rig.rows();
          for (const chat of ["a", "b", "c"]) {
            const rows = all.filter((row) => row.target.to === chat && row.purpose !== "notice");
            const shown = rig.platform.texts(chat).filter((text) => !isNotice(text));
            expect(rows).toHaveLength(
              given.payloads.filter((one) => one.chat === chat).reduce((sum, one) => sum + one.parts.length, 0),
            );
            for (const row of rows) checkRow(row, rows, shown, given);
            checkOrder(rows, shown);
            // Whoever may miss something is told so, once a part.
            const held = rows.filter((row) => row.status === "unknown").length;
            expect(rig.platform.texts(chat).filter(isNotice)).toHaveLength(held);
          }
          expect(rig.platform.mostAtOnce).toBe(1);
        } finally {
          await rig.close();
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
