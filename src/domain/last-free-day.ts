import { nowOf } from './calendar.ts';
import { type DeadlineFacts, readDeadlines } from './last-free-days.ts';
import { type NotAShipment, recordArgument } from './record-argument.ts';

/** The last day on which a container can be collected without a charge. */
export interface LastFreeDay {
  /** Local calendar day at the terminal, `YYYY-MM-DD`. The whole day is free. */
  date: string;
  /** The value from which the day was read, as the service sent it. */
  at: string;
  /** Time zone in which days are counted. If it is `null`, the service sent none, and days are counted in UTC. */
  timezone: string | null;
  /** Whole calendar days from today to `date`: 0 on the last free day itself, negative when it has passed. */
  daysLeft: number;
  /** The field from which the day was read: `pickup_lfd` if the service does not name the source of the deadline. */
  source:
    | 'pickup_lfd_line'
    | 'pod.line'
    | 'pickup_lfd_terminal'
    | 'pod.facility'
    | 'pickup_lfd_rail'
    | 'pickup_lfd'
    | 'ind_facility_lfd_on';
}

/**
 * The last free day of a container, and the number of days until then. It is the earliest deadline that applies at the
 * current place, the same as `earliest` of `lastFreeDays()`. `lastFreeDays()` also returns the days of the line, the
 * terminal and the railway.
 *
 * The service sends the day as an instant: local midnight at the start of that day, expressed in UTC
 * (docs/service/records.md#deadlines). So `2026-03-12T04:00:00Z` in New York is 12 March, and all of 12 March is free.
 * A plain date is the same day in every time zone. `pickup_lfd` is not always the earliest deadline: it is used only if
 * the service does not name the source of a deadline.
 *
 * After the container was collected, the result is the deadline of the last place.
 *
 * @param options.now the moment to count from. @default new Date()
 * @returns `null` if no deadline is known.
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included. Also if `now` is not a valid Date.
 * @example
 * const lfd = lastFreeDay(container);
 * if (lfd && lfd.daysLeft <= 2) alert(`${container.number}: collect by ${lfd.date}`);
 */
export function lastFreeDay(
  container: DeadlineFacts & NotAShipment,
  options: { now?: Date | undefined } = {},
): LastFreeDay | null {
  const now = nowOf('lastFreeDay()', options ?? {}, ['now']);
  const { earliest } = readDeadlines(recordArgument('container', container), now);
  if (earliest === null) return null;
  const { date, at, timezone, daysLeft, field } = earliest;
  return { date, at, timezone, daysLeft, source: field };
}
