import { access } from "node:fs/promises";

import { TurnwireError, type MessageReceipt } from "@turnwire/turn-kernel";
import type { Clock, JsonValue, OutboundPart, OutboundTarget, SendOutcome } from "@turnwire/turn-ports";

import { telegramCapabilities } from "../capabilities.ts";
import type { TelegramCall, TelegramClient, TelegramFailure } from "../client.ts";
import { GENERAL_TOPIC_ID } from "../inbound/message-parts.ts";
import { cutCodePoints } from "../common/cut-code-points.ts";
import { toTelegramError } from "../common/telegram-error.ts";
import { decideOutcome } from "./outcome.ts";
import { rejectionError } from "./rejection-error.ts";
import { bodyOf, partOf, type TelegramPartBody } from "./part-body.ts";

/** What delivery works with. */
export interface DeliverOptions {
  readonly client: TelegramClient;
  readonly clock: Clock;
}

/** One call, tried once; what Telegram answers becomes an outcome, never a throw. */
export async function deliver(
  { client, clock }: DeliverOptions,
  { part, target }: { readonly part: OutboundPart; readonly target: OutboundTarget },
  signal: AbortSignal,
): Promise<SendOutcome> {
  const call = callOf(part, target);
  if (call === null) {
    const message = "A part for Telegram does not hold a call; it was made by something else.";
    return { kind: "rejected", error: new TurnwireError({ code: "telegram_part_invalid", message }) };
  }
  if (call.upload !== undefined && !(await isReadable(call.upload.path))) {
    const fallback = withoutMedia(part);
    return {
      kind: "rejected",
      error: new TurnwireError({
        code: "telegram_media_refused",
        message: "A file that was to be sent to Telegram is not there any more; its words are sent without it.",
      }),
      ...(fallback === undefined ? {} : { fallback }),
    };
  }
  const answer = await client.call(call, signal);
  if (answer.ok) return { kind: "sent", receipt: receiptOf(part, target, answer.result, clock.now()) };
  return outcomeOf({ part, target, nowMs: clock.now() }, answer.failure);
}

/** The call that a part asks for; null for a part that is not ours. Pure. */
export function callOf(part: OutboundPart, target: OutboundTarget): TelegramCall | null {
  const body = bodyOf(part);
  const chat = { chat_id: chatIdOf(body?.movedTo ?? target.to) };
  switch (part.op) {
    case "typing":
      return { method: "sendChatAction", params: { ...chat, ...threadOf(target, "typing"), action: "typing" } };
    case "delete":
      return messageCall("deleteMessage", part, chat, {});
    case "react": {
      const emoji = typeof part.body === "string" && part.body !== "" ? part.body : null;
      const reaction = emoji === null ? [] : [{ type: "emoji", emoji }];
      return messageCall("setMessageReaction", part, chat, { reaction });
    }
    case "edit":
      return body === null ? null : messageCall(body.method, part, chat, body.params);
    case "draft":
      return body === null
        ? null
        : { method: body.method, params: { ...chat, ...threadOf(target, "send"), ...body.params } };
    case "send":
      return body === null
        ? null
        : {
            method: body.method,
            params: {
              ...chat,
              ...threadOf(target, "send"),
              ...(body.quotes ? replyOf(target) : {}),
              ...(target.silent === true ? { disable_notification: true } : {}),
              ...body.params,
            },
            ...(body.upload === undefined ? {} : { upload: body.upload }),
          };
  }
}

function messageCall(
  method: string,
  part: OutboundPart,
  chat: { readonly chat_id: JsonValue },
  params: Readonly<Record<string, JsonValue>>,
): TelegramCall | null {
  const messageId = numberOf(part.messageId);
  return messageId === null ? null : { method, params: { ...chat, message_id: messageId, ...params } };
}

/** Ids are numbers; public channels may be named by `@name`. */
function chatIdOf(to: string): number | string {
  return /^-?\d{1,16}$/.test(to) ? Number(to) : to;
}

function numberOf(id: string | undefined): number | null {
  return id !== undefined && /^\d{1,10}$/.test(id) ? Number(id) : null;
}

