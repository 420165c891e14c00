import type { ReplyPayload } from "@turnwire/turn-kernel";
import type { OutboundPart, RenderOptions } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { bodyOf } from "./part-body.ts";
import { render } from "./render.ts";

const TARGET = { to: "1", chatKind: "direct" } as const;

function parts(
  payload: ReplyPayload,
  options: Partial<RenderOptions> = {},
  replyToMode: "off" | "first" | "all" = "off",
): readonly OutboundPart[] {
  return render(payload, { target: TARGET, mode: "final", ...options }, { replyToMode });
}

/** A part in one line: what a person who reads the test needs. */
function show(part: OutboundPart): string {
  const body = bodyOf(part);
  const { text, caption, entities, reply_markup: markup, ...rest } = body?.params ?? {};
  const words = text ?? caption ?? "";
  const shown = typeof words === "string" && words.length > 20 ? `${words.slice(0, 20)}…` : JSON.stringify(words);
  return [
    `${part.op} ${body?.method ?? ""} ${shown}`,
    part.messageId === undefined ? "" : `of ${part.messageId}`,
    body?.quotes === true ? "quotes" : "",
    entities === undefined ? "" : "marked",
    markup === undefined ? "" : "buttons",
    body?.upload === undefined ? "" : `file ${body.upload.path}`,
    Object.keys(rest).length === 0 ? "" : JSON.stringify(rest),
  ]
    .filter((piece) => piece !== "")
    .join(" ");
}

