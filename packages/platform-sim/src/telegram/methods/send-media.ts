import { badRequest } from "../bot-api-error.ts";
import { addFile } from "../sim-files.ts";
import type { Json, SimFile } from "../world.ts";
import type { BotMethod, MethodContext } from "./method-context.ts";
import { captionOf, post, writableChat } from "./send-message.ts";

/** Which parameter names the file, and how the message holds it. */
const KINDS: Readonly<Record<string, { readonly param: string; readonly extra: (file: SimFile) => Json }>> = {
  sendPhoto: { param: "photo", extra: (file) => ({ photo: [{ ...fileJson(file), width: 640, height: 480 }] }) },
  sendDocument: {
    param: "document",
    extra: (file) => ({ document: { ...fileJson(file), file_name: file.name, mime_type: file.mediaType } }),
  },
  sendAudio: {
    param: "audio",
    extra: (file) => ({ audio: { ...fileJson(file), duration: 1, file_name: file.name, mime_type: file.mediaType } }),
  },
  sendVoice: {
    param: "voice",
    extra: (file) => ({ voice: { ...fileJson(file), duration: 1, mime_type: file.mediaType } }),
  },
  sendVideo: {
    param: "video",
    extra: (file) => ({
      video: { ...fileJson(file), width: 640, height: 480, duration: 1, mime_type: file.mediaType },
    }),
  },
  sendAnimation: {
    param: "animation",
    extra: (file) => ({
      animation: { ...fileJson(file), width: 640, height: 480, duration: 1, mime_type: file.mediaType },
      document: { ...fileJson(file), mime_type: file.mediaType },
    }),
  },
  sendSticker: {
    param: "sticker",
    extra: (file) => ({
      sticker: { ...fileJson(file), type: "regular", width: 512, height: 512, is_animated: false, is_video: false },
    }),
  },
};

/** What all file objects share. */
export function fileJson(file: SimFile): Json {
  return { file_id: file.fileId, file_unique_id: file.uniqueId, file_size: file.bytes.length };
}

function resolveFile({ state, uploads }: MethodContext, value: unknown, param: string): SimFile {
  const attached = typeof value === "string" && value.startsWith("attach://") ? value.slice("attach://".length) : param;
  const upload = uploads.get(attached);
  if (upload !== undefined) return addFile(state, upload);
  if (typeof value !== "string" || value === "") throw badRequest(`there is no ${param} in the request`);
  const known = state.files.get(value);
  if (known !== undefined) return known;
  if (!/^https?:\/\//.test(value)) throw badRequest("wrong file identifier/HTTP URL specified");
  // Fetched by the platform itself, which a simulator on a closed machine cannot: it keeps the address as the content.
  return addFile(state, {
    name: value.split("/").at(-1) ?? "file",
    mediaType: "application/octet-stream",
    bytes: Buffer.from(value),
  });
}

function mediaMethod(
  name: string,
  kind: { readonly param: string; readonly extra: (file: SimFile) => Json },
): BotMethod {
  return {
    name,
    support: { partial: "files given by URL are not fetched; sizes of pictures are made up" },
    run(context) {
      const chat = writableChat(context);
      const content = captionOf(context.params);
      const file = resolveFile(context, context.params[kind.param], kind.param);
      return post(context, chat, { content, extra: kind.extra(file), files: [file.name], isCaption: true });
    },
  };
}

/** All that send one file. */
export const mediaMethods: readonly BotMethod[] = Object.entries(KINDS).map(([name, kind]) => mediaMethod(name, kind));

const GROUP_KINDS: Readonly<Record<string, string>> = {
  photo: "sendPhoto",
  video: "sendVideo",
  document: "sendDocument",
  audio: "sendAudio",
};

export const sendMediaGroup: BotMethod = {
  name: "sendMediaGroup",
  support: { partial: "files given by URL are not fetched" },
  run(context) {
    const chat = writableChat(context);
    const media = Array.isArray(context.params["media"]) ? (context.params["media"] as Json[]) : [];
    if (media.length < 2 || media.length > 10) throw badRequest("group send failed: 2-10 items expected");
    const mediaGroupId = String(Math.floor(context.state.random() * 1e15));
    return media.map((item) => {
      const kind = KINDS[GROUP_KINDS[String(item["type"])] ?? ""];
      if (kind === undefined) throw badRequest("can't parse InputMedia: type is invalid");
      const file = resolveFile(context, item["media"], String(item["media"]));
      return post(context, chat, {
        content: captionOf(item),
        extra: { ...kind.extra(file), media_group_id: mediaGroupId },
        files: [file.name],
        isCaption: true,
      });
    });
  },
};

export const getFile: BotMethod = {
  name: "getFile",
  support: "full",
  run({ state, params }) {
    const file = state.files.get(String(params["file_id"]));
    if (file === undefined) throw badRequest("invalid file_id");
    // 20 MB is the most that a bot may download.
    if (file.bytes.length > 20 * 1024 * 1024) throw badRequest("file is too big");
    return { ...fileJson(file), file_path: file.path };
  },
};
