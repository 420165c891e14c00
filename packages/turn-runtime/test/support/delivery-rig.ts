import { createManualClock, type ManualClock } from "@turnwire/adapter-kit";
import {
  type Channel,
  type ChannelAccountConfig,
  type ChannelCapabilities,
  type Fence,
  type OutboundPart,
  type OutboxRow,
  type OutboxStatus,
  type SendSettlement,
  type StoreWrite,
  type TurnStore,
  TurnwireError,
} from "@turnwire/turn-ports";

import { createOutbox, type Outbox, type SendRequest } from "../../src/outbox/create-outbox.ts";
import { HOLD_NOTICE_TEXT } from "../../src/outbox/hold-notice.ts";
import { isHeld } from "../../src/outbox/pending-part.ts";
import { createCountedIds } from "./count-ids.ts";
import { createDeliveryChannel, DeliveryPlatform } from "./delivery-platform.ts";
import { createMemoryTelemetry } from "./memory-telemetry.ts";
import { createMemoryLog } from "./silent-log.ts";
import { createTestStore, type TestStore } from "./test-store.ts";

/** How far the clock goes on between two looks, ms. */
const STEP_MS = 250;
/** Looks after which something hangs: more than a day of steps is never needed. */
const MAX_LOOKS = 4_000;

/** One process with an outbox, on a real store, with a clock that the test moves. */
export interface DeliveryRig {
  readonly outbox: Outbox;
  readonly platform: DeliveryPlatform;
  readonly clock: ManualClock;
  readonly test: TestStore;
  readonly store: TurnStore;
  readonly telemetry: ReturnType<typeof createMemoryTelemetry>;
  readonly log: ReturnType<typeof createMemoryLog>;
  /** True once a commit was refused or not answered because the process has died. */
  readonly isDead: () => boolean;
  /** The account goes, or comes back. */
  readonly setChannel: (isThere: boolean) => void;
  readonly send: (chat: string, texts: readonly string[], more?: Partial<SendRequest>) => ReturnType<Outbox["send"]>;
  /** Moves the clock until the condition holds. */
  readonly until: (condition: () => boolean | Promise<boolean>, stepMs?: number) => Promise<void>;
  /** Moves the clock until each part that was submitted is stored and has come to its end, or waits for a person; or until the process dies. */
  readonly settled: (stepMs?: number) => Promise<void>;
  readonly rows: () => Promise<readonly OutboxRow[]>;
  /** The status of each text. */
  readonly statuses: () => Promise<Readonly<Record<string, OutboxStatus>>>;
  /** What a killed process leaves, opened by the next one. */
  readonly restart: (options?: { readonly downMs?: number; readonly name?: string }) => Promise<DeliveryRig>;
  readonly close: () => Promise<void>;
}

/** When the process dies: the commit after `commits` of them is refused, or it is made and never answered. */
export interface Death {
  readonly commits: number;
  readonly lastIs: "refused" | "unanswered";
}

export interface DeliveryRigOptions {
  readonly settlement?: SendSettlement | undefined;
  readonly capabilities?: Partial<ChannelCapabilities> | undefined;
  readonly account?: Partial<ChannelAccountConfig> | undefined;
  readonly platform?: DeliveryPlatform | undefined;
  readonly test?: TestStore | undefined;
  readonly clock?: ManualClock | undefined;
  readonly name?: string | undefined;
  readonly death?: Death | undefined;
}

