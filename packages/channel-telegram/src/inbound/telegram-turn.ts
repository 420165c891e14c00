import { TurnwireError } from "@turnwire/turn-kernel";
import type { InboundBatch, InboundEnvelope } from "@turnwire/turn-ports";

import { isOurs, parseSlashCommand, type SlashCommand } from "./commands.ts";
import { describeContent, describeMedia, wordsOf } from "./describe-content.ts";
import { agentTextOf, commandTextOf } from "./message-parts.ts";
import { envelopeOf, readEvent, type BotName, type TelegramEvent } from "./raw-event.ts";
import type { TelegramMessage } from "./update-schema.ts";

/** A batch as the callbacks of one turn read it: parsed once, at ingest. */
export interface TelegramTurn {
  readonly last: TelegramEvent;
  readonly bot: BotName;
  /** Of the last event: what routing, lane and reply address come from. */
  readonly envelope: InboundEnvelope;
  /** All messages of the batch, oldest first; none for a button or another event that is no message. */
  readonly messages: readonly TelegramMessage[];
  readonly messageIds: readonly string[];
  /** The words as they came. */
  readonly rawText: string;
  /** Without the bot's name, and with words for what has none. */
  readonly textForAgent: string;
  /** Without the bot's name in front, and a command without its `@bot`. */
  readonly textForCommands: string;
  /** The slash command that it is, ours or another bot's. */
  readonly command: SlashCommand | null;
  readonly timestamp: number | undefined;
}

/** Reads a batch. @throws TurnwireError `telegram_update_unreadable` */
export function readTurn(batch: InboundBatch): TelegramTurn {
  const events = batch.events.map(readEvent);
  const last = events.at(-1);
  if (last === undefined) {
    throw new TurnwireError({
      code: "telegram_update_unreadable",
      message: "A turn was begun without an event; a batch holds at least one.",
    });
  }
  const texts = textsOf(events, last);
  const messages = events.flatMap((event) => (event.kind === "message" ? [event.message] : []));
  const newest = messages.at(-1);
  return {
    last,
    bot: last.bot,
    envelope: envelopeOf(last),
    messages,
    messageIds: events.map((event) => envelopeOf(event).messageId),
    ...texts,
    timestamp: newest === undefined ? dateOf(last) : newest.date * 1000,
  };
}

function dateOf(event: TelegramEvent): number | undefined {
  return event.kind === "message_reaction" ? event.reaction.date * 1000 : undefined;
}

function textsOf(
  events: readonly TelegramEvent[],
  last: TelegramEvent,
): Pick<TelegramTurn, "rawText" | "textForAgent" | "textForCommands" | "command"> {
  if (last.kind === "callback_query" || last.kind === "stopped_message_generation") {
    const text = last.kind === "callback_query" ? (last.callback.data ?? "") : "/stop";
    return { rawText: text, textForAgent: text, textForCommands: text, command: parseSlashCommand(text) };
  }
  const messages = events.flatMap((event) => (event.kind === "message" ? [event] : []));
  const join = (textOf: (event: (typeof messages)[number]) => string): string =>
    messages
      .map(textOf)
      .filter((text) => text !== "")
      .join("\n");
  const commandText = join(({ message, bot }) => commandTextOf(message, bot));
  // A command stands alone: what was joined with other messages is text.
  const command = messages.length === 1 ? parseSlashCommand(commandText) : null;
  const isNamed = command?.bot !== undefined && isOurs(command, last.bot.username);
  return {
    rawText: join(({ message }) => message.text ?? message.caption ?? ""),
    textForAgent: join(({ message, bot }) => {
      const text = agentTextOf(message, bot);
      // Only a bot's name was said: then that is what was said.
      return text || describeContent(message) || describeMedia(message) || wordsOf(message);
    }),
    textForCommands: isNamed ? `/${command.name} ${command.args}`.trim() : commandText,
    command,
  };
}
