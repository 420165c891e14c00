/** The first `limit` code points of a text, as Telegram counts; no character of two UTF-16 units is cut in two. */
export function cutCodePoints(text: string, limit: number): string {
  let index = 0;
  for (let count = 0; count < limit && index < text.length; count += 1) {
    index += (text.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return text.slice(0, index);
}
