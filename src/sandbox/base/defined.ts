/** The value. It is only missing if the sandbox has a bug. */
export function defined<T>(value: T | null | undefined): T {
  if (value === undefined || value === null)
    throw new Error('The sandbox has a bug: a value that it needs is missing.');
  return value;
}
