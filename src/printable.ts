/**
 * Text for one line of a terminal or a log. A terminal obeys control characters, and those of a text that comes from elsewhere
 * are not for it to obey: each run of them becomes a space.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
