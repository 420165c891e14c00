import { findPlace, type TelegramState } from "./telegram-state.ts";
import type { Json, SimChat, SimDraft } from "./world.ts";

/** What people see of a message. */
export interface SeenMessage {
  readonly messageId: string;
  readonly by: string;
  readonly text: string;
  readonly native: Json;
  readonly replyTo: string | null;
  readonly thread: string | null;
  readonly edits: number;
  readonly deleted: boolean;
  readonly draft: boolean;
  readonly reactions: readonly { readonly by: string; readonly emoji: string }[];
  readonly files: readonly string[];
  readonly at: number;
}

/** Where drafts and "typing…" of a thread are kept. */
const threadKey = (threadId: number | undefined): string => String(threadId ?? "");

function seenDraft(draft: SimDraft, by: string): SeenMessage {
  return {
    messageId: `draft:${draft.draftId}`,
    by,
    text: draft.text,
    native: {},
    replyTo: null,
    thread: draft.threadId === undefined ? null : String(draft.threadId),
    edits: 0,
    deleted: false,
    draft: true,
    reactions: [],
    files: [],
    at: draft.at,
  };
}

/** Whether a message of a thread is shown where a person looks: forums show one topic at a time, others all. */
function isShown(chat: SimChat, place: number | undefined, thread: number | undefined): boolean {
  return !chat.isForum || thread === place;
}

/** What a person sees in a place now, in order. */
export function seenMessages(state: TelegramState, where: string): readonly SeenMessage[] {
  const { chat, threadId } = findPlace(state, where);
  const seen = [...chat.messages.values()]
    .filter((message) => isShown(chat, threadId, message.threadId))
    .map((message): SeenMessage => ({
      messageId: String(message.id),
      by: message.by,
      text: message.content.text,
      native: message.native,
      replyTo: message.replyTo === undefined ? null : String(message.replyTo),
      thread: message.threadId === undefined ? null : String(message.threadId),
      edits: message.edits,
      deleted: message.deleted,
      draft: false,
      reactions: message.reactions,
      files: message.files,
      at: message.at,
    }));
  const drafts = [...chat.drafts.values()].filter((draft) => isShown(chat, threadId, draft.threadId));
  return [...seen, ...drafts.map((draft) => seenDraft(draft, state.bot.name))];
}

/** What the head of a place shows. */
export function seenPlace(
  state: TelegramState,
  where: string,
): { readonly typing: boolean; readonly draft: string | null } {
  const { chat, threadId } = findPlace(state, where);
  const until = chat.typingUntil.get(threadKey(threadId)) ?? 0;
  return { typing: until > state.clock.now(), draft: chat.drafts.get(threadKey(threadId))?.text ?? null };
}
