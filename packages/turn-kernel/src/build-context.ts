import { applyContextVisibility } from "./apply-context-visibility.ts";
import { isCommandAuthorized } from "./decide-authorization.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import { projectMedia } from "./project-media.ts";
import type { BuildContextParams } from "./turn-params.ts";

type MutableContext = { -readonly [Key in keyof FinalizedMsgContext]: FinalizedMsgContext[Key] };

/** The label in front of a body in a place with several people. */
function senderLabelOf({ message, sender }: BuildContextParams): string | undefined {
  return message?.senderLabel ?? message?.envelopeFrom ?? sender?.displayLabel ?? sender?.name ?? sender?.username;
}

function labelled(params: BuildContextParams, body: string | undefined): string | undefined {
  if (body === undefined || params.conversation === undefined || params.conversation.kind === "direct") return body;
  const label = senderLabelOf(params);
  return label === undefined || label === "" ? body : `${label}: ${body}`;
}

/**
 * A field is set only when it has a source: an absent fact is an absent field, never an empty string. Each assignment
 * is written out: one that takes the name of the field costs half as much again.
 */
function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined && value !== "";
}

function putMessage(context: MutableContext, params: BuildContextParams): void {
  const { message, messageId, messageIds } = params;
  const body = labelled(params, message?.body);
  if (isGiven(body)) context.Body = body;
  const bodyForAgent = labelled(params, message?.bodyForAgent);
  if (isGiven(bodyForAgent)) context.BodyForAgent = bodyForAgent;
  if (isGiven(message?.rawBody)) context.RawBody = message.rawBody;
  if (isGiven(message?.commandBody)) context.CommandBody = message.commandBody;
  const bodyForCommands = message?.commandBody ?? message?.rawBody;
  if (isGiven(bodyForCommands)) context.BodyForCommands = bodyForCommands;
  const messageSid = messageId ?? messageIds?.at(-1);
  if (isGiven(messageSid)) context.MessageSid = messageSid;
  if (messageIds !== undefined && messageIds.length > 1) {
    context.MessageSids = messageIds;
    const messageSidFirst = messageIds[0];
    if (isGiven(messageSidFirst)) context.MessageSidFirst = messageSidFirst;
    const messageSidLast = messageIds.at(-1);
    if (isGiven(messageSidLast)) context.MessageSidLast = messageSidLast;
  }
  if (isGiven(params.timestamp)) context.Timestamp = params.timestamp;
}

function putPlace(context: MutableContext, params: BuildContextParams): void {
  const { conversation, reply, channel } = params;
  const { kind, label } = conversation ?? {};
  if (isGiven(kind)) context.ChatType = kind;
  if (isGiven(label)) context.ConversationLabel = label;
  if (kind === "group" && isGiven(label)) context.GroupSubject = label;
  if (kind === "channel" && isGiven(label)) context.GroupChannel = label;
  if (isGiven(conversation?.spaceId)) context.GroupSpace = conversation.spaceId;
  const messageThreadId = reply?.messageThreadId ?? conversation?.threadId;
  if (isGiven(messageThreadId)) context.MessageThreadId = messageThreadId;
  const threadParentId = reply?.threadParentId ?? conversation?.parentId;
  if (isGiven(threadParentId)) context.ThreadParentId = threadParentId;
  const nativeChannelId = reply?.nativeChannelId ?? conversation?.nativeChannelId;
  if (isGiven(nativeChannelId)) context.NativeChannelId = nativeChannelId;
  if (isGiven(reply?.to)) context.To = reply.to;
  const originatingTo = reply?.originatingTo ?? reply?.to ?? conversation?.id;
  if (isGiven(originatingTo)) context.OriginatingTo = originatingTo;
  if (isGiven(channel)) context.OriginatingChannel = channel;
  if (isGiven(channel)) context.Provider = channel;
  if (isGiven(channel)) context.Surface = channel;
}

