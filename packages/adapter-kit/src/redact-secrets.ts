/** What stands in the place of a secret. */
const REDACTED = "[redacted]";

/** Shapes of credentials that nobody means to post: bot tokens of the platforms, keys of model providers, private keys. */
const PATTERNS: readonly RegExp[] = [
  /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bxapp-[A-Za-z0-9-]{10,}/g,
  /\bsyt_[A-Za-z0-9_-]{10,}/g,
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Shorter secrets than this are left: they would be found inside ordinary words. */
const MIN_SECRET_CHARS = 6;

/** Takes known secrets, and what is plainly one by its shape, out of a text that is about to leave. */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= MIN_SECRET_CHARS) clean = clean.replaceAll(secret, REDACTED);
  for (const pattern of PATTERNS) clean = clean.replaceAll(pattern, REDACTED);
  return clean;
}
