import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { parseVerifiedWebhook, verifyWebhook } from "@turnwire/adapter-kit";
import { describe, expect, it } from "vitest";

import { openWorld, type TelegramWorld } from "./support/telegram-world.ts";

const SECRET = "s3cret_of-the-hook";
const ACCOUNT = { mode: "webhook", webhook: { secretToken: SECRET } } as const;
const HEADER = "x-telegram-bot-api-secret-token";
const NOW_MS = Date.UTC(2026, 2, 1);

const body = (text = "hello"): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({
      update_id: 12,
      message: {
        message_id: 1,
        date: 1_772_323_200,
        chat: { id: 1001, type: "private", first_name: "ann" },
        from: { id: 1001, is_bot: false, first_name: "ann" },
        text,
      },
    }),
  );

function request(headers: Readonly<Record<string, string | undefined>>, bytes: Uint8Array = body()) {
  return { method: "POST", headers, bytes };
}

async function started(world: TelegramWorld): Promise<void> {
  world.start();
  await world.until(() => world.health.includes("connected"), "connected");
}

describe("a webhook account", () => {
  it("takes an update that proves the secret", async () => {
    await using world = await openWorld({ account: ACCOUNT });
    await started(world);
    const { webhook } = world.channel;
    expect(webhook).toMatchObject({ path: "/webhooks/telegram/default", secret: SECRET });
    const ingress = verifyWebhook(webhook, request({ [HEADER]: SECRET }), NOW_MS);
    expect(ingress).not.toHaveProperty("refused");
    if (!("refused" in ingress)) parseVerifiedWebhook(ingress);
    expect(world.health).toEqual(["connected", "ok"]);
    expect(webhook?.parse(body(), {})).toMatchObject({
      kind: "accept",
      events: [{ type: "message", payload: { update_id: 12, bot: { username: world.sim.bot.username } } }],
    });
  });

  it.each([
    ["no header", {}],
    ["an empty header", { [HEADER]: "" }],
    ["a wrong secret", { [HEADER]: `${SECRET}x` }],
    ["a beginning of it", { [HEADER]: SECRET.slice(0, -1) }],
    ["one that is not ASCII", { [HEADER]: "ü".repeat(SECRET.length) }],
    ["two of them", { [HEADER]: `${SECRET}, ${SECRET}` }],
  ])("refuses %s, and parses nothing", async (_name, headers) => {
    await using world = await openWorld({ account: ACCOUNT });
    await started(world);
    expect(verifyWebhook(world.channel.webhook, request(headers), NOW_MS)).toEqual({ refused: "unverified" });
    expect(world.health).toEqual(["connected"]);
  });

  it("refuses everything until it knows who it is: Telegram delivers again", async () => {
    await using world = await openWorld({ account: ACCOUNT });
    expect(verifyWebhook(world.channel.webhook, request({ [HEADER]: SECRET }), NOW_MS)).toEqual({
      refused: "unverified",
    });
  });

  it.each([
    ["no secret", {}],
    ["a blank secret", { secretToken: "" }],
  ])("with %s does not start, says what to do, and refuses all", async (_name, webhook) => {
    await using world = await openWorld({ account: { mode: "webhook", webhook } });
    const ended = await world.start().done;
    expect(world.channel.classifyError(ended)).toEqual({
      kind: "fatal",
      hint: expect.stringContaining("webhook.secretToken"),
    });
    expect(world.sim.calls()).toEqual([]);
    expect(verifyWebhook(world.channel.webhook, request({ [HEADER]: "" }), NOW_MS)).toEqual({
      refused: "blank_secret",
    });
  });

  it("makes a dead letter of a body that is no JSON", async () => {
    await using world = await openWorld({ account: ACCOUNT });
    await started(world);
    const ingress = verifyWebhook(world.channel.webhook, request({ [HEADER]: SECRET }, Buffer.from("{")), NOW_MS);
    expect(ingress).not.toHaveProperty("refused");
    expect(() => world.channel.webhook?.parse(Buffer.from("{"), {})).toThrow(SyntaxError);
    expect(() => world.channel.envelope({ type: "webhook_unparsed", payload: { body: "{" }, receivedAtMs: 0 })).toThrow(
      expect.objectContaining({ code: "telegram_update_unreadable" }),
    );
  });

  it("may run on many nodes; a polling one may not", async () => {
    await using hooked = await openWorld({ account: ACCOUNT });
    await using polling = await openWorld();
    expect(hooked.channel.capabilities.singleListener).toBe(false);
    expect(polling.channel.capabilities.singleListener).toBe(true);
    expect(polling.channel.webhook).toBeNull();
  });
});

describe("registration", () => {
  it("sets the webhook where the gateway has a public origin", async () => {
    await using world = await openWorld({ account: ACCOUNT });
    world.start({ publicUrl: "https://bot.example.org/" });
    await world.until(() => world.health.includes("connected"), "connected");
    expect(world.callsOf("setWebhook").map(({ params }) => params)).toEqual([
      {
        url: "https://bot.example.org/webhooks/telegram/default",
        secret_token: SECRET,
        allowed_updates: expect.arrayContaining(["message", "callback_query", "my_chat_member"]),
      },
    ]);
    expect(world.callsOf("getUpdates")).toEqual([]);
  });

  it("leaves it to the operator where it has none", async () => {
    await using world = await openWorld({ account: ACCOUNT });
    await started(world);
    expect(world.callsOf("setWebhook")).toEqual([]);
    expect(world.log.lines.map(({ message }) => message)).toContainEqual(expect.stringContaining("publicUrl"));
  });

  it.each([
    {
      name: "an address that Telegram does not take",
      fault: { status: 400 },
      expected: { kind: "fatal", hint: expect.stringContaining("https") },
    },
    { name: "too many registrations", fault: { retryAfter: 1 }, expected: { kind: "retry", afterMs: 1_000 } },
    { name: "an error of Telegram's", fault: { status: 500 }, expected: { kind: "retry" } },
  ])("$name", async ({ fault, expected }) => {
    await using world = await openWorld({ account: ACCOUNT });
    world.sim.faults.add({ match: { method: "setWebhook" }, do: fault });
    const ended = await world.start({ publicUrl: "https://bot.example.org" }).done;
    expect(world.channel.classifyError(ended)).toEqual(expected);
  });

  it("is understood by Telegram: what it then posts is verified and read", async () => {
    await using world = await openWorld({ account: ACCOUNT });
    const seen: unknown[] = [];
    await using hook = await serve((headers, bytes) => {
      const { webhook } = world.channel;
      const secret = headers[HEADER];
      const ingress = verifyWebhook(
        webhook,
        request({ [HEADER]: typeof secret === "string" ? secret : undefined }, bytes),
        NOW_MS,
      );
      if ("refused" in ingress) return 401;
      seen.push(webhook?.parse(bytes, {}));
      return 200;
    });
    world.start({ publicUrl: hook.origin });
    await world.until(() => world.health.includes("connected"), "connected");
    world.sim.say({ by: "ann", in: "direct", text: "over the hook" });
    await world.until(
      () => world.sim.events().every(({ acknowledgedBy }) => acknowledgedBy === "http 200"),
      "acknowledged",
    );
    expect(seen).toMatchObject([{ kind: "accept", events: [{ payload: { content: { text: "over the hook" } } }] }]);
  });
});

interface Hook extends AsyncDisposable {
  readonly origin: string;
}

async function serve(answer: (headers: Readonly<Record<string, unknown>>, bytes: Uint8Array) => number): Promise<Hook> {
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    incoming.on("end", () => {
      outgoing.writeHead(answer(incoming.headers, Buffer.concat(chunks))).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
