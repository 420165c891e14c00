import { describe, expect, it } from "vitest";

import {
  createChannelHistoryWindow,
  CURRENT_MESSAGE_MARKER,
  DEFAULT_HISTORY_LIMIT,
  DEFAULT_HISTORY_MEDIA_LIMIT,
  HISTORY_MARKER,
  MAX_HISTORY_KEYS,
} from "./create-channel-history-window.ts";
import type { HistoryEntry } from "./history-window.ts";
import type { InboundMediaFacts } from "./inbound-media-facts.ts";

const entry = (body: string): HistoryEntry => ({ sender: "Ann", body });
const image = (path: string): InboundMediaFacts => ({ kind: "image", path });
const isReadable = (): boolean => true;

describe("what came since the last answer", () => {
  it("is kept by key, in order, up to the limit: the oldest go first", () => {
    const window = createChannelHistoryWindow();
    for (const body of ["1", "2", "3"]) window.record({ historyKey: "a", limit: 2, entry: entry(body) });
    window.record({ historyKey: "b", limit: 2, entry: entry("other") });
    expect(window.buildInboundHistory({ historyKey: "a" })?.map(({ body }) => body)).toEqual(["2", "3"]);
    expect(window.buildInboundHistory({ historyKey: "b" })?.map(({ body }) => body)).toEqual(["other"]);
    expect(window.buildInboundHistory({ historyKey: "nobody" })).toBeUndefined();
  });

  it(`keeps ${DEFAULT_HISTORY_LIMIT} entries of a key where nobody says how many`, () => {
    const window = createChannelHistoryWindow();
    for (let index = 0; index <= DEFAULT_HISTORY_LIMIT; index += 1)
      window.record({ historyKey: "a", entry: entry(`${index}`) });
    const kept = window.buildInboundHistory({ historyKey: "a" });
    expect([kept?.length, kept?.[0]?.body]).toEqual([50, "1"]);
  });

  it.each([0, -1])("is off with a limit of %i", async (limit) => {
    const historyMap = new Map<string, HistoryEntry[]>();
    const window = createChannelHistoryWindow({ historyMap });
    let fetched = 0;
    const media = (): InboundMediaFacts[] => {
      fetched += 1;
      return [];
    };
    window.record({ historyKey: "a", limit, entry: entry("x") });
    await window.recordWithMedia({ historyKey: "a", limit, entry: entry("x"), media });
    expect([historyMap.size, fetched]).toEqual([0, 0]);
    historyMap.set("a", [entry("from the store")]);
    expect(window.buildInboundHistory({ historyKey: "a", limit })).toBeUndefined();
    expect(window.buildPendingContext({ historyKey: "a", limit, currentMessage: "now" })).toBe("now");
  });

  it("shows as many of a longer hydrated list as the reader asks for", () => {
    const historyMap = new Map([["a", ["1", "2", "3"].map(entry)]]);
    const window = createChannelHistoryWindow({ historyMap });
    expect(window.buildInboundHistory({ historyKey: "a", limit: 1 })?.map(({ body }) => body)).toEqual(["3"]);
  });

  it("forgets the key that was written or read longest ago", () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    const window = createChannelHistoryWindow({ historyMap, maxKeys: 3 });
    for (const key of ["a", "b", "c", "a"]) window.record({ historyKey: key, entry: entry("x") });
    window.buildInboundHistory({ historyKey: "b" });
    window.record({ historyKey: "d", entry: entry("x") });
    expect([...historyMap.keys()]).toEqual(["a", "b", "d"]);
  });

  it(`keeps ${MAX_HISTORY_KEYS.toLocaleString("en")} keys where nobody says how many`, () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    const window = createChannelHistoryWindow({ historyMap });
    for (let index = 0; index <= 1000; index += 1) window.record({ historyKey: `${index}`, entry: entry("x") });
    expect([historyMap.size, historyMap.has("0"), historyMap.has("1000")]).toEqual([1000, false, true]);
  });

  it("ends with clear, of that key alone", () => {
    const window = createChannelHistoryWindow();
    for (const historyKey of ["a", "b"]) window.record({ historyKey, entry: entry("x") });
    window.clear({ historyKey: "a" });
    expect(window.buildInboundHistory({ historyKey: "a" })).toBeUndefined();
    expect(window.buildInboundHistory({ historyKey: "b" })).toHaveLength(1);
  });

  it("tells of each entry recorded and of each key cleared, so that a store can follow", () => {
    const told: unknown[] = [];
    const window = createChannelHistoryWindow({
      onRecord: (key, { body }, limit) => void told.push([key, body, limit]),
      onClear: (key) => void told.push(key),
    });
    window.record({ historyKey: "a", limit: 3, entry: entry("x") });
    window.record({ historyKey: "a", limit: 3, entry: entry("") });
    window.clear({ historyKey: "a" });
    window.clear({ historyKey: "a" });
    expect(told).toEqual([["a", "x", 3], "a"]);
  });

  it("shows sender, body, time, id, media and whether the sender is allowed; never who exactly", () => {
    const window = createChannelHistoryWindow();
    const shown = { sender: "Ann", body: "x", timestamp: 1, messageId: "m", media: [image("/a")], senderAllowed: true };
    window.record({ historyKey: "a", entry: { ...shown, senderId: "7", threadId: "t" } });
    window.record({ historyKey: "a", entry: entry("bare") });
    expect(window.buildInboundHistory({ historyKey: "a" })).toEqual([shown, { sender: "Ann", body: "bare" }]);
  });
});

