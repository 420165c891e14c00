import { type Clock, TurnwireError } from "@turnwire/turn-kernel";

import { createSystemClock } from "../system-clock.ts";
import { fetchHop, type HopAnswer } from "./fetch-hop.ts";
import { resolveHop, type ResolveHost, resolveHost } from "./resolve-hop.ts";

/** Bounds and permissions of one fetch. */
export interface SafeFetchOptions {
  /** A longer body fails the fetch; nothing is cut. */
  readonly maxBytes: number;
  /** For all hops and the whole body. Default 30,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Default 5. Each one is checked like the first. */
  readonly maxRedirects?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sent to every hop: nothing secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Secret headers, sent to these origins alone, whatever redirects say; over https, or to `allowOrigin`. */
  readonly credentials?:
    | { readonly origins: readonly string[]; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  /** The account's own API origin, e.g. `http://127.0.0.1:8081`: the one that may be a private address. */
  readonly allowOrigin?: string | undefined;
  readonly resolve?: ResolveHost | undefined;
  readonly clock?: Clock | undefined;
}

/** What came back; any status but a followed redirect. */
export interface SafeFetchResult {
  /** Of the last hop. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the header, without parameters. */
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** Long enough for 25 MiB over a slow line; a turn waits for its media no longer. */
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_REDIRECTS = 5;

/**
 * Gets what a message or an agent named, without letting it reach into the network that we run in: each hop's name is
 * resolved once, its addresses are checked, and the connection goes to those. Bounded in time, size and redirects.
 * @throws TurnwireError `fetch_refused` (where to), `fetch_too_large`, `fetch_timed_out`, `fetch_failed` (network; see `cause`); the signal's reason when it is aborted.
 */
export async function safeFetch(url: string, options: SafeFetchOptions): Promise<SafeFetchResult> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, clock = createSystemClock(), signal } = options;
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const cancelTimer = clock.setTimer(() => {
    timeout.abort(
      new TurnwireError({ code: "fetch_timed_out", message: `A fetch took longer than its ${timeoutMs} ms.` }),
    );
  }, timeoutMs);
  const within = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  try {
    return await followHops(url, options, within);
  } catch (error) {
    within.throwIfAborted();
    if (TurnwireError.isInstance(error)) throw error;
    throw new TurnwireError({
      code: "fetch_failed",
      message: "A fetch failed on its way; see the cause.",
      cause: error,
    });
  } finally {
    cancelTimer();
  }
}

async function followHops(url: string, options: SafeFetchOptions, signal: AbortSignal): Promise<SafeFetchResult> {
  const { maxRedirects = DEFAULT_MAX_REDIRECTS, resolve = resolveHost, maxBytes } = options;
  const allowOrigin = originOf(options.allowOrigin);
  let target = parseUrl(url);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const addresses = await abortable(resolveHop(target, allowOrigin, resolve), signal);
    const answer = await fetchHop({ url: target, addresses, headers: headersFor(target, options), maxBytes, signal });
    if (answer.redirect === null) return resultOf(target, answer);
    target = parseUrl(answer.redirect, target);
  }
  throw new TurnwireError({
    code: "fetch_refused",
    message: `A fetch was redirected more than ${maxRedirects} times.`,
  });
}

function headersFor(target: URL, { headers, credentials, allowOrigin }: SafeFetchOptions): Record<string, string> {
  const isTrusted =
    credentials?.origins.some((origin) => originOf(origin) === target.origin) === true &&
    (target.protocol === "https:" || target.origin === originOf(allowOrigin));
  return { ...headers, ...(isTrusted ? credentials.headers : {}) };
}

function resultOf(url: URL, { status, headers, bytes }: HopAnswer): SafeFetchResult {
  const contentType = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  return { url: url.href, status, headers, contentType: contentType === "" ? undefined : contentType, bytes };
}

/** Config holds API roots with and without a path. */
function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.origin;
}

function parseUrl(url: string, base?: URL): URL {
  const parsed = URL.parse(url, base?.href);
  if (parsed === null) {
    throw new TurnwireError({ code: "fetch_refused", message: "A fetch was refused: its address is no URL." });
  }
  return parsed;
}

/** A resolver cannot be stopped; its answer is not waited for. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}
