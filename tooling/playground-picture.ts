import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

// Takes the README's picture: run after a build, where Debian's Chromium is installed.
const root = fileURLToPath(new URL("..", import.meta.url));
const child = spawn(process.execPath, [`${root}/apps/gateway/bin/turnwire.js`, "playground", "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise<string>((resolve, reject) => {
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
    const found = /The playground is at (\S+)/.exec(output)?.[1];
    if (found !== undefined) resolve(found);
  });
  child.on("close", (code) => {
    reject(new Error(`The playground ended with ${code}.`));
  });
});
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
await page.goto(url);
const say = async (text: string): Promise<void> => {
  await page.getByLabel("Message on Telegram").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
};
await say("Hello, who are you?");
await page.locator("li.other[data-message]").first().waitFor();
await say("Say this back to me, and let me watch while you write it down");
await page.locator("[data-draft] p", { hasText: "let me" }).waitFor();
await page.screenshot({ path: `${root}/docs/images/playground.png` });
await browser.close();
child.kill("SIGTERM");
