import type { TelegramState } from "../telegram-state.ts";
import type { UpdateQueue } from "../update-queue.ts";
import type { WebhookSender } from "../webhook-sender.ts";
import type { Json } from "../world.ts";

/** A file in a multipart request. */
export interface UploadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** What a method runs with. Objects in `params` are parsed, whatever form the request had. */
export interface MethodContext {
  readonly state: TelegramState;
  readonly queue: UpdateQueue;
  readonly webhook: WebhookSender;
  readonly params: Json;
  readonly uploads: ReadonlyMap<string, UploadedFile>;
  readonly signal: AbortSignal;
}

/** One method of the Bot API. */
export interface BotMethod {
  readonly name: string;
  /** `partial` says what is missing. */
  readonly support: "full" | { readonly partial: string };
  readonly run: (context: MethodContext) => unknown;
}
