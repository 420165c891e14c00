import type { InboundMediaFacts } from "./inbound-media-facts.ts";

/** A resolved attachment as channels hold it: any of these spellings of path and type. */
export interface ResolvedMedia {
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly kind?: InboundMediaFacts["kind"];
  readonly transcribed?: boolean | undefined;
  readonly messageId?: string | undefined;
}

/** What holds for each of a list. */
export interface MediaFactDefaults {
  readonly kind?: InboundMediaFacts["kind"];
  readonly messageId?: string | undefined;
  readonly transcribed?: boolean | undefined;
}

function kindOf(contentType: string | undefined): NonNullable<InboundMediaFacts["kind"]> {
  if (contentType === undefined) return "unknown";
  const [type] = contentType.split("/");
  if (type === "image" || type === "video" || type === "audio") return type;
  return type === "" ? "unknown" : "document";
}

/** Makes facts of a channel's resolved media; what an item says itself wins over `defaults`. The order is kept: indexes count. */
export function toInboundMediaFacts(
  media: readonly ResolvedMedia[] | null | undefined,
  defaults: MediaFactDefaults = {},
): InboundMediaFacts[] {
  return (media ?? []).map((item) => {
    const facts: { -readonly [Key in keyof InboundMediaFacts]: InboundMediaFacts[Key] } = {
      kind: item.kind ?? defaults.kind ?? kindOf(item.contentType),
    };
    if (item.path !== undefined) facts.path = item.path;
    if (item.url !== undefined) facts.url = item.url;
    if (item.contentType !== undefined) facts.contentType = item.contentType;
    const transcribed = item.transcribed ?? defaults.transcribed;
    if (transcribed !== undefined) facts.transcribed = transcribed;
    const messageId = item.messageId ?? defaults.messageId;
    if (messageId !== undefined) facts.messageId = messageId;
    return facts;
  });
}
