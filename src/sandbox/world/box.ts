import type { TransportEventName } from '../../model/index.ts';
import type { Ids, Random } from '../base/random.ts';
import { DAY, HOUR, MINUTE } from '../base/time.ts';
import type { Calendar } from './calendar.ts';
import type { Place, Terminal } from './places.ts';
import {
  type BoxPlan,
  type DataSource,
  type Estimate,
  type Inland,
  type Leg,
  lastSailing,
  type PlannedEvent,
  type PlannedHold,
  type Planner,
  type Voyage,
} from './plan.ts';
import type { Script } from './scripts.ts';

type Short<Name> = Name extends `container.transport.${infer Rest}` ? Rest : never;
type Milestone = Short<TransportEventName>;
type Deadline = Exclude<TransportEventName, `container.transport.${string}`>;

/** The place of an event, and the source that reports it. */
export interface Where {
  place: Place;
  terminal?: Terminal | null;
  leg?: Leg;
  /** @default 'shipping_line' */
  source?: DataSource;
}

/** Collects the events of a container while they are planned. */
export interface Timeline {
  /** The events, in the order of planning. */
  events: PlannedEvent[];
  /** @returns Time at which the event is reported. */
  happens(name: Exclude<Milestone, `estimated.${string}`>, at: number, where: Where): number;
  expect(name: Extract<Milestone, `estimated.${string}`>, estimates: Estimate[], where: Where): void;
  change(name: Deadline, value: number, reportedAt: number, where: Where): void;
}

/** The delay between an event and its report. */
const LAG: Record<DataSource, [min: number, max: number]> = {
  ais: [5 * MINUTE, 20 * MINUTE],
  terminal: [10 * MINUTE, 50 * MINUTE],
  rail: [10 * MINUTE, 60 * MINUTE],
  shipping_line: [20 * MINUTE, 5 * HOUR],
};

export function createTimeline(ids: Pick<Ids, 'of'>, containerId: string, random: Random): Timeline {
  const events: PlannedEvent[] = [];

  function add(
    event: TransportEventName,
    at: number,
    reportedAt: number,
    { place, terminal = null, leg, source = 'shipping_line' }: Where,
    value: number | null = null,
  ) {
    const index = events.length;
    const id = ids.of('transport_event', containerId, index);
    const rawId = ids.of('raw_event', containerId, index);
    events.push({ id, rawId, event, at, reportedAt, place, terminal, leg: leg ?? null, source, value });
  }

  return {
    events,
    happens(name, at, where) {
      const reportedAt = at + Math.round(random.between(...LAG[where.source ?? 'shipping_line']));
      add(`container.transport.${name}`, at, reportedAt, where);
      return reportedAt;
    },
    expect(name, estimates, where) {
      for (const { value, reportedAt } of estimates) add(`container.transport.${name}`, value, reportedAt, where);
    },
    change(name, value, reportedAt, where) {
      add(name, reportedAt, reportedAt, where, value);
    },
  };
}

export interface BoxRequest {
  containerId: string;
  random: Random;
  /** True if customs hold the container after the discharge. */
  held: boolean;
  /** The decisions of a scenario. */
  script: Script | null;
}

/** The shared state of the stages of the planning. */
interface Draft extends Timeline {
  voyage: Voyage;
  calendar: Calendar;
  random: Random;
  held: boolean;
  script: Script | null;
  /** A random duration in ms, in whole minutes. */
  hours(min: number, max: number): number;
}

export function planBox(planner: Planner, voyage: Voyage, { containerId, random, held, script }: BoxRequest): BoxPlan {
  const draft: Draft = {
    ...createTimeline(planner.ids, containerId, random),
    voyage,
    calendar: planner.calendar,
    random,
    held,
    script,
    hours: (min, max) => Math.round(random.between(min, max) * 60) * MINUTE,
  };
  planOrigin(draft);
  planSea(draft);
  const discharge = planDischarge(draft);
  const release = planRelease(draft, discharge);
  const { endsAt, chargedAt } = planReturn(draft, release);
  return {
    events: draft.events.sort((a, b) => a.reportedAt - b.reportedAt),
    holds: release.holds ?? [],
    exam: release.exam ?? false,
    chargedAt,
    endsAt,
    ...drawDetails(random),
  };
}

/** Some sources report whole minutes only. */
const toMinute = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;

