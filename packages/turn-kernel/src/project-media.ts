import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { InboundMediaFacts } from "./inbound-media-facts.ts";

type MediaFields = Pick<
  FinalizedMsgContext,
  "MediaPath" | "MediaUrl" | "MediaType" | "MediaPaths" | "MediaUrls" | "MediaTypes" | "MediaTranscribedIndexes"
>;

type MutableMediaFields = { -readonly [Key in keyof MediaFields]: MediaFields[Key] };

/**
 * Writes media facts into the context's fields. Each list has one place per attachment, in order, so that position 2 is
 * the same attachment in all of them; what an attachment does not have is an empty string there. A list that would be
 * empty in every place is absent.
 */
export function projectMedia(media: readonly InboundMediaFacts[] | undefined): MediaFields {
  if (media === undefined || media.length === 0) return {};
  const fields: MutableMediaFields = {};
  const paths = media.map((item) => item.path ?? "");
  const urls = media.map((item) => item.url ?? "");
  const types = media.map((item) => item.contentType ?? typeOfKind(item.kind));
  const [first] = media;
  if (paths.some((path) => path !== "")) fields.MediaPaths = paths;
  if (urls.some((url) => url !== "")) fields.MediaUrls = urls;
  if (types.some((type) => type !== "")) fields.MediaTypes = types;
  if (first?.path !== undefined) fields.MediaPath = first.path;
  if (first?.url !== undefined) fields.MediaUrl = first.url;
  if (types[0] !== undefined && types[0] !== "") fields.MediaType = types[0];
  const transcribed = media.flatMap((item, index) => (item.transcribed === true ? [index] : []));
  if (transcribed.length > 0) fields.MediaTranscribedIndexes = transcribed;
  return fields;
}

/** Where only the kind is known, the type says at least that much. */
function typeOfKind(kind: InboundMediaFacts["kind"]): string {
  return kind === "image" || kind === "video" || kind === "audio" ? `${kind}/*` : "";
}
