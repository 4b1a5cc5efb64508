import type { Claim } from './inbox.ts';

/**
 * An inbox stores a number with each entry. 0: the last claim of the entry was settled or given back. 1: the entry is
 * handed out. 2: the last claim was not settled and not given back, so the entry is a suspect. Each time the handler of
 * a suspect begins alone, the number increases by 1.
 */
export const SUSPECT = 2;

/** Returns the number of the attempt, and how suspect the entry is, from the stored numbers. */
export function attemptOf(
  { attempts, suspicion }: { attempts: number; suspicion: number },
  begins: boolean,
): Pick<Claim, 'attempt' | 'begunAlone'> {
  // The attempt of a suspect is not counted yet.
  return begins && suspicion >= SUSPECT
    ? { attempt: attempts + 1, begunAlone: suspicion - SUSPECT }
    : { attempt: attempts };
}

/** The value that the inbox stores when the handler of a suspect begins. */
export function begunOf({ begunAlone = 0 }: Claim): number {
  return SUSPECT + begunAlone + 1;
}

/**
 * The number of attempts that do not count when an entry has failed. It is `undefined` for a suspect that was given
 * back, because such an entry stays a suspect. If a suspect ran alone and the process did not end, the suspect did not
 * cause the earlier end of the process.
 */
export function uncounted({ begunAlone }: Claim, isAttempt = true): number | undefined {
  if (isAttempt) return begunAlone === 0 ? 1 : 0;
  return begunAlone === undefined ? 1 : undefined;
}
