import type { Claim } from './inbox.ts';

/**
 * An inbox keeps a number with each entry: 0 if its last claim was settled or given back, 1 if it was handed out, 2 if that claim was
 * neither, so that the entry is a suspect, and 1 more for each time that its handler has begun alone since.
 */
export const SUSPECT = 2;

/** The part of a claim that follows from what the inbox has stored with the claim. */
export function attemptOf(
  { attempts, suspicion }: { attempts: number; suspicion: number },
  begins: boolean,
): Pick<Claim, 'attempt' | 'begunAlone'> {
  // That of a suspect is not counted yet.
  return begins && suspicion >= SUSPECT
    ? { attempt: attempts + 1, begunAlone: suspicion - SUSPECT }
    : { attempt: attempts };
}

/** The value that the inbox stores when the handler of a suspect begins. */
export function begunOf({ begunAlone = 0 }: Claim): number {
  return SUSPECT + begunAlone + 1;
}

/**
 * By how much fewer attempts an entry has that gets another one; `undefined` for a suspect that was given back: it stays one. A
 * suspect whose handler has begun alone and has not ended the process is innocent of the time before.
 */
export function uncounted({ begunAlone }: Claim, isAttempt = true): number | undefined {
  if (isAttempt) return begunAlone === 0 ? 1 : 0;
  return begunAlone === undefined ? 1 : undefined;
}
