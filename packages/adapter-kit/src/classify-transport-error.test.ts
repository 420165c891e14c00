import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import { describe, expect, it } from "vitest";

import { classifyTransportError } from "./classify-transport-error.ts";

const withCode = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

describe("classifyTransportError", () => {
  it.each([
    { name: "a refused connection", error: withCode("ECONNREFUSED"), written: "no", code: "ECONNREFUSED" },
    { name: "a name that is not known", error: withCode("ENOTFOUND"), written: "no", code: "ENOTFOUND" },
    {
      name: "a connect time-out",
      error: withCode("UND_ERR_CONNECT_TIMEOUT"),
      written: "no",
      code: "UND_ERR_CONNECT_TIMEOUT",
    },
    {
      name: "a certificate that does not fit",
      error: withCode("ERR_TLS_CERT_ALTNAME_INVALID"),
      written: "no",
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    },
    {
      name: "fetch's error around it",
      error: new TypeError("fetch failed", { cause: withCode("ECONNREFUSED") }),
      written: "no",
      code: "ECONNREFUSED",
    },
    {
      name: "an SDK's error around that",
      error: Object.assign(new Error("Network request failed"), {
        error: new TypeError("fetch failed", { cause: withCode("EAI_AGAIN") }),
      }),
      written: "no",
      code: "EAI_AGAIN",
    },
    {
      name: "all addresses refused",
      error: new AggregateError([withCode("ECONNREFUSED"), withCode("EHOSTUNREACH")], "all failed"),
      written: "no",
      code: "ECONNREFUSED",
    },
    { name: "a reset", error: withCode("ECONNRESET"), written: "maybe", code: "ECONNRESET" },
    { name: "a closed socket", error: withCode("UND_ERR_SOCKET"), written: "maybe", code: "UND_ERR_SOCKET" },
    {
      name: "no headers in time",
      error: withCode("UND_ERR_HEADERS_TIMEOUT"),
      written: "maybe",
      code: "UND_ERR_HEADERS_TIMEOUT",
    },
    { name: "a write that broke", error: withCode("EPIPE"), written: "maybe", code: "EPIPE" },
    {
      name: "one try refused, another reset",
      error: new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNRESET")], "all failed"),
      written: "maybe",
      code: "ECONNRESET",
    },
    { name: "an abort", error: new DOMException("aborted", "AbortError"), written: "maybe", code: "unknown" },
    { name: "a code of another kind", error: withCode("rate_limited"), written: "maybe", code: "rate_limited" },
    { name: "a string", error: "ECONNREFUSED", written: "maybe", code: "unknown" },
    { name: "nothing", error: undefined, written: "maybe", code: "unknown" },
  ])("$name: written = $written", ({ error, written, code }) => {
    expect(classifyTransportError(error)).toEqual({ written, code });
  });

  it("ends with an error that is its own cause", () => {
    const error = new Error("round");
    error.cause = error;
    expect(classifyTransportError(error)).toEqual({ written: "maybe", code: "unknown" });
  });

  it("knows the errors that Node's own fetch makes", async () => {
    const server = createServer((socket) => {
      socket.once("data", () => socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const failure = (): Promise<unknown> => fetch(url).catch((error: unknown) => error);
    expect(classifyTransportError(await failure()).written).toBe("maybe");
    server.close();
    await once(server, "close");
    expect(classifyTransportError(await failure())).toEqual({ written: "no", code: "ECONNREFUSED" });
  });
});
