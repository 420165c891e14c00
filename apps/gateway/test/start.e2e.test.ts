import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { describe, expect, it } from "vitest";

import { eventually, Workplace } from "./gateway-process.ts";
import { ADMIN_TOKEN, TelegramWorkplace } from "./telegram-workplace.ts";

const TIMEOUT_MS = 60_000;

/** One sentence on stderr, and nothing else. */
const sentence = (text: string): RegExp => new RegExp(`^turnwire: .*${text}.*\n$`, "s");

describe("bad input ends in one clear sentence and the exit code of the contract", { timeout: TIMEOUT_MS }, () => {
  it.each([
    { case: "no config file", config: null, code: 2, says: "no config file.*turnwire init" },
    {
      case: "a misspelt key",
      config: { http: { prot: 1 } },
      code: 2,
      says: 'http.prot: is not a known key; did you mean "port"',
    },
    {
      case: "a missing variable",
      config: { http: { adminToken: "${NOT_SET_ANYWHERE}" } },
      code: 2,
      says: "http.adminToken: needs the environment variable NOT_SET_ANYWHERE",
    },
    {
      case: "an unknown channel",
      config: { channels: { telegrm: { accounts: {} } } },
      code: 2,
      says: 'channels.telegrm: is not a known channel; did you mean "telegram"',
    },
    {
      case: "an account without a token",
      config: { channels: { telegram: { accounts: { default: {} } } } },
      code: 2,
      says: "channels.telegram.accounts.default.botToken: is missing",
    },
    {
      case: "two problems",
      config: { http: { port: "x" }, session: { dmScope: "all" } },
      code: 2,
      says: "2 problems.*http.port.*session.dmScope",
    },
  ])("$case: exit $code", async ({ config, code, says }) => {
    await using place = new Workplace();
    if (config !== null) place.writeConfig(config);
    const ended = await place.run("start");
    expect(ended.stderr).toMatch(sentence(says));
    expect(ended).toMatchObject({ code, stdout: "" });
  });

  it("an unknown command and an unknown option: exit 2", async () => {
    await using place = new Workplace();
    expect(await place.run("strat")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^turnwire: .*strat.*\n$/) as string,
    });
  });

  it("a taken port: exit 75, and the store is given back", async () => {
    await using place = new Workplace();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    place.writeConfig({ http: { port } });
    expect(await place.run("start")).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(sentence(`Port ${port} .* is taken`)) as string,
    });
    other.close();
    const gateway = place.start();
    await gateway.origin();
    expect(await gateway.stop()).toMatchObject({ code: 0 });
  });

  it("a second gateway on the same store: exit 75 with what to do", async () => {
    await using place = new Workplace();
    place.writeConfig({ http: { port: 0 } });
    await place.start().origin();
    const second = await place.run("start");
    expect(second).toMatchObject({ code: 75 });
    expect(second.stderr).toMatch(/turnwire\.db/);
  });

  it("a bad token leaves the process up and the account failed with its mend", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure({ botToken: "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" });
    const origin = await place.start().origin();
    const account = await eventually("the account has failed", async () => {
      const { accounts } = (await (await fetch(`${origin}/readyz`)).json()) as {
        accounts: { status: string; lastError?: string }[];
      };
      return accounts[0]?.status === "failed" ? accounts[0] : undefined;
    });
    expect(account.lastError).toMatch(/token/i);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect(place.sim.calls().filter((call) => call.status === 401).length).toBeLessThanOrEqual(2);
  });

  it("an API that is not there is tried again, and found when it comes", async () => {
    await using place = await TelegramWorkplace.open();
    const reserved = createServer().listen(0, "127.0.0.1");
    await once(reserved, "listening");
    const { port } = reserved.address() as AddressInfo;
    reserved.close();
    await once(reserved, "close");
    place.configure({ apiRoot: `http://127.0.0.1:${port}` });
    const gateway = place.start();
    const origin = await gateway.origin();
    await eventually("the account is degraded", async () => {
      const { accounts } = (await (await fetch(`${origin}/readyz`)).json()) as {
        accounts: { status: string; lastError?: string }[];
      };
      return accounts[0]?.status === "degraded" && accounts[0].lastError !== undefined ? true : undefined;
    });
    expect(await gateway.stop()).toMatchObject({ code: 0 });
  });
});

describe("what a deployer relies on", { timeout: TIMEOUT_MS }, () => {
  it("writes need the admin token, also on loopback", async () => {
    await using place = new Workplace();
    place.writeConfig({ http: { port: 0, adminToken: ADMIN_TOKEN } });
    const origin = await place.start().origin();
    const post = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${origin}/api/sessions/none/reset`, { method: "POST", headers })).status;
    expect(await post({})).toBe(401);
    expect(await post({ authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(404);
  });

  it("documents its API and refuses unknown webhooks without a word", async () => {
    await using place = new Workplace();
    place.writeConfig({ http: { port: 0 } });
    const origin = await place.start().origin();
    const spec = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(spec.paths)).toEqual(
      expect.arrayContaining(["/api/turns", "/api/deadletters/{id}/retry", "/api/accounts/{channel}/{id}/restart"]),
    );
    const answer = await fetch(`${origin}/webhooks/telegram/none`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.text()]).toEqual([401, "unauthorized"]);
  });

  it("takes over a changed config without touching what is equal; a bad file keeps the old one", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure({ dmPolicy: "disabled" }, { http: { port: 0 } });
    const gateway = place.start();
    await gateway.ready();
    place.writeConfig({ http: { prot: 1 } });
    await gateway.until("the bad file is refused", () =>
      gateway.lines().find(({ msg }) => String(msg).includes("is not used")),
    );
    place.configure({ dmPolicy: "open" }, { http: { port: 0 } });
    await gateway.until("the good file is used", () =>
      gateway.lines().find(({ msg }) => String(msg).includes("is in use")),
    );
    place.sim.say({ by: "ann", in: "direct", text: "open now?" });
    await place.botSaid("direct", ["open now?"]);
    expect(place.botTexts("direct")).toEqual(["open now?"]);
  });

  it("init writes a config that check accepts, and check names what is wrong", async () => {
    await using place = new Workplace();
    expect(await place.run("init", "--yes")).toMatchObject({ code: 0 });
    const gateway = place.start(["config", "check"], {
      TELEGRAM_BOT_TOKEN: "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    });
    expect(await gateway.ended).toMatchObject({ code: 0, stderr: "" });
    expect(await place.run("config", "check")).toMatchObject({ code: 2 });
    expect(await place.run("init", "--yes")).toMatchObject({ code: 2 });
    const schema = await place.run("config", "schema");
    expect(JSON.parse(schema.stdout)).toMatchObject({
      properties: { channels: { properties: { telegram: { properties: { accounts: { type: "object" } } } } } },
    });
  });

  it("doctor checks the account and says what to mend", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    const good = await place.run("doctor");
    expect(good.stdout).not.toContain("FAIL");
    expect(good.code).toBe(0);
    place.configure({ botToken: "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" });
    const bad = await place.run("doctor");
    expect(bad.stdout).toMatch(/FAIL telegram:default .*token/i);
    expect(bad.code).toBe(2);
  });
});
