import { decideAccess } from "@turnwire/adapter-kit";
import {
  createChannelHistoryWindow,
  decideAuthorization,
  TurnwireError,
  type ChannelEventClass,
  type ChannelTurnAdapter,
  type InboundMediaFacts,
  type NormalizedTurnInput,
  type PreflightCommand,
  type UntrustedContextBlock,
} from "@turnwire/turn-kernel";
import type { Clock, InboundBatch, TurnHost } from "@turnwire/turn-ports";

import type { TelegramClient } from "../client.ts";
import { isOurs } from "./commands.ts";
import {
  accessFacts,
  conversationFacts,
  messageFacts,
  replyPlanFacts,
  senderFacts,
  supplementalFacts,
  type SenderAllowed,
} from "./facts.ts";
import { fetchFiles, filesOf, type FetchedFile } from "./media.ts";
import { readTurn, type TelegramTurn } from "./telegram-turn.ts";

/** What the adapter works with beside the host. */
export interface TelegramTurnOptions {
  readonly accountId: string;
  readonly client: TelegramClient;
  readonly clock: Clock;
}

/** Telegram's side of a turn: facts from the stored event, the policies applied, files fetched once the turn is let in. */
export function createTelegramTurnAdapter(
  options: TelegramTurnOptions,
  host: TurnHost,
): ChannelTurnAdapter<InboundBatch> {
  const { accountId, client, clock } = options;
  const history = createChannelHistoryWindow({ historyMap: host.historyMap });
  /** Tells Telegram that a press on a button arrived; runs beside the turn. */
  let pressAnswered: Promise<unknown> = Promise.resolve();

  return {
    ingest(batch): NormalizedTurnInput {
      const turn = readTurn(batch);
      return {
        id: turn.envelope.messageId,
        rawText: turn.rawText,
        textForAgent: turn.textForAgent,
        textForCommands: turn.textForCommands,
        raw: turn,
        ...(turn.timestamp === undefined ? {} : { timestamp: turn.timestamp }),
      };
    },

    classify: (input) => classifyTurn(turnOf(input), host),

    async preflight(input, _eventClass, context) {
      const turn = turnOf(input);
      const { last } = turn;
      if (last.kind === "callback_query" && !context.resumed) {
        const params = { callback_query_id: last.callback.id };
        pressAnswered = client.call({ method: "answerCallbackQuery", params }, context.signal);
      }
      const command = commandOf(turn);
      if (command === "foreign") return { kind: "drop", reason: "other_bot_command" };
      const sender = senderFacts(turn);
      const isDirect = turn.envelope.routePeer.kind === "direct";
      const paired = isDirect && (await host.isPaired(sender.id));
      return {
        message: messageFacts(turn),
        sender,
        conversation: conversationFacts(turn),
        reply: replyPlanFacts(turn),
        supplemental: supplementalFacts(turn, senderAllowedBy(turn, host)),
        access: accessFacts(turn, host, paired),
        // Of a message that starts no turn only pictures are remembered, and only then are they fetched.
        media: async () => factsOf(await fetchMedia(turn, context.signal, isPicture)),
        ...(isDirect ? {} : { history: { key: host.historyKey, limit: host.historyLimit } }),
        ...(command === null ? {} : { command }),
      };
    },

    async resolveTurn(input, eventClass, preflight, context) {
      const turn = turnOf(input);
      const { routePeer, threadId } = turn.envelope;
      const route = host.resolveRoute({ channel: "telegram", accountId, peer: routePeer, threadId });
      const conversation = conversationFacts(turn);
      const sender = senderFacts(turn);
      const message = preflight.message ?? {};
      const base = {
        channel: "telegram",
        accountId,
        cfg: host.cfg,
        storePath: host.storePath,
        messageId: input.id,
        messageIds: turn.messageIds,
        from: sender.id,
        sender,
        conversation,
        reply: replyPlanFacts(turn),
        contextVisibility: host.account.contextVisibility,
        message: { ...messageFacts(turn), ...message },
        delivery: {
          deliver: () => Promise.reject(durableOnly()),
          durable: { replyToMode: host.account.replyToMode },
        },
      } as const;
      if (route === null) return { ...base, admission: { kind: "drop", reason: "no_owner" } };
      const routed = { ...base, route, routeSessionKey: route.routeSessionKey, agentId: route.agentId };

      // Asked ahead of the kernel, with the same rules: nothing is fetched for a turn that will not be let in.
      const blocked = decideAuthorization({
        access: preflight.access,
        sender,
        conversation,
        isCommand: eventClass.kind === "command" || preflight.command !== undefined,
        command: preflight.command,
      });
      if (blocked !== null) return routed;
      const files = await fetchMedia(turn, context.signal, () => true);
      const shown =
        routePeer.kind === "direct"
          ? undefined
          : history.buildInboundHistory({ historyKey: host.historyKey, limit: host.historyLimit });
      const missing = missingFiles(files);
      return {
        ...routed,
        message: { ...routed.message, ...(shown === undefined ? {} : { inboundHistory: shown }) },
        ...(files.length === 0 ? {} : { media: factsOf(files) }),
        ...(missing.length === 0 ? {} : { supplemental: { untrustedContext: missing } }),
      };
    },

    async onFinalize() {
      await pressAnswered;
    },
  };

  async function fetchMedia(
    turn: TelegramTurn,
    signal: AbortSignal,
    isWanted: (contentType: string) => boolean,
  ): Promise<readonly FetchedFile[]> {
    const files = turn.messages.flatMap(filesOf).filter(({ contentType }) => isWanted(contentType));
    return fetchFiles(files, { client, clock, host, signal });
  }
}

