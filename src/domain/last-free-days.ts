import type { ContainerAttributes } from '../model/index.ts';
import { dayNumber, nowOf } from './calendar.ts';
import { hasGone, hasRailFacts, readState, type StateFacts } from './container-state.ts';
import { localTime } from './local-time.ts';
import { type NotAShipment, type PartialOrUndefined, recordArgument } from './record-argument.ts';

interface DeadlineDay {
  /** Local calendar day at the terminal, `YYYY-MM-DD`. The whole day is free. */
  date: string;
  /** The value from which the day was read, as the service sent it. */
  at: string;
  /** Time zone in which days are counted. If it is `null`, the service sent none, and days are counted in UTC. */
  timezone: string | null;
  /** Whole calendar days from today to `date`: 0 on the last free day itself, negative when it has passed. */
  daysLeft: number;
  /** True if the service computed the day from a tariff, because no source reported it. */
  isCalculated: boolean;
  /** True if the container has left the place of the deadline, so that the deadline no longer applies. */
  hasEnded: boolean;
}

/** The last free day according to the shipping line. */
export interface LineDeadline extends DeadlineDay {
  source: 'line';
  /** The port, or the inland facility if the container goes there. */
  place: 'port' | 'inland';
  /** The path in `import_deadlines` from which the day was read. */
  field: 'pickup_lfd_line' | 'pod.line';
}

/** The last free day according to the terminal at the port. */
export interface TerminalDeadline extends DeadlineDay {
  source: 'terminal';
  /** The place of the deadline. */
  place: 'port';
  /** The path in `import_deadlines` from which the day was read. */
  field: 'pickup_lfd_terminal' | 'pod.facility';
}

/** The last free day at the ramp of the railway, according to the railway. */
export interface RailwayDeadline extends DeadlineDay {
  source: 'railway';
  /** The place of the deadline. */
  place: 'inland';
  /** The attribute, or the key of `import_deadlines`, from which the day was read. */
  field: 'pickup_lfd_rail' | 'ind_facility_lfd_on';
}

/** The value of `pickup_lfd`, if its source is not named. Webhook payloads may have only this value. */
export interface UnnamedDeadline extends DeadlineDay {
  source: 'unknown';
  /** The place of the deadline. */
  place: 'port' | 'inland';
  /** The attribute from which the day was read. */
  field: 'pickup_lfd';
}

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
  /** True if the container has left the place of the deadline, so that the deadline no longer applies. */
  hasEnded: boolean;
  /** The field from which the day was read: `pickup_lfd` if the service does not name the source of the deadline. */
  source:
    | 'pickup_lfd_line'
    | 'pod.line'
    | 'pickup_lfd_terminal'
    | 'pod.facility'
    | 'pickup_lfd_rail'
    | 'pickup_lfd'
    | 'ind_facility_lfd_on';
  /** The source of the deadline, the same word as the `source` of `lastFreeDays()`. `demurrageDays()` accepts it as `by`. */
  by: ContainerDeadline['source'];
}

/** A last free day with its source. */
export type ContainerDeadline = LineDeadline | TerminalDeadline | RailwayDeadline | UnnamedDeadline;

/** The sources of last free days that the service names. */
export type DeadlineSource = Exclude<ContainerDeadline['source'], 'unknown'>;

/** The last free days of a container, by source. */
export interface LastFreeDays {
  /** The day of the shipping line; `null` if it is not known. */
  line: LineDeadline | null;
  /** The day of the terminal; `null` if it is not known. */
  terminal: TerminalDeadline | null;
  /** The day of the railway; `null` if it is not known. */
  railway: RailwayDeadline | null;
  /** The earliest day that applies at the current place of the container; `null` if none is known. */
  earliest: ContainerDeadline | null;
}

/** The attributes from which the last free days are read. */
export type DeadlineFacts = StateFacts & PartialOrUndefined<Pick<ContainerAttributes, 'pickup_lfd'>>;