describe("a final answer", () => {
  const long = Array.from({ length: 3000 }, (_, n) => `word${n}`).join(" ");

  it.each<readonly [string, readonly OutboundPart[], readonly string[]]>([
    ["a text", parts({ text: "hello" }), ['send sendMessage "hello" quotes']],
    ["a text with formatting", parts({ text: "**hi**" }), ['send sendMessage "hi" quotes marked']],
    ["nothing", parts({ text: "  \n " }), []],
    ["an edit", parts({ text: "hello" }, { editOf: "9" }), ['edit editMessageText "hello" of 9']],
    [
      "buttons",
      parts({ text: "Sure?", presentation: { buttons: [[{ label: "Yes", value: "y" }]] } }),
      ['send sendMessage "Sure?" quotes buttons'],
    ],
    [
      "a picture with words",
      parts({ text: "look", mediaUrl: "https://example.org/cat.png?x=1" }),
      ['send sendPhoto "look" quotes {"photo":"https://example.org/cat.png?x=1"}'],
    ],
    [
      "a file of this machine",
      parts({ mediaUrls: ["/tmp/report.pdf"] }),
      ['send sendDocument "" quotes file /tmp/report.pdf'],
    ],
    [
      "several files: words at the first",
      parts({ text: "look", mediaUrls: ["/a/1.jpg", "/a/2.mp4", "/a/1.jpg"] }),
      ['send sendPhoto "look" quotes file /a/1.jpg', 'send sendVideo "" file /a/2.mp4'],
    ],
    [
      "a voice message",
      parts({ mediaUrl: "/a/x.ogg", audioAsVoice: true }),
      ['send sendVoice "" quotes file /a/x.ogg'],
    ],
    ["a sound", parts({ mediaUrl: "/a/x.ogg" }), ['send sendAudio "" quotes file /a/x.ogg']],
    [
      "a picture to be hidden",
      parts({ mediaUrl: "/a/x.png", sensitiveMedia: true }),
      ['send sendPhoto "" quotes file /a/x.png {"has_spoiler":true}'],
    ],
    [
      "a final with a file over a draft: the words go into the draft",
      parts({ text: "look", mediaUrl: "/a/x.png" }, { editOf: "9" }),
      ['edit editMessageText "look" of 9', 'send sendPhoto "" file /a/x.png'],
    ],
    [
      "a file alone over a draft: the draft goes",
      parts({ mediaUrl: "/a/x.png" }, { editOf: "9" }),
      ['delete  "" of 9', 'send sendPhoto "" file /a/x.png'],
    ],
    [
      "a reply that quotes in every message",
      parts({ text: "x", mediaUrls: ["/1.jpg", "/2.jpg"] }, {}, "all"),
      ['send sendPhoto "x" quotes file /1.jpg', 'send sendPhoto "" quotes file /2.jpg'],
    ],
  ])("%s", (_name, made, expected) => {
    expect(made.map(show)).toEqual(expected);
    expect(made.map(({ index }) => index)).toEqual(expected.map((_, index) => index));
  });

  it("of 23,000 characters is cut; the first part quotes, the last has the buttons", () => {
    const made = parts({ text: long, presentation: { buttons: [[{ label: "More" }]] } });
    expect(made.length).toBeGreaterThan(4);
    expect(made.map((part) => bodyOf(part)?.quotes)).toEqual(made.map((_, index) => index === 0));
    expect(made.map((part) => "reply_markup" in (bodyOf(part)?.params ?? {}))).toEqual(
      made.map((_, index) => index === made.length - 1),
    );
  });

  it("over a draft is one edit, and sends behind it", () => {
    const made = parts({ text: long }, { editOf: "9" });
    expect(made.map(({ op }) => op)).toEqual(["edit", ...made.slice(1).map(() => "send")]);
  });

  it("with words too long for a caption sends them first", () => {
    const made = parts({ text: "x".repeat(1025), mediaUrl: "/a/x.png" });
    expect(made.map((part) => bodyOf(part)?.method)).toEqual(["sendMessage", "sendPhoto"]);
    const fits = parts({ text: "👋".repeat(1024), mediaUrl: "/a/x.png" });
    expect(fits.map((part) => bodyOf(part)?.method)).toEqual(["sendPhoto"]);
  });

  it("of 4,096 emoji is one message: Telegram counts code points", () => {
    expect(parts({ text: "👋".repeat(4096) })).toHaveLength(1);
    expect(parts({ text: "👋".repeat(4097) })).toHaveLength(2);
  });

  it("closes a code block at a cut and opens it again with its language", () => {
    const code = Array.from({ length: 400 }, (_, n) => `const value${n} = ${n};`).join("\n");
    const made = parts({ text: `\`\`\`ts\n${code}\n\`\`\`` });
    expect(made.length).toBeGreaterThan(1);
    for (const part of made) {
      const { text, entities } = bodyOf(part)?.params ?? {};
      expect(entities).toEqual([{ type: "pre", offset: 0, length: String(text as string).length, language: "ts" }]);
    }
    expect(made.map((part) => part.text).join("\n")).toBe(code);
  });

  it("spells out buttons that do not fit into one", () => {
    const [part] = parts({
      text: "Pick",
      presentation: {
        buttons: [
          [
            { label: "Long", value: "ä".repeat(33) },
            { label: "Site", url: "https://example.org" },
          ],
        ],
        select: { options: [{ label: "One", value: "1" }] },
      },
    });
    expect(part?.text).toBe("Pick\n\n• Long");
    expect(bodyOf(part as OutboundPart)?.params["reply_markup"]).toEqual({
      inline_keyboard: [[{ text: "Site", url: "https://example.org" }], [{ text: "One", callback_data: "1" }]],
    });
  });

  it("survives the outbox: what comes back from JSON is the same call", () => {
    for (const part of parts({ text: "**x**", mediaUrls: ["/a/1.jpg", "https://example.org/2.gif"] })) {
      const stored: OutboundPart = JSON.parse(JSON.stringify(part));
      expect(stored).toEqual(part);
      expect(bodyOf(stored)).toEqual(bodyOf(part));
    }
  });
});

describe("a draft", () => {
  it("of the platform's own names itself and can be stopped", () => {
    const [part] = parts({ text: "grow" }, { mode: "draft", draftId: 7 });
    expect(part).toMatchObject({ op: "draft", kind: "preview", text: "grow" });
    expect(bodyOf(part as OutboundPart)).toMatchObject({
      method: "sendMessageDraft",
      params: { draft_id: 7, text: "grow", can_stop: true },
    });
  });

  it("by edits begins as a message and goes on as edits", () => {
    expect(parts({ text: "grow" }, { mode: "draft" }).map(show)).toEqual(['send sendMessage "grow" quotes']);
    expect(parts({ text: "growing" }, { mode: "draft", editOf: "9" }).map(show)).toEqual([
      'edit editMessageText "growing" of 9',
    ]);
  });

  it("is cut at the limit, and shows an open fence as code", () => {
    const [part, ...rest] = parts({ text: `\`\`\`ts\n${"x = 1;\n".repeat(900)}` }, { mode: "draft" });
    expect(rest).toEqual([]);
    const { text, entities } = bodyOf(part as OutboundPart)?.params ?? {};
    expect(String(text as string).length).toBeLessThanOrEqual(4096);
    expect(entities).toMatchObject([{ type: "pre", language: "ts" }]);
  });

  it("of nothing is nothing", () => {
    expect(parts({ text: "" }, { mode: "draft", draftId: 7 })).toEqual([]);
  });
});
