import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { OutboundPart, OutboundTarget } from "@turnwire/turn-ports";
import { Ajv, type AnySchema } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";

import { MENU_COMMANDS } from "../src/inbound/commands.ts";
import { ALLOWED_UPDATES } from "../src/inbound/listen.ts";
import { UNREAD_KINDS, UPDATE_SHAPES } from "../src/inbound/update-schema.ts";
import { callOf } from "../src/outbound/deliver.ts";
import { render } from "../src/outbound/render.ts";

/** Descriptions of the Bot API lie beside the repository on some machines; they are read, never kept. */
const folder = resolve(import.meta.dirname, "../../../../shared/specs/telegram");
const read = (name: string): AnySchema => JSON.parse(readFileSync(resolve(folder, name), "utf8"));

const FORUM: OutboundTarget = { to: "-1001", chatKind: "group", threadId: "42", replyToId: "7", silent: true };
const buttons = [
  [
    { label: "Yes", value: "y" },
    { label: "Site", url: "https://example.org" },
  ],
];
const marked = "# a\n\n**b** *c* ~~d~~ `e` [f](https://example.org)\n\n> g\n\n```ts\nh\n```";

function rendered(
  payload: Parameters<typeof render>[0],
  options: Partial<Parameters<typeof render>[1]> = {},
): readonly OutboundPart[] {
  return render(payload, { target: FORUM, mode: "final", ...options }, { replyToMode: "all" });
}

const part = (op: OutboundPart["op"], body: OutboundPart["body"]): OutboundPart => ({
  op,
  kind: "unknown",
  index: 0,
  messageId: "9",
  body,
});

describe.skipIf(!existsSync(folder))("the Bot API 10.3 (shared/specs/telegram)", () => {
  const params = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  let objects: { readonly definitions: Readonly<Record<string, { readonly properties?: object }>> };
  beforeAll(() => {
    params.addSchema(read("params-10.3.schema.json"), "tg");
    objects = read("objects-10.3.schema.json") as typeof objects;
  });

  const calls: readonly (readonly [string, readonly OutboundPart[]])[] = [
    ["texts with everything", rendered({ text: marked, presentation: { buttons } })],
    ["edits", rendered({ text: marked, presentation: { buttons } }, { editOf: "9" })],
    ["native drafts", rendered({ text: marked }, { mode: "draft", draftId: 5 })],
    [
      "files by address",
      rendered({
        text: "**x**",
        sensitiveMedia: true,
        mediaUrls: ["png", "gif", "mp4", "mp3", "pdf"].map((end) => `https://example.org/a.${end}`),
      }),
    ],
    ["a voice message", rendered({ audioAsVoice: true, mediaUrl: "https://example.org/a.ogg" })],
    [
      "typing, reactions, deletions",
      [part("typing", null), part("react", "👀"), part("react", null), part("delete", null)],
    ],
  ];

  it.each(calls)("has the parameters of %s", (_name, parts) => {
    expect(parts.length).toBeGreaterThan(0);
    for (const one of parts) {
      const call = callOf(one, FORUM);
      if (call === null) throw new Error("no call");
      const name = `${call.method.charAt(0).toUpperCase()}${call.method.slice(1)}Params`;
      const validate = params.compile({ $ref: `tg#/definitions/${name}` });
      validate(call.params);
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  it.each([
    ["getUpdates", { timeout: 30, limit: 100, offset: 1, allowed_updates: ALLOWED_UPDATES }],
    ["setWebhook", { url: "https://example.org", secret_token: "s", allowed_updates: ALLOWED_UPDATES }],
    ["deleteWebhook", { drop_pending_updates: false }],
    ["setMyCommands", { commands: MENU_COMMANDS.map(({ name, description }) => ({ command: name, description })) }],
    ["answerCallbackQuery", { callback_query_id: "1" }],
    ["getFile", { file_id: "1" }],
  ])("has %s with these parameters", (method, given) => {
    const validate = params.compile({
      $ref: `tg#/definitions/${method.charAt(0).toUpperCase()}${method.slice(1)}Params`,
    });
    validate(given);
    expect(validate.errors ?? []).toEqual([]);
  });

  it("has every kind of update that is known here, and no other", () => {
    const kinds = Object.keys(objects.definitions["TelegramUpdate"]?.properties ?? {}).filter(
      (name) => name !== "update_id",
    );
    expect([...Object.keys(UPDATE_SHAPES), ...UNREAD_KINDS].toSorted()).toEqual(kinds.toSorted());
  });

  it.each([
    ["message", "TelegramMessage"],
    ["callback_query", "TelegramCallbackQuery"],
    ["message_reaction", "TelegramMessageReactionUpdated"],
    ["my_chat_member", "TelegramChatMemberUpdated"],
    ["stopped_message_generation", "TelegramMessageGenerationStopped"],
  ] as const)("has every field of %s that is read", (kind, definition) => {
    const shape: z.ZodObject = UPDATE_SHAPES[kind];
    const known = Object.keys(objects.definitions[definition]?.properties ?? {});
    expect(known).toEqual(expect.arrayContaining(Object.keys(shape.shape)));
  });
});
