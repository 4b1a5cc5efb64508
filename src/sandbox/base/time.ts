/** Units of time, in ms. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A time in the service's format: ISO 8601 in UTC, without fractions of a second. */
export function iso(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

export function isoOrNull(instant: number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : iso(instant);
}

/** The latest time `start + n * every` that is not after `now`. `null` if `now` is before `start`. */
export function lastPoll(start: number, every: number, now: number): number | null {
  return now < start ? null : start + Math.floor((now - start) / every) * every;
}
