/** The day of a time; `null` without a time. */
export function day(time: string | null | undefined): string | null {
  return time?.slice(0, 10) ?? null;
}

export function addDays(from: string, days: number): string {
  return new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A value that some records have and others do not have. */
export function common<T>(values: (T | null | undefined)[]): T {
  const known = values.filter(value => value !== null && value !== undefined);
  return known.toSorted()[Math.floor(known.length / 2)] as T;
}
