import type { ReplyPipeline } from "./reply-dispatcher.ts";
import type { ReplyPayload } from "./reply-payload.ts";

/** What a channel adds around its replies. */
export interface ChannelMessageReplyPipelineOptions {
  /** Shows that an answer is on its way. A failure of it never stops the reply. */
  readonly typing?: { readonly start: () => void | Promise<void>; readonly stop: () => void } | undefined;
  /** Put in front of the first text block. */
  readonly responsePrefix?: string | undefined;
  /** Changes a payload; null suppresses it. */
  readonly transform?: ((payload: ReplyPayload, kind: "tool" | "block" | "final") => ReplyPayload | null) | undefined;
  readonly onTypingError?: ((error: unknown) => void) | undefined;
}

/** Builds what the buffered block dispatcher calls around a reply: typing, prefix, transformation. One pipeline serves one turn. */
export function createChannelMessageReplyPipeline(options: ChannelMessageReplyPipelineOptions = {}): ReplyPipeline {
  const { typing, responsePrefix = "", transform, onTypingError } = options;
  let isPrefixed = responsePrefix === "";

  function prefixed(payload: ReplyPayload): ReplyPayload {
    if (isPrefixed || payload.text === undefined || payload.text === "") return payload;
    isPrefixed = true;
    return payload.text.startsWith(responsePrefix)
      ? payload
      : { ...payload, text: `${responsePrefix} ${payload.text}` };
  }

  return {
    async onReplyStart() {
      try {
        await typing?.start();
      } catch (error) {
        onTypingError?.(error);
      }
    },
    onIdle() {
      typing?.stop();
    },
    transform(payload, kind) {
      const changed = transform === undefined ? payload : transform(payload, kind);
      return changed === null ? null : prefixed(changed);
    },
  };
}
