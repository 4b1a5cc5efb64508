import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import type { ContainerAttributes } from '../model/index.ts';
import { localTime } from './local-time.ts';
import type { PartialOrUndefined } from './partial-or-undefined.ts';

/** The last day on which a container can be collected without a charge. */
export interface LastFreeDay {
  /** Calendar day at the terminal, `YYYY-MM-DD`. The whole day is free. */
  date: string;
  /** The value it was read from, as the service sent it. */
  at: string;
  /** Zone in which the days are counted; `null` when the service gave none (days are then counted in UTC). */
  timezone: string | null;
  /** Whole calendar days from today to `date`: 0 on the last free day itself, negative when it has passed. */
  daysLeft: number;
  /** The field that the day was read from: `pickup_lfd` when the service does not say which deadline it is. */
  source: 'pickup_lfd_line' | 'pickup_lfd_terminal' | 'pickup_lfd_rail' | 'pickup_lfd' | 'ind_facility_lfd_on';
}

type Facts = PartialOrUndefined<
  Pick<
    ContainerAttributes,
    'pickup_lfd' | 'import_deadlines' | 'ind_facility_lfd_on' | 'pod_timezone' | 'final_destination_timezone'
  >
>;

/**
 * The last free day of a container, with the days that are left counted in the terminal's zone.
 *
 * The service sends the day as an instant: local midnight at the start of that day, expressed in UTC
 * (docs/service/records.md#deadlines). So `2026-03-12T04:00:00Z` in New York is 12 March, and all of 12 March is free. A
 * plain date is that day in every zone.
 *
 * The day is that of `pickup_lfd` (of the line, else the terminal, else the rail operator). The deprecated
 * `ind_facility_lfd_on` is used only when there is no other. The terminal's deadline is read in `pod_timezone`, the rail
 * operator's in `final_destination_timezone`. The line's deadline, and one whose source is not known, may be in either zone:
 * it is read in the zone where it falls on midnight. Whether the container has been collected is not considered.
 *
 * @param options.now the moment to count from. @default new Date()
 * @returns `null` when no deadline is known, or when there is no container.
 * @throws {ConfigurationError} if `now` is not a valid Date.
 * @example
 * const lfd = lastFreeDay(container);
 * if (lfd && lfd.daysLeft <= 2) alert(`${container.number}: collect by ${lfd.date}`);
 */
export function lastFreeDay(container: Facts, options: { now?: Date | undefined } = {}): LastFreeDay | null {
  const now = nowOf(options ?? {});
  const deadline = deadlineOf(container ?? {});
  if (deadline === undefined) return null;

  const { source, at, zones } = deadline;
  const zone = zones.find(candidate => localTime(at, candidate)?.time === '00:00') ?? zones[0];
  const last = localTime(at, zone);
  const today = localTime(now.toISOString(), zone);
  if (last === undefined || today === undefined) return null;

  return { date: last.date, at, timezone: today.zone, daysLeft: dayNumber(last.date) - dayNumber(today.date), source };
}

function nowOf(options: { now?: Date | undefined }): Date {
  refuseUnknownNames('lastFreeDay()', objectArgument('The argument for options', options, '{ now: new Date() }'), [
    'now',
  ]);
  const now = options.now ?? new Date();
  if (typeof now.getTime === 'function' && !Number.isNaN(now.getTime())) return now;
  throw new ConfigurationError(`now is ${describeValue(now)}; it must be a valid Date.`);
}

interface Deadline {
  source: LastFreeDay['source'];
  at: string;
  /** Zones that the deadline may be in, the more likely zone first. */
  zones: readonly string[];
}

function deadlineOf(container: Facts): Deadline | undefined {
  const { pickup_lfd, import_deadlines, ind_facility_lfd_on } = container;
  const port = container.pod_timezone ? [container.pod_timezone] : [];
  const inland = container.final_destination_timezone ? [container.final_destination_timezone] : [];

  const deadlines = [
    { source: 'pickup_lfd_line', at: import_deadlines?.pickup_lfd_line, zones: [...inland, ...port] },
    { source: 'pickup_lfd_terminal', at: import_deadlines?.pickup_lfd_terminal, zones: port },
    { source: 'pickup_lfd_rail', at: import_deadlines?.pickup_lfd_rail, zones: inland },
  ] as const;

  for (const { source, at, zones } of deadlines) {
    if (at && (!pickup_lfd || at === pickup_lfd)) return { source, at, zones };
  }
  if (pickup_lfd) return { source: 'pickup_lfd', at: pickup_lfd, zones: [...port, ...inland] };
  if (ind_facility_lfd_on) return { source: 'ind_facility_lfd_on', at: ind_facility_lfd_on, zones: inland };
  return undefined;
}

/** Days since 1970, counted on the calendar: a day of 23 or 25 hours is one day. */
function dayNumber(date: string): number {
  return Date.parse(date) / 86_400_000;
}
