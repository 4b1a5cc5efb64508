/** A time in the form in which the service wrote it. */
export interface Instant {
  /** Calendar day, `YYYY-MM-DD`, as written. */
  date: string;
  /** Clock time, `HH:MM`, as written; `null` for a plain date. */
  time: string | null;
  /** Milliseconds since 1970 in UTC. For a plain date, the start of that day in UTC: use it for sorting only. */
  epochMs: number;
}

/** A date, or a date and a time. A time without an offset is in UTC, like all times of the service. */
const WIRE_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Reads a time that the service sent. `undefined` if it is missing or not ISO 8601. */
export function readInstant(text: string | null | undefined): Instant | undefined {
  const [whole, date, time, offset] = (typeof text === 'string' && WIRE_TIME.exec(text)) || [];
  if (whole === undefined || date === undefined || !isCalendarDay(date)) return undefined;
  const epochMs = Date.parse(time !== undefined && offset === undefined ? `${whole}Z` : whole);
  return Number.isNaN(epochMs) ? undefined : { date, time: time ?? null, epochMs };
}

/** True if the calendar contains this day. JavaScript engines differ in how Date.parse reads 30 February. */
function isCalendarDay(date: string): boolean {
  // If Date.parse gets the whole time, it rejects days and months that no calendar contains.
  if (date.slice(8) < '29') return true;
  const epochMs = Date.parse(date);
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(date);
}
