/** What a failed call proves about its request. */
export interface TransportFailure {
  /** `no`: the request never left, sending it again is safe; `maybe`: bytes may have reached the platform. */
  readonly written: "no" | "maybe";
  /** The error's own code, or `unknown`. */
  readonly code: string;
}

/**
 * Codes of Node and undici that come before a request is written: name resolution, connecting, TLS handshake.
 * Everything else may have come after: ECONNRESET, a timeout of headers or body, a socket that was closed.
 */
const BEFORE_WRITING: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_INVALID_URL",
]);

/** Causes nest: a fetch error holds undici's, which holds the socket's. Deeper chains than this are no transport errors. */
const MAX_DEPTH = 6;

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let queue: unknown[] = [error];
  for (let depth = 0; depth < MAX_DEPTH && queue.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const item of queue) {
      if (typeof item !== "object" || item === null) continue;
      if ("code" in item && typeof item.code === "string") codes.push(item.code);
      if ("cause" in item) next.push(item.cause);
      // grammY and others keep the transport's error under `error`.
      if ("error" in item) next.push(item.error);
      if (item instanceof AggregateError) next.push(...(item.errors as unknown[]));
    }
    queue = next;
  }
  return codes;
}

/** Tells from an error of fetch, undici or Node whether the request can have had an effect. When in doubt: `maybe`. */
export function classifyTransportError(error: unknown): TransportFailure {
  const codes = codesOf(error);
  const before = codes.find((code) => BEFORE_WRITING.has(code));
  // One code that comes after writing outweighs any before it: an aggregate holds the failures of several tries.
  const after = codes.find((code) => !BEFORE_WRITING.has(code) && /^(E[A-Z]|UND_ERR)/.test(code));
  if (before !== undefined && after === undefined) return { written: "no", code: before };
  return { written: "maybe", code: after ?? before ?? codes[0] ?? "unknown" };
}
