import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { createManualClock, createSystemClock } from "@turnwire/adapter-kit";
import { afterEach, describe, expect, it } from "vitest";

import { createTelegramClient } from "./client.ts";
import { remoteMedia } from "./inbound/media.ts";

const TOKEN = "123:token";
const signal = new AbortController().signal;
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
});

async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const clientOf = (apiRoot: string, clock = createSystemClock()): ReturnType<typeof createTelegramClient> =>
  createTelegramClient({ botToken: TOKEN, apiRoot, clock });

describe("a call", () => {
  it("is given up after its time, and then nobody knows", async () => {
    const clock = createManualClock();
    const asked = Promise.withResolvers<void>();
    const apiRoot = await serve(() => asked.resolve());
    const outcome = clientOf(apiRoot, clock).call({ method: "sendMessage", params: {}, timeoutMs: 1_000 }, signal);
    await asked.promise;
    await clock.advance(1_000);
    expect(await outcome).toEqual({
      ok: false,
      failure: { kind: "transport", method: "sendMessage", written: "maybe", code: "timeout" },
    });
  });

  it("leaves no timer behind", async () => {
    const clock = createManualClock();
    const apiRoot = await serve((_request, response) => response.end('{"ok":true,"result":1}'));
    expect(await clientOf(apiRoot, clock).call({ method: "sendMessage", params: {} }, signal)).toEqual({
      ok: true,
      result: 1,
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it("goes over a connection that is kept, until the client is closed", async () => {
    const opened: number[] = [];
    const apiRoot = await serve((request, response) => {
      opened.push(request.socket.remotePort ?? 0);
      response.end('{"ok":true,"result":1}');
    });
    const client = clientOf(apiRoot);
    await client.call({ method: "sendMessage", params: {} }, signal);
    await client.call({ method: "sendMessage", params: {} }, signal);
    client.close();
    expect(await client.call({ method: "sendMessage", params: {} }, signal)).toMatchObject({ ok: true });
    expect(opened[1]).toBe(opened[0]);
    expect(opened[2]).not.toBe(opened[0]);
  });

  it("does not follow a proxy's page: what is no JSON is no answer", async () => {
    const apiRoot = await serve((_request, response) => response.writeHead(502).end("<html>Bad Gateway</html>"));
    const outcome = await clientOf(apiRoot).call({ method: "sendMessage", params: {} }, signal);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: "transport", written: "maybe" } });
  });
});

describe("the address of a file", () => {
  const client = clientOf("https://api.example.org");

  it.each([
    ["photos/file_1.jpg", "https://api.example.org/file/bot123:token/photos/file_1.jpg"],
    ["a b/ü.txt", "https://api.example.org/file/bot123:token/a%20b/%C3%BC.txt"],
    ["photos/a?b#c", "https://api.example.org/file/bot123:token/photos/a%3Fb%23c"],
  ])("of %s", (path, url) => {
    expect(client.fileUrl(path)?.href).toBe(url);
  });

  it.each(["../getMe", "photos/../../x", "/etc/passwd", "//evil.example/x", "https://evil.example/x", "a/./b", ""])(
    "of %j is none",
    (path) => {
      expect(client.fileUrl(path)).toBeNull();
    },
  );
});

describe("fetching a file", () => {
  const file = { name: "photo", kind: "image", fileId: "f", contentType: "image/jpeg", messageId: "1" } as const;
  const fetchFrom = async (apiRoot: string): Promise<unknown> =>
    remoteMedia(file, { client: clientOf(apiRoot), clock: createSystemClock() }).fetch(signal);
  const answer = (filePath: unknown): string =>
    JSON.stringify({ ok: true, result: { file_id: "f", file_path: filePath } });

  it("takes the token nowhere else: a redirect is not followed", async () => {
    const elsewhere: string[] = [];
    const foreign = await serve((request, response) => {
      elsewhere.push(request.url ?? "");
      response.end("secret");
    });
    const apiRoot = await serve((request, response) => {
      if (request.url?.includes("/getFile") === true) response.end(answer("photos/1.jpg"));
      else response.writeHead(302, { location: foreign }).end();
    });
    await expect(fetchFrom(apiRoot)).rejects.toMatchObject({ code: "telegram_file_unavailable" });
    expect(elsewhere).toEqual([]);
  });

  it("stops at 20 MB, whatever was announced", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const apiRoot = await serve((request, response) => {
      if (request.url?.includes("/getFile") === true) {
        response.end(answer("photos/1.jpg"));
        return;
      }
      let sent = 0;
      const more = (): void => {
        while (sent < 30 && response.write(chunk)) sent += 1;
        if (sent >= 30) response.end();
        else response.once("drain", more);
      };
      more();
    });
    await expect(fetchFrom(apiRoot)).rejects.toThrow("20 MB");
  });

  it.each([
    ["no path", null],
    ["a path that leads away", "../../etc/passwd"],
  ])("with %s is refused, and the error holds no token", async (_name, path) => {
    const apiRoot = await serve((_request, response) => response.end(answer(path)));
    const error: unknown = await fetchFrom(apiRoot).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "telegram_file_unavailable" });
    expect(String(error)).not.toContain(TOKEN);
  });
});
