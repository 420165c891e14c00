import type { JsonValue, OutboundPart } from "@turnwire/turn-ports";

import type { TelegramUpload } from "../client.ts";

/** What a part holds: one call of the Bot API, without its address, which the part's target gives. */
export interface TelegramPartBody {
  /** E.g. `sendMessage`. */
  readonly method: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  /** A file of this machine, read when it is sent. */
  readonly upload?: TelegramUpload | undefined;
  /** Whether it quotes the message that the target's `replyToId` names. */
  readonly quotes: boolean;
  /** The chat that the target's one was turned into. */
  readonly movedTo?: string | undefined;
  /** What is sent in place of a file that is refused. */
  readonly insteadOfMedia?: string | undefined;
}

/** Makes a part; the body is plain JSON, so that a restarted process sends what was planned. */
export function partOf(part: Omit<OutboundPart, "body"> & { readonly body: TelegramPartBody }): OutboundPart {
  const { method, params, upload, quotes, movedTo, insteadOfMedia } = part.body;
  return {
    ...part,
    body: {
      method,
      params,
      quotes,
      ...(upload === undefined
        ? {}
        : {
            upload: {
              field: upload.field,
              path: upload.path,
              ...(upload.fileName === undefined ? {} : { fileName: upload.fileName }),
            },
          }),
      ...(movedTo === undefined ? {} : { movedTo }),
      ...(insteadOfMedia === undefined ? {} : { insteadOfMedia }),
    },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a part's body; null when this adapter did not make it. */
export function bodyOf({ body }: OutboundPart): TelegramPartBody | null {
  if (!isRecord(body)) return null;
  const { method, params, upload, quotes, movedTo, insteadOfMedia } = body;
  if (typeof method !== "string" || !isRecord(params)) return null;
  const file = isRecord(upload) ? uploadOf(upload) : null;
  return {
    method,
    params,
    quotes: quotes === true,
    ...(file === null ? {} : { upload: file }),
    ...(typeof movedTo === "string" ? { movedTo } : {}),
    ...(typeof insteadOfMedia === "string" ? { insteadOfMedia } : {}),
  };
}

function uploadOf({ field, path, fileName }: Readonly<Record<string, JsonValue>>): TelegramUpload | null {
  if (typeof field !== "string" || typeof path !== "string") return null;
  return { field, path, ...(typeof fileName === "string" ? { fileName } : {}) };
}
