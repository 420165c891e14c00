import { describe, expect, it } from "vitest";

import { createChannelMessageReplyPipeline } from "./create-channel-message-reply-pipeline.ts";
import type { ReplyPayload } from "./reply-payload.ts";

const BOOM = new Error("boom");

/** The texts of several payloads through one pipeline. */
function texts(
  pipeline: ReturnType<typeof createChannelMessageReplyPipeline>,
  ...payloads: readonly ReplyPayload[]
): unknown {
  return payloads.map((payload) => pipeline.transform?.(payload, "block")?.text);
}

describe("the reply pipeline", () => {
  it("changes nothing where nothing was asked for", () => {
    const pipeline = createChannelMessageReplyPipeline();
    const payload = { text: "a" };
    expect(pipeline.transform?.(payload, "final")).toBe(payload);
    expect(() => pipeline.onIdle?.()).not.toThrow();
  });

  it("puts the prefix in front of the first text, once", () => {
    expect(texts(createChannelMessageReplyPipeline({ responsePrefix: "[bot]" }), { text: "a" }, { text: "b" })).toEqual(
      ["[bot] a", "b"],
    );
  });

  it("does not spend the prefix on what has no text, nor double it", () => {
    const prefixed = createChannelMessageReplyPipeline({ responsePrefix: "[bot]" });
    expect(texts(prefixed, { mediaUrl: "x" }, { text: "" }, { text: "[bot] a" }, { text: "b" })).toEqual([
      undefined,
      "",
      "[bot] a",
      "b",
    ]);
  });

  it("keeps the rest of a payload that it prefixes", () => {
    const payload = { text: "a", replyToId: "r", mediaUrls: ["u"] };
    expect(createChannelMessageReplyPipeline({ responsePrefix: "p" }).transform?.(payload, "final")).toEqual({
      ...payload,
      text: "p a",
    });
  });

  it("prefixes what the transformation made; null suppresses and spends nothing", () => {
    const pipeline = createChannelMessageReplyPipeline({
      responsePrefix: "p",
      transform: (payload, kind) => (kind === "tool" ? null : { text: `${payload.text}!` }),
    });
    expect(pipeline.transform?.({ text: "a" }, "tool")).toBeNull();
    expect(pipeline.transform?.({ text: "b" }, "final")).toEqual({ text: "p b!" });
  });

  it("types from the start of a reply to its end", async () => {
    const order: string[] = [];
    const pipeline = createChannelMessageReplyPipeline({
      typing: { start: async () => Promise.resolve(void order.push("start")), stop: () => void order.push("stop") },
    });
    await pipeline.onReplyStart?.();
    pipeline.onIdle?.();
    expect(order).toEqual(["start", "stop"]);
  });

  it.each([
    [
      "throws",
      (): never => {
        throw BOOM;
      },
    ],
    ["rejects", async (): Promise<void> => Promise.reject(BOOM)],
  ] as const)("replies though typing %s", async (_how, start) => {
    const told: unknown[] = [];
    const pipeline = createChannelMessageReplyPipeline({
      typing: { start, stop: () => {} },
      onTypingError: (error) => void told.push(error),
    });
    await pipeline.onReplyStart?.();
    expect(told).toEqual([BOOM]);
    await expect(
      createChannelMessageReplyPipeline({ typing: { start, stop: () => {} } }).onReplyStart?.(),
    ).resolves.toBeUndefined();
  });
});
