import { TurnwireError } from "@turnwire/turn-kernel";

import type { ResolvedAddress } from "./resolve-hop.ts";

/** One request to addresses that were checked. */
export interface HopRequest {
  readonly url: URL;
  readonly addresses: readonly ResolvedAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** What one request brought. A redirect has no bytes. */
export interface HopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Where it leads to, as the server wrote it. */
  readonly redirect: string | null;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Makes one GET request, follows nothing, and reads at most `maxBytes` of the decoded body. @throws TurnwireError `fetch_too_large` */
export async function fetchHop({ url, addresses, headers, maxBytes, signal }: HopRequest): Promise<HopAnswer> {
  // Loaded when something is fetched, not when the package is.
  const { Agent, fetch } = await import("undici");
  const agent = new Agent({
    connect: {
      // Whatever the name is asked for, the answer is what was checked.
      lookup: (_hostname, options, callback) => {
        const [first] = addresses;
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first?.address ?? "", first?.family);
      },
    },
  });
  try {
    const response = await fetch(url, { dispatcher: agent, redirect: "manual", headers, signal });
    const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
    const location = response.headers.get("location");
    if (REDIRECTS.has(response.status) && location !== null) {
      return { ...answer, bytes: new Uint8Array(), redirect: location };
    }
    const announced = Number(response.headers.get("content-length") ?? 0);
    if (announced > maxBytes) throw tooLarge(url, maxBytes);
    return { ...answer, bytes: await readBody(response.body, maxBytes, url), redirect: null };
  } finally {
    // Also ends a body that nobody wants to read further.
    await agent.destroy();
  }
}

async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number, url: URL): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge(url, maxBytes);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces, size));
}

function tooLarge(url: URL, maxBytes: number): TurnwireError {
  return new TurnwireError({
    code: "fetch_too_large",
    message: `What ${url.origin} sent is larger than the ${maxBytes} bytes that are allowed.`,
  });
}
