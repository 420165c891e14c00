import {
  TurnwireError,
  type AgentTool,
  type Clock,
  type Ids,
  type JsonValue,
  type ToolJournalEntry,
} from "@turnwire/turn-ports";

import type { RuntimeTool } from "../config/runtime-config.ts";
import type { StepBuffer } from "../step-buffer.ts";

/** What journalled tools work with. */
export interface JournalToolsOptions {
  readonly turnId: string;
  readonly step: StepBuffer;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Calls of the attempts before this one: finished ones are replayed, unknown ones are not launched again. */
  readonly journal: readonly ToolJournalEntry[];
}

/**
 * Wraps an agent's tools: each call is stored before its launch and after its result, under the lane's fence.
 * A launch that cannot be stored does not happen, and after the turn's abort none does.
 */
export function journalTools(tools: readonly RuntimeTool[], options: JournalToolsOptions): readonly AgentTool[] {
  const { turnId, step, signal, clock, ids } = options;
  const before = new Map(options.journal.map((entry) => [entry.callId, entry]));

  /** Takes the earlier call with the same arguments, if there is one; each is taken once. */
  function takeEarlier(name: string, args: JsonValue): ToolJournalEntry | null {
    const wanted = JSON.stringify(args);
    for (const [callId, entry] of before) {
      if (entry.name !== name || JSON.stringify(entry.args) !== wanted) continue;
      before.delete(callId);
      return entry;
    }
    return null;
  }

  async function put(entry: Omit<ToolJournalEntry, "turnId" | "atMs">): Promise<void> {
    step.add({ op: "journal.put", entry: { ...entry, turnId, atMs: clock.now() } });
    await step.flush();
  }

  return tools.map((tool) => {
    const { name, description, inputSchema } = tool;
    const call = async (args: JsonValue): Promise<JsonValue> => {
      const earlier = takeEarlier(name, args);
      if (earlier?.status === "ended") return earlier.result ?? null;
      if (earlier?.status === "started" && tool.idempotent !== true) {
        return {
          error: "outcome_unknown",
          message: `${name} was called before a restart; whether it took effect is not known.`,
        };
      }
      if (signal.aborted) {
        throw new TurnwireError({
          code: "turn_aborted",
          message: `The tool ${name} was not launched: its turn has ended.`,
        });
      }
      const callId = earlier?.callId ?? ids.next();
      await put({ callId, name, args, status: "started" });
      try {
        const result = await tool.call(args, { signal });
        await put({ callId, name, args, status: "ended", result });
        return result;
      } catch (error) {
        await put({ callId, name, args, status: "failed" });
        throw error;
      }
    };
    return { name, description, inputSchema, call };
  });
}
