/**
 * A text that fits on one line of a terminal or a log. Text from outside must not control the terminal, so each
 * sequence of control characters becomes a space.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
