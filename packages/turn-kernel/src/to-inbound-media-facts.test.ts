import { describe, expect, it } from "vitest";

import { toInboundMediaFacts } from "./to-inbound-media-facts.ts";

describe("toInboundMediaFacts", () => {
  it.each([null, undefined, []])("makes no facts of %j", (media) => {
    expect(toInboundMediaFacts(media)).toEqual([]);
  });

  it.each([
    ["image/png", "image"],
    ["video/mp4", "video"],
    ["audio/ogg", "audio"],
    ["application/pdf", "document"],
    ["text/plain", "document"],
    ["", "unknown"],
    [undefined, "unknown"],
  ])("reads of the type %j that it is %s", (contentType, kind) => {
    expect(toInboundMediaFacts([{ contentType }])[0]?.kind).toBe(kind);
  });

  it("lets an item's own word win over the defaults, and these over the type", () => {
    expect(
      toInboundMediaFacts(
        [
          { path: "a", contentType: "image/png" },
          { url: "b", kind: "audio", messageId: "own", transcribed: false },
        ],
        { kind: "document", messageId: "m", transcribed: true },
      ),
    ).toEqual([
      { path: "a", contentType: "image/png", kind: "document", messageId: "m", transcribed: true },
      { url: "b", kind: "audio", messageId: "own", transcribed: false },
    ]);
  });

  it("keeps order and number, also of an item of which nothing is known", () => {
    expect(toInboundMediaFacts([{ path: "a" }, {}, { path: "c" }])).toEqual([
      { kind: "unknown", path: "a" },
      { kind: "unknown" },
      { kind: "unknown", path: "c" },
    ]);
  });
});
