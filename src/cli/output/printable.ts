/**
 * Text for a terminal. A terminal obeys control characters, and those of a text that comes from elsewhere are not for it to
 * obey: each becomes a space.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

/** The same for JSON, where a character can be named. JSON itself names only those below U+0020. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, named);
}

function named(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
