import { TimeoutError } from '../errors.ts';
import { Scope, startTimer } from '../internal/signal.ts';

/** A scope that follows a signal, and aborts itself when nothing happens for `timeout` ms. */
export class IdleScope {
  readonly #scope = new Scope();
  readonly #timeout: number;
  readonly #errorAfter: (ms: number) => Error;
  #stopTimer = () => {};

  /** @param errorAfter makes the reason of the abort from the elapsed time. */
  constructor(signal: AbortSignal | undefined, timeout: number, errorAfter: (ms: number) => Error) {
    this.#scope.follow(signal);
    this.#timeout = timeout;
    this.#errorAfter = errorAfter;
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /**
   * Starts or restarts the timer, because there was progress.
   *
   * @param extraMs time in addition to the timeout, in ms.
   */
  startTimer(extraMs = 0): void {
    this.stopTimer();
    if (this.signal.aborted) return;
    const ms = this.#timeout + extraMs;
    this.#stopTimer = startTimer(ms, () => this.#scope.abort(this.#errorAfter(ms)));
  }

  stopTimer(): void {
    this.#stopTimer();
  }

  /** Ends everything that uses the signal. */
  end(): void {
    this.stopTimer();
    this.#scope.abort();
    this.#scope.dispose();
  }
}

/**
 * Returns a function that makes the error of an attempt in which nothing happened for `ms`. Another attempt may
 * succeed.
 */
export function idleTimeout(what: string): (ms: number) => TimeoutError {
  return ms => new TimeoutError(`${what} for ${ms} ms`, { code: 'timeout', limitMs: ms });
}
