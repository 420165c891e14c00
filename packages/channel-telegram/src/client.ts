import { createReadStream } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { basename } from "node:path";

import { classifyTransportError } from "@turnwire/adapter-kit";
import type { Clock, JsonValue } from "@turnwire/turn-ports";
import { Api, GrammyError, InputFile } from "grammy";

/** Why a call did not succeed: Telegram answered with an error, or no answer came. */
export type TelegramFailure =
  | {
      readonly kind: "refused";
      readonly method: string;
      /** Telegram's `error_code`, equal to the HTTP status. */
      readonly status: number;
      readonly description: string;
      readonly retryAfterMs?: number | undefined;
      /** The supergroup that a group was turned into. */
      readonly migrateToChatId?: string | undefined;
    }
  | {
      readonly kind: "transport";
      readonly method: string;
      /** `no`: proven that nothing was sent. */
      readonly written: "no" | "maybe";
      readonly code: string;
    };

/** How a call ended. Nothing but a fault of ours is thrown. */
export type CallResult<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly failure: TelegramFailure };

/** A file of this machine that goes along with a call. */
export interface TelegramUpload {
  /** The parameter that it is the value of, e.g. `photo`. */
  readonly field: string;
  readonly path: string;
  readonly fileName?: string | undefined;
}

/** Any call of the Bot API by its name. */
export interface TelegramCall {
  readonly method: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly upload?: TelegramUpload | undefined;
  /** How long to wait for the answer, ms. Default 30 s, with an upload 120 s. */
  readonly timeoutMs?: number | undefined;
}

/** The narrow set of what we ask of the SDK. */
export interface TelegramClient {
  /** The id that every token starts with; null when this one does not look like a token. */
  readonly botId: string | null;
  /** Tried once; the answer's form is for the caller to check. */
  call(call: TelegramCall, signal: AbortSignal): Promise<CallResult<unknown>>;
  /** Where a file of Telegram's is fetched, on the account's own API and nowhere else; null for a path that leads away from it. */
  fileUrl(filePath: string): URL | null;
  /** Closes connections; a call after it opens new ones. */
  close(): void;
}

/** A send that takes longer is hopeless: Telegram answers within seconds. */
const CALL_TIMEOUT_MS = 30_000;
/** 50 MB (the limit for uploads) at 4 Mbit/s. */
const UPLOAD_TIMEOUT_MS = 120_000;
/** The SDK's own limit, s; ours are all below it. */
const SDK_TIMEOUT_S = 300;

/**
 * An idle connection is closed by us before the server does it, ms: nginx, which stands before the Bot API, waits 75 s by default.
 * A send that meets the server's close has an unknown outcome, and somebody would have to be told.
 */
const IDLE_SOCKET_MS = 30_000;

/** @param options.apiRoot without a slash at its end. */
export function createTelegramClient(options: {
  readonly botToken: string;
  readonly apiRoot: string;
  readonly clock: Clock;
}): TelegramClient {
  const { botToken, apiRoot, clock } = options;
  const sockets = { keepAlive: true, timeout: IDLE_SOCKET_MS };
  const agent = apiRoot.startsWith("https:") ? new HttpsAgent(sockets) : new HttpAgent(sockets);
  const api = new Api(botToken, {
    apiRoot,
    timeoutSeconds: SDK_TIMEOUT_S,
    sensitiveLogs: false,
    baseFetchConfig: { agent },
  });

  return {
    botId: /^(\d+):/.exec(botToken)?.[1] ?? null,

    async call({ method, params, upload, timeoutMs }, signal) {
      if (signal.aborted) return { ok: false, failure: { kind: "transport", method, written: "no", code: "aborted" } };
      const timeout = new AbortController();
      const limitMs = timeoutMs ?? (upload === undefined ? CALL_TIMEOUT_MS : UPLOAD_TIMEOUT_MS);
      const cancel = clock.setTimer(() => timeout.abort(), limitMs);
      try {
        const payload = upload === undefined ? params : { ...params, [upload.field]: inputFile(upload) };
        const result = await rawMethod(api, method)(payload, AbortSignal.any([signal, timeout.signal]));
        return { ok: true, result };
      } catch (error) {
        const isAborted = signal.aborted ? "aborted" : undefined;
        const code = timeout.signal.aborted ? "timeout" : isAborted;
        return { ok: false, failure: failureOf(method, error, code) };
      } finally {
        cancel();
      }
    },

    fileUrl(filePath) {
      const base = `${apiRoot}/file/bot${botToken}/`;
      const segments = filePath.split("/");
      if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) return null;
      return new URL(base + segments.map(encodeURIComponent).join("/"));
    },

    close: () => agent.destroy(),
  };
}

/** The SDK makes methods out of any name; its types know only those of its own release. */
function rawMethod(api: Api, method: string): (payload: object, signal: AbortSignal) => Promise<unknown> {
  const raw = api.raw as unknown as Readonly<
    Record<string, (payload: object, signal: AbortSignal) => Promise<unknown>>
  >;
  // Methods that the SDK takes to be without parameters get the signal in their place.
  const isBare = BARE_METHODS.has(method);
  const call = raw[method] as (...args: readonly unknown[]) => Promise<unknown>;
  return (payload, signal) => (isBare ? call(signal) : call(payload, signal));
}

const BARE_METHODS: ReadonlySet<string> = new Set(["getMe", "getWebhookInfo"]);

function inputFile({ path, fileName }: TelegramUpload): InputFile {
  // Opened when it is sent, and streamed: a file of 50 MB is never held in memory.
  return new InputFile(() => createReadStream(path), fileName ?? basename(path));
}

function failureOf(method: string, error: unknown, aborted: string | undefined): TelegramFailure {
  if (error instanceof GrammyError) {
    const { retry_after: retryAfterS, migrate_to_chat_id: migrateTo } = error.parameters;
    return {
      kind: "refused",
      method,
      status: error.error_code,
      description: error.description,
      ...(retryAfterS === undefined ? {} : { retryAfterMs: retryAfterS * 1000 }),
      ...(migrateTo === undefined ? {} : { migrateToChatId: String(migrateTo) }),
    };
  }
  if (aborted !== undefined) return { kind: "transport", method, written: "maybe", code: aborted };
  return { kind: "transport", method, ...classifyTransportError(error) };
}
