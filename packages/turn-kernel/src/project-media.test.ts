import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { InboundMediaFacts } from "./inbound-media-facts.ts";
import { projectMedia } from "./project-media.ts";

describe("media facts in the context", () => {
  it.each([undefined, []])("leave no field for %j", (media) => {
    expect(projectMedia(media)).toStrictEqual({});
  });

  it("write a single file to list and single field alike", () => {
    expect(projectMedia([{ path: "/a.png", contentType: "image/png" }])).toStrictEqual({
      MediaPath: "/a.png",
      MediaPaths: ["/a.png"],
      MediaType: "image/png",
      MediaTypes: ["image/png"],
    });
  });

  it("keep positions where local files and URLs are mixed", () => {
    expect(
      projectMedia([
        { url: "https://x/1", kind: "image" },
        { path: "/2.ogg", contentType: "audio/ogg", transcribed: true },
        { path: "/3", url: "https://x/3" },
      ]),
    ).toStrictEqual({
      MediaUrl: "https://x/1",
      MediaUrls: ["https://x/1", "", "https://x/3"],
      MediaPaths: ["", "/2.ogg", "/3"],
      MediaType: "image/*",
      MediaTypes: ["image/*", "audio/ogg", ""],
      MediaTranscribedIndexes: [1],
    });
  });

  it.each([
    ["image", "image/*"],
    ["video", "video/*"],
    ["audio", "audio/*"],
    ["document", undefined],
    ["unknown", undefined],
  ] as const)("say of a %s without a type: %s", (kind, type) => {
    expect(projectMedia([{ path: "a", kind }]).MediaType).toBe(type);
  });

  it("name the same attachment by the same index in every list, whatever is missing", () => {
    const text = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
    const media: fc.Arbitrary<InboundMediaFacts> = fc.record({
      path: text,
      url: text,
      contentType: text,
      transcribed: fc.option(fc.boolean(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(media), (list) => {
        const fields = projectMedia(list);
        list.forEach((item, index) => {
          expect(fields.MediaPaths?.[index] ?? "").toBe(item.path ?? "");
          expect(fields.MediaUrls?.[index] ?? "").toBe(item.url ?? "");
          expect(fields.MediaTypes?.[index] ?? "").toBe(item.contentType ?? "");
          expect(fields.MediaTranscribedIndexes?.includes(index) ?? false).toBe(item.transcribed === true);
        });
        for (const field of [fields.MediaPaths, fields.MediaUrls, fields.MediaTypes]) {
          if (field !== undefined) expect(field).toHaveLength(list.length);
        }
        expect([fields.MediaPath, fields.MediaUrl, fields.MediaType]).toStrictEqual([
          list[0]?.path,
          list[0]?.url,
          list[0]?.contentType,
        ]);
      }),
    );
  });
});
