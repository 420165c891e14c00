import { describe, expect, it } from "vitest";

import { redactSecrets } from "./redact-secrets.ts";

/** Put together here, so that no scanner takes the test for a leak. */
const shaped = [
  { name: "a Telegram bot token", secret: `123456789:${"A".repeat(35)}` },
  { name: "a Slack bot token", secret: `xoxb-${"1".repeat(12)}-abc` },
  { name: "a Slack app token", secret: `xapp-${"1".repeat(12)}` },
  { name: "a Matrix access token", secret: `syt_${"a".repeat(20)}` },
  { name: "a model provider's key", secret: `sk-${"a".repeat(30)}` },
  { name: "a GitHub token", secret: `ghp_${"a".repeat(36)}` },
  {
    name: "a private key",
    secret: ["-----BEGIN RSA PRIVATE", "KEY-----\nabc\n-----END RSA PRIVATE", "KEY-----"].join(" "),
  },
  { name: "a private key without an end", secret: ["-----BEGIN PRIVATE", "KEY-----\nabc"].join(" ") },
];

describe("redactSecrets", () => {
  it.each(shaped)("takes out $name by its shape", ({ secret }) => {
    expect(redactSecrets(`before ${secret}`)).toBe("before [redacted]");
  });

  it("takes out known secrets wherever they stand, also several times and within words", () => {
    expect(redactSecrets("xhunter2x hunter2", ["hunter2"])).toBe("x[redacted]x [redacted]");
  });

  it("takes known secrets as they are, not as patterns", () => {
    expect(redactSecrets("a.c+d(e abcccd(e", ["a.c+d(e"])).toBe("[redacted] abcccd(e");
  });

  it.each(["a", "", "no", "12345"])("leaves a secret that is too short to tell from a word: %j", (secret) => {
    expect(redactSecrets("a no 12345", [secret])).toBe("a no 12345");
  });

  it.each(["Meet at 12:30, task-force", "skip sk-short", "xox is a game", "ratio 123456789:42"])(
    "leaves %s",
    (text) => {
      expect(redactSecrets(text)).toBe(text);
    },
  );
});
