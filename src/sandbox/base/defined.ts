/** A value that is there unless the sandbox itself is wrong. */
export function certain<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error('The sandbox lost something that it needs.');
  return value;
}
