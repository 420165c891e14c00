import type { IncomingHttpHeaders } from "node:http";

import { Busboy } from "@fastify/busboy";

import { badRequest } from "./bot-api-error.ts";
import type { UploadedFile } from "./methods/method-context.ts";
import type { Json } from "./world.ts";

/** Largest upload, bytes: the Bot API takes files of 50 MB. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** Parameters that hold objects; forms carry them as JSON text. */
const OBJECTS: ReadonlySet<string> = new Set([
  "reply_markup",
  "entities",
  "caption_entities",
  "reply_parameters",
  "link_preview_options",
  "media",
  "allowed_updates",
  "commands",
  "scope",
  "reaction",
  "message_ids",
]);
/** Parameters that are booleans; forms carry them as words. */
const BOOLEANS: ReadonlySet<string> = new Set([
  "allow_sending_without_reply",
  "disable_notification",
  "protect_content",
  "drop_pending_updates",
  "is_big",
  "show_alert",
  "disable_web_page_preview",
  "allow_paid_broadcast",
  "revoke_messages",
]);

function fromForm(name: string, value: string): unknown {
  if (BOOLEANS.has(name)) return value.toLowerCase() === "true" || value === "1";
  if (!OBJECTS.has(name)) return value;
  if (value === "") return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`can't parse ${name} JSON object`);
  }
}

async function multipart(
  headers: IncomingHttpHeaders & { readonly "content-type": string },
  body: Buffer,
): Promise<{ readonly params: Json; readonly uploads: Map<string, UploadedFile> }> {
  return new Promise((resolve, reject) => {
    const params: Json = {};
    const uploads = new Map<string, UploadedFile>();
    const parser = new Busboy({ headers, limits: { fileSize: MAX_FILE_BYTES } });
    parser.on("field", (name: string, value: string) => {
      try {
        params[name] = fromForm(name, value);
      } catch (error) {
        reject(error instanceof Error ? error : new Error("A form field could not be read."));
      }
    });
    parser.on("file", (...[field, stream, name, , mediaType]) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => uploads.set(field, { name, mediaType, bytes: Buffer.concat(chunks) }));
    });
    parser.on("finish", () => {
      resolve({ params, uploads });
    });
    parser.on("error", reject);
    parser.end(body);
  });
}

/** Reads a call's arguments from query, JSON, urlencoded or multipart, into one form. */
export async function readRequest(request: {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}): Promise<{ readonly params: Json; readonly uploads: Map<string, UploadedFile> }> {
  const params: Json = {};
  for (const [name, value] of request.url.searchParams) params[name] = fromForm(name, value);
  const type = request.headers["content-type"] ?? "";
  if (request.body.length === 0) return { params, uploads: new Map() };
  if (type.startsWith("application/json")) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(request.body.toString("utf8"));
    } catch {
      throw badRequest("can't parse request body JSON");
    }
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
      throw badRequest("request body must be a JSON object");
    return { params: { ...params, ...withTexts(parsed as Json) }, uploads: new Map() };
  }
  if (type.startsWith("multipart/form-data")) {
    const form = await multipart({ ...request.headers, "content-type": type }, request.body);
    return { params: { ...params, ...form.params }, uploads: form.uploads };
  }
  for (const [name, value] of new URLSearchParams(request.body.toString("utf8"))) params[name] = fromForm(name, value);
  return { params, uploads: new Map() };
}

/** Also in JSON some clients send objects as text. */
function withTexts(params: Json): Json {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" && OBJECTS.has(name) ? fromForm(name, value) : value,
    ]),
  );
}
