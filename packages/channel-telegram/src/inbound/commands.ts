/** One command of the gateway as Telegram's menu shows it. */
export interface MenuCommand {
  readonly name: string;
  /** 1-256 characters (`setMyCommands`). */
  readonly description: string;
}

/** The commands that the runtime carries out on every channel, as people choose them. */
export const MENU_COMMANDS: readonly MenuCommand[] = [
  { name: "stop", description: "Stop what I am doing for you here" },
  { name: "new", description: "Start a new conversation" },
  { name: "status", description: "Show what this conversation is set to" },
  { name: "queue", description: "What a message does while I am answering" },
  { name: "models", description: "Show the model in use" },
  { name: "model", description: "Choose the model" },
  { name: "reasoning", description: "Show or hide how I came to an answer" },
  { name: "verbose", description: "Show more of what I do" },
  { name: "config", description: "Show the settings of this agent" },
  { name: "resend", description: "Send an answer again that may not have arrived" },
  { name: "help", description: "Show this list" },
];

/**
 * What counts as a control message here, which no queue holds back; any other slash text is text for the agent.
 * `/resend` stands behind the button of a notice: nobody types it.
 */
const CONTROL_NAMES: ReadonlySet<string> = new Set([...MENU_COMMANDS.map(({ name }) => name), "resend"]);

/** A slash command at the start of a message. */
export interface SlashCommand {
  /** In lower case, without slash and bot name. */
  readonly name: string;
  /** The bot that it names, without `@`; absent when it names none. */
  readonly bot?: string | undefined;
  /** What stands behind it. */
  readonly args: string;
  /** One of the gateway's own. */
  readonly control: boolean;
}

/** `/name@bot arguments`, as Telegram forms bot commands: letters, digits and underscores, at most 32. */
const COMMAND = /^\/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+([\s\S]*))?$/;

/** Reads the slash command that a text is; null for any other text. */
export function parseSlashCommand(text: string): SlashCommand | null {
  const [, name, bot, args] = COMMAND.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  const lower = name.toLowerCase();
  return {
    name: lower,
    ...(bot === undefined ? {} : { bot }),
    args: (args ?? "").trim(),
    control: CONTROL_NAMES.has(lower),
  };
}

/** True when the command is for us: it names us, or nobody. Bot names are compared as Telegram does, without case. */
export function isOurs(command: SlashCommand, username: string | undefined): boolean {
  return command.bot === undefined || command.bot.toLowerCase() === username?.toLowerCase();
}