/**
 * The last free days of a container: the days of the line, the terminal and the railway, and the earliest day that
 * applies.
 *
 * A deadline of the port ends when the container leaves on a truck or a train. After that, the deadlines of the inland facility
 * apply. Before that, they apply only if the port has no deadline. If the container has left every place with a
 * deadline, `earliest` is the deadline of the last place, with `hasEnded`.
 *
 * If `pickup_lfd_line` or `pickup_lfd_terminal` is missing, that day is read from `import_deadlines.pod`: the last
 * reported day, otherwise the calculated day. The service sends each day as local midnight in UTC
 * (docs/service/records.md#deadlines). The day of the terminal is read in `pod_timezone`, and the day of the railway is
 * read in `final_destination_timezone`. The day of the line may be for the port or for the inland facility. If the
 * value is midnight in the time zone of one place, the day is for this place. If the time zones do not decide this, the
 * day is for the inland facility if the container goes there, otherwise for the port. If the line and the terminal have
 * the same day, `earliest` is the day of the line.
 *
 * @param options.now the moment from which days are counted. @default new Date()
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included. The error is also thrown if `now` is not a valid Date.
 * @example
 * const { terminal, line, earliest } = lastFreeDays(container);
 * if (earliest && !earliest.hasEnded) console.log(`${earliest.source}: collect by ${earliest.date}`);
 */
export function lastFreeDays(
  container: DeadlineFacts & NotAShipment,
  options: { now?: Date | undefined } = {},
): LastFreeDays {
  const now = nowOf('lastFreeDays()', options ?? {}, ['now']);
  return readDeadlines(recordArgument('container', container), now);
}

/**
 * The last free day of a container, and the number of days until then. It is the earliest deadline that applies at the
 * current place. `earliest` of `lastFreeDays()` is the same day. `lastFreeDays()` also returns the days of the line,
 * the terminal and the railway.
 *
 * The service sends the day as an instant: local midnight at the start of that day, expressed in UTC
 * (docs/service/records.md#deadlines). So `2026-03-12T04:00:00Z` in New York is 12 March, and all of 12 March is free.
 * A plain date is the same day in every time zone. `pickup_lfd` is not always the earliest deadline: it is used only if
 * the service does not name the source of a deadline.
 *
 * After the container was collected, the result is the deadline of the last place, with `hasEnded`. `daysLeft` counts on.
 *
 * In this result, `source` is the name of the field, and `by` is the source of the deadline. In the results of `lastFreeDays()`,
 * these are `field` and `source`.
 *
 * @param options.now the moment to count from. @default new Date()
 * @returns `null` if no deadline is known.
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included. Also if `now` is not a valid Date.
 * @example
 * const lfd = lastFreeDay(container);
 * if (lfd && !lfd.hasEnded && lfd.daysLeft <= 2) alert(`${container.number}: collect by ${lfd.date}`);
 */
export function lastFreeDay(
  container: DeadlineFacts & NotAShipment,
  options: { now?: Date | undefined } = {},
): LastFreeDay | null {
  const now = nowOf('lastFreeDay()', options ?? {}, ['now']);
  const { earliest } = readDeadlines(recordArgument('container', container), now);
  if (earliest === null) return null;
  const { date, at, timezone, daysLeft, hasEnded, field, source } = earliest;
  return { date, at, timezone, daysLeft, hasEnded, source: field, by: source };
}

