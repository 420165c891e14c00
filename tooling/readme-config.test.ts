import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "turnwire-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values of the shape that the account's schema wants, for the names that the README reads from the environment. */
const environment = {
  TELEGRAM_BOT_TOKEN: `123456:${"A".repeat(35)}`,
  TELEGRAM_WEBHOOK_SECRET: "a-secret_of-letters",
  TURNWIRE_ADMIN_TOKEN: "an-admin-token",
};

/** Whole configurations of a document, each with the line it begins at. */
function configsOf(document: string): { readonly line: number; readonly config: string }[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^( *)```json5\n([\s\S]*?)^\1```/gm)]
    .map((block) => ({ line: text.slice(0, block.index).split("\n").length, config: block[2] ?? "" }))
    .filter(({ config }) => config.includes("channels:"));
}

function checkConfig(config: string): Promise<{ code: number; text: string }> {
  const file = join(folder, "turnwire.config.json5");
  writeFileSync(file, config);
  const args = ["--conditions=@turnwire/source", "apps/gateway/src/cli.ts", "config", "check", "--config", file];
  return new Promise((done) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...process.env, ...environment } },
      (error, stdout, stderr) => {
        done({ code: error === null ? 0 : Number(error.code ?? 1), text: `${stdout}${stderr}` });
      },
    );
  });
}

describe("configurations in the README", () => {
  const configs = configsOf("README.md");

  it("are there", () => {
    expect(configs.length).toBeGreaterThanOrEqual(2);
  });

  it.each(configs)("the one at line $line is valid", async ({ config }) => {
    expect(await checkConfig(config)).toEqual({ code: 0, text: expect.stringContaining("telegram:default") });
  });

  it("would be refused with a wrong key", async () => {
    const broken = (configs[0]?.config ?? "").replace("botToken:", "botTocken:");
    expect(await checkConfig(broken)).toEqual({ code: 2, text: expect.stringContaining("botTocken") });
  });
});
