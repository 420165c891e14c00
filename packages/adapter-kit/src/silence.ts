/** What an agent says to say nothing. */
export const SILENT_TOKEN = "NO_REPLY";

/** True when the whole text is the silent token, in any case. */
export function isSilentReply(text: string): boolean {
  return text.trim().toUpperCase() === SILENT_TOKEN;
}

/** True while a growing text may still become the silent token: nothing of it may be shown yet. Empty text may. */
export function maybeSilentPrefix(text: string): boolean {
  return SILENT_TOKEN.startsWith(text.trim().toUpperCase());
}
