import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const CHROMIUM = "/usr/bin/chromium";
const BIN = fileURLToPath(new URL("../bin/turnwire.js", import.meta.url));
const isRequired = process.env["TURNWIRE_REQUIRE_CHROMIUM"] !== undefined;
const isMissing = !existsSync(CHROMIUM);
if (isMissing && isRequired) throw new Error(`${CHROMIUM} is missing and this run requires it.`);

/** Flags for a root user on a machine without a network. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

async function startPlayground(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [BIN, "playground", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1" },
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const found = /The playground is at (\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("close", (code) => {
      reject(new Error(`The playground ended with ${code}: ${output}`));
    });
  });
  return { child, url };
}

describe.skipIf(isMissing)("the playground in a real Chromium", { timeout: 60_000 }, () => {
  let child: ChildProcess;
  let browser: Browser;
  let page: Page;
  const failures: string[] = [];

  beforeAll(async () => {
    const playground = await startPlayground();
    child = playground.child;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    page = await browser.newPage();
    page.on("pageerror", (error) => failures.push(error.message));
    page.on("response", (response) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(playground.url);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    child.kill("SIGTERM");
    const code = await new Promise((resolve) => {
      child.on("close", resolve);
    });
    expect(code).toBe(0);
  });

  async function say(text: string): Promise<void> {
    await page.getByLabel("Message on Telegram").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  }

  const botMessages = (): ReturnType<Page["locator"]> => page.locator("li.other[data-message] p");

  it("answers in a private chat: typing or a draft first, then the reply of the real adapter", async () => {
    const text = "words that come back one by one until all of them are there";
    await say(text);
    await page.locator("[data-draft], [data-typing]").first().waitFor();
    await page.locator("[data-draft] p").first().waitFor();
    await botMessages().getByText(text, { exact: true }).waitFor();
    await page.locator("[data-draft]").waitFor({ state: "detached" });
    expect(await botMessages().allTextContents()).toEqual([text]);
  });

  it("shows the nine stages of the turn with their times", async () => {
    const turn = page.locator("section.turn").first();
    await turn
      .locator('[data-stage="finalize"][data-event="done"], [data-stage="finalize"][data-event="skipped"]')
      .waitFor();
    expect(
      await turn.locator("[data-stage]").evaluateAll((items) => items.map((item) => item.getAttribute("data-stage"))),
    ).toEqual([
      "ingest",
      "classify",
      "preflight",
      "resolve",
      "authorize",
      "assemble",
      "record",
      "dispatch",
      "finalize",
    ]);
    expect(await turn.locator('[data-stage="dispatch"] .time').textContent()).toMatch(/^[\d.]+ m?s$/);
  });

  it.each([
    { place: "Group", text: "hello group" },
    { place: "Topic", text: "hello topic" },
  ])("answers a mention in a $place", async ({ place, text }) => {
    await page.getByRole("button", { name: place, exact: true }).click();
    await say(text);
    await botMessages().getByText(text, { exact: true }).waitFor();
    expect(await botMessages().allTextContents()).toEqual([text]);
  });

  it("leaves a group message without a mention alone, and the turn says why", async () => {
    await page.getByRole("button", { name: "Group", exact: true }).click();
    await page.getByRole("checkbox").uncheck();
    await say("nobody asked the bot");
    const turn = page.locator("section.turn").first();
    await turn.getByText("missing_mention").waitFor();
    expect(await botMessages().getByText("nobody asked the bot").count()).toBe(0);
  });

  it("lists turns, sessions, outbox and accounts", async () => {
    for (const [tab, text] of [
      ["Turns", "completed"],
      ["Sessions", "agent:main:main"],
      ["Outbox", "sent"],
      ["Accounts", "telegram:default"],
    ] as const) {
      await page.getByRole("button", { name: tab, exact: true }).click();
      await page.getByText(text).first().waitFor();
    }
    expect(failures).toEqual([]);
  });
});