function turnOf(input: NormalizedTurnInput): TelegramTurn {
  return input.raw as TelegramTurn;
}

function isPicture(contentType: string): boolean {
  return contentType.startsWith("image/");
}

function factsOf(files: readonly FetchedFile[]): readonly InboundMediaFacts[] {
  return files.map(({ facts }) => facts);
}

/** Only messages, commands and presses on buttons can start a turn; an edit that came too late starts none. */
export function classifyTurn(turn: TelegramTurn, host: Pick<TurnHost, "change">): ChannelEventClass {
  const { last } = turn;
  const command = commandOf(turn);
  const isCommand = command !== null && command !== "foreign";
  switch (last.kind) {
    case "message":
      if (host.change !== "new" || turn.textForAgent === "") return { kind: "lifecycle", canStartAgentTurn: false };
      return { kind: isCommand ? "command" : "message", canStartAgentTurn: true };
    case "callback_query":
      if (turn.rawText === "") return { kind: "interaction", canStartAgentTurn: false };
      return { kind: isCommand ? "command" : "interaction", canStartAgentTurn: true };
    case "stopped_message_generation":
      return { kind: "command", canStartAgentTurn: true };
    case "message_reaction":
      return { kind: "reaction", canStartAgentTurn: false };
    case "my_chat_member":
      return { kind: "lifecycle", canStartAgentTurn: false };
    case "other":
      return { kind: "unknown", canStartAgentTurn: false };
  }
}

/** The command for preflight; `foreign` when it names another bot; null for text. */
function commandOf({ command, bot }: TelegramTurn): PreflightCommand | "foreign" | null {
  if (command === null) return null;
  if (!isOurs(command, bot.username)) return "foreign";
  return command.control ? { name: command.name, body: command.args, control: true } : null;
}

/** Who else's words may reach the model: the bot's own, the sender's own, and those of people who may speak here. */
function senderAllowedBy(turn: TelegramTurn, host: TurnHost): SenderAllowed {
  const { routePeer, senderId } = turn.envelope;
  return (id) => {
    if (id === undefined) return false;
    if (id === turn.bot.id || id === senderId) return true;
    const access = decideAccess({
      channel: "telegram",
      account: host.account,
      sender: { id },
      conversation: routePeer,
      paired: false,
      owners: host.owners,
    });
    return access.group?.senderAllowed ?? access.dm?.decision === "allow";
  };
}

/** Tells the agent which files came and cannot be read: it would answer as if there had been none. */
function missingFiles(files: readonly FetchedFile[]): readonly UntrustedContextBlock[] {
  return files.flatMap(({ file, unavailable }) =>
    unavailable === undefined
      ? []
      : [
          {
            label: "An attachment of this message could not be fetched",
            source: "telegram",
            type: "media_unavailable",
            payload: { kind: file.kind, contentType: file.contentType, fileName: file.fileName, reason: unavailable },
          },
        ],
  );
}

function durableOnly(): TurnwireError {
  return new TurnwireError({
    code: "telegram_durable_only",
    message: "Answers to Telegram go through the outbox; give the kernel a durableDelivery.",
  });
}