function planOrigin({ voyage, calendar, hours, happens, expect }: Draft): void {
  const { origin, pol, pod, firstLeg, lastLeg, etd, eta, knownFrom } = voyage;
  const departure = firstLeg.departsAt;
  for (const estimate of etd) {
    const leg = firstLeg === lastLeg ? lastSailing(voyage, estimate.reportedAt) : firstLeg;
    expect('estimated.vessel_departed', [estimate], { place: pol, leg });
  }
  // The first estimate is left out, because it is older than the first report about the port of discharge.
  for (const estimate of eta.slice(1)) {
    expect('estimated.vessel_arrived', [estimate], { place: pod, leg: lastSailing(voyage, estimate.reportedAt) });
  }
  happens('empty_out', calendar.atOpenGate(pol.timeZone, toMinute(knownFrom + hours(2, 30))), { place: origin });
  happens('full_in', calendar.atOpenGate(pol.timeZone, toMinute(departure - hours(60, 100))), { place: pol });
  happens('vessel_loaded', toMinute(departure - hours(3, 14)), { place: pol, leg: firstLeg });
}

function planSea({ voyage, hours, happens }: Draft): void {
  const { legs, firstLeg, lastLeg, feederLeg } = voyage;
  for (const leg of legs) {
    if (leg === firstLeg) {
      happens('vessel_departed', leg.departsAt, { place: leg.from, leg, source: 'ais' });
    } else {
      const by = leg === feederLeg ? 'feeder' : 'transshipment';
      happens(`${by}_loaded`, toMinute(leg.departsAt - hours(3, 14)), { place: leg.from, leg });
      happens(`${by}_departed`, leg.departsAt, { place: leg.from, leg, source: 'ais' });
    }
    if (leg !== lastLeg) {
      const by = leg === feederLeg ? 'feeder' : 'transshipment';
      happens(`${by}_arrived`, leg.arrivesAt, { place: leg.to, leg, source: 'ais' });
      happens(`${by}_discharged`, toMinute(leg.arrivesAt + hours(5, 26)), { place: leg.to, leg });
    }
  }
}

interface Discharge {
  at: number;
  reportedAt: number;
  where: Where;
}

function planDischarge({ voyage, hours, happens }: Draft): Discharge {
  const { pod, podTerminal, lastLeg } = voyage;
  const source = podTerminal.reports ? 'terminal' : 'shipping_line';
  const where: Where = { place: pod, terminal: podTerminal, source };
  const arrival = lastLeg.arrivesAt;
  const at = toMinute(arrival + hours(8, 30));
  happens('vessel_arrived', arrival, { place: pod, leg: lastLeg, source: 'ais' });
  happens('vessel_berthed', toMinute(arrival + hours(1, 4)), { ...where, leg: lastLeg });
  return { at, reportedAt: happens('vessel_discharged', at, { ...where, leg: lastLeg }), where };
}

/** Time and place of the pickup of a container. */
interface Release {
  readyAt: number;
  where: Where;
  holds?: PlannedHold[];
  exam?: boolean;
  takesAppointments?: boolean;
  /** The earliest last free day, before any extension. */
  lastFreeDay?: number;
}

function planRelease(draft: Draft, discharge: Discharge): Release {
  const { inland, podTerminal } = draft.voyage;
  if (inland !== null) return planRail(draft, discharge, inland);
  if (podTerminal.reports) return planTerminal(draft, discharge, podTerminal);
  return { readyAt: discharge.at + draft.hours(10, 40), where: discharge.where };
}

function planRail(draft: Draft, discharge: Discharge, { destination, terminal, hours: onRails }: Inland): Release {
  const { calendar, hours, happens, expect, change } = draft;
  const atPort: Where = { place: discharge.where.place, source: 'rail' };
  const onTheWay: Where = { place: destination, source: 'rail' };
  const where: Where = { ...onTheWay, terminal };

  // A train takes the container only after customs have released it. Only scenarios have this hold.
  const hold: PlannedHold | null =
    draft.script?.isHeld === true
      ? { name: 'customs', description: 'CBP HOLD', from: discharge.at, to: discharge.at + hours(72, 150) }
      : null;
  const loaded = (hold?.to ?? discharge.at) + hours(40, 110);
  const departed = loaded + hours(4, 14);
  const arrived = departed + hours(onRails * 0.9, onRails * 1.2);
  const unloaded = arrived + hours(3, 12);
  const readyAt = unloaded + hours(1, 5);
  const after = (share: number) => Math.round(departed + share * (arrived - departed));
  const lastFreeDay = calendar.midnight(destination.timeZone, unloaded, 3);

  happens('rail_loaded', loaded, atPort);
  happens('rail_departed', departed, atPort);
  expect(
    'estimated.arrived_at_inland_destination',
    [{ reportedAt: after(0.02), value: arrived - hours(-6, 20) }],
    where,
  );
  expect('estimated.arrived_at_inland_destination', [{ reportedAt: after(0.6), value: arrived - hours(-2, 4) }], where);
  change('container.pickup_lfd_rail.changed', lastFreeDay, after(0.7), onTheWay);
  change('container.pickup_lfd.changed', lastFreeDay, after(0.7) + 5000, onTheWay);
  happens('rail_arrived', arrived, where);
  happens('arrived_at_inland_destination', arrived + 20 * MINUTE, where);
  happens('rail_unloaded', unloaded, where);
  happens('available', readyAt, where);
  return { readyAt, where, lastFreeDay, ...(hold && { holds: [hold] }) };
}