function putRoute(context: MutableContext, params: BuildContextParams): void {
  const { route, supplemental } = params;
  const thread = supplemental?.thread;
  const sessionKey = route?.dispatchSessionKey ?? route?.routeSessionKey ?? params.routeSessionKey;
  if (isGiven(sessionKey)) context.SessionKey = sessionKey;
  const parentSessionKey = route?.parentSessionKey ?? thread?.parentSessionKey;
  if (isGiven(parentSessionKey)) context.ParentSessionKey = parentSessionKey;
  const modelParentSessionKey = route?.modelParentSessionKey ?? thread?.modelParentSessionKey;
  if (isGiven(modelParentSessionKey)) context.ModelParentSessionKey = modelParentSessionKey;
  const accountId = route?.accountId ?? params.accountId;
  if (isGiven(accountId)) context.AccountId = accountId;
}

function putSender(context: MutableContext, params: BuildContextParams): void {
  const { sender, access } = params;
  const from = params.from ?? sender?.id;
  if (isGiven(from)) context.From = from;
  if (isGiven(sender?.id)) context.SenderId = sender.id;
  const senderName = sender?.name ?? sender?.displayLabel;
  if (isGiven(senderName)) context.SenderName = senderName;
  if (isGiven(sender?.username)) context.SenderUsername = sender.username;
  if (isGiven(sender?.tag)) context.SenderTag = sender.tag;
  if (sender?.roles !== undefined && sender.roles.length > 0) context.MemberRoleIds = sender.roles;
  const mentions = access?.mentions;
  if (mentions !== undefined) context.WasMentioned = mentions.effectiveWasMentioned ?? mentions.wasMentioned;
  if (access?.commands !== undefined) context.CommandSource = access.commands.reasonCode ?? "text";
}

function putSupplemental(context: MutableContext, params: BuildContextParams): void {
  const { supplemental, inboundHistory } = applyContextVisibility(
    { supplemental: params.supplemental ?? {}, inboundHistory: params.message?.inboundHistory },
    params.contextVisibility ?? "all",
  );
  const { quote, forwarded, thread } = supplemental;
  const replyToId = quote?.id ?? params.reply?.replyToId;
  if (isGiven(replyToId)) context.ReplyToId = replyToId;
  const replyToIdFull = quote?.fullId ?? params.reply?.replyToIdFull;
  if (isGiven(replyToIdFull)) context.ReplyToIdFull = replyToIdFull;
  if (isGiven(quote?.body)) context.ReplyToBody = quote.body;
  if (isGiven(quote?.sender)) context.ReplyToSender = quote.sender;
  if (quote?.isQuote === true) context.ReplyToIsQuote = true;
  if (isGiven(forwarded?.from)) context.ForwardedFrom = forwarded.from;
  if (isGiven(forwarded?.fromType)) context.ForwardedFromType = forwarded.fromType;
  if (isGiven(forwarded?.fromId)) context.ForwardedFromId = forwarded.fromId;
  if (isGiven(forwarded?.date)) context.ForwardedDate = forwarded.date;
  if (isGiven(thread?.starterBody)) context.ThreadStarterBody = thread.starterBody;
  if (isGiven(thread?.historyBody)) context.ThreadHistoryBody = thread.historyBody;
  if (isGiven(thread?.label)) context.ThreadLabel = thread.label;
  if (context.MessageThreadId === undefined && isGiven(thread?.id)) context.MessageThreadId = thread.id;
  if (isGiven(supplemental.groupSystemPrompt)) context.GroupSystemPrompt = supplemental.groupSystemPrompt;
  if (supplemental.untrustedContext !== undefined && supplemental.untrustedContext.length > 0) {
    context.UntrustedStructuredContext = supplemental.untrustedContext;
  }
  if (inboundHistory !== undefined && inboundHistory.length > 0) context.InboundHistory = inboundHistory;
}

/** Pure: facts to the context that agent and dispatcher read. Never throws on absent optional facts. Frozen one level. */
export function buildContext(params: BuildContextParams): FinalizedMsgContext {
  const context: MutableContext = { CommandAuthorized: isCommandAuthorized(params.access?.commands) };
  putMessage(context, params);
  putPlace(context, params);
  putRoute(context, params);
  putSender(context, params);
  putSupplemental(context, params);
  Object.assign(context, projectMedia(params.media));
  return Object.freeze(context);
}
