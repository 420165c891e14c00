import { expect, it } from "vitest";

import { measureText } from "./measure-text.ts";

it.each([
  { text: "", codePoints: 0, utf16: 0, bytes: 0 },
  { text: "abc", codePoints: 3, utf16: 3, bytes: 3 },
  { text: "é", codePoints: 1, utf16: 1, bytes: 2 },
  { text: "漢", codePoints: 1, utf16: 1, bytes: 3 },
  { text: "😀", codePoints: 1, utf16: 2, bytes: 4 },
  { text: "👩‍👧", codePoints: 3, utf16: 5, bytes: 11 },
  { text: "\uD83D", codePoints: 1, utf16: 1, bytes: 3 },
  { text: "\uDE00\uD83D", codePoints: 2, utf16: 2, bytes: 6 },
])("$text has $codePoints code points, $utf16 UTF-16 units, $bytes bytes", ({ text, codePoints, utf16, bytes }) => {
  expect(measureText(text, "code_points")).toBe(codePoints);
  expect(measureText(text, "utf16")).toBe(utf16);
  expect(measureText(text, "utf8_bytes")).toBe(bytes);
});
