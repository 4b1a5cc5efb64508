/** A value of the service in words: `on ship` for `on_ship`. */
export function wordsOf(value: string): string {
  return value.replaceAll('_', ' ');
}
