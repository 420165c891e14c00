import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { afterEach, describe, expect, it } from "vitest";

import { createManualClock } from "../manual-clock.ts";
import { fetchHop } from "./fetch-hop.ts";
import { resolveHop } from "./resolve-hop.ts";
import { safeFetch } from "./safe-fetch.ts";

interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
  readonly nextRequest: () => Promise<unknown>;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, requests, nextRequest: () => once(server, "request") };
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const refused = expect.objectContaining({ code: "fetch_refused" });
const loopback = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);

describe("safeFetch", () => {
  it("fetches from the account's own origin, also on a private address", async () => {
    const api = await serve((_, response) => {
      response.writeHead(200, { "content-type": "Text/Plain; charset=utf-8" }).end("hello");
    });
    const result = await safeFetch(`${api.origin}/file?a=1`, { maxBytes: 100, allowOrigin: `${api.origin}/bot-api/` });
    expect({ ...result, bytes: text(result.bytes), headers: null }).toEqual({
      url: `${api.origin}/file?a=1`,
      status: 200,
      contentType: "text/plain",
      bytes: "hello",
      headers: null,
    });
  });

  it("hands back what is no success", async () => {
    const api = await serve((_, response) => response.writeHead(404).end("gone"));
    const result = await safeFetch(api.origin, { maxBytes: 100, allowOrigin: api.origin });
    expect([result.status, text(result.bytes), result.contentType]).toEqual([404, "gone", undefined]);
  });

  it("refuses a private address that is not the account's own, and does not call it", async () => {
    const inside = await serve((_, response) => response.end("secret"));
    const api = await serve((_, response) => response.end());
    await expect(safeFetch(inside.origin, { maxBytes: 100 })).rejects.toEqual(refused);
    await expect(safeFetch(inside.origin, { maxBytes: 100, allowOrigin: api.origin })).rejects.toEqual(refused);
    expect(inside.requests).toEqual([]);
  });

  it.each([
    "http://localhost:1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "https://user:password@example.org/",
    "file:///etc/passwd",
    "data:text/plain,hello",
    "no url",
  ])("refuses %s", async (url) => {
    await expect(safeFetch(url, { maxBytes: 100 })).rejects.toEqual(refused);
  });

  it("says where, and never the path: it may hold a token", async () => {
    await expect(safeFetch("http://127.0.0.1/bot123:TOKEN/file", { maxBytes: 1 })).rejects.toThrow(
      "A fetch was refused: http://127.0.0.1 is not on the public internet.",
    );
  });
});

describe("redirects", () => {
  it.each([
    "/inside",
    "//127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://inside.example:PORT/",
    "file:///etc/passwd",
  ])("to %s on another origin is refused before anything is asked there", async (location) => {
    const inside = await serve((_, response) => response.end("secret"));
    const target = location.replace("PORT", String(inside.port));
    const api = await serve((request, response) => {
      // The first hop stays at home, the second leaves it.
      const next = request.url === "/" ? "/second" : target;
      response.writeHead(302, { location: next === "/inside" ? `${inside.origin}/inside` : next }).end();
    });
    const options = { maxBytes: 100, allowOrigin: api.origin, resolve: loopback };
    await expect(safeFetch(`${api.origin}/`, options)).rejects.toEqual(refused);
    expect(api.requests.map(({ url }) => url)).toEqual(["/", "/second"]);
    expect(inside.requests).toEqual([]);
  });

  it("are followed up to their number", async () => {
    const api = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(307, { location: `/${left - 1}` }).end("a body nobody reads");
    });
    const options = { maxBytes: 100, allowOrigin: api.origin };
    const result = await safeFetch(`${api.origin}/5`, options);
    expect([text(result.bytes), result.url]).toEqual(["there", `${api.origin}/0`]);
    await expect(safeFetch(`${api.origin}/6`, options)).rejects.toEqual(refused);
    await expect(safeFetch(`${api.origin}/1`, { ...options, maxRedirects: 0 })).rejects.toEqual(refused);
  });

  it("take no secret along to another origin", async () => {
    const other = await serve((_, response) => response.end("other"));
    const api = await serve((_, response) =>
      response.writeHead(302, { location: `http://other.example:${other.port}/` }).end(),
    );
    const headersOf = (server: TestServer): unknown => {
      const { authorization, accept } = server.requests.at(-1)?.headers ?? {};
      return { authorization, accept };
    };
    // Both are reached as if they were allowed, hop by hop: what is looked at is what each was sent.
    const options = {
      maxBytes: 100,
      headers: { accept: "image/*" },
      credentials: { origins: [api.origin], headers: { authorization: "Bearer t" } },
      resolve: loopback,
    };
    await expect(safeFetch(api.origin, { ...options, allowOrigin: api.origin })).rejects.toEqual(refused);
    expect(headersOf(api)).toEqual({ authorization: "Bearer t", accept: "image/*" });
    await safeFetch(`http://other.example:${other.port}/`, {
      ...options,
      allowOrigin: `http://other.example:${other.port}`,
    });
    expect(headersOf(other)).toEqual({ authorization: undefined, accept: "image/*" });
  });
});

