import type { Random } from '../base/random.ts';

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

export interface RailMove {
  /** UN/LOCODE of a port or of a metro area. */
  destination: string;
  /** Nickname of the facility. */
  facility: string;
  /** SCAC of the railway. */
  railway: string;
}

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

/** What a voyage needs, so that its containers can be in a phase. */
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
