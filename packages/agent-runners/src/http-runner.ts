import type { AgentEvent, AgentRunContext, AgentRunner, Clock } from "@turnwire/turn-ports";
import { EventSourceParserStream } from "eventsource-parser/stream";

import { decideResponse } from "./decide-response.ts";
import { parseAgentEvent, readMedia } from "./parse-agent-event.ts";
import { waitFor } from "./wait-for.ts";

/** Where and how a service of one's own is asked. */
export interface HttpRunnerOptions {
  readonly clock: Clock;
  /** Answers `POST` with server-sent events or JSON. */
  readonly url: string;
  /** Sent with every request, e.g. `Authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Longest run, ms; a turn's own limit may end it earlier. Default 600,000. */
  readonly timeoutMs?: number | undefined;
}

/** First pause before the service is asked again, ms; doubled each time. */
const RETRY_BASE_MS = 500;
/** Longest pause, ms. */
const RETRY_MAX_MS = 30_000;
/** Largest JSON answer, bytes: far above any chat message. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

type Done = AgentEvent & { readonly type: "done" };

/**
 * Hands turns to a service of one's own over HTTP. Until the first event the request is repeated on 429, 503 and failed
 * connections, under the same `Idempotency-Key`; after it a broken stream fails the run and is never replayed.
 */
export function createHttpRunner(options: HttpRunnerOptions): AgentRunner {
  const { clock, url, headers = {}, timeoutMs = 600_000 } = options;
  return {
    kind: "http",
    async *run(context, { signal }): AsyncIterable<AgentEvent> {
      const deadlineMs = clock.monotonic() + Math.min(timeoutMs, context.limits.timeoutMs);
      const timeout = new AbortController();
      const cancel = clock.setTimer(() => timeout.abort(), deadlineMs - clock.monotonic());
      const ended = AbortSignal.any([signal, timeout.signal]);
      const progress = { hasEvents: false };
      let pauseMs = RETRY_BASE_MS;
      try {
        for (;;) {
          const end = yield* ask({ url, headers, context, signal: ended, nowMs: clock.now(), progress });
          if (signal.aborted) return;
          if (timeout.signal.aborted) {
            yield failed("timed_out");
            return;
          }
          if (end.kind === "ended") return;
          const afterMs = end.afterMs ?? pauseMs;
          if (clock.monotonic() + afterMs >= deadlineMs) {
            yield failed(end.code);
            return;
          }
          await waitFor(clock, afterMs, ended);
          pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2);
        }
      } finally {
        cancel();
        // Whoever stops reading closes the connection.
        timeout.abort();
      }
    },
  };
}

interface Ask {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly context: AgentRunContext;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  readonly progress: { hasEvents: boolean };
}

type AskEnd =
  | { readonly kind: "ended" }
  | { readonly kind: "retry"; readonly code: string; readonly afterMs?: number | undefined };

const ENDED: AskEnd = { kind: "ended" };

async function* ask(request: Ask): AsyncGenerator<AgentEvent, AskEnd> {
  const { url, headers, context, signal, nowMs, progress } = request;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "text/event-stream",
        "idempotency-key": `${context.turnId}:${context.attempt}`,
      },
      body: JSON.stringify(bodyOf(context)),
      signal,
    });
    const decision = decideResponse({
      status: response.status,
      contentType: response.headers.get("content-type"),
      retryAfter: response.headers.get("retry-after"),
      nowMs,
    });
    switch (decision.kind) {
      case "stream":
        yield* readStream(response, progress);
        return ENDED;
      case "json":
        yield* readJson(response);
        return ENDED;
      case "retry":
        await response.body?.cancel();
        return decision;
      case "failed":
        await response.body?.cancel();
        yield failed(decision.code);
        return ENDED;
    }
  } catch {
    if (signal.aborted) return ENDED;
    if (!progress.hasEvents) return { kind: "retry", code: "runner_unavailable" };
    // What was said was said: asking again would say it twice.
    yield failed("runner_disconnected");
    return ENDED;
  }
}

/** Tools are the service's own, and a run of it cannot be resumed in the middle of a sentence: it gets the facts. */
function bodyOf(context: AgentRunContext): object {
  const { turnId, attempt, agent, session, message, transcript, history, resume, limits, model } = context;
  return { v: 1, turn: { id: turnId, attempt }, agent, session, message, transcript, history, resume, limits, model };
}

async function* readStream(response: Response, progress: { hasEvents: boolean }): AsyncGenerator<AgentEvent> {
  if (response.body === null) return;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event = "message", data } of events) {
    const parsed = parseAgentEvent(event, data);
    // Names that a newer service knows and we do not are passed over.
    if (parsed === null) continue;
    progress.hasEvents = true;
    yield parsed;
    if (parsed.type === "done") return;
  }
}

async function* readJson(response: Response): AsyncGenerator<AgentEvent> {
  const bytes = await response.arrayBuffer();
  const answer = bytes.byteLength > MAX_JSON_BYTES ? null : answerOf(new TextDecoder().decode(bytes));
  if (answer === null) {
    yield failed("runner_answer_unreadable");
    return;
  }
  if (answer.text !== "") yield { type: "text-delta", text: answer.text };
  for (const media of answer.media) yield media;
  yield { type: "done", outcome: "completed" };
}

function answerOf(json: string): { readonly text: string; readonly media: readonly AgentEvent[] } | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { text = "", media = [] } = value as { readonly text?: unknown; readonly media?: unknown };
  if (typeof text !== "string" || !Array.isArray(media)) return null;
  const items = media.map((item: unknown) =>
    typeof item === "object" && item !== null ? readMedia(item as Record<string, unknown>) : null,
  );
  return items.some((item) => item === null) ? null : { text, media: items.filter((item) => item !== null) };
}

function failed(code: string): Done {
  return { type: "done", outcome: "failed", error: { code } };
}
