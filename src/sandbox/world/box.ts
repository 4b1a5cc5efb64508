import type { TransportEventName } from '../../records/event-name.ts';
import { DAY, HOUR, MINUTE } from '../clock.ts';
import type { Random } from '../random.ts';
import type { Place, Terminal } from './places.ts';
import type { Estimate, Leg, Planner, Voyage } from './voyage.ts';

/** What happens to one container of a voyage, past and future. */
export interface BoxPlan {
  /** In the order in which they are reported. */
  events: PlannedEvent[];
  holds: PlannedHold[];
  exam: boolean;
  /** When the empty return is reported. */
  endsAt: number;
  /** When the terminal of discharge is first asked. */
  terminalAskedFrom: number;
  yardSpot: string;
  chassis: string;
  seal: string | null;
  weightInLbs: number;
  equipment: { type: 'dry' | 'reefer'; length: 20 | 40 | 45; height: 'standard' | 'high_cube' };
}

export type DataSource = 'shipping_line' | 'terminal' | 'ais' | 'rail';

export interface PlannedEvent {
  id: string;
  /** Id of the carrier's own event behind it. */
  rawId: string;
  event: TransportEventName;
  /** When it happens; for an estimate the time that is expected. */
  at: number;
  reportedAt: number;
  place: Place;
  terminal: Terminal | null;
  leg: Leg | null;
  source: DataSource;
  /** The new time, where the event is a changed deadline or appointment. */
  value: number | null;
}

export interface PlannedHold {
  name: 'freight' | 'customs' | 'TMF';
  description: string;
  from: number;
  to: number;
}

type Milestone = TransportEventName extends infer Name
  ? Name extends `container.transport.${infer Short}`
    ? Short
    : never
  : never;

interface Where {
  place: Place;
  terminal?: Terminal | null;
  leg?: Leg | null;
  source?: DataSource;
}

const LAG: Record<DataSource, [min: number, max: number]> = {
  ais: [5 * MINUTE, 20 * MINUTE],
  terminal: [10 * MINUTE, 50 * MINUTE],
  rail: [10 * MINUTE, 60 * MINUTE],
  shipping_line: [20 * MINUTE, 5 * HOUR],
};

export interface BoxRequest {
  containerId: string;
  random: Random;
  /** Whether customs hold the container after its discharge. */
  held: boolean;
}

