/** JSON for a terminal, with escaped control characters. `JSON.stringify` escapes only characters below U+0020. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, named);
}

function named(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
