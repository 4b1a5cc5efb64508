import { defined } from '../base/checks.ts';
import { createRandom, type Ids, type Random } from '../base/random.ts';
import { DAY, HOUR } from '../base/time.ts';
import { planBox } from './box.ts';
import type { Places, Port } from './places.ts';
import type { Estimate, Inland, Leg, Planner, RailMove, Vessel, Voyage } from './plan.ts';
import type { Phase, Script } from './scripts.ts';
import { distance, seaRoute } from './sea-route.ts';

/** A trade lane: from any of these ports of lading, to any of these ports of discharge. All ports are UN/LOCODEs. */
interface Lane {
  from: string[];
  /** The possible lists of transshipment ports. An empty list is a direct service. */
  by: string[][];
  to: string[];
}

const EAST_ASIA = ['CNSHA', 'CNNGB', 'CNYTN', 'CNTAO', 'CNXMN', 'HKHKG', 'TWKHH'];
const SOUTH_EAST_ASIA = ['VNVUT', 'THLCH', 'IDJKT', 'MYPKG'];
const WEST_COAST = ['USLAX', 'USLGB', 'USOAK', 'USTIW'];
const EAST_COAST = ['USNYC', 'USORF', 'USCHS', 'USSAV', 'USHOU'];
const NORTH_EUROPE = ['DEHAM', 'NLRTM', 'BEANR', 'GBFXT'];

const TO_UNITED_STATES: Lane[] = [
  { from: EAST_ASIA, by: [[], [], ['KRPUS']], to: WEST_COAST },
  { from: [...EAST_ASIA, 'KRPUS'], by: [[], ['COCTG']], to: EAST_COAST },
  { from: SOUTH_EAST_ASIA, by: [['TWKHH'], ['CNYTN'], ['SGSIN', 'KRPUS']], to: WEST_COAST },
  { from: ['INNSA', 'INMUN'], by: [[], ['LKCMB'], ['ESALG']], to: EAST_COAST },
  { from: [...NORTH_EUROPE, 'ITGOA', 'ESVLC'], by: [[]], to: EAST_COAST },
  { from: ['TRAMB'], by: [['ESALG']], to: EAST_COAST },
  { from: ['BRSSZ'], by: [[], ['COCTG']], to: EAST_COAST },
];

const ELSEWHERE: Lane[] = [
  { from: [...EAST_ASIA, ...SOUTH_EAST_ASIA], by: [[], ['SGSIN'], ['LKCMB']], to: NORTH_EUROPE },
];

const FROM_WEST_COAST: RailMove[] = [
  { destination: 'USEWI', facility: 'BNSF LPC', railway: 'BNSF' },
  { destination: 'USCHI', facility: 'UP G4', railway: 'UP' },
  { destination: 'USMEM', facility: 'BNSF MEM', railway: 'BNSF' },
  { destination: 'USDAL', facility: 'UP DIT', railway: 'UP' },
];
const FROM_SOUTH_EAST: RailMove[] = [
  { destination: 'USATL', facility: 'NS AUS', railway: 'NS' },
  { destination: 'USATL', facility: 'CSX FAI', railway: 'CSXT' },
];

/** The rail transports that begin at a port of discharge. */
function railMovesFrom(port: string): RailMove[] {
  if (WEST_COAST.includes(port)) return FROM_WEST_COAST;
  return port === 'USSAV' || port === 'USCHS' ? FROM_SOUTH_EAST : [];
}

export interface Itinerary {
  /** UN/LOCODEs from the port of lading to the port of discharge. */
  ports: string[];
  rail: RailMove | null;
}

/** A property that a voyage must have, so that its containers can be in a phase. */
export type Requirement = 'rail' | 'reporting terminal' | null;

export function drawItinerary(random: Random, requirement: Requirement): Itinerary {
  const overseas = requirement !== null || random.chance(0.8);
  for (;;) {
    const lane = random.pick(overseas ? TO_UNITED_STATES : ELSEWHERE);
    const ports = [random.pick(lane.from), ...random.pick(lane.by), random.pick(lane.to)];
    const moves = railMovesFrom(ports.at(-1) ?? '');
    const byRail = requirement === 'rail' || (requirement === null && random.chance(0.3));
    if (byRail && moves.length > 0) return { ports, rail: random.pick(moves) };
    if (requirement !== 'rail') return { ports, rail: null };
  }
}

/** Metro areas where empty containers are picked up, by port of lading. All are UN/LOCODEs. */
export const HINTERLAND: Record<string, string> = {
  CNNGB: 'CNHGH',
  CNSHA: 'CNSZH',
  CNYTN: 'CNDGG',
  KRPUS: 'KRSEL',
  INNSA: 'INPNQ',
  DEHAM: 'DEHAJ',
};