describe("the current message behind its history", () => {
  it("is itself where nothing came before", () => {
    expect(createChannelHistoryWindow().buildPendingContext({ historyKey: "a", currentMessage: "now" })).toBe("now");
  });

  it("stands under its marker, after the lines of the others", () => {
    const window = createChannelHistoryWindow();
    window.record({ historyKey: "a", entry: entry("one") });
    window.record({ historyKey: "a", entry: { sender: "Bo", body: "two" } });
    expect(window.buildPendingContext({ historyKey: "a", currentMessage: "now" })).toBe(
      [HISTORY_MARKER, "Ann: one", "Bo: two", "", CURRENT_MESSAGE_MARKER, "now"].join("\n"),
    );
    const formatEntry = ({ body }: HistoryEntry): string => `> ${body}`;
    expect(window.buildPendingContext({ historyKey: "a", limit: 1, currentMessage: "now", formatEntry })).toBe(
      [HISTORY_MARKER, "> two", "", CURRENT_MESSAGE_MARKER, "now"].join("\n"),
    );
  });

  it("has the markers that prompts and commands look for", () => {
    expect([HISTORY_MARKER, CURRENT_MESSAGE_MARKER]).toEqual([
      "[Chat messages since your last reply - for context]",
      "[Current message - respond to this]",
    ]);
  });
});