function planTerminal(draft: Draft, discharge: Discharge, { port }: Terminal): Release {
  const { voyage, calendar, random, held, script, hours, happens, change } = draft;
  const { at, reportedAt, where } = discharge;

  const released = at + hours(6, 40);
  const expectedFrom = voyage.lastLeg.arrivesAt - 2 * DAY;
  const holds: PlannedHold[] = [{ name: 'freight', description: 'FREIGHT HOLD', from: expectedFrom, to: released }];
  if (held || (script === null && random.chance(0.25))) {
    holds.push({ name: 'customs', description: 'CBP HOLD', from: at, to: at + hours(72, 150) });
  }
  const isInCustoms = holds.length > 1;
  const readyAt = Math.max(...holds.map(({ to }) => to));

  happens('not_available', reportedAt, where);
  const announcedAt = reportedAt + hours(2, 6);
  const lastFreeDay = calendar.midnight(port.timeZone, at, random.integer(4, 6));
  change('container.pickup_lfd_terminal.changed', lastFreeDay, announcedAt, where);
  change('container.pickup_lfd.changed', lastFreeDay, announcedAt + 5000, where);
  if (random.chance(0.3)) {
    const fromLine: Where = { ...where, source: 'shipping_line' };
    const extended = calendar.midnight(port.timeZone, lastFreeDay, 2);
    change('container.pickup_lfd_line.changed', extended, announcedAt + 6 * HOUR, fromLine);
    change('container.pickup_lfd.changed', extended, announcedAt + 6 * HOUR + 5000, fromLine);
  }
  happens('available', readyAt, where);
  const exam = isInCustoms && (random.chance(0.6) || script?.isExamined === true);
  const takesAppointments = random.chance(0.6);
  return { readyAt, where, holds, exam, takesAppointments, lastFreeDay };
}

function planReturn(
  draft: Draft,
  { readyAt, where, takesAppointments, lastFreeDay = readyAt }: Release,
): Pick<BoxPlan, 'endsAt' | 'chargedAt'> {
  const { calendar, script, hours, happens, change } = draft;
  const { timeZone } = where.place;
  const wait = hours(30, 84);
  // The day after the last free day is the first day with a fee.
  const overdueUntil = script?.overdueDays === undefined ? 0 : lastFreeDay + (script.overdueDays + 1) * DAY - 8 * HOUR;
  let fullOut = calendar.atOpenGate(timeZone, Math.max(readyAt + wait, overdueUntil));
  if (takesAppointments) {
    const appointment = Math.floor(fullOut / HOUR) * HOUR;
    change('container.pickup_appointment.changed', appointment, readyAt + hours(2, 8), where);
    fullOut = appointment + hours(0, 1);
  }
  const outReportedAt = happens('full_out', fullOut, where);
  const chargedAt: number[] = [];
  for (let day = 1; ; day += 1) {
    const midnight = calendar.midnight(timeZone, lastFreeDay, day);
    if (midnight >= outReportedAt) break;
    chargedAt.push(midnight);
  }
  if (script?.isDelivered) happens('delivered', fullOut + 9 * HOUR, { place: where.place });
  const emptyIn = calendar.atOpenGate(timeZone, fullOut + hours(40, 140));
  return { endsAt: happens('empty_in', emptyIn, { place: where.place }), chargedAt };
}

function drawDetails(random: Random): Omit<BoxPlan, 'events' | 'holds' | 'exam' | 'chargedAt' | 'endsAt'> {
  const isReefer = random.chance(0.08);
  const length = random.pick([40, 40, 40, 40, 20, 45] as const);
  const isHigh = length !== 20 && (isReefer || random.chance(0.8));
  return {
    yardSpot: `Yard - ${random.pick(['A', 'B', 'C', 'D'])}${random.integer(100, 1999)}${random.pick(['A', 'B', 'C'])}`,
    chassis: `${random.pick(['TSXZ', 'DCLZ', 'METZ'])}${random.integer(100_000, 999_999)}`,
    seal: random.chance(0.8) ? `SL${random.integer(100_000, 999_999)}` : null,
    weightInLbs: random.integer(12_000, 47_000),
    equipment: { type: isReefer ? 'reefer' : 'dry', length, height: isHigh ? 'high_cube' : 'standard' },
  };
}
