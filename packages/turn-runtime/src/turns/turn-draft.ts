import { createDraftSession, type DraftTransport } from "@turnwire/adapter-kit";
import type { Clock, OutboundPart } from "@turnwire/turn-ports";

import type { LiveDraft } from "./live-draft.ts";
import { isHidden, replyTargetOf, type LivePass } from "./live-pass.ts";
import { INTERRUPTED_MARK } from "./notice-texts.ts";
import type { TurnOutbox } from "./turn-outbox.ts";

/** Least time between two updates of a draft, ms: readable, and well under the platforms' limits for edits. */
const DRAFT_THROTTLE_MS = 1_000;
/** Draft ids of platforms are positive 31-bit numbers. */
const MAX_DRAFT_ID = 2 ** 31 - 1;

/** Opens the draft that this chat and account allow; null where answers appear only when they are finished. */
export function openTurnDraft(pass: LivePass, outbox: TurnOutbox, clock: Clock): LiveDraft | null {
  const { channel } = pass;
  const kind = channel.capabilities.drafts[pass.request.last.routePeer.kind];
  const isPrepared = pass.resolved?.runDispatch !== undefined;
  if (kind === "none" || channel.account.streaming.mode !== "partial" || isHidden(pass) || isPrepared) return null;
  return kind === "native" ? openNativeDraft(pass, outbox, clock) : openEditedDraft(pass, outbox, clock);
}

/** A message that grows by edits. Its first post is stored with its receipt, so that a restart finds it again. */
function openEditedDraft(pass: LivePass, outbox: TurnOutbox, clock: Clock): LiveDraft {
  const { channel, request } = pass;
  const to = { channel: channel.id, accountId: channel.accountId, target: replyTargetOf(pass) };
  const stored = { ...to, purpose: "draft" as const, turnId: request.turnId, sessionKey: pass.sessionKey };
  let messageId = pass.adoptDraft;
  let shown = "";

  async function edit(text: string): Promise<"ok" | "gone" | "retry"> {
    const part = messageId === null ? undefined : renderDraft(pass, text, { editOf: messageId });
    if (part === undefined) return "gone";
    const outcome = await outbox.ephemeral({
      ...to,
      part,
      slot: `draft:${request.turnId}`,
      signal: request.scope.signal,
    });
    if (outcome.kind === "sent") shown = text;
    if (outcome.kind === "rejected") return "gone";
    return outcome.kind === "sent" ? "ok" : "retry";
  }

  const transport: DraftTransport = {
    async open(text) {
      // What an attempt before this one left in the chat is gone on with.
      if (messageId !== null) return (await edit(text)) === "gone" ? "failed" : "sent";
      const part = renderDraft(pass, text, {});
      if (part === undefined) return "failed";
      // With the turn's step: whoever finds the draft after a crash also finds that a run of the turn had begun.
      const { step, scope } = request;
      const report = await outbox.send({ ...stored, parts: [part], step, signal: scope.signal });
      messageId = report.receipt?.primaryPlatformMessageId ?? report.receipt?.platformMessageIds[0] ?? null;
      shown = text;
      return messageId === null ? "failed" : "sent";
    },
    update: edit,
    async close() {
      if (messageId === null) return;
      if (channel.capabilities.deletes) {
        await outbox.send({ ...stored, parts: [{ op: "delete", kind: "text", index: 0, messageId, body: null }] });
        return;
      }
      const part = renderDraft(pass, `${shown}${INTERRUPTED_MARK}`, { editOf: messageId });
      if (part !== undefined) await outbox.send({ ...stored, parts: [part] });
    },
  };
  const session = createDraftSession({ clock, transport, throttleMs: DRAFT_THROTTLE_MS, ...limitOf(pass) });
  return {
    push: (text) => session.push(text),
    async finish() {
      const end = await session.finish();
      // An adopted message is edited even when this attempt never came to show anything in it.
      return end === "live" || session.state() === "final" ? messageId : null;
    },
    async cancel() {
      if (session.state() === "idle" && messageId !== null) await transport.close();
      await session.cancel();
    },
  };
}

/** The platform's own ephemeral draft: the final message replaces it. */
function openNativeDraft(pass: LivePass, outbox: TurnOutbox, clock: Clock): LiveDraft {
  const { channel, request } = pass;
  const draftId = (request.last.id % MAX_DRAFT_ID) + 1;
  const show = async (text: string): Promise<"ok" | "gone" | "retry"> => {
    const part = renderDraft(pass, text, { draftId });
    if (part === undefined) return "gone";
    const outcome = await outbox.ephemeral({
      channel: channel.id,
      accountId: channel.accountId,
      target: replyTargetOf(pass),
      part,
      slot: `draft:${request.turnId}`,
      signal: request.scope.signal,
    });
    if (outcome.kind === "rejected") return "gone";
    return outcome.kind === "sent" ? "ok" : "retry";
  };
  const session = createDraftSession({
    clock,
    throttleMs: DRAFT_THROTTLE_MS,
    transport: {
      open: async (text) => ((await show(text)) === "gone" ? "failed" : "sent"),
      update: show,
      // It vanishes by itself; there is nothing to delete.
      close: () => Promise.resolve(),
    },
    ...limitOf(pass),
  });
  return {
    push: (text) => session.push(text),
    async finish() {
      await session.finish();
      return null;
    },
    cancel: () => session.cancel(),
  };
}

function renderDraft(
  pass: LivePass,
  text: string,
  options: { readonly editOf?: string; readonly draftId?: number },
): OutboundPart | undefined {
  return pass.channel.render({ text }, { target: replyTargetOf(pass), mode: "draft", ...options })[0];
}

function limitOf({ channel }: LivePass): { readonly limit: number; readonly measure: (text: string) => number } {
  const { textLimit, textUnit } = channel.capabilities;
  switch (textUnit) {
    case "utf16":
      return { limit: textLimit, measure: (text) => text.length };
    case "utf8_bytes":
      return { limit: textLimit, measure: (text) => Buffer.byteLength(text) };
    case "code_points":
      return { limit: textLimit, measure: (text) => Array.from(text).length };
  }
}
