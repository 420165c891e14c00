import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";

import type { JsonValue, OutboundPartKind } from "@turnwire/turn-ports";

import type { TelegramPartBody } from "./part-body.ts";

/** How Telegram is given a file: which method, under which parameter. */
interface MediaMethod {
  readonly method: string;
  readonly field: string;
  readonly kind: OutboundPartKind;
}

const PHOTO: MediaMethod = { method: "sendPhoto", field: "photo", kind: "media" };
const ANIMATION: MediaMethod = { method: "sendAnimation", field: "animation", kind: "media" };
const VIDEO: MediaMethod = { method: "sendVideo", field: "video", kind: "media" };
const AUDIO: MediaMethod = { method: "sendAudio", field: "audio", kind: "media" };
const VOICE: MediaMethod = { method: "sendVoice", field: "voice", kind: "voice" };
const DOCUMENT: MediaMethod = { method: "sendDocument", field: "document", kind: "media" };

/** By the file's ending; every other file is a document. */
const BY_ENDING: Readonly<Record<string, MediaMethod>> = {
  ".jpg": PHOTO,
  ".jpeg": PHOTO,
  ".png": PHOTO,
  ".webp": PHOTO,
  ".gif": ANIMATION,
  ".mp4": VIDEO,
  ".mp3": AUDIO,
  ".m4a": AUDIO,
  ".ogg": AUDIO,
  ".oga": AUDIO,
  ".opus": AUDIO,
};

/** Those that can be hidden behind a blur until somebody taps on them. */
const CAN_HIDE: ReadonlySet<MediaMethod> = new Set([PHOTO, ANIMATION, VIDEO]);

/** How a file is to be shown. */
export interface MediaWishes {
  readonly asVoice: boolean;
  readonly hidden: boolean;
  readonly caption: { readonly text: string; readonly params: Readonly<Record<string, JsonValue>> } | null;
}

/** The call that sends one file: by its address, which Telegram fetches itself, or as an upload of a file of this machine. */
export function renderMedia(
  address: string,
  { asVoice, hidden, caption }: MediaWishes,
): { readonly kind: OutboundPartKind; readonly body: TelegramPartBody } {
  const path = localPathOf(address);
  const chosen = methodOf(path ?? urlPath(address), asVoice);
  const params = {
    ...caption?.params,
    ...(hidden && CAN_HIDE.has(chosen) ? { has_spoiler: true } : {}),
  };
  const shown = path === null ? address : `[${basename(path)}]`;
  const insteadOfMedia = caption === null ? shown : `${caption.text}\n${shown}`;
  const { method, field, kind } = chosen;
  return path === null
    ? { kind, body: { method, params: { [field]: address, ...params }, quotes: false, insteadOfMedia } }
    : { kind, body: { method, params, upload: { field, path }, quotes: false, insteadOfMedia } };
}

function methodOf(path: string, asVoice: boolean): MediaMethod {
  const method = BY_ENDING[extname(path).toLowerCase()] ?? DOCUMENT;
  return asVoice && method === AUDIO ? VOICE : method;
}

/** The path of a file of this machine; null for an address on the net. */
function localPathOf(address: string): string | null {
  if (/^https?:\/\//i.test(address)) return null;
  return address.startsWith("file:") ? fileURLToPath(address) : address;
}

function urlPath(address: string): string {
  return URL.parse(address)?.pathname ?? address;
}
