import { createRandom, type Random } from '../base/random.ts';
import type { RailMove } from './plan.ts';

/** The outcome of a tracking request. */
export type Outcome =
  | 'created'
  | 'not_found'
  | 'late_manifest'
  | 'flaky'
  | 'unreachable'
  | 'invalid_number'
  | 'booking_cancelled'
  | 'data_unavailable'
  | 'duplicate';

/** The progress of the first container at the time when its tracking begins. */
export type Phase = 'booked' | 'at_origin' | 'at_sea' | 'held' | 'available' | 'on_rail' | 'picked_up' | 'returned';

/** A word in the number decides the outcome of its tracking request. */
const OUTCOMES: [word: string, outcome: Outcome][] = [
  ['TRACKINGFAILED', 'invalid_number'],
  ['NOTFOUND', 'not_found'],
  ['MANIFEST', 'late_manifest'],
  ['FLAKY', 'flaky'],
  ['UNREACHABLE', 'unreachable'],
  ['INVALID', 'invalid_number'],
  ['CANCELLED', 'booking_cancelled'],
  ['WITHHELD', 'data_unavailable'],
  ['DUPLICATE', 'duplicate'],
];

/** A word in the number decides the phase of its containers. */
const PHASES: [word: string, phase: Phase][] = [
  ['BOOKED', 'booked'],
  ['ATORIGIN', 'at_origin'],
  ['ATSEA', 'at_sea'],
  ['ONHOLD', 'held'],
  ['AVAILABLE', 'available'],
  ['ONRAIL', 'on_rail'],
  ['PICKEDUP', 'picked_up'],
  ['RETURNED', 'returned'],
];

export const PHASE_NAMES = PHASES.map(([, phase]) => phase);

/** For numbers without such a word: the share of each phase, in per cent. */
const SHARES: [phase: Phase, share: number][] = [
  ['at_sea', 36],
  ['held', 15],
  ['available', 15],
  ['on_rail', 14],
  ['booked', 8],
  ['at_origin', 6],
  ['picked_up', 6],
];

export function outcomeOf(number: string): Outcome {
  return OUTCOMES.find(([word]) => number.toUpperCase().includes(word))?.[1] ?? 'created';
}

export function phaseOf(number: string, seed: number): Phase {
  const named = PHASES.find(([word]) => number.toUpperCase().includes(word))?.[1];
  return named ?? drawPhase(createRandom(seed, 'phase', number));
}

function drawPhase(random: Random): Phase {
  let left = random.next() * 100;
  for (const [phase, share] of SHARES) {
    left -= share;
    if (left < 0) return phase;
  }
  return 'at_sea';
}

/** The decisions of a scenario about a voyage. The seed decides the rest. */
export interface Script {
  /** The scenario in one sentence. */
  description: string;
  /** The phase of the container when the scenario begins. */
  phase: Phase;
  /**
   * The part of the phase that has passed at that time, from 0 to 1. If the value is missing, the seed decides the
   * part.
   */
  progress?: number;
  /** The type of the number. */
  requestType: 'bill_of_lading' | 'booking_number';
  /** UN/LOCODEs from the port of lading to the port of discharge. */
  ports: readonly string[];
  rail: RailMove | null;
  /** Position of the leg that a feeder sails. */
  feederLeg?: number;
  /** True if the estimates are right from the start. */
  isOnTime?: boolean;
  /** Days that the container waits at the first transshipment port beyond the announced time. */
  transshipmentDelayDays?: number;
  /** Delay of the departure in days: the container was not taken on board, and leaves with a later vessel. */
  rolledDays?: number;
  /** Customs hold the container. */
  isHeld?: boolean;
  /** Customs examine the container, for a fee. */
  isExamined?: boolean;
  /** Days from the last free day to the pickup of the container. */
  overdueDays?: number;
  /** A person marks the container as delivered. */
  isDelivered?: boolean;
  /** An email with documents comes an hour after the tracking began. */
  hasEmail?: boolean;
}

