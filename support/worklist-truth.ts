import { assemble } from '../src/sandbox/assemble.ts';
import type { SandboxOptions } from '../src/sandbox/index.ts';
import { type Backend, runAgendas } from '../src/sandbox/state/backend.ts';
import { createChanges } from '../src/sandbox/state/changes.ts';
import type { BoxPlan, Estimate, Voyage } from '../src/sandbox/world/plan.ts';
import { START } from './sandbox.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/**
 * The rows and numbers that a worklist must have. They are computed from the whole plan of a sandbox; the helpers of the
 * package are not used.
 */
export interface Truth {
  /** Number of containers that are tracked, and not yet returned, delivered or picked up inland. */
  tracked: number;
  /** Number of tracked containers with a hold, active or expected. */
  holding: number;
  /**
   * Number of tracked containers whose last free day is tomorrow in UTC or earlier. There is a number for the day that
   * the service has chosen, and a number for each of the days of the line, the terminal and the railway.
   */
  due: { chosen: number; line: number; terminal: number; rail: number };
  ready: Record<string, object>;
  /** The days that are left, for each container whose last free day has not passed. */
  lastFreeDay: Record<string, { date: string; daysLeft: number }>;
  demurrage: Record<string, { days: number; amounts: number[] }>;
  held: Record<string, { by: string[] }>;
  /** For each container that arrives later than first announced: the delay in ms. */
  late: Record<string, { at: 'port' | 'destination'; by: number; isActual: boolean; since: string }>;
}

/** The facts about a container at one time. */
interface Facts {
  isGone: boolean;
  isReady: boolean;
  holds: string[];
  /** Amounts in USD, by type. */
  fees: Record<string, number>;
  /** By source. */
  lastFreeDays: Record<string, string>;
  inlandArrival: string | undefined;
}

interface Plan {
  backend: Backend;
  advance(ms: number): void;
  truth(): Truth;
  /** The changes in the last `ms`, a line for each change of a container. */
  changesSince(ms: number): string[];
}

/** The plan of a sandbox with these options. It is a second sandbox, which no client reads. */
export function planOf(options: SandboxOptions): Plan {
  const { accounts, clock } = assemble({ now: START, speed: 0, monotonic: () => 0, ...options }, createChanges());
  const [backend] = accounts.all as [Backend];
  return {
    backend,
    advance(ms) {
      clock.advance(ms);
      runAgendas(accounts);
    },
    truth: () => truthOf(backend, clock.now()),
    changesSince: ms => changesOf(backend, clock.now() - ms, clock.now()),
  };
}

function truthOf({ store, voyages }: Backend, now: number): Truth {
  const truth: Truth = {
    tracked: 0,
    holding: 0,
    due: { chosen: 0, line: 0, terminal: 0, rail: 0 },
    ready: {},
    lastFreeDay: {},
    demurrage: {},
    held: {},
    late: {},
  };
  const soon = (Math.floor(now / DAY) + 2) * DAY;
  for (const shipment of store.shipments.newestFirst()) {
    const voyage = voyages.of(shipment);
    // Tracking ends two hours after the return of the last empty container.
    const end = Math.max(shipment.createdAt, ...voyage.boxes.map(({ endsAt }) => endsAt)) + 2 * HOUR;
    if (now >= end) continue;
    for (const { id, index } of shipment.containers) {
      const box = voyage.boxes[index] as BoxPlan;
      const { last, has } = reportedOf(box, now);
      const isOver = has('delivered') || has('empty_in') || (voyage.inland && has('full_out'));
      if (isOver) continue;
      const holds = box.holds.filter(({ from, to }) => from <= now && now < to);
      const [line, terminal, rail] = ['line', 'terminal', 'rail'].map(
        source => last(`container.pickup_lfd_${source}.changed`)?.value,
      );
      truth.tracked += 1;
      truth.holding += Number(holds.length > 0);
      // The service clears its choice when the container leaves the port.
      const chosen = has('full_out') || has('rail_departed') ? undefined : (line ?? terminal ?? rail);
      for (const [source, value] of Object.entries({ chosen, line, terminal, rail })) {
        if (value != null && value < soon) truth.due[source as keyof Truth['due']] += 1;
      }
      if (has('full_out')) continue;

      const { isReady, holds: active, lastFreeDays } = factsOf(voyage, box, now);
      if (active.length > 0) truth.held[id] = { by: active.sort() };
      if (isReady) truth.ready[id] = {};
      const [date] = Object.values(lastFreeDays).sort();
      if (date !== undefined) {
        const daysLeft = (Date.parse(date) - Date.parse(dayIn(zoneOf(voyage), now))) / DAY;
        if (daysLeft >= 0) truth.lastFreeDay[id] = { date, daysLeft };
        else truth.demurrage[id] = { days: -daysLeft, amounts: [-daysLeft * 185] };
      }
      const late = lateness(voyage, box, now);
      if (late) truth.late[id] = late;
    }
  }
  return truth;
}

function changesOf({ store, voyages }: Backend, before: number, now: number): string[] {
  return store.shipments.newestFirst().flatMap(shipment => {
    const voyage = voyages.of(shipment);
    return shipment.containers.flatMap(({ id, index }) => {
      const box = voyage.boxes[index] as BoxPlan;
      return differences(factsOf(voyage, box, before), factsOf(voyage, box, now)).map(line => `${id} ${line}`);
    });
  });
}

