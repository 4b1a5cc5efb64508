import { createRandom, type Random } from '../base/random.ts';

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

/** How many of 100 numbers without such a word are in each phase. */
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
