import { DAY, HOUR } from '../clock.ts';
import { createRandom, type Ids, type Random } from '../random.ts';
import { type BoxPlan, planBox } from './box.ts';
import type { Calendar } from './calendar.ts';
import { drawItinerary, HINTERLAND, type Need } from './lanes.ts';
import type { Place, Places, Port, Terminal } from './places.ts';
import type { Phase } from './scenario.ts';
import { distance, type Point, seaRoute } from './sea-route.ts';
import { createVessel, type Vessel } from './vessels.ts';

/** The whole journey of a shipment, past and future. What of it is known at a time is the business of derive.ts. */
export interface Voyage {
  /** Where the empty containers come from. */
  origin: Place;
  pol: Port;
  pod: Port;
  podTerminal: Terminal | null;
  inland: Inland | null;
  /** One a vessel. */
  legs: [Leg, ...Leg[]];
  /** From here on the carrier tells vessel and port of discharge. */
  knownFrom: number;
  etd: Estimate[];
  eta: Estimate[];
  /** The carrier's for the inland destination. */
  destinationEta: Estimate[];
  boxes: BoxPlan[];
}

export interface Leg {
  from: Port;
  to: Port;
  way: Point[];
  vessel: Vessel;
  voyageNumber: string;
  departsAt: number;
  arrivesAt: number;
}

export interface Inland {
  destination: Place;
  terminal: Terminal;
  /** SCAC. */
  railway: string;
  /** Hours on the rails. */
  hours: number;
}

export interface Estimate {
  reportedAt: number;
  value: number;
}

export interface VoyageRequest {
  seed: number;
  shipmentId: string;
  containerIds: string[];
  createdAt: number;
  phase: Phase;
}

export interface Planner {
  places: Places;
  calendar: Calendar;
  ids: Pick<Ids, 'of'>;
}

/** Plans a voyage that is in the phase at the time at which tracking begins. */
export function planVoyage(planner: Planner, request: VoyageRequest): Voyage {
  return sail(planner, request, departureFor(planner, request));
}

/** Moves the departure until the first container is in the phase when tracking begins. */
function departureFor(planner: Planner, request: VoyageRequest): number {
  const { createdAt, phase } = request;
  const draft: VoyageRequest = { ...request, containerIds: request.containerIds.slice(0, 1) };
  const share = createRandom(request.seed, request.shipmentId, 'share').between(0.25, 0.75);
  let departure = createdAt;
  for (let pass = 0; pass < 40; pass++) {
    const [from, to] = windowOf(sail({ ...planner, ids: NO_IDS }, draft, departure), phase);
    if (pass > 0 && from <= createdAt && createdAt < to) break;
    // Opening hours delay what depends on them by leaps, so that small steps have to follow the large ones.
    const step = createdAt < from ? -5 * HOUR : 5 * HOUR;
    departure += pass < 3 ? createdAt - (from + share * (to - from)) : step;
  }
  return departure;
}

/** Ids cost more than all the rest of a plan. */
const NO_IDS: Pick<Ids, 'of'> = { of: () => '' };

const NEEDS: Partial<Record<Phase, Need>> = {
  held: 'reporting terminal',
  available: 'reporting terminal',
  on_rail: 'rail',
};

/** When the first container is in a phase. */
function windowOf(voyage: Voyage, phase: Phase): [from: number, to: number] {
  const reported = (name: string) => {
    const event = voyage.boxes[0]?.events.findLast(planned => planned.event === `container.transport.${name}`);
    return event?.reportedAt ?? voyage.knownFrom;
  };
  switch (phase) {
    case 'booked':
      return [voyage.knownFrom - 4 * DAY, voyage.knownFrom];
    case 'at_origin':
      return [reported('full_in'), reported('vessel_departed')];
    case 'at_sea':
      return [reported('vessel_departed'), reported('vessel_arrived')];
    case 'held':
      return [reported('not_available'), reported('available')];
    case 'available':
      return [reported('available'), reported('full_out')];
    case 'on_rail':
      return [reported('rail_departed'), reported('rail_arrived')];
    case 'picked_up':
      return [reported('full_out'), reported('empty_in')];
    case 'returned': {
      const last = Math.max(...voyage.boxes.map(box => box.endsAt));
      return [last, last + 5 * DAY];
    }
  }
}

