import { readInstant } from './instant.ts';
import { wallClock } from './wall-clock.ts';

/** The date and the time of day at a place. */
export interface LocalTime {
  /** Calendar day, `YYYY-MM-DD`. */
  date: string;
  /** Time of day in 24-hour form, `HH:MM`; `null` if the service sent only a day. */
  time: string | null;
  /**
   * The time zone of this time. `null` if the time was not converted, because there was no time zone or no time of day.
   * `UTC` if this runtime does not know the time zone.
   */
  zone: string | null;
  /** Offset from UTC at that moment, such as `-04:00`; `null` if the time was not converted. */
  offset: string | null;
  /**
   * The time for display: `2026-03-12 00:00 EDT`, `2026-03-12 09:30 GMT+5:30`, `2026-03-12 09:30` without a time zone,
   * `2026-03-12` for a plain date.
   */
  text: string;
}

/**
 * Converts a time of the service into local time. The time zone of a time is in the same record: `pod_timezone`
 * for `pod_arrived_at`, `timezone` for the `timestamp` of an event.
 *
 * - A time without a time zone is already local time, although it is labelled UTC. It is not converted
 *   (docs/service/records.md#times).
 * - If this runtime does not know the time zone, the result is in UTC, and `zone` is `UTC`.
 * - A plain date is a calendar day and is not converted either.
 *
 * @param zone IANA name. Legacy names such as `US/Eastern` are accepted.
 * @returns `undefined` if the time is missing or not ISO 8601.
 * @example
 * localTime(container.pickup_lfd, container.pod_timezone)?.text; // '2026-03-12 00:00 EDT'
 */
export function localTime(instant: string | null | undefined, zone: string | null | undefined): LocalTime | undefined {
  const reading = readInstant(instant);
  if (reading === undefined) return undefined;

  const { date, time, epochMs } = reading;
  if (time === null) return { date, time, zone: null, offset: null, text: date };
  if (!zone) return { date, time, zone: null, offset: null, text: `${date} ${time}` };
  return inZone(epochMs, zone) ?? inZone(epochMs, 'UTC');
}

function inZone(epochMs: number, zone: string): LocalTime | undefined {
  const clock = wallClock(epochMs, zone);
  if (clock === undefined) return undefined;
  const { date, time, offset, abbreviation } = clock;
  return { date, time, zone, offset, text: `${date} ${time} ${abbreviation}` };
}
