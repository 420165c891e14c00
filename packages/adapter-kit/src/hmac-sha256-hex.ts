import { createHmac } from "node:crypto";

/** HMAC-SHA256 over the parts one after another, in lower-case hex. Bytes are taken as they are, strings as UTF-8. */
export function hmacSha256Hex(secret: string, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}
