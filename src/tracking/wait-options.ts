import {
  type Checks,
  checkedOptions,
  milliseconds,
  objectArgument,
  optionalFunction,
  optionalSignal,
} from '../internal/arguments.ts';
import type { TrackedRequest } from '../model/index.ts';

/** The state of a tracking request during a wait. */
export interface TrackingProgress {
  /** The tracking request in its latest state. */
  trackingRequest: TrackedRequest;
  /** Time since the wait began, in ms. */
  elapsedMs: number;
}

/** Options for waiting for a tracking request. */
export interface WaitOptions {
  /**
   * Upper bound of the wait, in ms.
   * @default 600_000
   */
  waitTimeout?: number | undefined;
  /** Ends the wait. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /**
   * Called with the first state and with each change. The state `awaiting_manifest` may last for days. If it returns a promise,
   * the promise is awaited, within `waitTimeout`. If it throws or its promise rejects, the call rejects with that error.
   */
  onProgress?: ((progress: TrackingProgress) => void) | undefined;
}

/** The options of a wait, with their default. */
export const WAIT = {
  waitTimeout: (name, value) => milliseconds(name, value ?? 600_000),
  signal: (_, value) => optionalSignal(value),
  onProgress: (name, value) => optionalFunction(name, value ?? undefined),
} satisfies Checks<WaitOptions>;

/** Checks the options of a method that waits, and fills in the defaults. */
export function checkedWaitOptions<C extends Parameters<typeof checkedOptions>[2]>(
  method: string,
  options: object | undefined,
  checks: C,
) {
  const given = objectArgument(`The argument of ${method}`, options ?? {}, '{ waitTimeout: 60_000 }');
  return checkedOptions(method, given, checks);
}
