import { TimeoutError } from '../errors.ts';
import { type Scope, startTimer } from '../transport/signal.ts';

/** Aborts a scope when nothing has moved for too long. */
export class Watchdog {
  readonly #scope: Scope;
  readonly #timeout: number;
  readonly #message: string;
  #stopTimer = () => {};

  constructor(scope: Scope, timeout: number, message: string) {
    this.#scope = scope;
    this.#timeout = timeout;
    this.#message = message;
  }

  /** Begins to wait, or something has moved. */
  restart(): void {
    this.stop();
    this.#stopTimer = startTimer(this.#timeout, () => {
      const message = `${this.#message} for ${this.#timeout} ms`;
      this.#scope.abort(new TimeoutError(message, { code: 'timeout', limitMs: this.#timeout }));
    });
  }

  stop(): void {
    this.#stopTimer();
  }
}
