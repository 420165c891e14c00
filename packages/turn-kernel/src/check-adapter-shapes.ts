import type { ChannelEventClass } from "./channel-event-class.ts";
import type { ChannelTurnResolved } from "./channel-turn-adapter.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import { checkFactShapes, isRecord } from "./check-fact-shapes.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";
import { TurnwireError } from "./turnwire-error.ts";

const EVENT_KINDS: readonly string[] = ["message", "command", "interaction", "reaction", "lifecycle", "unknown"];
const ADMISSION_KINDS: readonly string[] = ["dispatch", "observeOnly", "handled", "drop"];

/** Facts of which the context is built; a finished one has them inside. */
const CONTEXT_FACTS = ["message", "media", "supplemental"] as const;

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : typeof value;
}

function wrong(callback: string, field: string | null, expected: string, got: unknown): TurnwireError {
  const where =
    field === null
      ? `The adapter's ${callback} returned ${describe(got)}`
      : `The adapter's ${callback} returned "${field}" as ${describe(got)}`;
  return new TurnwireError({ code: "adapter_shape_invalid", message: `${where}; expected ${expected}.` });
}

function checkFacts(callback: string, facts: Readonly<Record<string, unknown>>, isPartial: boolean): void {
  const fault = checkFactShapes(facts, isPartial);
  if (fault !== null) throw wrong(callback, fault.field, fault.expected, fault.got);
}

/** @throws TurnwireError `adapter_shape_invalid` naming callback, field and what was expected. */
export function checkIngest(value: unknown): NormalizedTurnInput | null {
  if (value === null) return null;
  if (!isRecord(value)) throw wrong("ingest", null, "a NormalizedTurnInput or null", value);
  if (typeof value["id"] !== "string") throw wrong("ingest", "id", "a string", value["id"]);
  if (typeof value["rawText"] !== "string") throw wrong("ingest", "rawText", "a string", value["rawText"]);
  return value as unknown as NormalizedTurnInput;
}

/** @throws TurnwireError `adapter_shape_invalid`. */
export function checkClassify(value: unknown): ChannelEventClass {
  if (!isRecord(value)) throw wrong("classify", null, "a ChannelEventClass", value);
  if (!EVENT_KINDS.includes(String(value["kind"])))
    throw wrong("classify", "kind", `one of ${EVENT_KINDS.join(", ")}`, value["kind"]);
  if (typeof value["canStartAgentTurn"] !== "boolean")
    throw wrong("classify", "canStartAgentTurn", "a boolean", value["canStartAgentTurn"]);
  return value as unknown as ChannelEventClass;
}

/** @throws TurnwireError `adapter_shape_invalid`. */
export function checkAdmission(callback: string, value: unknown): ChannelTurnAdmission {
  if (!isRecord(value)) throw wrong(callback, "admission", "an admission", value);
  if (!ADMISSION_KINDS.includes(String(value["kind"])))
    throw wrong(callback, "admission.kind", `one of ${ADMISSION_KINDS.join(", ")}`, value["kind"]);
  return value as unknown as ChannelTurnAdmission;
}

/** An admission returned by itself becomes facts with that admission. @throws TurnwireError `adapter_shape_invalid`. */
export function checkPreflight(value: unknown): PreflightFacts {
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) throw wrong("preflight", null, "PreflightFacts, an admission, null or nothing", value);
  if ("kind" in value) return { admission: checkAdmission("preflight", value) };
  const { admission, media } = value;
  if (admission !== undefined) checkAdmission("preflight", admission);
  if (media !== undefined && typeof media !== "function" && !Array.isArray(media))
    throw wrong("preflight", "media", "an array, or a function that gives one", media);
  checkFacts("preflight", value, true);
  return value;
}

/** @throws TurnwireError `adapter_shape_invalid`. */
export function checkResolved(value: unknown): ChannelTurnResolved {
  const callback = "resolveTurn";
  if (!isRecord(value)) throw wrong(callback, null, "an assembled or prepared turn", value);
  const { delivery, runDispatch, ctxPayload, message } = value;
  if (value["admission"] !== undefined) checkAdmission(callback, value["admission"]);
  if (delivery === undefined && runDispatch === undefined && !blocksDispatch(value["admission"])) {
    throw wrong(callback, "delivery", 'a delivery adapter, or a function "runDispatch" for a prepared turn', delivery);
  }
  if (delivery !== undefined && runDispatch !== undefined)
    throw wrong(callback, "runDispatch", 'nothing beside "delivery": a turn is assembled or prepared', runDispatch);
  if (runDispatch !== undefined && typeof runDispatch !== "function")
    throw wrong(callback, "runDispatch", "a function", runDispatch);
  if (delivery !== undefined && (!isRecord(delivery) || typeof delivery["deliver"] !== "function"))
    throw wrong(callback, "delivery.deliver", "a function", isRecord(delivery) ? delivery["deliver"] : delivery);
  if (ctxPayload === undefined) {
    if (message === undefined && !blocksDispatch(value["admission"]))
      throw wrong(callback, "message", 'MessageFacts, or a finished "ctxPayload"', message);
  } else {
    if (!isRecord(ctxPayload)) throw wrong(callback, "ctxPayload", "a finished context", ctxPayload);
    const both = CONTEXT_FACTS.find((fact) => value[fact] !== undefined);
    if (both !== undefined)
      throw wrong(
        callback,
        "ctxPayload",
        `nothing beside the fact "${both}": a turn brings facts or a finished context`,
        ctxPayload,
      );
  }
  if (value["media"] !== undefined && !Array.isArray(value["media"]))
    throw wrong(callback, "media", "an array", value["media"]);
  checkFacts(callback, value, false);
  return value as unknown as ChannelTurnResolved;
}

/** A turn that resolve itself keeps from dispatch needs nothing to dispatch with. */
function blocksDispatch(admission: unknown): boolean {
  return isRecord(admission) && (admission["kind"] === "drop" || admission["kind"] === "handled");
}
