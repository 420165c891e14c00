import type { ChannelCapabilities } from "@turnwire/turn-ports";

/** How platforms count the length of a text. */
export type TextUnit = ChannelCapabilities["textUnit"];

const HIGH_SURROGATE_MIN = 0xd800;
const HIGH_SURROGATE_MAX = 0xdbff;

/** Length of a text in a platform's own unit. */
export function measureText(text: string, unit: TextUnit): number {
  switch (unit) {
    case "utf16":
      return text.length;
    case "utf8_bytes":
      return Buffer.byteLength(text, "utf8");
    case "code_points": {
      // Counted without making an array of them: renderers measure on every probe.
      let count = 0;
      for (let index = 0; index < text.length; index += 1) {
        count += 1;
        if (isSurrogatePair(text, index)) index += 1;
      }
      return count;
    }
  }
}

/** True when a code point of two units stands at `index`. */
export function isSurrogatePair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < HIGH_SURROGATE_MIN || unit > HIGH_SURROGATE_MAX) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
