import { describe, expect, it } from "vitest";

import { isSilentReply, maybeSilentPrefix } from "./silence.ts";

describe("silence", () => {
  it.each([
    { text: "NO_REPLY", silent: true },
    { text: " no_reply\n", silent: true },
    { text: "No_Reply", silent: true },
    { text: "NO", silent: false },
    { text: "NO_REPLY.", silent: false },
    { text: "NO_REPLY NO_REPLY", silent: false },
    { text: "I say NO_REPLY", silent: false },
    { text: "", silent: false },
  ])("the whole text %o is silence: $silent", ({ text, silent }) => {
    expect(isSilentReply(text)).toBe(silent);
  });

  it.each([
    { text: "", maybe: true },
    { text: "\n", maybe: true },
    { text: "N", maybe: true },
    { text: " no_rep", maybe: true },
    { text: "NO_REPLY", maybe: true },
    { text: "NO_REPLY!", maybe: false },
    { text: "No way", maybe: false },
    { text: "Not", maybe: false },
    { text: "O", maybe: false },
  ])("$text may still become it: $maybe", ({ text, maybe }) => {
    expect(maybeSilentPrefix(text)).toBe(maybe);
  });

  it("every growing text that ends as the token is held back all the way", () => {
    for (let length = 0; length <= 8; length += 1) expect(maybeSilentPrefix("NO_REPLY".slice(0, length))).toBe(true);
  });
});
