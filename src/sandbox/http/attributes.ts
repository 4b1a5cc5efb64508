/** An attribute that is a list of texts; as it was where it is not given. */
export function stringsOr<T>(before: T, attributes: Record<string, unknown>, name: string): string[] | T {
  const value = attributes[name];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : before;
}

/** An attribute that is a text or null; as it was where it is not given. */
export function textOrNull(before: string | null, attributes: Record<string, unknown>, name: string): string | null {
  const value = attributes[name];
  return typeof value === 'string' || value === null ? value : before;
}

/** An attribute as a text without the space around it; empty where it is none. */
export function text(attributes: Record<string, unknown>, name: string): string {
  const value = attributes[name];
  return typeof value === 'string' ? value.trim() : '';
}