describe("name resolution", () => {
  it("is done once for each hop, and the connection goes to what was checked", async () => {
    const api = await serve((_, response) => response.end("pinned"));
    const asked: string[] = [];
    const origin = `http://files.example:${api.port}`;
    const resolve = (hostname: string) => {
      asked.push(hostname);
      return loopback();
    };
    const result = await safeFetch(`${origin}/a`, { maxBytes: 100, allowOrigin: origin, resolve });
    expect(text(result.bytes)).toBe("pinned");
    expect(asked).toEqual(["files.example"]);
    expect(api.requests[0]?.headers.host).toBe(`files.example:${api.port}`);
  });

  it("cannot be asked again by the connection: a name that nobody knows is reached at the given address", async () => {
    const api = await serve((_, response) => response.end("here"));
    const { signal } = new AbortController();
    const addresses = await loopback();
    const url = new URL(`http://nobody-knows.invalid:${api.port}/`);
    const answer = await fetchHop({ url, addresses, headers: {}, maxBytes: 10, signal });
    expect(text(answer.bytes)).toBe("here");
  });

  it("refuses a name with one private address among public ones, and one with none", async () => {
    const url = new URL("https://mixed.example/");
    const isPublic = { address: "1.1.1.1", family: 4 };
    await expect(resolveHop(url, undefined, () => Promise.resolve([isPublic]))).resolves.toEqual([isPublic]);
    const mixed = [isPublic, { address: "fd00::1", family: 6 }];
    await expect(resolveHop(url, undefined, () => Promise.resolve(mixed))).rejects.toEqual(refused);
    await expect(resolveHop(url, undefined, () => Promise.resolve([]))).rejects.toEqual(refused);
  });

  it("that fails is a failed fetch", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("no such host"), { code: "ENOTFOUND" }));
    await expect(safeFetch("https://nobody.example/", { maxBytes: 1, resolve })).rejects.toMatchObject({
      code: "fetch_failed",
      cause: { code: "ENOTFOUND" },
    });
  });
});

describe("bounds", () => {
  const tooLarge = expect.objectContaining({ code: "fetch_too_large" });

  it("of size, when it is announced", async () => {
    const api = await serve((_, response) => response.writeHead(200, { "content-length": "1000000" }).write("x"));
    await expect(safeFetch(api.origin, { maxBytes: 1000, allowOrigin: api.origin })).rejects.toEqual(tooLarge);
  });

  it("of size, when it is not, while the body still comes", async () => {
    const api = await serve((_, response) => {
      // Never ends: only a reader that counts gets away.
      const more = (): void => {
        if (response.write("x".repeat(500))) setImmediate(more);
        else response.once("drain", more);
      };
      response.on("error", () => {});
      more();
    });
    await expect(safeFetch(api.origin, { maxBytes: 10_000, allowOrigin: api.origin })).rejects.toEqual(tooLarge);
  });

  it("of size, after unpacking", async () => {
    const packed = gzipSync("x".repeat(1_000_000));
    const api = await serve((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed));
    expect(packed.byteLength).toBeLessThan(10_000);
    await expect(safeFetch(api.origin, { maxBytes: 10_000, allowOrigin: api.origin })).rejects.toEqual(tooLarge);
  });

  it("of size, to the byte", async () => {
    const api = await serve((_, response) => response.end("12345"));
    expect((await safeFetch(api.origin, { maxBytes: 5, allowOrigin: api.origin })).bytes).toHaveLength(5);
    await expect(safeFetch(api.origin, { maxBytes: 4, allowOrigin: api.origin })).rejects.toEqual(tooLarge);
  });

  it.each([
    { name: "no answer", answer: () => {} },
    { name: "a body that stops", answer: (response: ServerResponse) => response.writeHead(200).write("x") },
  ])("of time: $name", async ({ answer }) => {
    const clock = createManualClock();
    const api = await serve((_, response) => answer(response));
    const asked = api.nextRequest();
    const fetching = safeFetch(api.origin, { maxBytes: 100, allowOrigin: api.origin, timeoutMs: 5000, clock });
    const outcome = expect(fetching).rejects.toMatchObject({ code: "fetch_timed_out" });
    await asked;
    await clock.advance(4999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    await outcome;
    expect(clock.pendingTimers).toBe(0);
  });

  it("of time: a resolver that does not answer", async () => {
    const clock = createManualClock();
    const resolve = () => new Promise<never>(() => {});
    const fetching = safeFetch("https://slow.example/", { maxBytes: 1, timeoutMs: 1000, clock, resolve });
    const outcome = expect(fetching).rejects.toMatchObject({ code: "fetch_timed_out" });
    await clock.advance(1000);
    await outcome;
  });

  it("set by the caller's signal, whose reason is thrown", async () => {
    const api = await serve(() => {});
    const asked = api.nextRequest();
    const stop = new AbortController();
    const fetching = safeFetch(api.origin, { maxBytes: 1, allowOrigin: api.origin, signal: stop.signal });
    const outcome = expect(fetching).rejects.toThrow("turn over");
    await asked;
    stop.abort(new Error("turn over"));
    await outcome;
    await expect(safeFetch(api.origin, { maxBytes: 1, signal: stop.signal })).rejects.toThrow("turn over");
  });

  it("a connection that is refused is a failed fetch with its cause", async () => {
    const gone = await serve(() => {});
    await closers.pop()?.();
    await expect(safeFetch(gone.origin, { maxBytes: 1, allowOrigin: gone.origin })).rejects.toMatchObject({
      code: "fetch_failed",
      cause: { cause: { code: "ECONNREFUSED" } },
    });
  });
});
