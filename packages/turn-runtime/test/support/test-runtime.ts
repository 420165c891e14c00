import { createSystemClock } from "@turnwire/adapter-kit";
import { createEchoRunner } from "@turnwire/agent-runners";
import type { AgentEvent, AgentRunContext, AgentRunner } from "@turnwire/turn-ports";
import { expect, vi } from "vitest";

import { createRuntimeConfig, type RuntimeConfigInput } from "../../src/config/runtime-config.ts";
import { createTurnRuntime, type TurnRuntime } from "../../src/turn-runtime.ts";
import { createCountedIds } from "./count-ids.ts";
import { createMemoryChannel, type MemoryChannel, type MemoryChannelOptions } from "./memory-channel.ts";
import { MemoryPlatform } from "./memory-platform.ts";
import { createMemoryTelemetry } from "./memory-telemetry.ts";
import { createMemoryLog } from "./silent-log.ts";
import { createTestStore, type TestStore } from "./test-store.ts";

/** A whole runtime on a real store and a platform in memory. */
export interface TestRuntime {
  readonly runtime: TurnRuntime;
  readonly platform: MemoryPlatform;
  readonly channel: MemoryChannel;
  readonly test: TestStore;
  readonly telemetry: ReturnType<typeof createMemoryTelemetry>;
  readonly log: ReturnType<typeof createMemoryLog>;
  /** Resolves when no row waits, and checks the conservation law. */
  settled(): Promise<void>;
  /** As SIGKILL leaves things: nothing more is written, and nothing was said goodbye to. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface TestRuntimeOptions {
  readonly runner?: AgentRunner;
  readonly config?: Partial<RuntimeConfigInput>;
  readonly channel?: MemoryChannelOptions;
  readonly platform?: MemoryPlatform;
  readonly test?: TestStore;
  readonly name?: string;
}

export async function startTestRuntime(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  const clock = createSystemClock();
  const platform = options.platform ?? new MemoryPlatform();
  const test = options.test ?? createTestStore(clock);
  const telemetry = createMemoryTelemetry();
  const log = createMemoryLog();
  const runner = options.runner ?? createEchoRunner();
  const config = createRuntimeConfig({
    agents: [{ id: "main", default: true, disabled: false, identity: { name: "Ada" }, runner }],
    ...options.config,
    limits: { lanePollMs: 500, ...options.config?.limits },
  });
  const ids = createCountedIds(options.name ?? "a");
  const runtime = createTurnRuntime({
    config,
    store: test.store,
    clock,
    ids,
    log,
    telemetry,
    secrets: ["hunter2hunter2"],
  });
  await runtime.open();
  const channel = createMemoryChannel(platform, options.channel);
  runtime.addChannel(channel);
  runtime.start();
  return {
    runtime,
    platform,
    channel,
    test,
    telemetry,
    log,
    async settled() {
      await vi.waitFor(
        async () => {
          const { accepted, waiting, done, dropped, handled, dead } = await test.store.inbox.counts();
          expect(waiting).toBe(0);
          expect(done + dropped + handled + dead).toBe(accepted);
          const parts = await test.store.outbox.counts();
          expect(parts.queued + parts.sending).toBe(0);
        },
        { timeout: 10_000, interval: 10 },
      );
    },
    async kill() {
      await test.crash();
    },
    async close() {
      await runtime.close();
      test.remove();
    },
  };
}

/** A runner that says what the test tells it to. */
export function scriptedRunner(
  script: (context: AgentRunContext, controls: Parameters<AgentRunner["run"]>[1]) => AsyncIterable<AgentEvent>,
): AgentRunner & { readonly contexts: readonly AgentRunContext[] } {
  const contexts: AgentRunContext[] = [];
  return {
    kind: "scripted",
    contexts,
    run(context, controls) {
      contexts.push(context);
      return script(context, controls);
    },
  };
}

/** A whole answer at once. */
export async function* say(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "text-delta", text };
  yield { type: "done", outcome: "completed" };
}