// biome-ignore format: a table
const FIRST = [
  'AMBER', 'BOREAL', 'COBALT', 'DORIAN', 'EMBER', 'FATHOM', 'GRANITE', 'HARBOR', 'INDIGO', 'JASPER',
  'KESTREL', 'LANTERN', 'MERIDIAN', 'NIMBUS', 'OPAL', 'PACIFIC', 'QUARTZ', 'RIVER', 'SILVER', 'TIDAL',
] as const;
// biome-ignore format: a table
const SECOND = [
  'ARROW', 'BEACON', 'CREST', 'DAWN', 'ESTUARY', 'FJORD', 'GANNET', 'HERON', 'ISLE', 'JETTY',
  'KEEL', 'LAGOON', 'MISTRAL', 'NORTH', 'ORCHID', 'PELICAN', 'QUEST', 'REEF', 'SUMMIT', 'TRADER',
] as const;

/** The first digits of an MMSI. They stand for the flag state. */
const FLAGS = ['477', '563', '636', '538', '353'] as const;

/** Invents a vessel. Its IMO number has a correct check digit. */
export function createVessel(id: string, random: Random): Vessel {
  const name = `${random.pick(FIRST)} ${random.pick(SECOND)}`;
  const imo = withCheckDigit(random.integer(900_000, 989_999));
  return { id, name, imo, mmsi: `${random.pick(FLAGS)}${random.integer(100_000, 999_999)}` };
}

