import { ConfigurationError } from '../errors.ts';
import { oneOf, wholeNumber } from '../internal/arguments.ts';
import { dateOf, dayNumber, nowOf } from './calendar.ts';
import { hasGone, hasRailFacts, readState } from './container-state.ts';
import {
  type ContainerDeadline,
  type DeadlineFacts as Facts,
  type LastFreeDay,
  readDeadlines,
} from './last-free-days.ts';
import { localTime } from './local-time.ts';
import { type NotAShipment, recordArgument } from './record-argument.ts';

/**
 * The state of the count of days.
 *
 * - `free`: the free time has not ended yet.
 * - `running`: the free time has ended, and the count increases each day.
 * - `ended`: the container has left or was returned. The number is final.
 * - `unknown`: the container has left, but the time is not known.
 */
export type FreeTimeState = 'free' | 'running' | 'ended' | 'unknown';

interface FreeTime {
  /** State of the count. */
  state: FreeTimeState;
  /** Days beyond the free time, from the day after `lastFreeDay` to `until`, both included; `null` if not known. */
  days: number | null;
  /** The last day without a charge, `YYYY-MM-DD`. */
  lastFreeDay: string;
  /** The last day that is counted: the day on which the charges ended, or today. `null` if not known. */
  until: string | null;
  /** IANA time zone in which days are counted. If it is `null`, the service sent none, and days are counted in UTC. */
  timezone: string | null;
}

/** The days of a container in the terminal beyond its last free day. */
export interface DemurrageDays extends FreeTime {}

/** The number of days that a container is outside the terminal after the end of its free time. */
export interface DetentionDays extends FreeTime {
  /** The day on which the full container left the terminal, `YYYY-MM-DD`. */
  gateOut: string;
  /** The day on which the empty container was returned, `YYYY-MM-DD`; `null` if it was not returned yet. */
  emptyReturn: string | null;
}

/** A calendar day in a time zone. */
interface Day {
  date: string;
  zone: string | null;
}

/**
 * The days for which demurrage is due: from the day after the last free day to the day of the gate-out, which is
 * included. Days are calendar days in the time zone of the terminal. Every day counts, because the service does not
 * report whether weekends or holidays are free.
 *
 * The count begins after the deadline of one source, or after the earliest deadline for the current place, as in
 * `lastFreeDay()`. It ends with the gate-out at the place of this deadline. A container that goes inland by rail leaves
 * the port with the train.
 *
 * @param options.by the source whose deadline counts: `line`, `terminal` or `railway`, or the `source` of a result of
 * `lastFreeDay()` or `lastFreeDays()`. @default the earliest
 * @param options.now the moment up to which days are counted. @default new Date()
 * @returns `null` if the last free day, or the last free day of the source `by`, is not known.
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included. The error is also thrown if `now` is not a valid Date, or if `by` is not a source.
 * @example
 * const demurrage = demurrageDays(container);
 * if (demurrage?.state === 'running') console.log(`${demurrage.days} days beyond ${demurrage.lastFreeDay}`);
 * const ofLine = demurrageDays(container, { by: 'line' });
 */
export function demurrageDays(
  container: Facts & NotAShipment,
  options: { by?: ContainerDeadline['source'] | LastFreeDay['source'] | undefined; now?: Date | undefined } = {},
): DemurrageDays | null {
  const now = nowOf('demurrageDays()', options ?? {}, ['now', 'by']);
  const by = options?.by;
  if (by !== undefined && !FIELDS.includes(by)) oneOf<string>('by', by, SOURCES);
  const { earliest, line, terminal, railway } = readDeadlines(recordArgument('container', container), now);
  const isMeant = (each: ContainerDeadline | null) => each?.source === by || each?.field === by;
  const deadline = by === undefined ? earliest : [earliest, line, terminal, railway].find(isMeant);
  return deadline ? demurrageAfter(deadline, container, now) : null;
}

/** The days for which demurrage is due after a deadline of a container. */
export function demurrageAfter(
  { date: lastFree, timezone: zone, place: where }: ContainerDeadline,
  container: Facts,
  now: Date,
): DemurrageDays {
  const isInland = where === 'inland';
  const { pod_timezone, final_destination_timezone } = container;
  const left = isInland
    ? dayOf(container.final_destination_full_out_at, final_destination_timezone)
    : dayOf(container.pod_full_out_at ?? container.pod_rail_departed_at, pod_timezone);

  const place = (isInland ? final_destination_timezone : pod_timezone) ?? zone;
  return counted(lastFree, left, { hasLeft: hasLeft(container, isInland), now, zone: place });
}

