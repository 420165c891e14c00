import { createManualClock } from "@turnwire/adapter-kit";
import { describe, expect, it } from "vitest";

import { openWorld, type TelegramWorld } from "./support/telegram-world.ts";

const signal = new AbortController().signal;
const linesOf = async (world: TelegramWorld): Promise<readonly string[]> =>
  (await world.channel.doctor(signal)).map(
    ({ ok, check, mend }) => `${ok ? "ok" : "no"}: ${check}${mend === undefined ? "" : ` → ${mend}`}`,
  );

describe("doctor", () => {
  it("finds nothing wrong with a fresh bot", async () => {
    await using world = await openWorld();
    expect(await linesOf(world)).toEqual([
      `ok: Telegram knows the token: @${world.sim.bot.username} (${world.sim.bot.id})`,
      "ok: Privacy mode is off: the bot sees all messages of its groups",
      "ok: No webhook is set; 0 updates wait to be polled",
      "ok: The clock agrees with Telegram's",
    ]);
  });

  it("says what to do about a token that Telegram does not know, and asks no further", async () => {
    await using world = await openWorld({ account: { botToken: "7000000001:wrong" } });
    expect(await linesOf(world)).toEqual([expect.stringMatching(/^no: Telegram knows the token → .*@BotFather/)]);
    expect(world.sim.calls().map(({ method }) => method)).toEqual(["getMe"]);
  });

  it("says what to do when nobody answers", async () => {
    await using world = await openWorld({ account: { apiRoot: "http://127.0.0.1:9" } });
    expect(await linesOf(world)).toEqual([expect.stringMatching(/^no: .* → .*apiRoot/)]);
  });

  const me = (readsAll: boolean): object => ({
    ok: true,
    result: { id: 7, is_bot: true, first_name: "A", username: "a_bot", can_read_all_group_messages: readsAll },
  });

  it.each([
    { name: "needed, as all is to be read", account: { requireMention: false }, ok: false },
    { name: "needed, as history is kept", account: {}, ok: false },
    { name: "fine where a mention is required and no history kept", account: { historyLimit: 0 }, ok: true },
    { name: "fine where groups are off", account: { groupPolicy: "disabled" }, ok: true },
  ])("privacy mode off is $name", async ({ account, ok }) => {
    await using world = await openWorld({ account });
    world.sim.faults.add({ match: { method: "getMe" }, do: { status: 200, body: me(false) } });
    const line = (await world.channel.doctor(signal)).find(({ check }) => check.startsWith("Privacy mode"));
    expect(line?.ok).toBe(ok);
    expect(line?.mend ?? "/setprivacy").toContain("/setprivacy");
  });

  it.each([
    {
      name: "a webhook in the way of polling",
      account: {},
      url: "https://example.org/x",
      expected: /^no: No webhook is set → .*removed at the next start/,
    },
    {
      name: "a webhook account without a secret",
      account: { mode: "webhook" },
      url: "",
      expected: /^no: The webhook has a secret → /,
    },
    {
      name: "a webhook account without a webhook",
      account: { mode: "webhook", webhook: { secretToken: "s" } },
      url: "",
      expected: /^no: A webhook is set → .*publicUrl/,
    },
    {
      name: "a webhook that is set",
      account: { mode: "webhook", webhook: { secretToken: "s" } },
      url: "https://example.org/x",
      expected: /^ok: The webhook is set/,
    },
  ])("sees $name", async ({ account, url, expected }) => {
    await using world = await openWorld({ account });
    const info = { ok: true, result: { url, has_custom_certificate: false, pending_update_count: 0 } };
    world.sim.faults.add({ match: { method: "getWebhookInfo" }, do: { status: 200, body: info } });
    expect((await linesOf(world)).some((line) => expected.test(line))).toBe(true);
  });

  it("tells what keeps Telegram from reaching the webhook", async () => {
    await using world = await openWorld({ account: { mode: "webhook", webhook: { secretToken: "s" } } });
    const result = {
      url: "https://example.org/x",
      has_custom_certificate: false,
      pending_update_count: 3,
      last_error_message: "Connection refused",
    };
    world.sim.faults.add({ match: { method: "getWebhookInfo" }, do: { status: 200, body: { ok: true, result } } });
    expect(await linesOf(world)).toContainEqual(
      "no: Telegram reaches the webhook → Telegram says: Connection refused; 3 updates wait.",
    );
  });

  it("sees a clock that is off", async () => {
    const clock = createManualClock(Date.now() - 600_000);
    await using world = await openWorld({ clock });
    expect((await linesOf(world)).at(-1)).toMatch(/^no: The clock agrees with Telegram's → .* -\d+ s off/);
  });
});
