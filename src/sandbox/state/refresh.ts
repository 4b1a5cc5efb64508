import { ConfigurationError } from '../../errors.ts';
import { describeValue, wholeNumber } from '../../internal/arguments.ts';
import { defined } from '../base/checks.ts';
import { DAY, HOUR, lastPoll } from '../base/time.ts';
import type { Phase } from '../world/scripts.ts';
import type { Backend } from './backend.ts';
import type { Container, Shipment } from './store.ts';
import { viewShipment } from './view.ts';

/** The interval at which the service automatically refreshes the status of a container. */
const REFRESH_INTERVAL = 2 * HOUR;

/** Refreshes the status of a container on demand. */
export function refresh(backend: Backend, container: Container): void {
  container.refreshedAt = backend.now;
  container.touch = nextTouch(backend);
}

/** Changes the references of a container. */
export function editReferences(backend: Backend, container: Container, refNumbers: string[]): void {
  container.refNumbers = refNumbers;
  container.editedAt = backend.now;
  container.touch = nextTouch(backend);
}

/**
 * Returns the next number for a refresh or an edit. The numbers give containers an order, even if the clock stands
 * still.
 */
function nextTouch({ ids: { counters } }: Backend): number {
  const touch = (counters.get('touched container') ?? 0) + 1;
  counters.set('touched container', touch);
  return touch;
}

/**
 * Time of the last refresh of a container's status. The status is refreshed on demand and, until tracking ends, by the
 * service at regular times. The regular times of different containers are different.
 */
export function statusRefreshedAt(backend: Backend, record: Container): number {
  const { createdAt, id, refreshedAt } = record;
  const offset = (Number.parseInt(id.slice(0, 8), 16) / 2 ** 32) * REFRESH_INTERVAL;
  const round = lastPoll(createdAt + offset, REFRESH_INTERVAL, knownUntil(backend, record.shipment)) ?? createdAt;
  return Math.max(round, refreshedAt ?? round);
}

/** The containers. The container that was refreshed last comes first. */
export function lastRefreshedFirst(backend: Backend, newestFirst: readonly Container[]): Container[] {
  const entries = newestFirst.map(record => {
    const at = statusRefreshedAt(backend, record);
    return { record, at, touch: at === record.refreshedAt ? (record.touch ?? 0) : 0 };
  });
  return entries.sort((a, b) => b.at - a.at || b.touch - a.touch).map(({ record }) => record);
}

/**
 * The shortest time from each phase to the end of the voyage. From pickup to empty return, it takes at least 40 hours.
 */
const EARLIEST_END: Record<Phase, number> = {
  booked: 48 * HOUR,
  at_origin: 48 * HOUR,
  at_sea: 48 * HOUR,
  on_rail: 48 * HOUR,
  held: 48 * HOUR,
  available: 36 * HOUR,
  picked_up: 0,
  returned: 0,
};

/**
 * The time when the tracking of a shipment ended; the present if the tracking continues. The voyage is planned only if
 * the tracking may have ended. This makes long lists fast.
 */
function knownUntil(backend: Backend, shipment: Shipment): number {
  const { frozen, inPhaseAt, phase, scenario, stoppedAt } = shipment;
  const isUnderway = backend.now < inPhaseAt + EARLIEST_END[phase] && scenario === null;
  return isUnderway && !frozen && stoppedAt === null ? backend.now : viewShipment(backend, shipment).at;
}

/**
 * Time of the last change of a container. A change is a new milestone, deadline, hold, fee or estimate of the inland
 * arrival. An edit and a refresh on demand are changes too. A regular refresh without new data is not a change. The
 * estimates of vessels belong to the shipment.
 */
export function changedAt(backend: Backend, record: Container): number {
  const { stoppedAt, gaps } = record.shipment;
  const given = [stoppedAt, gaps.length, record.refreshedAt, record.editedAt, backend.features.rail];
  const known = backend.voyages.lastChanges.get(record);
  if (known && backend.now < known.next && given.every((value, index) => value === known.given[index])) return known.at;
  const found = lastChange(backend, record);
  backend.voyages.lastChanges.set(record, { ...found, given });
  return found.at;
}

function lastChange(backend: Backend, record: Container): { at: number; next: number } {
  const { shipment } = record;
  const { voyage, at } = viewShipment(backend, shipment);
  const { events, holds } = defined(voyage.boxes[record.index]);
  let latest = Math.max(record.createdAt, record.refreshedAt ?? 0, record.editedAt ?? 0);
  let next = Infinity;
  const happens = (time: number) => {
    if (time > at) next = Math.min(next, time);
    else latest = Math.max(latest, time);
  };
  happens(voyage.knownFrom);
  for (const { from, to } of holds) {
    happens(from);
    happens(to);
  }
  // From this time on, the service requests data from the terminal and reports whether the terminal has the container.
  if (voyage.podTerminal.reports) happens(voyage.lastLeg.arrivesAt - 2 * DAY);

  const deadlines = new Map<string, number>();
  let leftAt: number | null = null;
  for (const { event, at: time, reportedAt, value, source } of events) {
    if (event.startsWith('container.transport.estimated.vessel')) continue;
    if (shipment.gaps.some(({ from, to }) => from < reportedAt && reportedAt <= to)) continue;
    const isDeadline = event.startsWith('container.pickup_lfd');
    if (isDeadline && source === 'rail' && !backend.features.rail) continue;
    happens(reportedAt);
    if (reportedAt > at) break;
    if (isDeadline && event !== 'container.pickup_lfd.changed' && value !== null) deadlines.set(event, value);
    if (event === 'container.transport.full_out') leftAt = time;
  }
  // The demurrage fee grows with each local day after the last free day.
  if (deadlines.size > 0) {
    const { timeZone } = voyage.inland?.destination ?? voyage.pod;
    const today = backend.calendar.midnight(timeZone, leftAt ?? at);
    if (today > Math.min(...deadlines.values())) happens(today);
    if (leftAt === null) happens(backend.calendar.midnight(timeZone, at, 1));
  }
  return { at: latest, next };
}

/**
 * Refreshes the status of the containers with these ids. If a number is passed, refreshes this number of containers:
 * the containers whose last refresh is the oldest.
 */
export function refreshContainers(backend: Backend, which: number | readonly string[]): void {
  for (const container of chosen(backend, which)) refresh(backend, container);
}

function chosen(backend: Backend, which: number | readonly string[]): Container[] {
  const { containers } = backend.store;
  if (typeof which === 'number') {
    const count = wholeNumber('The number to refresh', which, 0);
    return count === 0 ? [] : lastRefreshedFirst(backend, containers.newestFirst()).slice(-count).reverse();
  }
  if (!Array.isArray(which)) {
    throw new ConfigurationError(
      `The argument of refreshContainers() is ${describeValue(which)}; it must be a list of ids, or a number.`,
    );
  }
  return which.map(id => {
    const container = containers.get(id);
    if (container === undefined) throw new ConfigurationError(`There is no container ${describeValue(id)}.`);
    return container;
  });
}
