import { assemble } from '../src/sandbox/assemble.ts';
import type { SandboxOptions } from '../src/sandbox/index.ts';
import { runAgendas } from '../src/sandbox/state/accounts.ts';
import type { Backend } from '../src/sandbox/state/backend.ts';
import { createChanges } from '../src/sandbox/state/changes.ts';
import type { BoxPlan, Estimate, Voyage } from '../src/sandbox/world/plan.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** What a person who knows the whole plan of a sandbox says of each container, without the helpers of the package. */
export interface Truth {
  /** How many containers are tracked, and neither back nor delivered nor picked up inland. */
  tracked: number;
  ready: Record<string, object>;
  /** Of each container whose last free day has not passed: the days that are left. */
  lastFreeDay: Record<string, { date: string; daysLeft: number }>;
  demurrage: Record<string, { days: number; amounts: number[] }>;
  held: Record<string, { by: string[] }>;
  /** Of each container that arrives later than was said first: by how many ms. */
  late: Record<string, { at: 'port' | 'destination'; by: number; isActual: boolean; since: string }>;
}

/** The plan of a sandbox with these options: a second one, which nobody reads from. */
export function planOf(options: SandboxOptions): { backend: Backend; advance(ms: number): void; truth(): Truth } {
  const { accounts, clock } = assemble({ speed: 0, monotonic: () => 0, ...options }, createChanges());
  const [backend] = accounts.all as [Backend];
  return {
    backend,
    advance(ms) {
      clock.advance(ms);
      runAgendas(accounts);
    },
    truth: () => truthOf(backend, clock.now()),
  };
}

function truthOf({ store, voyages }: Backend, now: number): Truth {
  const truth: Truth = { tracked: 0, ready: {}, lastFreeDay: {}, demurrage: {}, held: {}, late: {} };
  for (const shipment of store.shipments.newestFirst()) {
    const voyage = voyages.of(shipment);
    // Tracking ends two hours after the last empty container is back.
    const end = Math.max(shipment.createdAt, ...voyage.boxes.map(({ endsAt }) => endsAt)) + 2 * HOUR;
    if (now >= end) continue;
    for (const { id, index } of shipment.containers) {
      const box = voyage.boxes[index] as BoxPlan;
      const told = (name: string) =>
        box.events.findLast(({ event, reportedAt }) => event === name && reportedAt <= now);
      const has = (name: string) => told(`container.transport.${name}`);
      const isOver = has('delivered') || has('empty_in') || (voyage.inland && has('full_out'));
      if (!isOver) truth.tracked += 1;
      if (isOver || has('full_out')) continue;

      const active = has('vessel_discharged') ? box.holds.filter(({ from, to }) => from <= now && now < to) : [];
      if (active.length > 0) truth.held[id] = { by: active.map(({ name }) => name).sort() };
      const [yes, no] = [has('available'), has('not_available')];
      if (yes && !(no && no.at > yes.at) && active.length === 0) truth.ready[id] = {};

      const zone = (voyage.inland?.destination ?? voyage.pod).timeZone;
      const days = ['terminal', 'line', 'rail'].flatMap(
        source => told(`container.pickup_lfd_${source}.changed`)?.value ?? [],
      );
      if (days.length > 0) {
        const date = dayIn(zone, Math.min(...days));
        const daysLeft = (Date.parse(date) - Date.parse(dayIn(zone, now))) / DAY;
        if (daysLeft >= 0) truth.lastFreeDay[id] = { date, daysLeft };
        else truth.demurrage[id] = { days: -daysLeft, amounts: [-daysLeft * 185] };
      }
      const late = lateness(voyage, now);
      if (late) truth.late[id] = late;
    }
  }
  return truth;
}

/** Of the arrivals at the port and inland, that which is more behind what was said first; inland, if both are equal. */
function lateness(voyage: Voyage, now: number): Truth['late'][string] | undefined {
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
  const all = [
    ...(inland && isRouted
      ? compare(
          'destination',
          voyage.destinationEta,
          arrived('arrived_at_inland_destination'),
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
