import { readInstant } from './instant.ts';
import { wallClock } from './wall-clock.ts';

/** What the calendar and the clock at a place show. */
export interface LocalTime {
  /** Calendar day, `YYYY-MM-DD`. */
  date: string;
  /** Clock reading, 24 hours, `HH:MM`; `null` when the service sent only a day. */
  time: string | null;
  /**
   * The zone the reading was converted to. `null` when nothing was converted, since there was no zone or no time.
   * `UTC` when the zone is one that this runtime does not know.
   */
  zone: string | null;
  /** Distance from UTC at that moment, such as `-04:00`; `null` when nothing was converted. */
  offset: string | null;
  /** For people: `2026-03-12 00:00 EDT`, `2026-03-12 09:30 GMT+5:30`, `2026-03-12 09:30` without a zone, `2026-03-12`. */
  text: string;
}

/**
 * The local time of a time that the service sent. Each time of a record pairs with a zone of the same record:
 * `pod_arrived_at` with `pod_timezone`, an event's `timestamp` with its `timezone`.
 *
 * - Without a zone the clock reading is local already, although it is labelled UTC, so it is not shifted
 *   (docs/service/records.md#times).
 * - A zone that this runtime does not know leaves the reading in UTC, and `zone` and `text` say so.
 * - A plain date is a calendar day and is not shifted either.
 *
 * @param zone IANA name. Legacy names such as `US/Eastern` are accepted.
 * @returns `undefined` when there is no time, or it is not ISO 8601.
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