describe("media of history", () => {
  async function kept(
    media: readonly InboundMediaFacts[],
    options: {
      readonly body?: string;
      readonly mediaLimit?: number;
      readonly isReadable?: (path: string) => boolean;
    } = {},
  ): Promise<readonly HistoryEntry[]> {
    const historyMap = new Map<string, HistoryEntry[]>();
    const window = createChannelHistoryWindow({ historyMap, isReadable: options.isReadable ?? isReadable });
    await window.recordWithMedia({
      historyKey: "a",
      entry: entry(options.body ?? ""),
      media,
      mediaLimit: options.mediaLimit,
    });
    return historyMap.get("a") ?? [];
  }

  it.each<{ readonly case: string; readonly media: InboundMediaFacts; readonly isKept: boolean }>([
    { case: "an image under a local path", media: image("/a"), isKept: true },
    { case: "an image by URL only", media: { kind: "image", url: "https://x" }, isKept: false },
    { case: "a video", media: { kind: "video", path: "/a" }, isKept: false },
    { case: "a document", media: { kind: "document", path: "/a" }, isKept: false },
    { case: "a file of which nothing is known", media: { path: "/a" }, isKept: false },
  ])("keeps $case: $isKept", async ({ media, isKept }) => {
    expect(await kept([media])).toEqual(isKept ? [{ sender: "Ann", body: "", media: [media] }] : []);
  });

  it("keeps no path that cannot be read, and none at all where nobody can say", async () => {
    expect(await kept([image("/a"), image("/b")], { isReadable: (path) => path === "/b" })).toMatchObject([
      { media: [image("/b")] },
    ]);
    const historyMap = new Map<string, HistoryEntry[]>();
    await createChannelHistoryWindow({ historyMap }).recordWithMedia({
      historyKey: "a",
      entry: entry("look"),
      media: [image("/a")],
    });
    expect(historyMap.get("a")).toEqual([entry("look")]);
  });

  it("is bounded, in order", async () => {
    const five = ["/1", "/2", "/3", "/4", "/5"].map(image);
    expect(DEFAULT_HISTORY_MEDIA_LIMIT).toBe(4);
    expect((await kept(five))[0]?.media).toEqual(five.slice(0, 4));
    expect((await kept(five, { mediaLimit: 1 }))[0]?.media).toEqual(five.slice(0, 1));
    expect(await kept(five, { mediaLimit: 0, body: "text" })).toEqual([entry("text")]);
    expect(await kept(five, { mediaLimit: -1 })).toEqual([]);
  });

  it("is fetched only when the entry is recorded, and may be the entry's own", async () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    const window = createChannelHistoryWindow({ historyMap, isReadable });
    await window.recordWithMedia({
      historyKey: "a",
      entry: entry(""),
      media: async () => Promise.resolve([image("/1")]),
    });
    await window.recordWithMedia({ historyKey: "a", entry: { ...entry(""), media: [image("/2")] } });
    expect(historyMap.get("a")?.map(({ media }) => media)).toEqual([[image("/1")], [image("/2")]]);
  });

  it("asks whether to record just before writing: after the media were fetched", async () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    const window = createChannelHistoryWindow({ historyMap, isReadable });
    const order: string[] = [];
    await window.recordWithMedia({
      historyKey: "a",
      entry: entry("x"),
      async media() {
        order.push("media");
        return Promise.resolve([]);
      },
      shouldRecord() {
        order.push("asked");
        return false;
      },
    });
    expect(order).toEqual(["media", "asked"]);
    expect(historyMap.size).toBe(0);
    await window.recordWithMedia({ historyKey: "a", entry: entry("x"), shouldRecord: () => true });
    expect(historyMap.get("a")).toEqual([entry("x")]);
  });

  it("shows the newest of all entries together: the fifth picture pushes out the first", async () => {
    const window = createChannelHistoryWindow({ isReadable });
    for (const path of ["/1", "/2", "/3", "/4", "/5"])
      await window.recordWithMedia({ historyKey: "a", entry: entry(""), media: [image(path)] });
    const paths = (mediaLimit?: number): unknown =>
      window
        .buildInboundHistory({ historyKey: "a", mediaLimit })
        ?.flatMap(({ media = [] }) => media.map(({ path }) => path));
    expect(paths()).toEqual(["/2", "/3", "/4", "/5"]);
    expect(paths(1)).toEqual(["/5"]);
    expect(paths(9)).toEqual(["/1", "/2", "/3", "/4", "/5"]);
    expect(paths(0)).toBeUndefined();
    const lines = window.buildPendingContext({ historyKey: "a", mediaLimit: 2, currentMessage: "now" }).split("\n");
    expect(lines.filter((line) => line.startsWith("Ann"))).toHaveLength(2);
  });

  it("keeps the words of an entry whose pictures were pushed out, and the first of an album that fits in part", () => {
    const historyMap = new Map<string, HistoryEntry[]>([
      [
        "a",
        [
          { ...entry("old"), media: [image("/1")] },
          { ...entry(""), media: ["/2", "/3", "/4"].map(image) },
          entry("new"),
        ],
      ],
    ]);
    const window = createChannelHistoryWindow({ historyMap });
    expect(window.buildInboundHistory({ historyKey: "a", mediaLimit: 2 })).toEqual([
      entry("old"),
      { ...entry(""), media: [image("/2"), image("/3")] },
      entry("new"),
    ]);
    expect(historyMap.get("a")?.[0]?.media).toEqual([image("/1")]);
  });
});