function threadOf(target: OutboundTarget, use: "send" | "typing"): { readonly message_thread_id?: number } {
  const thread = numberOf(target.threadId);
  // Sends to the General topic are refused when they name it; its "typing…" is seen only when it does.
  if (thread === null || (use === "send" && target.threadId === GENERAL_TOPIC_ID)) return {};
  return { message_thread_id: thread };
}

function replyOf(target: OutboundTarget): { readonly reply_parameters?: JsonValue } {
  const messageId = numberOf(target.replyToId);
  // The message may be deleted while the answer is made: then it comes without its quote.
  return messageId === null ? {} : { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };
}

async function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function receiptOf(part: OutboundPart, target: OutboundTarget, result: unknown, sentAt: number): MessageReceipt {
  const named = typeof result === "object" && result !== null && "message_id" in result ? result.message_id : undefined;
  const edited = part.op === "edit" ? part.messageId : undefined;
  const id = typeof named === "number" ? String(named) : edited;
  if (id === undefined) return { platformMessageIds: [], parts: [], sentAt };
  const place = {
    ...(target.threadId === undefined ? {} : { threadId: target.threadId }),
    ...(target.replyToId === undefined || bodyOf(part)?.quotes !== true ? {} : { replyToId: target.replyToId }),
  };
  return {
    platformMessageIds: [id],
    primaryPlatformMessageId: id,
    parts: [{ platformMessageId: id, kind: part.kind, index: part.index, ...place }],
    ...place,
    editToken: id,
    deleteToken: id,
    sentAt,
  };
}

function outcomeOf(
  sent: { readonly part: OutboundPart; readonly target: OutboundTarget; readonly nowMs: number },
  failure: TelegramFailure,
): SendOutcome {
  const { part, target, nowMs } = sent;
  const body = bodyOf(part);
  const decision = decideOutcome(failure, {
    op: part.op,
    hasMarkup: body !== null && plainOf(part, body) !== null,
    hasMedia: body?.insteadOfMedia !== undefined,
    isMoved: body?.movedTo !== undefined,
  });
  const error = toTelegramError(failure);
  switch (decision.kind) {
    case "done":
      return { kind: "sent", receipt: receiptOf(part, target, null, nowMs) };
    case "retry":
      return { kind: "retry", error, retryAfterMs: decision.retryAfterMs, scope: decision.scope };
    case "unknown":
      return { kind: "unknown", error };
    case "moved":
      return body === null
        ? { kind: "rejected", error }
        : { kind: "rejected", error, fallback: partOf({ ...part, body: { ...body, movedTo: decision.chatId } }) };
    case "rejected": {
      const fallback = fallbackOf(part, decision.fallback);
      return {
        kind: "rejected",
        error: rejectionError(decision.code, failure, error),
        ...(fallback === undefined ? {} : { fallback }),
      };
    }
  }
}

function fallbackOf(part: OutboundPart, kind: "plain" | "without_media" | undefined): OutboundPart | undefined {
  if (kind === "without_media") return withoutMedia(part);
  const body = kind === "plain" ? bodyOf(part) : null;
  return body === null ? undefined : (plainOf(part, body) ?? undefined);
}

/** The parameters that only shape a message; Telegram can do without each of them. */
const MARKUP_PARAMS = ["entities", "caption_entities", "reply_markup"] as const;

/** The same part as plain text; null when it is plain already. */
function plainOf(part: OutboundPart, body: TelegramPartBody): OutboundPart | null {
  if (!MARKUP_PARAMS.some((name) => name in body.params)) return null;
  const params = Object.fromEntries(
    Object.entries(body.params).filter(([name]) => !MARKUP_PARAMS.some((markup) => markup === name)),
  );
  return partOf({ ...part, body: { ...body, params } });
}

/** What stands in for a file that cannot be sent: its caption, and its address where it has one. */
function withoutMedia(part: OutboundPart): OutboundPart | undefined {
  const body = bodyOf(part);
  if (body?.insteadOfMedia === undefined) return undefined;
  const text = cutCodePoints(body.insteadOfMedia, telegramCapabilities.textLimit);
  const { quotes, movedTo } = body;
  return partOf({
    ...part,
    kind: "text",
    text,
    body: { method: "sendMessage", params: { text }, quotes, ...(movedTo === undefined ? {} : { movedTo }) },
  });
}
