import { ConfigurationError } from '../errors.ts';
import { describeValue, iterable, oneOf } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { ContainerStatus, TrackingRequestStatus } from '../model/index.ts';
import { readInstant } from './instant.ts';
import { CHANGES, jumpBetween, NEXT, STATUSES_OF_EVENT } from './status-graph.ts';

/** The types of records that have a status, with its values. Shipments do not have a status. */
export interface StatusTypes {
  /** `current_status` of a container. */
  container: ContainerStatus;
  /** `status` of a tracking request. */
  tracking_request: TrackingRequestStatus;
}

/** A status and the time at which it was read. */
export interface ObservedStatus<Status> {
  /** The status that the record had. */
  status: Status;
  /** Time of the reading, as ISO 8601 text or as a Date. */
  at: string | Date;
}

/** An event as the service sent it: a transport event, or a notification about a tracking request. */
export interface StatusEvent {
  /** Name of the event. Estimates, and events that do not prove a status, are skipped. */
  readonly event: string;
  /** Time of the event. */
  readonly timestamp?: string | null | undefined;
  /** Time at which the event was recorded. It is used if `timestamp` is missing. */
  readonly created_at?: string | null | undefined;
  /** Time at which the event was found to be wrong. Such events are skipped. */
  readonly invalidated_at?: string | null | undefined;
}

/** The reason why a status cannot directly follow the previous status. */
export interface StatusJump<Status> {
  /**
   * - `skipped`: in the usual order, there are other statuses between the two statuses.
   * - `reversed`: in the usual order, this status never comes after the previous status.
   * - `unknown`: this version does not know one of the two statuses.
   */
  kind: 'skipped' | 'reversed' | 'unknown';
  /** Statuses that are on every usual path between the two statuses. It is not known whether they occurred. */
  unseen: Status[];
}

/** A period in which a record was seen with one status, and with no other status in between. */
export interface StatusPeriod<Status> {
  /** The status; `null` if an event shows only that it is one of `possible`. */
  status: Status | null;
  /** The possible statuses: one, or several after a discharge. */
  possible: readonly Status[];
  /** The first time at which the record is known to have the status, in the form in which it was passed. */
  since: string;
  /** The last time at which the record is known to have the status, in the form in which it was passed. */
  until: string;
  /**
   * True if `since` is the moment of the change. If it is false, the change happened at some time after `until` of the
   * previous period.
   */
  exact: boolean;
  /**
   * The missing steps between the previous period and this period; `null` if no step is missing, and in the first
   * period.
   */
  jump: StatusJump<Status> | null;
}

/**
 * The history of a status, from readings of the status, from events, or from both. Nothing is invented: each period
 * begins and ends with an observation, and gaps are marked.
 *
 * - Between two readings the status may have changed and changed back. With `exact: false`, the moment of the change is not known.
 * - A step that does not directly follow the previous step has a `jump`. Steps can really be skipped and reversed.
 * - After a discharge or an unloading, only `possible` is known. A later status does not prove an earlier status.
 * - If the service did not see a change, for example while tracking was stopped, there is no event for the change.
 *
 * @param of the type of the record: `container` or `tracking_request`.
 * @param seen readings and events in any order. At equal times, events come before readings, in the order of `created_at`.
 * @throws {ConfigurationError} for a reading without a valid time.
 * @example
 * const { transport_events = [], current_status } = await client.containers.get(id, { include: ['transport_events'] });
 * const history = statusHistory('container', [...transport_events, { status: current_status, at: new Date() }]);
 * for (const { status, since, jump } of history) console.log(since, status ?? 'at the terminal', jump?.kind ?? '');
 */
export function statusHistory<T extends keyof StatusTypes>(
  of: T,
  seen: Iterable<ObservedStatus<StatusTypes[T] | null | undefined> | StatusEvent>,
): StatusPeriod<StatusTypes[T]>[];
export function statusHistory(
  of: keyof StatusTypes,
  seen: Iterable<ObservedStatus<string | null | undefined> | StatusEvent>,
): StatusPeriod<string>[] {
  const graph = NEXT[oneOf('The first argument of statusHistory()', of, ['container', 'tracking_request'])];
  const sightings = [...iterable('What was seen', seen)]
    .map(item => sightingOf(item, graph))
    .filter(sighting => sighting !== undefined)
    .sort((a, b) => a.epochMs - b.epochMs || a.recordedMs - b.recordedMs);

  const periods: StatusPeriod<string>[] = [];
  for (const { possible, at, exact } of sightings) {
    const last = periods.at(-1);
    if (last && String(last.possible) === String(possible)) {
      last.until = at;
      continue;
    }
    periods.push({ status: one(possible), possible, since: at, until: at, exact, jump: jumpTo(graph, last, possible) });
  }
  return periods;
}

interface Sighting {
  possible: readonly string[];
  at: string;
  epochMs: number;
  /**
   * Decides the order of events that have the same time: many carriers send only the day, and the service lists the
   * last recorded event first.
   */
  recordedMs: number;
  exact: boolean;
}

type Graph = (typeof NEXT)[keyof typeof NEXT];

function sightingOf(item: ObservedStatus<string | null | undefined> | StatusEvent, graph: Graph): Sighting | undefined {
  if (!isRecord(item))
    throw new ConfigurationError(`${describeValue(item)} is neither a reading { status, at } nor an event.`);
  if ('event' in item) {
    const { event, timestamp, created_at, invalidated_at } = item as StatusEvent;
    const possible = Object.hasOwn(STATUSES_OF_EVENT, event) ? STATUSES_OF_EVENT[event] : undefined;
    const at = timestamp ?? created_at;
    const instant = readInstant(at);
    if (!possible?.every(status => status in graph) || invalidated_at || !at || !instant) return undefined;
    const { epochMs } = instant;
    const recordedMs = readInstant(created_at)?.epochMs ?? epochMs;
    return { possible, at, epochMs, recordedMs, exact: CHANGES.has(event) };
  }
  const { status, at: given } = item as ObservedStatus<string | null | undefined>;
  // The record had no status yet, or the service sent it in an older form without a status.
  if (status === null || status === undefined) return undefined;
  const at = isDate(given) && !Number.isNaN(given.getTime()) ? given.toISOString() : given;
  const instant = typeof at === 'string' ? readInstant(at) : undefined;
  if (typeof at !== 'string' || instant === undefined) {
    throw new ConfigurationError(`at is ${describeValue(given)}; it must be a valid Date or ISO 8601 text.`);
  }
  return { possible: [status], at, epochMs: instant.epochMs, recordedMs: Number.MAX_VALUE, exact: false };
}

function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

function one(possible: readonly string[]): string | null {
  return possible.length === 1 ? (possible[0] ?? null) : null;
}

/** The smallest jump among the possible statuses. */
function jumpTo(
  graph: Graph,
  before: StatusPeriod<string> | undefined,
  possible: readonly string[],
): StatusJump<string> | null {
  const jumps = (before?.possible ?? []).flatMap(from => possible.map(to => jumpBetween(graph, from, to)));
  if (jumps.length === 0 || jumps.includes(null)) return null;
  const found = jumps.filter(jump => jump !== null);
  const skipped = found.filter(({ kind }) => kind === 'skipped');
  const [first = null] = skipped.length > 0 ? skipped : found;
  // A missing status is certain only if it is missing for every possible status.
  return (
    first && { ...first, unseen: first.unseen.filter(status => skipped.every(jump => jump.unseen.includes(status))) }
  );
}
