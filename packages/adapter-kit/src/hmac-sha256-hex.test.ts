import { expect, it } from "vitest";

import { hmacSha256Hex } from "./hmac-sha256-hex.ts";

it("gives the HMAC of RFC 4231, test case 2", () => {
  const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  expect(hmacSha256Hex("Jefe", "what do ya want for nothing?")).toBe(expected);
  expect(hmacSha256Hex("Jefe", "what do ya ", new TextEncoder().encode("want for nothing?"))).toBe(expected);
});
