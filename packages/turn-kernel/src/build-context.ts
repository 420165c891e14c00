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

/** Sets a field only when it has a source: an absent fact is an absent field, never an empty string. */
function put<Key extends keyof MutableContext>(context: MutableContext, key: Key, value: MutableContext[Key]): void {
  if (value !== undefined && value !== "") context[key] = value;
}

function putMessage(context: MutableContext, params: BuildContextParams): void {
  const { message, messageId, messageIds } = params;
  put(context, "Body", labelled(params, message?.body));
  put(context, "BodyForAgent", labelled(params, message?.bodyForAgent));
  put(context, "RawBody", message?.rawBody);
  put(context, "CommandBody", message?.commandBody);
  put(context, "BodyForCommands", message?.commandBody ?? message?.rawBody);
  put(context, "MessageSid", messageId ?? messageIds?.at(-1));
  if (messageIds !== undefined && messageIds.length > 1) {
    context.MessageSids = messageIds;
    put(context, "MessageSidFirst", messageIds[0]);
    put(context, "MessageSidLast", messageIds.at(-1));
  }
  put(context, "Timestamp", params.timestamp);
}

function putPlace(context: MutableContext, params: BuildContextParams): void {
  const { conversation, reply, channel } = params;
  const { kind, label } = conversation ?? {};
  put(context, "ChatType", kind);
  put(context, "ConversationLabel", label);
  if (kind === "group") put(context, "GroupSubject", label);
  if (kind === "channel") put(context, "GroupChannel", label);
  put(context, "GroupSpace", conversation?.spaceId);
  put(context, "MessageThreadId", reply?.messageThreadId ?? conversation?.threadId);
  put(context, "ThreadParentId", reply?.threadParentId ?? conversation?.parentId);
  put(context, "NativeChannelId", reply?.nativeChannelId ?? conversation?.nativeChannelId);
  put(context, "To", reply?.to);
  put(context, "OriginatingTo", reply?.originatingTo ?? reply?.to ?? conversation?.id);
  put(context, "OriginatingChannel", channel);
  put(context, "Provider", channel);
  put(context, "Surface", channel);
}

function putRoute(context: MutableContext, params: BuildContextParams): void {
  const { route, supplemental, accountId } = params;
  const thread = supplemental?.thread;
  put(context, "SessionKey", route?.dispatchSessionKey ?? route?.routeSessionKey ?? params.routeSessionKey);
  put(context, "ParentSessionKey", route?.parentSessionKey ?? thread?.parentSessionKey);
  put(context, "ModelParentSessionKey", route?.modelParentSessionKey ?? thread?.modelParentSessionKey);
  put(context, "AccountId", route?.accountId ?? accountId);
}

function putSender(context: MutableContext, params: BuildContextParams): void {
  const { sender, access, from } = params;
  put(context, "From", from ?? sender?.id);
  put(context, "SenderId", sender?.id);
  put(context, "SenderName", sender?.name ?? sender?.displayLabel);
  put(context, "SenderUsername", sender?.username);
  put(context, "SenderTag", sender?.tag);
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
  put(context, "ReplyToId", quote?.id ?? params.reply?.replyToId);
  put(context, "ReplyToIdFull", quote?.fullId ?? params.reply?.replyToIdFull);
  put(context, "ReplyToBody", quote?.body);
  put(context, "ReplyToSender", quote?.sender);
  if (quote?.isQuote === true) context.ReplyToIsQuote = true;
  put(context, "ForwardedFrom", forwarded?.from);
  put(context, "ForwardedFromType", forwarded?.fromType);
  put(context, "ForwardedFromId", forwarded?.fromId);
  put(context, "ForwardedDate", forwarded?.date);
  put(context, "ThreadStarterBody", thread?.starterBody);
  put(context, "ThreadHistoryBody", thread?.historyBody);
  put(context, "ThreadLabel", thread?.label);
  if (context.MessageThreadId === undefined) put(context, "MessageThreadId", thread?.id);
  put(context, "GroupSystemPrompt", supplemental.groupSystemPrompt);
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
