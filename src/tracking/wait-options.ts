import { type Checks, milliseconds, objectArgument, optionalFunction, optionalSignal } from '../internal/arguments.ts';
import type { TrackedRequest } from '../model/index.ts';

/** The state of a tracking request during the waiting. */
export interface TrackingProgress {
  /** The tracking request as it was just read. */
  trackingRequest: TrackedRequest;
  /** Time since the waiting began, in ms. */
  elapsedMs: number;
}

/** Options of the waiting for a tracking request. */
export interface WaitOptions {
  /**
   * Upper bound of the waiting, in ms.
   * @default 600_000
   */
  waitTimeout?: number | undefined;
  /** Ends the waiting. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Called with the first state and with each change. The state `awaiting_manifest` may last for days. A promise that it
   * returns is awaited, within `waitTimeout`. The call rejects with the error that it throws or rejects with.
   */
  onProgress?: ((progress: TrackingProgress) => void) | undefined;
}

/** The options of waiting, with their default. */
export const WAIT = {
  waitTimeout: (name, value) => milliseconds(name, value ?? 600_000),
  signal: (_, value) => optionalSignal(value),
  onProgress: (name, value) => optionalFunction(name, value ?? undefined),
} satisfies Checks<WaitOptions>;

/** Refuses a value that cannot be options of the waiting. */
export function waitArgument<Options>(what: string, options: Options): Options & object {
  return objectArgument(`The argument of ${what}`, options, '{ waitTimeout: 60_000 }');
}
