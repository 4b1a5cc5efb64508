/** An attribute that is a list of strings. If it is missing or no list: `before`. */
export function stringsOr<T>(before: T, attributes: Record<string, unknown>, name: string): string[] | T {
  const value = attributes[name];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : before;
}

/** An attribute that is a string or `null`. If it is missing or something else: `before`. */
export function textOrNull(before: string | null, attributes: Record<string, unknown>, name: string): string | null {
  const value = attributes[name];
  return typeof value === 'string' || value === null ? value : before;
}

/** An attribute that is a string, without space at its ends. If it is missing or no string: empty. */
export function text(attributes: Record<string, unknown>, name: string): string {
  const value = attributes[name];
  return typeof value === 'string' ? value.trim() : '';
}
