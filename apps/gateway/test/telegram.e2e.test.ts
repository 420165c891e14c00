import { describe, expect, it } from "vitest";

import { eventually } from "./gateway-process.ts";
import { ADMIN_TOKEN, TelegramWorkplace } from "./telegram-workplace.ts";

const TIMEOUT_MS = 60_000;

async function api(
  origin: string,
  path: string,
): Promise<{ readonly items: readonly Readonly<Record<string, unknown>>[] }> {
  return (await (await fetch(`${origin}${path}`)).json()) as {
    readonly items: readonly Readonly<Record<string, unknown>>[];
  };
}

async function metric(origin: string, name: string, label: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(name) && candidate.includes(label));
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}

/** accepted = done + dropped + handled + dead, and nothing waits. */
async function expectBalanced(origin: string): Promise<void> {
  await eventually("every accepted event has ended", async () => {
    const state = async (name: string): Promise<number> => metric(origin, "turnwire_inbox_rows", `state="${name}"`);
    const [accepted, done, dropped, handled, dead, waiting] = await Promise.all(
      ["accepted", "done", "dropped", "handled", "dead", "waiting"].map(state),
    );
    return waiting === 0 && accepted === (done ?? 0) + (dropped ?? 0) + (handled ?? 0) + (dead ?? 0) ? true : undefined;
  });
}

