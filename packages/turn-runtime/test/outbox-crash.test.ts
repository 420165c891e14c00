import type { OutboxRow, SendSettlement, StoreWrite } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { createStepBuffer } from "../src/step-buffer.ts";
import { DeliveryPlatform, type SendFault, WINDOW_MS } from "./support/delivery-platform.ts";
import { type Death, type DeliveryRig, isNotice, openDelivery } from "./support/delivery-rig.ts";

/** More commits than the scenario ever makes. */
const MAX_COMMITS = 60;

/** The answer of one send is lost, one is refused by the connection, one is told to wait. */
function planFaults(platform: DeliveryPlatform): void {
  const left = new Map<string, SendFault[]>([
    ["a2", ["lost"]],
    ["b1", ["not_sent", "wait"]],
    ["b2", ["lost_before"]],
  ]);
  platform.fault = (call) => left.get(call.text)?.shift();
}

/** Two chats: one is answered by a turn with its step, the other without. */
async function play(rig: DeliveryRig): Promise<void> {
  const fence = await rig.store.lanes.claim("turn:s", "a");
  if (fence === null) throw new Error("The lane should be free.");
  const step = createStepBuffer(rig.store, [fence]);
  const end: StoreWrite = { op: "session.put", key: "ended", agentId: "main", createIfMissing: true };
  const turn = async (): Promise<void> => {
    await rig.send("a", ["a1", "a2", "a3"], { turnId: "t", step });
    step.add(end);
    await step.flush();
  };
  const sends = [turn(), rig.send("b", ["b1", "b2"]), rig.send("b", ["b3"])];
  let over = false;
  void Promise.allSettled(sends).then(() => {
    over = true;
  });
  await rig.until(() => over || rig.isDead(), 50);
}

/** What a chat shows, without notices. */
function textsOf(platform: DeliveryPlatform, chat: string): readonly string[] {
  return platform.texts(chat).filter((text) => !isNotice(text));
}

function storedTexts(rows: readonly OutboxRow[], chat: string): readonly (string | undefined)[] {
  return rows.filter((row) => row.target.to === chat && row.purpose !== "notice").map((row) => row.part.text);
}

async function check(rig: DeliveryRig, settlement: SendSettlement, stored: readonly OutboxRow[]): Promise<void> {
  const { platform } = rig;
  const rows = await rig.rows();
  for (const chat of ["a", "b"]) {
    const texts = textsOf(platform, chat);
    // Nothing twice, and nothing out of order.
    expect(texts).toEqual(storedTexts(stored, chat).filter((text) => texts.includes(text ?? "")));
    for (const row of rows.filter(({ target, purpose }) => target.to === chat && purpose !== "notice")) {
      const isShown = texts.includes(row.part.text ?? "");
      if (settlement === "none") expect([isShown ? "sent" : "unknown", "unknown"]).toContain(row.status);
      else expect(row).toMatchObject({ status: "sent" });
      if (row.status === "sent") expect(isShown).toBe(true);
    }
    // Each part whose fate is open has a notice that names it.
    const held = rows.filter((row) => row.target.to === chat && row.status === "unknown" && row.purpose !== "notice");
    const notices = rows.filter((row) => row.target.to === chat && row.purpose === "notice");
    for (const row of held) expect(notices.filter((notice) => notice.part.text?.includes(row.id))).toHaveLength(1);
    expect(notices).toHaveLength(held.length);
    expect(platform.texts(chat).filter(isNotice).length).toBeLessThanOrEqual(held.length);
  }
  expect(platform.mostAtOnce).toBeLessThanOrEqual(1);
}

/** Down for longer than the platform remembers ids, or not at all. */
const deaths = [
  { settlement: "none", lastIs: "refused", downMs: 0 },
  { settlement: "none", lastIs: "unanswered", downMs: 0 },
  { settlement: "idempotent", lastIs: "refused", downMs: 2 * WINDOW_MS },
  { settlement: "idempotent", lastIs: "unanswered", downMs: 0 },
  { settlement: "read_back", lastIs: "refused", downMs: 0 },
  { settlement: "read_back", lastIs: "unanswered", downMs: 2 * WINDOW_MS },
] as const;

describe("a process that dies at one of its commits", () => {
  it.each(deaths)(
    "$settlement, the last commit is $lastIs, down for $downMs ms: nothing is lost, nothing is sent twice",
    async ({ settlement, lastIs, downMs }) => {
      let died = 0;
      for (let commits = 0; commits < MAX_COMMITS; commits += 1) {
        const death: Death = { commits, lastIs };
        const platform = new DeliveryPlatform();
        planFaults(platform);
        const first = await openDelivery({ settlement, platform, name: `p${commits}-`, death });
        await play(first);
        await first.settled();
        const hasDied = first.isDead();
        if (hasDied) died += 1;
        const second = await first.restart({ downMs });
        const stored = await second.rows();
        await second.settled();
        await check(second, settlement, stored);
        await second.close();
        if (!hasDied) break;
      }
      // Each of: two inserts, `sending` and what became of it for six parts.
      expect(died).toBeGreaterThan(10);
      expect(died).toBeLessThan(MAX_COMMITS);
    },
    60_000,
  );

  it("again and again, at the start too", async () => {
    const platform = new DeliveryPlatform();
    let rig = await openDelivery({ settlement: "read_back", platform, name: "p" });
    platform.fault = () => "hangs";
    const texts = ["1", "2", "3", "4"];
    for (const text of texts) void rig.send("a", [text]);
    await rig.until(async () => (await rig.rows()).length === texts.length && platform.calls.length === 1);
    for (let round = 0; round < 4; round += 1) {
      rig = await rig.restart({ downMs: 1_000 });
      const before = platform.calls.length;
      await rig.until(() => platform.calls.length > before);
    }
    platform.fault = () => undefined;
    rig = await rig.restart();
    await rig.settled();
    expect(platform.texts("a")).toEqual(texts);
    await rig.close();
  });
});
