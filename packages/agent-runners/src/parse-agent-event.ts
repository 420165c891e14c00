import type { AgentEvent, JsonValue } from "@turnwire/turn-ports";

type Fields = Readonly<Record<string, unknown>>;

/** Reads one event of the wire; null when it is not one that the contract knows. */
export function parseAgentEvent(name: string, data: string): AgentEvent | null {
  let fields: unknown;
  try {
    fields = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return null;
  return readEvent(name, fields as Fields);
}

function readEvent(type: string, fields: Fields): AgentEvent | null {
  const text = stringOf(fields["text"]);
  const id = stringOf(fields["id"]);
  switch (type) {
    case "text-delta":
    case "reasoning-delta":
      return text === undefined ? null : { type, text };
    case "tool-start": {
      const name = stringOf(fields["name"]);
      // Parsed from JSON, so it is a JSON value.
      return id === undefined || name === undefined
        ? null
        : { type, id, name, args: (fields["args"] ?? null) as JsonValue };
    }
    case "tool-end": {
      if (id === undefined) return null;
      const error = stringOf(fields["error"]);
      return error === undefined ? { type, id, result: (fields["result"] ?? null) as JsonValue } : { type, id, error };
    }
    case "media":
      return readMedia(fields);
    case "usage":
      return {
        type,
        inputTokens: numberOf(fields["inputTokens"]) ?? 0,
        outputTokens: numberOf(fields["outputTokens"]) ?? 0,
        costUsd: numberOf(fields["costUsd"]),
      };
    case "done":
      return readDone(fields);
    default:
      return null;
  }
}

/** A service may be on another machine: it names media by URL, never by a path of its own. */
export function readMedia(fields: Fields): (AgentEvent & { readonly type: "media" }) | null {
  const url = stringOf(fields["url"]);
  const contentType = stringOf(fields["contentType"]);
  if (url === undefined || contentType === undefined) return null;
  return { type: "media", url, contentType, caption: stringOf(fields["caption"]) };
}

function readDone(fields: Fields): AgentEvent | null {
  const { outcome, error } = fields;
  if (outcome !== "completed" && outcome !== "failed") return null;
  if (typeof error !== "object" || error === null) return { type: "done", outcome };
  const { code, userText } = error as Fields;
  return { type: "done", outcome, error: { code: stringOf(code) ?? "runner_failed", userText: stringOf(userText) } };
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
