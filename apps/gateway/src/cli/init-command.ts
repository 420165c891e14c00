import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { randomBytes } from "node:crypto";

import { TurnwireError } from "@turnwire/turn-kernel";
import { cancel, confirm, intro, isCancel, outro, password, select, text } from "@clack/prompts";
import { defineCommand } from "citty";

import { DEFAULT_CONFIG_FILE } from "../config/read-config-file.ts";
import { renderStarterConfig, type StarterAnswers } from "../config/starter-config.ts";

class Cancelled extends Error {}

function answered<T>(value: T): Exclude<T, symbol> {
  if (isCancel(value)) throw new Cancelled();
  return value as Exclude<T, symbol>;
}

async function ask(): Promise<StarterAnswers> {
  const name = answered(await text({ message: "What is your agent called?", initialValue: "Ada" }));
  const telegram = answered(await confirm({ message: "Connect a Telegram bot?", initialValue: true }));
  const secretsIn = telegram
    ? answered(
        await select({
          message: "Where shall the bot token live?",
          options: [
            { value: "environment" as const, label: "in the environment (TELEGRAM_BOT_TOKEN)" },
            { value: "file" as const, label: "in this config file" },
          ],
        }),
      )
    : "environment";
  const botToken =
    telegram && secretsIn === "file"
      ? answered(await password({ message: "The bot token that @BotFather gave you" }))
      : undefined;
  return { agentName: name, telegram, botToken, adminToken: randomBytes(24).toString("base64url") };
}

/** `turnwire init`: asks, and writes a commented config. */
export const initCommand = defineCommand({
  meta: { name: "init", description: "Ask a few questions and write a commented config file" },
  args: {
    file: { type: "positional", required: false, default: DEFAULT_CONFIG_FILE, description: "File to write" },
    yes: { type: "boolean", alias: "y", default: false, description: "Take every default without asking" },
    force: { type: "boolean", default: false, description: "Replace a file that exists" },
  },
  async run({ args }) {
    const file = resolve(args.file);
    if (existsSync(file) && !args.force) {
      throw new TurnwireError({
        code: "arguments_invalid",
        message: `${file} exists; name another file, or use --force to replace it.`,
      });
    }
    if (!args.yes && !process.stdin.isTTY) {
      throw new TurnwireError({
        code: "arguments_invalid",
        message: "turnwire init asks questions and this is no terminal; use --yes to take the defaults.",
      });
    }
    let answers: StarterAnswers;
    if (args.yes)
      answers = {
        agentName: "Ada",
        telegram: true,
        botToken: undefined,
        adminToken: randomBytes(24).toString("base64url"),
      };
    else {
      intro("Turnwire");
      try {
        answers = await ask();
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        cancel("Nothing was written.");
        return;
      }
    }
    // Only the owner may read it: it holds the admin token.
    writeFileSync(file, renderStarterConfig(answers), { mode: 0o600 });
    const next = `Wrote ${file}. Check it with "turnwire doctor", then "turnwire start".`;
    if (args.yes) process.stdout.write(`${next}\n`);
    else outro(next);
  },
});