/** The latest reported event with a name. */
function reportedOf({ events }: BoxPlan, now: number) {
  const last = (name: string) => events.findLast(({ event, reportedAt }) => event === name && reportedAt <= now);
  return { last, has: (name: string) => last(`container.transport.${name}`) };
}

/** The time zone of the place of the pickup. All days are days in this zone. */
const zoneOf = ({ inland, pod }: Voyage) => (inland?.destination ?? pod).timeZone;

function factsOf(voyage: Voyage, box: BoxPlan, now: number): Facts {
  const { last, has } = reportedOf(box, now);
  const active = has('vessel_discharged') ? box.holds.filter(({ from, to }) => from <= now && now < to) : [];
  const [yes, no] = [has('available'), has('not_available')];
  const zone = zoneOf(voyage);
  const days = ['terminal', 'line', 'rail'].flatMap(source => {
    const value = last(`container.pickup_lfd_${source}.changed`)?.value;
    return value == null ? [] : [[source.replace('rail', 'railway'), dayIn(zone, value)] as const];
  });
  const [earliest] = days.map(([, day]) => day).sort();
  const until = dayIn(zone, has('full_out')?.at ?? now);
  const overdue = earliest === undefined ? 0 : (Date.parse(until) - Date.parse(earliest)) / DAY;
  const isGone = Boolean(has('full_out') || has('delivered') || has('empty_in'));
  const inlandEta = has('arrived_at_inland_destination') ? undefined : has('estimated.arrived_at_inland_destination');
  return {
    isGone,
    isReady: Boolean(yes && !(no && no.at > yes.at)) && active.length === 0,
    holds: active.map(({ name }) => name),
    fees: {
      ...(overdue > 0 && { demurrage: overdue * 185 }),
      ...(box.exam && has('vessel_discharged') && !isGone && { exam: 450 }),
    },
    lastFreeDays: Object.fromEntries(days),
    inlandArrival: inlandEta && dayIn(zone, inlandEta.at),
  };
}

function differences(was: Facts, is: Facts): string[] {
  const found = [
    ...is.holds.filter(name => !was.holds.includes(name)).map(name => `hold_added ${name}`),
    ...was.holds.filter(name => !is.holds.includes(name)).map(name => `hold_cleared ${name}`),
  ];
  if (was.inlandArrival && is.inlandArrival && was.inlandArrival !== is.inlandArrival) {
    found.push(`estimate_moved ${was.inlandArrival} ${is.inlandArrival}`);
  }
  for (const [type, amount] of Object.entries(is.fees)) {
    const known = was.fees[type];
    if (known === undefined) found.push(`fee_added ${type} ${amount}`);
    else if (known !== amount) found.push(`fee_changed ${type} ${known} ${amount}`);
  }
  // Nobody has to act for a container that has left.
  if (is.isGone) return found;
  if (is.isReady !== was.isReady) found.push(is.isReady ? 'available' : 'unavailable');
  for (const [source, day] of Object.entries(is.lastFreeDays)) {
    if (was.lastFreeDays[source] !== day) found.push(`last_free_day_moved ${source} ${day}`);
  }
  return found;
}

/**
 * The larger of the two delays at the port and inland. If both are equal, the delay inland. The times of the container
 * from the railway take precedence over the times of the voyage.
 */
function lateness(voyage: Voyage, box: BoxPlan, now: number): Truth['late'][string] | undefined {
  const arrived = (name: string) => {
    for (const { events } of voyage.boxes) {
      const found = events.findLast(
        ({ event, reportedAt }) => event === `container.transport.${name}` && reportedAt <= now,
      );
      if (found) return found.at;
    }
    return undefined;
  };
  const compare = (
    at: 'port' | 'destination',
    estimates: Estimate[],
    actual: number | undefined,
    timeZone: string,
  ): Truth['late'][string][] => {
    const latest = actual ?? estimates.findLast(({ reportedAt }) => reportedAt <= now)?.value;
    const first = estimates[0]?.value;
    if (first === undefined || latest === undefined) return [];
    // The service sends whole seconds.
    const by = Math.floor(latest / 1000) * 1000 - Math.floor(first / 1000) * 1000;
    return [{ at, by, isActual: actual !== undefined, since: dayIn(timeZone, first) }];
  };
  const isRouted = now >= voyage.knownFrom;
  const { inland, pod } = voyage;
  const { last } = reportedOf(box, now);
  const byRail = last('container.transport.estimated.arrived_at_inland_destination');
  const hasArrived = last('container.transport.arrived_at_inland_destination');
  const all = [
    ...(inland && isRouted
      ? compare(
          'destination',
          byRail ? [...voyage.destinationEta.slice(0, 1), { ...byRail, value: byRail.at }] : voyage.destinationEta,
          byRail || hasArrived ? hasArrived?.at : arrived('arrived_at_inland_destination'),
          inland.destination.timeZone,
        )
      : []),
    ...compare('port', voyage.eta, arrived('vessel_arrived'), pod.timeZone),
  ];
  return all.sort((a, b) => b.by - a.by).find(({ by }) => by > 0);
}

function dayIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
}
