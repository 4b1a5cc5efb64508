import { nowOf } from './calendar.ts';
import { type DeadlineFacts, readDeadlines } from './last-free-days.ts';

/** The last day on which a container can be collected without a charge. */
export interface LastFreeDay {
  /** Calendar day at the place, `YYYY-MM-DD`. The whole day is free. */
  date: string;
  /** The value it was read from, as the service sent it. */
  at: string;
  /** Zone in which the days are counted; `null` when the service gave none (days are then counted in UTC). */
  timezone: string | null;
  /** Whole calendar days from today to `date`: 0 on the last free day itself, negative when it has passed. */
  daysLeft: number;
  /** The field that the day was read from: `pickup_lfd` when the service does not say which deadline it is. */
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
 * The last free day of a container, with the days that are left counted in the zone of its place. It is the earliest deadline
 * that counts where the container is: `earliest` of `lastFreeDays()`, which also has those of line, terminal and railway.
 *
 * The service sends the day as an instant: local midnight at the start of that day, expressed in UTC
 * (docs/service/records.md#deadlines). So `2026-03-12T04:00:00Z` in New York is 12 March, and all of 12 March is free. A
 * plain date is that day in every zone. `pickup_lfd` is not the earliest deadline; it counts alone where no source is named.
 *
 * A container that was collected keeps the deadline of the place that it left last.
 *
 * @param options.now the moment to count from. @default new Date()
 * @returns `null` when no deadline is known, or when there is no container.
 * @throws {ConfigurationError} if `now` is not a valid Date.
 * @example
 * const lfd = lastFreeDay(container);
 * if (lfd && lfd.daysLeft <= 2) alert(`${container.number}: collect by ${lfd.date}`);
 */
export function lastFreeDay(container: DeadlineFacts, options: { now?: Date | undefined } = {}): LastFreeDay | null {
  const { earliest } = readDeadlines(container ?? {}, nowOf('lastFreeDay()', options ?? {}, ['now']));
  if (earliest === null) return null;
  const { date, at, timezone, daysLeft, field } = earliest;
  return { date, at, timezone, daysLeft, source: field };
}
