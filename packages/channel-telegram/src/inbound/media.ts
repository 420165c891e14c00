import { safeFetch } from "@turnwire/adapter-kit";
import { TurnwireError, type InboundMediaFacts } from "@turnwire/turn-kernel";
import type { Clock, RemoteMedia, TurnHost } from "@turnwire/turn-ports";

import type { TelegramClient } from "../client.ts";
import { wait } from "../common/wait.ts";
import type { TelegramFile, TelegramMessage } from "./update-schema.ts";

/** A file of a message before it is fetched. */
export interface MessageFile {
  /** Telegram's own word, e.g. `voice`. */
  readonly name: MediaField;
  readonly kind: NonNullable<InboundMediaFacts["kind"]>;
  readonly fileId: string;
  readonly contentType: string;
  readonly fileName?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly messageId: string;
}

/** The fields of a message that hold a file, in the order in which they are looked at. */
export const MEDIA_FIELDS = [
  "photo",
  // An animation comes with the same file as `document`, for old clients.
  "animation",
  "document",
  "video",
  "video_note",
  "voice",
  "audio",
  "sticker",
] as const;

/** One of `MEDIA_FIELDS`. */
export type MediaField = (typeof MEDIA_FIELDS)[number];

/** What a file is when Telegram does not say: the formats that its documentation names. */
const DEFAULT_TYPE: Readonly<Record<MediaField, string>> = {
  photo: "image/jpeg",
  animation: "video/mp4",
  document: "application/octet-stream",
  video: "video/mp4",
  video_note: "video/mp4",
  voice: "audio/ogg",
  audio: "audio/mpeg",
  sticker: "image/webp",
};

/** Bots can fetch files of up to 20 MB (`getFile`). */
const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;

/** 20 MB at 3 Mbit/s. */
const DOWNLOAD_TIMEOUT_MS = 60_000;
/** Pauses before `getFile` is asked again after a passing failure, ms: the turn waits meanwhile. */
const GET_FILE_PAUSES_MS = [500, 1_000, 2_000] as const;

/** True when a file comes with the message. */
export function hasMedia(message: TelegramMessage): boolean {
  return filesOf(message).length > 0;
}

/** The file of a message: of a photo's sizes the largest. Telegram's messages have one file each. */
export function filesOf(message: Omit<TelegramMessage, "date" | "chat">): readonly MessageFile[] {
  const messageId = String(message.message_id);
  const field = MEDIA_FIELDS.find((name) => message[name] !== undefined);
  if (field === undefined) return [];
  const file = field === "photo" ? largestOf(message.photo ?? []) : message[field];
  if (file === undefined) return [];
  const contentType = typeOf(field, file, message);
  return [
    {
      name: field,
      kind: kindOf(contentType),
      fileId: file.file_id,
      contentType,
      ...(file.file_name === undefined ? {} : { fileName: file.file_name }),
      ...(file.file_size === undefined ? {} : { sizeBytes: file.file_size }),
      messageId,
    },
  ];
}

function largestOf(sizes: NonNullable<TelegramMessage["photo"]>): TelegramFile | undefined {
  const area = ({ width = 0, height = 0 }: (typeof sizes)[number]): number => width * height;
  return sizes.toSorted((a, b) => area(b) - area(a))[0];
}

function typeOf(field: MediaField, file: TelegramFile, message: Pick<TelegramMessage, "sticker">): string {
  if (file.mime_type !== undefined && file.mime_type !== "") return file.mime_type;
  if (field === "sticker" && message.sticker?.is_video === true) return "video/webm";
  // Animated stickers are gzipped Lottie files, which no model sees as a picture.
  if (field === "sticker" && message.sticker?.is_animated === true) return "application/x-tgsticker";
  return DEFAULT_TYPE[field];
}

function kindOf(contentType: string): MessageFile["kind"] {
  const [type] = contentType.split("/");
  return type === "image" || type === "video" || type === "audio" ? type : "document";
}

/** What became of a file. */
export interface FetchedFile {
  readonly file: MessageFile;
  readonly facts: InboundMediaFacts;
  /** Why it cannot be read, when it cannot. */
  readonly unavailable?: string | undefined;
}

/** What fetching needs. */
export interface FetchSource {
  readonly client: TelegramClient;
  readonly clock: Clock;
}

/** Fetches files through the host, one after another. A file that cannot be had stays in its place, without a path. */
export async function fetchFiles(
  files: readonly MessageFile[],
  given: FetchSource & { readonly host: Pick<TurnHost, "saveMedia">; readonly signal: AbortSignal },
): Promise<readonly FetchedFile[]> {
  const fetched: FetchedFile[] = [];
  for (const file of files) {
    const facts: InboundMediaFacts = {
      kind: file.kind,
      contentType: file.contentType,
      messageId: file.messageId,
    };
    if ((file.sizeBytes ?? 0) > MAX_DOWNLOAD_BYTES) {
      fetched.push({ file, facts, unavailable: "too_large" });
      continue;
    }
    const saved = await given.host.saveMedia(remoteMedia(file, given), given.signal);
    fetched.push(
      saved.path === null
        ? { file, facts, unavailable: saved.reason }
        : { file, facts: { ...facts, path: saved.path, contentType: saved.contentType } },
    );
  }
  return fetched;
}

/** Fetches by way of `getFile`. The token goes to the account's own API alone, and no redirect is followed. */
export function remoteMedia(file: MessageFile, { client, clock }: FetchSource): RemoteMedia {
  return {
    contentType: file.contentType,
    fileName: file.fileName,
    sizeBytes: file.sizeBytes,
    async fetch(signal) {
      const url = await locate(file, { client, clock, signal });
      return { bytes: await download(url, clock, signal), contentType: file.contentType };
    },
  };
}

async function locate(
  file: MessageFile,
  { client, clock, signal }: FetchSource & { readonly signal: AbortSignal },
): Promise<URL> {
  for (const pauseMs of [...GET_FILE_PAUSES_MS, null]) {
    const answer = await client.call({ method: "getFile", params: { file_id: file.fileId } }, signal);
    if (answer.ok) {
      const { file_path: filePath } = answer.result as { readonly file_path?: unknown };
      const url = typeof filePath === "string" ? client.fileUrl(filePath) : null;
      if (url === null) throw unavailable("Telegram names no path for it");
      return url;
    }
    const { failure } = answer;
    const isPassing = failure.kind === "transport" || failure.status >= 500 || failure.status === 429;
    if (pauseMs === null || !isPassing || signal.aborted) {
      throw unavailable(failure.kind === "refused" ? failure.description : failure.code);
    }
    await wait(clock, pauseMs, signal);
  }
  throw unavailable("it was asked for too often");
}

async function download(url: URL, clock: Clock, signal: AbortSignal): Promise<Uint8Array> {
  const { status, bytes } = await safeFetch(url.href, {
    maxBytes: MAX_DOWNLOAD_BYTES,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    // The address holds the token: whoever it would be sent on to must not see it.
    maxRedirects: 0,
    allowOrigin: url.origin,
    signal,
    clock,
  }).catch((error: unknown) => {
    // The error's own text may hold the address.
    const isTooLarge = TurnwireError.isInstance(error, "fetch_too_large");
    throw unavailable(isTooLarge ? "it is larger than a bot may fetch (20 MB)" : "the connection failed");
  });
  if (status !== 200) throw unavailable(`Telegram answered ${status}`);
  return bytes;
}

function unavailable(reason: string): TurnwireError {
  return new TurnwireError({
    code: "telegram_file_unavailable",
    message: `A file could not be fetched from Telegram: ${reason}; the turn goes on without it.`,
  });
}