export function planBox(planner: Planner, voyage: Voyage, { containerId, random, held }: BoxRequest): BoxPlan {
  const { calendar, ids } = planner;
  const events: PlannedEvent[] = [];
  const { pol, pod, podTerminal, inland, legs } = voyage;
  const hours = (min: number, max: number) => Math.round(random.between(min, max) * 60) * MINUTE;
  const toMinute = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;

  function add(event: TransportEventName, at: number, reportedAt: number, where: Where, value: number | null = null) {
    const index = events.length;
    events.push({
      id: ids.of('transport_event', containerId, index),
      rawId: ids.of('raw_event', containerId, index),
      event,
      at,
      reportedAt,
      place: where.place,
      terminal: where.terminal ?? null,
      leg: where.leg ?? null,
      source: where.source ?? 'shipping_line',
      value,
    });
  }

  /** Returns when it is reported. */
  function happens(name: Milestone, at: number, where: Where): number {
    const [min, max] = LAG[where.source ?? 'shipping_line'];
    const reportedAt = at + Math.round(random.between(min, max));
    add(`container.transport.${name}`, at, reportedAt, where);
    return reportedAt;
  }

  function expected(name: Extract<Milestone, `estimated.${string}`>, list: Estimate[], where: Where) {
    for (const { value, reportedAt } of list) add(`container.transport.${name}`, value, Math.round(reportedAt), where);
  }

  function changed(
    name: Exclude<TransportEventName, `container.transport.${string}`>,
    value: number,
    reportedAt: number,
    where: Where,
  ) {
    add(name, reportedAt, reportedAt, where, value);
  }

  // Origin
  const [firstLeg] = legs;
  const lastLeg = legs.at(-1) ?? firstLeg;
  const departure = firstLeg.departsAt;
  expected('estimated.vessel_departed', voyage.etd, { place: pol, leg: firstLeg });
  expected('estimated.vessel_arrived', voyage.eta, { place: pod, leg: lastLeg });
  const emptyOut = calendar.atOpenGate(pol.timeZone, toMinute(voyage.knownFrom + hours(2, 30)));
  happens('empty_out', emptyOut, { place: voyage.origin });
  happens('full_in', calendar.atOpenGate(pol.timeZone, toMinute(departure - hours(60, 100))), { place: pol });
  happens('vessel_loaded', toMinute(departure - hours(3, 14)), { place: pol, leg: firstLeg });

  // At sea
  for (const leg of legs) {
    const changes = leg !== firstLeg;
    if (changes) happens('transshipment_loaded', toMinute(leg.departsAt - hours(3, 14)), { place: leg.from, leg });
    const departed = changes ? 'transshipment_departed' : 'vessel_departed';
    happens(departed, leg.departsAt, { place: leg.from, leg, source: 'ais' });
    if (leg === lastLeg) break;
    happens('transshipment_arrived', leg.arrivesAt, { place: leg.to, leg, source: 'ais' });
    happens('transshipment_discharged', toMinute(leg.arrivesAt + hours(5, 26)), { place: leg.to, leg });
  }

  // Discharge
  const atPod: Where = {
    place: pod,
    terminal: podTerminal,
    source: podTerminal?.reports ? 'terminal' : 'shipping_line',
  };
  const arrival = lastLeg.arrivesAt;
  happens('vessel_arrived', arrival, { place: pod, leg: lastLeg, source: 'ais' });
  happens('vessel_berthed', toMinute(arrival + hours(1, 4)), { ...atPod, leg: lastLeg });
  const discharged = toMinute(arrival + hours(8, 30));
  const dischargeReported = happens('vessel_discharged', discharged, { ...atPod, leg: lastLeg });

  const holds: PlannedHold[] = [];
  let exam = false;
  let readyAt: number;
  let gate: Where = atPod;

  if (inland !== null) {
    const facility: Where = { place: inland.destination, terminal: inland.terminal, source: 'rail' };
    const atPort: Where = { place: pod, source: 'rail' };
    const zone = inland.destination.timeZone;
    const loaded = discharged + hours(40, 110);
    const railDeparted = loaded + hours(4, 14);
    const railArrived = railDeparted + hours(inland.hours * 0.9, inland.hours * 1.2);
    const unloaded = railArrived + hours(3, 12);
    const share = (part: number) => Math.round(railDeparted + part * (railArrived - railDeparted));

    happens('rail_loaded', loaded, atPort);
    happens('rail_departed', railDeparted, atPort);
    expected(
      'estimated.arrived_at_inland_destination',
      [
        { reportedAt: share(0.02), value: railArrived - hours(-6, 20) },
        { reportedAt: share(0.6), value: railArrived - hours(-2, 4) },
      ],
      facility,
    );
    happens('rail_arrived', railArrived, facility);
    happens('arrived_at_inland_destination', railArrived + 20 * MINUTE, facility);
    happens('rail_unloaded', unloaded, facility);
    const lastFreeDay = calendar.midnight(zone, unloaded, 3);
    changed('container.pickup_lfd_rail.changed', lastFreeDay, share(0.7), { ...facility, terminal: null });
    changed('container.pickup_lfd.changed', lastFreeDay, share(0.7) + 5000, { ...facility, terminal: null });
    readyAt = unloaded + hours(1, 5);
    happens('available', readyAt, facility);
    gate = facility;
  } else if (podTerminal?.reports) {
    const zone = pod.timeZone;
    const freightReleased = discharged + hours(6, 40);
    holds.push({ name: 'freight', description: 'FREIGHT HOLD', from: arrival - 2 * DAY, to: freightReleased });
    readyAt = freightReleased;
    if (held || random.chance(0.25)) {
      const customsReleased = discharged + hours(72, 150);
      holds.push({ name: 'customs', description: 'CBP HOLD', from: discharged, to: customsReleased });
      exam = random.chance(0.6);
      readyAt = Math.max(readyAt, customsReleased);
    }
    happens('not_available', dischargeReported, atPod);

    const terminalLastFreeDay = calendar.midnight(zone, discharged, random.integer(4, 6));
    const announced = dischargeReported + hours(2, 6);
    changed('container.pickup_lfd_terminal.changed', terminalLastFreeDay, announced, atPod);
    changed('container.pickup_lfd.changed', terminalLastFreeDay, announced + 5000, atPod);
    if (random.chance(0.3)) {
      const lineLastFreeDay = calendar.midnight(zone, terminalLastFreeDay, 2);
      const fromLine: Where = { place: pod, terminal: podTerminal };
      changed('container.pickup_lfd_line.changed', lineLastFreeDay, announced + 6 * HOUR, fromLine);
      changed('container.pickup_lfd.changed', lineLastFreeDay, announced + 6 * HOUR + 5000, fromLine);
    }
    happens('available', readyAt, atPod);
  } else {
    readyAt = discharged + hours(10, 40);
  }

  // Collection and return
  let fullOut = calendar.atOpenGate(gate.place.timeZone, readyAt + hours(30, 84));
  if (podTerminal?.reports && inland === null && random.chance(0.6)) {
    const appointment = Math.floor(fullOut / HOUR) * HOUR;
    changed('container.pickup_appointment.changed', appointment, readyAt + hours(2, 8), atPod);
    fullOut = appointment + hours(0, 1);
  }
  happens('full_out', fullOut, gate);
  const emptyIn = calendar.atOpenGate(gate.place.timeZone, fullOut + hours(40, 140));
  const endsAt = happens('empty_in', emptyIn, { place: gate.place });

  events.sort((a, b) => a.reportedAt - b.reportedAt);
  const reefer = random.chance(0.08);
  return {
    events,
    holds,
    exam,
    endsAt,
    terminalAskedFrom: arrival - 2 * DAY,
    yardSpot: `Yard - ${random.pick(['A', 'B', 'C', 'D'])}${random.integer(100, 1999)}${random.pick(['A', 'B', 'C'])}`,
    chassis: `${random.pick(['TSXZ', 'DCLZ', 'METZ'])}${random.integer(100_000, 999_999)}`,
    seal: random.chance(0.8) ? `SL${random.integer(100_000, 999_999)}` : null,
    weightInLbs: random.integer(12_000, 47_000),
    equipment: {
      type: reefer ? 'reefer' : 'dry',
      length: random.pick([40, 40, 40, 40, 20, 45]),
      height: reefer || random.chance(0.7) ? 'high_cube' : 'standard',
    },
  };
}
