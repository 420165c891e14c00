import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, it } from "vitest";

import { eventually } from "./gateway-process.ts";
import { ADMIN_TOKEN, TelegramWorkplace } from "./telegram-workplace.ts";

const SECRET = "hook-secret-1";
const PATH = "/webhooks/telegram/default";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("Telegram by webhook, through the same inbox and lanes", { timeout: 60_000 }, () => {
  it("registers itself, answers, refuses what is forged, and loses nothing over a kill", async () => {
    await using place = await TelegramWorkplace.open();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    place.configure(
      { mode: "webhook", webhook: { path: PATH, secretToken: SECRET } },
      { http: { port, adminToken: ADMIN_TOKEN, publicUrl: origin } },
    );
    const first = place.start();
    await first.ready();
    place.sim.say({ by: "ann", in: "direct", text: "by webhook" });
    await place.botSaid("direct", ["by webhook"]);

    const update = {
      update_id: 1,
      message: {
        message_id: 900,
        date: 1,
        chat: { id: 1001, type: "private", first_name: "ann" },
        from: { id: 1001, is_bot: false, first_name: "ann" },
        text: "forged",
      },
    };
    const post = async (headers: Record<string, string>): Promise<readonly [number, string]> => {
      const answer = await fetch(`${origin}${PATH}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(update),
      });
      return [answer.status, await answer.text()];
    };
    const header = "x-telegram-bot-api-secret-token";
    for (const headers of [{}, { [header]: "" }, { [header]: "wrong" }, { [header]: `${SECRET}, ${SECRET}` }])
      expect(await post(headers)).toEqual([401, "unauthorized"]);

    await first.kill();
    place.sim.say({ by: "ann", in: "direct", text: "while away" });
    await place.start().ready();
    await place.botSaid("direct", ["by webhook", "while away"]);
    const { items } = await eventually(
      "the turns are told",
      async () => (await (await fetch(`${origin}/api/turns`)).json()) as { items: { outcome?: string }[] },
    );
    expect(items.filter(({ outcome }) => outcome === "completed")).toHaveLength(2);
    expect(place.sim.calls().filter(({ method }) => method === "getUpdates")).toEqual([]);
  });
});