function sail(planner: Planner, { seed, shipmentId, containerIds, phase }: VoyageRequest, departure: number): Voyage {
  const { places, ids } = planner;
  const random = createRandom(seed, shipmentId, 'voyage');
  const itinerary = drawItinerary(random, NEEDS[phase] ?? null);
  const ports = itinerary.ports.map(places.port);
  const legs = planLegs(ports, departure, random, index => ids.of('vessel', shipmentId, index));
  const [firstLeg] = legs;
  const pol = firstLeg.from;
  const pod = (legs.at(-1) ?? firstLeg).to;
  const arrival = (legs.at(-1) ?? firstLeg).arrivesAt;

  const hinterland = HINTERLAND[pol.code];
  const origin = hinterland !== undefined && random.chance(0.6) ? places.metroArea(hinterland) : pol;
  const oceanTerminals = pod.terminals.filter(terminal => terminal.facilityType === 'ocean_terminal');
  const podTerminal = oceanTerminals.length > 0 ? random.pick(oceanTerminals) : null;

  let inland: Inland | null = null;
  if (itinerary.rail !== null) {
    const { destination: code, facility, railway } = itinerary.rail;
    const destination = places.metroAreas.find(area => area.code === code) ?? places.port(code);
    inland = {
      destination,
      terminal: places.terminal(facility),
      railway,
      hours: 24 + distance([pod, destination]) / 15,
    };
  }

  const knownFrom = departure - random.between(8, 12) * DAY;
  const delay = random.between(-12, 36) * HOUR;
  const slip = random.between(-18, 90) * HOUR;
  const voyage: Voyage = {
    origin,
    pol,
    pod,
    podTerminal,
    inland,
    legs,
    knownFrom,
    etd: estimates(departure, delay, [knownFrom - 20 * DAY, departure - 4 * DAY, departure - DAY]),
    eta: estimates(arrival, slip, [
      knownFrom - 20 * DAY,
      departure + 6 * HOUR,
      (departure + arrival) / 2,
      arrival - 5 * DAY,
      arrival - 1.5 * DAY,
    ]),
    destinationEta: [],
    boxes: [],
  };
  if (inland !== null) {
    const arrivalInland = arrival + (5 * 24 + inland.hours) * HOUR;
    voyage.destinationEta = estimates(arrivalInland, slip, [departure, arrival - 5 * DAY, arrival + 2 * DAY]);
  }
  voyage.boxes = containerIds.map((containerId, index) =>
    planBox(planner, voyage, {
      containerId,
      random: createRandom(seed, shipmentId, 'box', index),
      held: phase === 'held',
    }),
  );
  return voyage;
}

function planLegs(
  ports: Port[],
  departure: number,
  random: Random,
  vesselId: (index: number) => string,
): [Leg, ...Leg[]] {
  const legs: Leg[] = [];
  let departsAt = Math.round(departure);
  for (const [index, from] of ports.entries()) {
    const to = ports[index + 1];
    if (to === undefined) break;
    const way = seaRoute(from, to);
    const arrivesAt =
      departsAt + Math.round((distance(way) / random.between(15.5, 18.5) + random.between(6, 20)) * HOUR);
    const vessel = createVessel(vesselId(index), random);
    const voyageNumber = `${random.integer(1, 99)}${random.integer(0, 9)}${random.pick(['E', 'W', 'N', 'S'])}`.padStart(
      4,
      '0',
    );
    legs.push({ from, to, way, vessel, voyageNumber, departsAt, arrivesAt });
    departsAt = arrivesAt + Math.round(random.between(40, 140) * HOUR);
  }
  return legs as [Leg, ...Leg[]];
}

/** What is reported at each time for something that happens at `actual`: the error, positive for a delay, shrinks. */
function estimates(actual: number, error: number, reportedAt: number[]): Estimate[] {
  return reportedAt.map((at, index) => ({
    reportedAt: at,
    value: Math.round((actual - error * (1 - index / reportedAt.length)) / HOUR) * HOUR,
  }));
}
