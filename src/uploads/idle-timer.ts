import { TimeoutError } from '../errors.ts';
import { type Scope, startTimer } from '../internal/signal.ts';

/** Aborts a scope when nothing has moved for too long. */
export class Watchdog {
  readonly #scope: Scope;
  readonly #timeout: number;
  readonly #reason: (ms: number) => Error;
  #stopTimer = () => {};

  /** @param reason makes what the scope is aborted with, from the time that nothing moved for. */
  constructor(scope: Scope, timeout: number, reason: (ms: number) => Error) {
    this.#scope = scope;
    this.#timeout = timeout;
    this.#reason = reason;
  }

  /**
   * Begins to wait, or something has moved.
   *
   * @param allowance ms on top of the timeout.
   */
  restart(allowance = 0): void {
    this.stop();
    if (this.#scope.signal.aborted) return;
    const ms = this.#timeout + allowance;
    this.#stopTimer = startTimer(ms, () => this.#scope.abort(this.#reason(ms)));
  }

  stop(): void {
    this.#stopTimer();
  }
}

/** The reason where another attempt may go better. */
export function silence(what: string): (ms: number) => TimeoutError {
  return ms => new TimeoutError(`${what} for ${ms} ms`, { code: 'timeout', limitMs: ms });
}
