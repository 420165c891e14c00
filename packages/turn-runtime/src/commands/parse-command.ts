import { COMMANDS, type CommandName } from "./command-table.ts";

/** A command with what stood behind it. */
export interface ParsedCommand {
  readonly name: CommandName;
  readonly args: string;
}

/** The first word after a slash, and the rest. A name with `@` is addressed to a bot; the channel has removed ours. */
const SLASH_COMMAND = /^\s*\/([A-Za-z]+)(?:\s+([\s\S]*))?$/u;

/** Reads a command from a message's text; null when it is none of ours. Looks at the text alone, so it costs no I/O. */
export function parseCommand(text: string): ParsedCommand | null {
  const match = SLASH_COMMAND.exec(text);
  const name = match?.[1]?.toLowerCase();
  if (name === undefined || !isCommandName(name)) return null;
  return { name, args: (match?.[2] ?? "").trim() };
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