export function readDeadlines(facts: DeadlineFacts, now: Date): LastFreeDays {
  const { import_deadlines: named, pickup_lfd, ind_facility_lfd_on } = facts;
  const isOver = { port: hasLeftPort(facts), inland: hasGone(readState(facts).stage) };
  const port = facts.pod_timezone || undefined;
  const inland = facts.final_destination_timezone || undefined;

  const day = (
    at: string | null | undefined,
    zone: string | undefined,
    place: 'port' | 'inland',
    computed?: unknown,
  ) => {
    const last = localTime(at, zone);
    if (!at || last === undefined) return undefined;
    const today = localTime(now.toISOString(), zone);
    if (today === undefined) return undefined;
    const daysLeft = dayNumber(last.date) - dayNumber(today.date);
    const isCalculated = typeof computed === 'string' && localTime(computed, zone)?.date === last.date;
    return { date: last.date, at, timezone: today.zone, daysLeft, isCalculated, hasEnded: isOver[place] };
  };

  const { line: podLine, facility } = named?.pod ?? {};
  const lineAt = named?.pickup_lfd_line || reportedOf(podLine);
  const linePlace = named?.pickup_lfd_line ? placeOf(facts, lineAt) : 'port';
  const lineZone = linePlace === 'inland' ? (inland ?? port) : (port ?? inland);
  const lineDay = day(lineAt, lineZone, linePlace, computedOf(podLine));
  const lineField = named?.pickup_lfd_line ? 'pickup_lfd_line' : 'pod.line';
  const line: LineDeadline | null = lineDay ? { source: 'line', place: linePlace, field: lineField, ...lineDay } : null;

  const terminalDay = day(named?.pickup_lfd_terminal || reportedOf(facility), port, 'port', computedOf(facility));
  const terminalField = named?.pickup_lfd_terminal ? 'pickup_lfd_terminal' : 'pod.facility';
  const terminal: TerminalDeadline | null = terminalDay
    ? { source: 'terminal', place: 'port', field: terminalField, ...terminalDay }
    : null;

  const railField = named?.pickup_lfd_rail ? 'pickup_lfd_rail' : 'ind_facility_lfd_on';
  const railDay = day(named?.pickup_lfd_rail || ind_facility_lfd_on, inland, 'inland');
  const railway: RailwayDeadline | null = railDay
    ? { source: 'railway', place: 'inland', field: railField, ...railDay }
    : null;

  const all = [line, terminal, railway, unnamed()].filter(each => each !== null);
  return { line, terminal, railway, earliest: earliestOf(all) };

  function unnamed(): UnnamedDeadline | null {
    const others = [line, terminal, railway].flatMap(each => each?.at ?? []);
    if (others.some(at => isSame(at, pickup_lfd))) return null;
    const place = placeOf(facts, pickup_lfd);
    const zone = [port, inland].find(each => isMidnight(pickup_lfd, each)) ?? port ?? inland;
    const unnamedDay = day(pickup_lfd, zone, place);
    return unnamedDay ? { source: 'unknown', place, field: 'pickup_lfd', ...unnamedDay } : null;
  }
}

type PortDeadline = NonNullable<NonNullable<ContainerAttributes['import_deadlines']>['pod']>['line'];

function reportedOf(deadline: PortDeadline): string | null | undefined {
  return deadline?.current || deadline?.calculated;
}

/** The calculated day, if no day was reported. */
function computedOf(deadline: PortDeadline): string | null | undefined {
  return deadline?.current ? null : deadline?.calculated;
}

/**
 * The earliest deadline of the current place; if there is none, of the next place; if there is none, of the last place
 * that the container left.
 */
function earliestOf(all: readonly ContainerDeadline[]): ContainerDeadline | null {
  const at = (place: 'port' | 'inland', hasEnded: boolean) =>
    all.filter(each => each.place === place && each.hasEnded === hasEnded);
  const groups = [at('port', false), at('inland', false), at('inland', true), at('port', true)];
  const counted = groups.find(group => group.length > 0) ?? [];
  return counted.reduce<ContainerDeadline | null>(
    (first, next) => (first === null || next.date < first.date ? next : first),
    null,
  );
}

/** The place of a deadline that may be for the port or for the inland facility. */
function placeOf(facts: DeadlineFacts, at: string | null | undefined): 'port' | 'inland' {
  const { pod_timezone: port, final_destination_timezone: inland, import_deadlines } = facts;
  const [isPort, isInland] = [isMidnight(at, port), isMidnight(at, inland)];
  if (isPort !== isInland && port && inland) return isInland ? 'inland' : 'port';
  const goesInland = hasRailFacts(facts) || Boolean(import_deadlines?.pickup_lfd_rail) || Boolean(inland);
  return goesInland ? 'inland' : 'port';
}

function isMidnight(at: string | null | undefined, zone: string | null | undefined): boolean {
  return Boolean(zone) && localTime(at, zone)?.time === '00:00';
}

function isSame(at: string, other: string | null | undefined): boolean {
  return at === other || (typeof other === 'string' && Date.parse(at) === Date.parse(other));
}

/**
 * True if the container has passed the gate of the port, or its train has left. A container on a wagon may still be at
 * the port.
 */
function hasLeftPort(facts: DeadlineFacts): boolean {
  const { stage } = readState(facts);
  if (hasGone(stage) || stage === 'arrived_inland' || stage === 'at_inland') return true;
  if (facts.pod_full_out_at || facts.pod_rail_departed_at) return true;
  return stage === 'on_rail' && !facts.pod_rail_loaded_at;
}