export async function openDelivery(options: DeliveryRigOptions = {}): Promise<DeliveryRig> {
  const { settlement = "none", name = "a", death } = options;
  const clock = options.clock ?? createManualClock();
  const platform = options.platform ?? new DeliveryPlatform();
  const test = options.test ?? createTestStore(clock);
  await test.store.open();
  let isDead = false;
  let left = death?.commits ?? Number.POSITIVE_INFINITY;
  const store = dying(test.store, async (commit) => {
    if (isDead || left === 0) {
      isDead = true;
      throw new TurnwireError({ code: "test_process_died", message: "The process has died." });
    }
    left -= 1;
    await commit();
    if (left === 0 && death?.lastIs === "unanswered") {
      isDead = true;
      await new Promise<never>(() => {});
    }
  });
  const channel: Channel = createDeliveryChannel(platform, {
    capabilities: { settlement, ...options.capabilities },
    account: options.account,
    clock,
  });
  let isThere = true;
  const telemetry = createMemoryTelemetry();
  const log = createMemoryLog();
  const outbox = createOutbox({
    store,
    channel: () => (isThere ? channel : null),
    clock,
    ids: createCountedIds(name),
    log,
    telemetry,
    owner: name,
    random: () => 1,
  });
  outbox.start();
  const total = async (): Promise<number> =>
    Object.values(await test.store.outbox.counts()).reduce((sum, count) => sum + count, 0);
  let expected = await total();

  const rig: DeliveryRig = {
    outbox,
    platform,
    clock,
    test,
    store,
    telemetry,
    log,
    isDead: () => isDead,
    setChannel(next) {
      isThere = next;
    },
    send: async (chat, texts, more) => {
      const target = { to: chat, chatKind: "direct" } as const;
      const request: SendRequest = {
        channel: "memory",
        accountId: "default",
        target,
        parts: partsOf(texts),
        purpose: "final",
        ...more,
      };
      expected += request.parts.length;
      return outbox.send(request);
    },
    async until(condition, stepMs = STEP_MS) {
      for (let look = 0; look < MAX_LOOKS; look += 1) {
        if (await condition()) return;
        await clock.advance(stepMs);
        // A round trip to the store's thread: what was asked before it has been answered by then.
        await test.store.ping();
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      throw new Error(`It never became true: ${condition.toString()}`);
    },
    settled: async (stepMs) =>
      rig.until(async () => {
        if (isDead) return true;
        const { queued, sending, unknown } = await test.store.outbox.counts();
        if (queued + sending > 0 || (await total()) < expected) return false;
        if (unknown === 0) return true;
        const rows = await test.store.outbox.list({ status: "unknown", limit: 1_000 });
        return rows.every(isHeld);
      }, stepMs),
    rows: async () => (await test.store.outbox.list({ limit: 1_000 })).toReversed(),
    async statuses() {
      const rows = await rig.rows();
      return Object.fromEntries(rows.map((row) => [row.part.text ?? "", row.status]));
    },
    async restart({ downMs = 0, name: nextName = `${name}x` } = {}) {
      isDead = true;
      // Nothing moves the dead process's clock any more.
      await test.crash();
      const nextClock = createManualClock(clock.now() + downMs);
      return openDelivery({
        settlement,
        capabilities: options.capabilities,
        account: options.account,
        platform,
        test: test.reopen(nextClock),
        clock: nextClock,
        name: nextName,
      });
    },
    async close() {
      let isClosed = false;
      const closing = outbox.close().then(() => {
        isClosed = true;
      });
      await rig.until(() => isClosed);
      await closing;
      await test.store.close();
      test.remove();
    },
  };
  return rig;
}

/** The parts that are not notices. */
export function isNotice(text: string | undefined): boolean {
  return text?.startsWith(HOLD_NOTICE_TEXT) === true;
}

export function partsOf(texts: readonly string[]): readonly OutboundPart[] {
  return texts.map((text, index) => ({ op: "send", kind: "text", index, body: text, text }));
}

/** The same store with its commits going through `around`. */
function dying(real: TurnStore, around: (commit: () => Promise<void>) => Promise<void>): TurnStore {
  return new Proxy(real, {
    get(target, name) {
      if (name === "commit") {
        return async (fences: readonly Fence[], writes: readonly StoreWrite[]) =>
          around(async () => target.commit(fences, writes));
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
