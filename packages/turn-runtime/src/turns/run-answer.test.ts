import { describe, expect, it } from "vitest";

import { decideFinalAnswer, EMPTY_ANSWER, withEvent, type FinalAnswer, type RunAnswer } from "./run-answer.ts";

const picture = { contentType: "image/png", source: "/tmp/a.png" };

describe("decideFinalAnswer", () => {
  const table: readonly (readonly [string, Partial<RunAnswer>, FinalAnswer])[] = [
    ["text", { text: "hello" }, { kind: "show", text: "hello", mediaUrls: [] }],
    ["the silent token alone", { text: "NO_REPLY" }, { kind: "silent" }],
    ["the silent token in lower case, with white space", { text: " no_reply\n" }, { kind: "silent" }],
    [
      "the silent token within a text is text",
      { text: "NO_REPLY is a token" },
      { kind: "show", text: "NO_REPLY is a token", mediaUrls: [] },
    ],
    ["a lone NO is an answer", { text: "NO" }, { kind: "show", text: "NO", mediaUrls: [] }],
    [
      "the silent token with media: the media alone",
      { text: "NO_REPLY", media: [picture] },
      { kind: "show", text: "", mediaUrls: ["/tmp/a.png"] },
    ],
    [
      "a caption stands behind the text",
      { text: "Look:", media: [{ ...picture, caption: "a cat" }] },
      { kind: "show", text: "Look:\n\na cat", mediaUrls: ["/tmp/a.png"] },
    ],
    ["white space is nothing", { text: "  \n" }, { kind: "empty" }],
    ["nothing", {}, { kind: "empty" }],
  ];
  it.each(table)("%s", (_name, answer, final) => {
    expect(decideFinalAnswer({ ...EMPTY_ANSWER, ...answer })).toEqual(final);
  });
});

describe("withEvent", () => {
  it("adds up what a run says", () => {
    const answer = [
      { type: "text-delta" as const, text: "a" },
      { type: "reasoning-delta" as const, text: "because" },
      { type: "text-delta" as const, text: "b" },
      { type: "tool-start" as const, id: "1", name: "look", args: null },
      { type: "tool-end" as const, id: "1", result: null },
      { type: "media" as const, url: "https://example.org/a.png", contentType: "image/png" },
      { type: "usage" as const, inputTokens: 1, outputTokens: 2 },
      { type: "usage" as const, inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
    ].reduce(withEvent, EMPTY_ANSWER);
    expect(answer).toEqual({
      text: "ab",
      reasoning: "because",
      media: [{ contentType: "image/png", source: "https://example.org/a.png", caption: undefined }],
      toolCalls: 1,
      usage: { inputTokens: 4, outputTokens: 6, costUsd: 0.5 },
    });
  });
});