const direct = { phase: 'booked', requestType: 'bill_of_lading', ports: ['CNSHA', 'USLAX'], rail: null } as const;
const toElwood: RailMove = { destination: 'USEWI', facility: 'BNSF LPC', railway: 'BNSF' };

const SCRIPTS = {
  'direct-on-time': {
    ...direct,
    description: 'One vessel from Shanghai to Los Angeles, as estimated, until the empty container is returned.',
    isOnTime: true,
  },
  'transshipment-delay': {
    ...direct,
    description: 'Two vessels via Kaohsiung. The container misses its connection, and all estimates move by four days.',
    ports: ['THLCH', 'TWKHH', 'USLAX'],
    transshipmentDelayDays: 4,
  },
  feeder: {
    ...direct,
    description: 'Three vessels, the second one a feeder from Singapore to Colombo.',
    ports: ['IDJKT', 'SGSIN', 'LKCMB', 'USNYC'],
    feederLeg: 1,
  },
  'rail-with-customs-hold': {
    ...direct,
    description: 'Customs hold the container at the port for days. After the release it goes by rail to Elwood.',
    phase: 'at_sea',
    ports: ['CNNGB', 'USLGB'],
    rail: toElwood,
    isHeld: true,
  },
  'rail-on-time': {
    ...direct,
    description: 'By vessel to Long Beach and by rail to Elwood, as estimated.',
    phase: 'at_sea',
    ports: ['CNSHA', 'USLGB'],
    rail: toElwood,
    isOnTime: true,
  },
  rolled: {
    ...direct,
    description: 'The container is not taken on board and leaves a week later than announced.',
    requestType: 'booking_number',
    rolledDays: 7,
  },
  'fees-and-last-free-day': {
    ...direct,
    description:
      'The container is ready for pickup before its last free day, but stays five days too long: demurrage grows each day.',
    phase: 'available',
    progress: 0.1,
    overdueDays: 5,
  },
  'customs-exam': {
    ...direct,
    description: 'Customs hold and examine the container. The examination costs a fee.',
    phase: 'at_sea',
    isHeld: true,
    isExamined: true,
  },
  delivered: {
    ...direct,
    description: 'The container is picked up, and a person marks it as delivered.',
    phase: 'available',
    isDelivered: true,
  },
  'documents-by-email': {
    ...direct,
    description: 'An hour after the tracking began, an email brings an arrival notice and a scan that cannot be read.',
    phase: 'at_sea',
    hasEmail: true,
  },
  'awaiting-manifest': {
    ...direct,
    description: 'The carrier does not know the number yet. After two days, the carrier knows it.',
  },
  'flaky-carrier': {
    ...direct,
    description: 'The carrier cannot be reached at first. The third attempt succeeds.',
    phase: 'at_sea',
  },
  'tracking-failed': { ...direct, description: 'The carrier does not accept the number: the tracking request fails.' },
  'booking-cancelled': { ...direct, description: 'The carrier has cancelled the booking: the tracking request fails.' },
  'carrier-unreachable': {
    ...direct,
    description: 'The carrier cannot be reached in 14 attempts in 24 hours: the tracking request fails.',
  },
} satisfies Record<string, Script>;

/**
 * The name of a scenario: `direct-on-time`, `transshipment-delay`, `feeder`, `rail-on-time`, `rail-with-customs-hold`, `rolled`,
 * `fees-and-last-free-day`, `customs-exam`, `delivered`, `documents-by-email`, `awaiting-manifest`, `flaky-carrier`,
 * `tracking-failed`, `booking-cancelled`, `carrier-unreachable`.
 */
export type ScenarioName = keyof typeof SCRIPTS;

export const SCENARIO_NAMES = Object.keys(SCRIPTS) as ScenarioName[];

export function scriptNamed(name: ScenarioName): Script {
  return SCRIPTS[name];
}

/** The word that each number of a scenario contains. */
export function wordOf(name: ScenarioName): string {
  return name.replaceAll('-', '').toUpperCase();
}

/** The scenario whose word is in a number. */
export function scenarioOf(number: string): ScenarioName | null {
  const text = number.toUpperCase();
  return SCENARIO_NAMES.find(name => text.includes(wordOf(name))) ?? null;
}