/**
 * The days for which detention is due: from the end of the free time outside the terminal to the return of the empty
 * container. The service does not have the free time: it is in your contract with the carrier. The free time begins on
 * the day after the gate-out. If your contract says that it begins on the day of the gate-out, pass one day less. Days
 * are calendar days.
 *
 * The gate-out is at the inland facility if the container goes inland by rail, otherwise at the port. The day of the
 * gate-out is the local day at this place. The day of the return is the local day at the depot.
 *
 * @param options.freeDays whole days without a charge after the day of the gate-out.
 * @param options.now the moment to count to. @default new Date()
 * @returns `null` if the container has not left the terminal, or the time is not known.
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included. The error is also thrown if `freeDays` is missing or above 36,525 (100 years), or if `now` is
 * not a valid Date.
 * @example
 * const detention = detentionDays(container, { freeDays: 5 });
 * if (detention?.state === 'free') console.log(`Return it by ${detention.lastFreeDay}`);
 */
export function detentionDays(
  container: Facts & NotAShipment,
  options: { freeDays: number; now?: Date | undefined },
): DetentionDays | null {
  const now = nowOf('detentionDays()', options, ['now', 'freeDays'], '{ freeDays: 5 }');
  const freeDays = wholeNumber('freeDays', options.freeDays, 0);
  if (freeDays > MOST_FREE_DAYS) {
    throw new ConfigurationError(`freeDays is ${freeDays}; it must be at most ${MOST_FREE_DAYS}.`);
  }
  const { final_destination_timezone, pod_timezone, empty_terminated_timezone } = recordArgument(
    'container',
    container,
  );
  const out = hasRailFacts(container)
    ? dayOf(container.final_destination_full_out_at, final_destination_timezone)
    : (dayOf(container.final_destination_full_out_at, final_destination_timezone) ??
      dayOf(container.pod_full_out_at, pod_timezone));
  if (out === undefined) return null;

  // A time zone of `null` means that the time is already local (docs/service/records.md#times).
  const depot = empty_terminated_timezone === undefined ? out.zone : empty_terminated_timezone;
  const back = dayOf(container.empty_terminated_at, depot);
  const lastFree = dateOf(dayNumber(out.date) + freeDays);
  const isBack = container.current_status === 'empty_returned';
  return {
    ...counted(lastFree, back, { hasLeft: isBack, now, zone: out.zone }),
    gateOut: out.date,
    emptyReturn: back?.date ?? null,
  };
}

function counted(
  lastFree: string,
  end: Day | undefined,
  { hasLeft, now, zone }: { hasLeft: boolean; now: Date; zone: string | null },
): FreeTime {
  if (end === undefined && hasLeft) {
    return { state: 'unknown', days: null, lastFreeDay: lastFree, until: null, timezone: zone };
  }
  // Without a time zone, days are counted in UTC.
  const until = end?.date ?? localTime(now.toISOString(), zone)?.date ?? '';
  const days = Math.max(0, dayNumber(until) - dayNumber(lastFree));
  const state = end !== undefined ? 'ended' : days > 0 ? 'running' : 'free';
  return { state, days, lastFreeDay: lastFree, until, timezone: end?.zone ?? zone };
}

/** True if the container has left, even if the time is not known. A container at an inland ramp has left the port. */
function hasLeft(container: Facts, isInland: boolean): boolean {
  const { stage } = readState(container);
  return hasGone(stage) || (!isInland && (stage === 'arrived_inland' || stage === 'at_inland'));
}

function dayOf(instant: string | null | undefined, zone: string | null | undefined): Day | undefined {
  const local = localTime(instant, zone);
  return local && { date: local.date, zone: local.zone ?? zone ?? null };
}

const SOURCES: readonly ContainerDeadline['source'][] = ['line', 'terminal', 'railway', 'unknown'];
const FIELDS: readonly unknown[] = [
  'pickup_lfd_line',
  'pod.line',
  'pickup_lfd_terminal',
  'pod.facility',
  'pickup_lfd_rail',
  'ind_facility_lfd_on',
  'pickup_lfd',
] satisfies LastFreeDay['source'][];
const MOST_FREE_DAYS = 36_525;
