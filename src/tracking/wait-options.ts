import {
  milliseconds,
  objectArgument,
  optionalFunction,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
} from '../internal/arguments.ts';
import type { TrackedRequest } from '../model/index.ts';

/** The state of a tracking request during the waiting. */
export interface TrackingProgress {
  /** The tracking request as it was just read. */
  trackingRequest: TrackedRequest;
  /** Time since the waiting began, in ms. */
  elapsedMs: number;
}

/** How to wait for a tracking request. */
export interface WaitOptions {
  /**
   * How long to wait, in ms.
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

export const DEFAULT_WAIT_MS = 600_000;
export const WAIT_NAMES = optionNames<WaitOptions>({ waitTimeout: true, signal: true, onProgress: true });

/** @throws {ConfigurationError} for options that cannot work. */
export function checkWaiting(what: string, options: object, known: readonly string[] = WAIT_NAMES): void {
  refuseUnknownNames(what, objectArgument(`The argument of ${what}`, options, '{ waitTimeout: 60_000 }'), known);
  const { waitTimeout, signal, onProgress } = options as WaitOptions;
  milliseconds('waitTimeout', waitTimeout ?? DEFAULT_WAIT_MS);
  optionalSignal(signal);
  optionalFunction('onProgress', onProgress ?? undefined);
}