describe("a Telegram message becomes a reply", { timeout: TIMEOUT_MS }, () => {
  it("answers in a direct chat, in order, and tells of the turn", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    const gateway = place.start();
    const origin = await gateway.ready();
    for (const text of ["one", "two", "three"]) place.sim.say({ by: "ann", in: "direct", text });
    await place.botSaid("direct", ["one", "two", "three"]);
    await expectBalanced(origin);
    const { items } = await api(origin, "/api/turns");
    const runs = items.filter(({ outcome }) => outcome === "completed");
    expect(runs).toHaveLength(3);
    expect(runs[0]).toMatchObject({
      channel: "telegram",
      accountId: "default",
      sessionKey: "agent:main:main",
      outcome: "completed",
    });
    expect(place.sim.violations()).toEqual([]);
    expect(await gateway.stop()).toMatchObject({ code: 0 });
  });

  it("answers a mention in a group and leaves other talk alone", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    const origin = await place.start().ready();
    place.sim.say({ by: "ann", in: "group", text: "just talking" });
    place.sim.say({ by: "bob", in: "group", text: "and you?", mentionBot: true });
    await place.botSaid("group", ["and you?"]);
    await expectBalanced(origin);
    const { items } = await api(origin, "/api/turns");
    expect(items.map(({ admission, reason }) => [admission, reason])).toContainEqual(["drop", "missing_mention"]);
  });

  it("answers in the topic it was asked in", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    await place.start().ready();
    place.sim.say({ by: "ann", in: "topic", text: "here", mentionBot: true });
    await place.botSaid("topic", ["here"]);
    expect(place.botTexts("group")).toEqual([]);
  });

  it("shows the answer growing as a draft, then once", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure(
      { streaming: { mode: "partial" } },
      { agents: { list: [{ id: "main", default: true, runner: { kind: "echo", delayMs: 60 } }] } },
    );
    await place.start().ready();
    const text = "a somewhat longer answer that grows word by word until it is all there";
    place.sim.say({ by: "ann", in: "direct", text });
    await place.botSaid("direct", [text]);
    const drafts = place.sim.calls().filter((call) => call.method === "sendMessageDraft");
    expect(drafts.length).toBeGreaterThan(0);
    expect(place.sim.place("direct").draft).toBeNull();
    place.sim.say({ by: "ann", in: "group", text, mentionBot: true });
    await place.sim.waitFor(() => (place.botTexts("group").at(-1) === text ? true : undefined), { timeoutMs: 20_000 });
    expect(place.sim.messages("group").at(-1)?.edits).toBeGreaterThan(0);
    expect(place.botTexts("group")).toEqual([text]);
  });

  it("stores a malformed update as a dead letter with its reason and goes on", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    const origin = await place.start().ready();
    place.sim.emit({ message: { message_id: "not a number", chat: 7 } });
    place.sim.emit({ something_new: { id: 1 } });
    place.sim.say({ by: "ann", in: "direct", text: "still there?" });
    await place.botSaid("direct", ["still there?"]);
    await expectBalanced(origin);
    const { items } = await api(origin, "/api/deadletters");
    expect(items.length).toBeGreaterThan(0);
    expect(String(items[0]?.["reason"])).not.toBe("");
    place.configure({}, { http: { port: Number(new URL(origin).port), adminToken: ADMIN_TOKEN } });
    const listed = await place.run("deadletter", "list");
    expect(listed.stdout).toContain("event:");
  });

  it("loses nothing and doubles nothing when it is killed", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure({}, { agents: { list: [{ id: "main", default: true, runner: { kind: "echo", delayMs: 40 } }] } });
    const first = place.start();
    await first.ready();
    place.sim.say({ by: "ann", in: "direct", text: "answer one" });
    await place.botSaid("direct", ["answer one"]);
    place.sim.say({ by: "ann", in: "direct", text: "a long second one that is still being answered" });
    await place.sim.waitFor(() => (place.sim.events().at(-1)?.acknowledgedAt == null ? undefined : true), {
      what: "the second message is acknowledged",
    });
    await first.kill();
    place.sim.say({ by: "ann", in: "direct", text: "third while away" });
    const origin = await place.start().ready();
    await place.botSaid("direct", ["answer one", "a long second one that is still being answered", "third while away"]);
    await expectBalanced(origin);
  });

  it("lets a stranger in after an operator approved the code", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure({ dmPolicy: "pairing" });
    const gateway = place.start();
    const origin = await gateway.ready();
    place.configure({ dmPolicy: "pairing" }, { http: { port: Number(new URL(origin).port), adminToken: ADMIN_TOKEN } });
    place.sim.say({ by: "ann", in: "direct", text: "hello?" });
    const notice = await place.sim.waitFor(() => place.botTexts("direct")[0], { timeoutMs: 20_000 });
    const code = (await api(origin, "/api/pairings")).items[0]?.["code"];
    expect(notice).toContain(String(code));
    expect(await place.run("pairing", "approve", String(code))).toMatchObject({
      code: 0,
      stdout: `Approved ${String(code)}.\n`,
    });
    place.sim.say({ by: "ann", in: "direct", text: "and now?" });
    await place.botSaid("direct", [notice, "and now?"]);
  });

  it("says a missing answer may be missing when its sending is unknown, and sends no second copy", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    await place.start().ready();
    place.sim.faults.add({ match: { method: "sendMessage" }, do: { drop: "after" } });
    place.sim.say({ by: "ann", in: "direct", text: "only once" });
    const texts = await place.sim.waitFor(
      () => (place.botTexts("direct").length >= 2 ? place.botTexts("direct") : undefined),
      { timeoutMs: 20_000 },
    );
    expect(texts[0]).toBe("only once");
    expect(texts[1]).toMatch(/may be missing/);
    expect(texts).toHaveLength(2);
  });

  it("waits as long as Telegram asks it to", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure();
    await place.start().ready();
    place.sim.faults.add({ match: { method: "sendMessage" }, do: { retryAfter: 1 } });
    place.sim.say({ by: "ann", in: "direct", text: "patience" });
    await place.botSaid("direct", ["patience"]);
    const sends = place.sim.calls().filter((call) => call.method === "sendMessage");
    await place.sim.waitFor(() => (sends[1]?.status === 200 ? true : undefined));
    expect(sends.map((call) => call.status)).toEqual([429, 200]);
    expect((sends[1]?.at ?? 0) - (sends[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  it("logs neither bodies nor secrets", async () => {
    await using place = await TelegramWorkplace.open();
    place.configure({}, { telemetry: { logLevel: "debug" } });
    const gateway = place.start();
    await gateway.ready();
    place.sim.say({ by: "ann", in: "direct", text: "SECRET-BODY-4711" });
    await place.botSaid("direct", ["SECRET-BODY-4711"]);
    const { stdout, stderr } = await gateway.stop();
    for (const text of ["SECRET-BODY-4711", place.sim.credentials.botToken, ADMIN_TOKEN])
      expect(stdout + stderr).not.toContain(text);
    const turnLines = gateway.lines().filter((line) => "turnId" in line);
    expect(turnLines.length).toBeGreaterThan(0);
    for (const line of turnLines) expect(line).toMatchObject({ channel: "telegram", accountId: "default" });
  });
});