/** The check digit is the last digit of the weighted sum of the other six. */
function withCheckDigit(six: number): string {
  const sum = [...String(six)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return `${six}${sum % 10}`;
}

export interface VoyageRequest {
  seed: number;
  /** The number of the shipment. The same number gives the same voyage. */
  number: string;
  shipmentId: string;
  containerIds: string[];
  /** Time at which the first container is in the phase. */
  inPhaseAt: number;
  phase: Phase;
  /** The decisions of a scenario. */
  script: Script | null;
}

/** Plans a voyage whose first container is in the given phase at the given time. */
export function planVoyage(planner: Planner, request: VoyageRequest): Voyage {
  return planFor(planner, request, departureFor(planner, request));
}

/** Searches for the departure time that puts the first container in the phase at the given time. */
function departureFor(planner: Planner, request: VoyageRequest): number {
  const { inPhaseAt, phase, script } = request;
  const draft: VoyageRequest = { ...request, containerIds: request.containerIds.slice(0, 1) };
  const share = script?.progress ?? createRandom(request.seed, request.number, 'share').between(0.25, 0.75);
  let departure = inPhaseAt;
  for (let pass = 0; pass < 40; pass++) {
    const [from, to] = windowOf(planFor({ ...planner, ids: NO_IDS }, draft, departure), phase);
    if (pass > 0 && from <= inPhaseAt && inPhaseAt < to) break;
    // Opening hours cause sudden changes in the times. Therefore the search takes small steps after the first three
    // passes.
    const step = inPhaseAt < from ? -5 * HOUR : 5 * HOUR;
    departure += pass < 3 ? inPhaseAt - (from + share * (to - from)) : step;
  }
  return departure;
}

/** The creation of ids takes longer than the rest of a plan. Drafts do not need ids. */
const NO_IDS: Pick<Ids, 'of'> = { of: () => '' };

/** The period in which the first container is in a phase. */
function windowOf({ boxes, knownFrom }: Voyage, phase: Phase): [from: number, to: number] {
  const { events, endsAt } = defined(boxes[0]);
  const reported = (name: string) =>
    defined(events.findLast(({ event }) => event === `container.transport.${name}`)).reportedAt;
  switch (phase) {
    case 'booked':
      return [knownFrom - 4 * DAY, knownFrom];
    case 'at_origin':
      return [reported('full_in'), reported('vessel_loaded')];
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
    case 'returned':
      return [endsAt, endsAt + 5 * DAY];
  }
}

const REQUIREMENTS: Partial<Record<Phase, Requirement>> = {
  held: 'reporting terminal',
  available: 'reporting terminal',
  on_rail: 'rail',
};

function planFor(planner: Planner, request: VoyageRequest, departure: number): Voyage {
  const { seed, number, shipmentId, containerIds, phase, script } = request;
  const { places, ids } = planner;
  const random = createRandom(seed, number, 'voyage');
  const itinerary = script ?? drawItinerary(random, REQUIREMENTS[phase] ?? null);
  const missed = (script?.transshipmentDelayDays ?? 0) * DAY;
  const rolled = (script?.rolledDays ?? 0) * DAY;
  const legs = planLegs(itinerary.ports.map(places.port), Math.round(departure), random, missed, index =>
    ids.of('vessel', shipmentId, index),
  );
  const [firstLeg, lastLeg] = [defined(legs[0]), defined(legs.at(-1))];
  const [pol, pod, arrival] = [firstLeg.from, lastLeg.to, lastLeg.arrivesAt];
  const hinterland = HINTERLAND[pol.code];
  const inland = itinerary.rail && planInland(places, pod, itinerary.rail);
  const knownFrom = Math.round(departure - random.between(8, 12) * DAY - rolled);
  const early = knownFrom - 20 * DAY;
  const isSettled = script !== null && (script.isOnTime === true || missed + rolled > 0);
  const certainty = isSettled ? 0 : 1;
  const arrivalDelay = random.between(-18, 90) * HOUR * certainty;
  // The time when it becomes known that a vessel left without the container. The estimates then change.
  const jumpAt = Math.round(rolled > 0 ? departure - rolled - 6 * HOUR : firstLeg.arrivesAt + 30 * HOUR);

  const voyage: Voyage = {
    origin: hinterland !== undefined && random.chance(0.6) ? places.metroArea(hinterland) : pol,
    pol,
    pod,
    podTerminal: random.pick(pod.terminals.filter(({ facilityType }) => facilityType === 'ocean_terminal')),
    inland,
    legs,
    feederLeg: legs[script?.feederLeg ?? -1] ?? null,
    firstLeg,
    lastLeg,
    missed:
      missed + rolled > 0
        ? { leg: otherSailing(lastLeg, ids.of('vessel', shipmentId, 'missed'), seed, number), until: jumpAt }
        : null,
    knownFrom,
    etd: jump(
      rolled,
      jumpAt,
      estimate(departure, random.between(-12, 36) * HOUR * certainty, [
        early,
        ...(rolled > 0 ? [jumpAt] : []),
        departure - 4 * DAY,
        departure - DAY,
      ]),
    ),
    eta: jump(
      rolled + missed,
      jumpAt,
      estimate(arrival, arrivalDelay, [
        early,
        ...(rolled > 0 ? [jumpAt] : []),
        departure + 6 * HOUR,
        ...(missed > 0 ? [jumpAt] : []),
        (departure + arrival) / 2,
        arrival - 5 * DAY,
        arrival - 1.5 * DAY,
      ]),
    ),
    destinationEta:
      inland === null
        ? []
        : estimate(arrival + (5 * 24 + inland.hours) * HOUR, arrivalDelay, [
            departure,
            arrival - 5 * DAY,
            arrival + 2 * DAY,
          ]),
    boxes: [],
  };
  voyage.boxes = containerIds.map((containerId, index) =>
    planBox(planner, voyage, {
      containerId,
      random: createRandom(seed, number, 'box', index),
      held: phase === 'held' || script?.isHeld === true,
      script,
    }),
  );
  return voyage;
}

/** @param missed Additional time in ms for which the container waits at the first transshipment port. */
function planLegs(
  ports: Port[],
  departure: number,
  random: Random,
  missed: number,
  vesselId: (index: number) => string,
): Leg[] {
  let departsAt = departure;
  return ports.slice(1).map((to, index) => {
    const from = defined(ports[index]);
    const path = seaRoute(from, to);
    const hours = distance(path) / random.between(15.5, 18.5) + random.between(6, 20);
    const leg: Leg = {
      from,
      to,
      path,
      vessel: createVessel(vesselId(index), random),
      voyageNumber: `${random.integer(1, 999)}${random.pick(['E', 'W', 'N', 'S'])}`.padStart(4, '0'),
      departsAt,
      arrivesAt: departsAt + Math.round(hours * HOUR),
    };
    departsAt = leg.arrivesAt + Math.round(random.between(40, 140) * HOUR) + (index === 0 ? missed : 0);
    return leg;
  });
}

/**
 * The sailing that the container misses. It uses separate random numbers. Therefore the rest of the plan does not
 * change.
 */
function otherSailing(leg: Leg, vesselId: string, seed: number, number: string): Leg {
  const random = createRandom(seed, number, 'missed');
  return {
    ...leg,
    vessel: createVessel(vesselId, random),
    voyageNumber: `${random.integer(1, 999)}E`.padStart(4, '0'),
  };
}

function planInland(places: Places, pod: Port, { destination: code, facility, railway }: RailMove): Inland {
  const destination = places.metroAreas.find(area => area.code === code) ?? places.port(code);
  return {
    destination,
    terminal: places.terminal(facility),
    railway,
    hours: 24 + distance([pod, destination]) / 15,
  };
}

/**
 * The estimates for something that happens at `actual`. The error becomes smaller with each report.
 *
 * @param error In ms; positive if the estimates are too early.
 */
function estimate(actual: number, error: number, reportedAt: number[]): Estimate[] {
  return reportedAt.map((at, index) => ({
    reportedAt: Math.round(at),
    value: Math.round((actual - error * (1 - index / reportedAt.length)) / HOUR) * HOUR,
  }));
}

/** Moves the estimates that were reported before `at` to a time `by` ms earlier, and returns all estimates in the order of their reports. */
function jump(by: number, at: number, estimates: Estimate[]): Estimate[] {
  if (by === 0) return estimates;
  return estimates
    .map(({ reportedAt, value }) => ({ reportedAt, value: reportedAt < at ? value - by : value }))
    .sort((a, b) => a.reportedAt - b.reportedAt);
}
