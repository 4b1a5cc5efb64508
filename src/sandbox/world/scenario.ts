import { createRandom, type Random } from '../base/random.ts';

/** How a tracking request ends. */
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

/** How far a voyage has come when it begins to be tracked. */
export type Phase = 'booked' | 'at_origin' | 'at_sea' | 'held' | 'available' | 'on_rail' | 'picked_up' | 'returned';

/** A number that has one of these words in it decides how its request ends. */
const OUTCOMES: [word: string, outcome: Outcome][] = [
  ['NOTFOUND', 'not_found'],
  ['MANIFEST', 'late_manifest'],
  ['FLAKY', 'flaky'],
  ['UNREACHABLE', 'unreachable'],
  ['INVALID', 'invalid_number'],
  ['CANCELLED', 'booking_cancelled'],
  ['WITHHELD', 'data_unavailable'],
  ['DUPLICATE', 'duplicate'],
];

/** A number that has one of these words in it decides where its containers are. */
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

/** Of 100 numbers without such a word. */
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
