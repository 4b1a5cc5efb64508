import { ConfigurationError, ConnectionError } from '../../errors.ts';
import { sleep } from '../../internal/signal.ts';
import { type BucketName, perBucket } from '../limiter.ts';
import type { RollingWindowLimiter } from '../rolling-window.ts';
import type { LocalBudget } from './local-budget.ts';
import type { SharedWindow } from './shared-window.ts';

/** Upper bound in ms for the time until other processes notice that Redis is back. The time is at most two windows. */
const RETURN_MS = 3000;

export interface OutageOptions {
  shared: SharedWindow;
  localBudget: LocalBudget;
  /** The limiter for the requests of this process. During an outage, its limits are the limits of the local budget. */
  own: RollingWindowLimiter;
  onStoreFailure: 'local' | 'reject';
  /** The minimum number of processes that share the budget. */
  expectedProcesses: number;
  cycleMs: number;
  /** Wait before the next request to Redis, in ms. */
  retryMs: number;
  isAnyoneWaiting(): boolean;
  /** Called after a further request to Redis has failed: `opensAt` may have changed. */
  onStillGone(): void;
  warn(message: string): void;
}

/** Handles the outage of Redis and its end. */
export class Outage {
  readonly #options: OutageOptions;
  #failure: { cause: unknown; askAt: number; isRepeated?: boolean } | undefined;
  #isWatching = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** True if a call must not send a request to Redis. */
  mustNotAsk(): boolean {
    if (!this.#failure) return false;
    return this.#options.onStoreFailure === 'local' || performance.now() < this.#failure.askAt;
  }

  /**
   * True if a call may continue with the local budget. False after this process was suspended: Redis has received
   * nothing from this process for a long time, and may have given the part of this process to other processes.
   */
  mayGoOn(): boolean {
    const { own, retryMs, shared } = this.#options;
    if (!this.#failure || performance.now() <= this.#failure.askAt + retryMs + shared.timeoutMs) return true;
    own.setLimits(perBucket(() => 0));
    return false;
  }

  /**
   * The earliest time at which a call can get a slot without Redis. It is known only after two requests to Redis have
   * failed, because a lost connection is often restored after a moment.
   */
  opensAt(bucket: BucketName): number {
    const { own, localBudget } = this.#options;
    const now = performance.now();
    if (!this.#failure?.isRepeated || now >= this.#failure.askAt) return -Infinity;
    return localBudget.opensAt(bucket, now, own.snapshot()[bucket].used);
  }

  /** Begins an outage, because Redis failed or did not respond in time. */
  begin(cause: unknown): void {
    if (cause instanceof ConfigurationError) throw cause;
    const { localBudget, shared, onStoreFailure, expectedProcesses, retryMs, warn } = this.#options;
    const now = performance.now();
    const isFirstFailure = !this.#failure;
    this.#failure = { cause, askAt: now + retryMs };
    if (onStoreFailure === 'reject' || !isFirstFailure) return;
    const { part = 1, lastSentAt } = shared;
    const fraction = Math.min(part, 1 / expectedProcesses);
    shared.isOnline = false;
    localBudget.goOffline(now, fraction, lastSentAt);
    this.#limit(now);
    const share = `${textOf(fraction)} of the budget`;
    const [pause, full] = [localBudget.resumesAt, localBudget.fullPartAt].map(time => Math.ceil((time - now) / 1000));
    warn(
      `The Redis of the rate limit does not respond (${messageOf(cause)}): ${
        (full ?? 0) > 0
          ? `other processes may use the part of this process, so it sends nothing for ${pause} s, then has at most as many slots as it has in use, and after ${full} s it uses ${share}`
          : `this process continues with ${share}`
      }.`,
    );
    void this.watch();
  }

  /** Handles a response of Redis. */
  answered({ isLost, closedMs }: { isLost: boolean; closedMs: number }): void {
    if (this.#options.onStoreFailure === 'reject') this.#failure = undefined;
    // A request for another bucket may have failed in the meantime.
    if (isLost && !this.#failure) this.#keepToShare(performance.now(), closedMs);
  }

  /** Runs as long as a call waits: checks whether Redis is back, and updates the local limits. */
  async watch(): Promise<void> {
    const { own, localBudget, isAnyoneWaiting } = this.#options;
    if (this.#isWatching || !this.#failure) return;
    this.#isWatching = true;
    // Nothing was sent to Redis for some time. Redis may be back, so no call may continue before the next check.
    if (performance.now() >= this.#failure.askAt) own.setLimits(perBucket(() => 0));
    const { signal } = new AbortController();
    while (this.#failure && isAnyoneWaiting()) {
      const now = performance.now();
      if (now >= this.#failure.askAt) await this.#tryReturn();
      else await sleep(Math.min(this.#failure.askAt, localBudget.changesAt(now)) - now, signal);
      this.#limit(performance.now());
    }
    this.#isWatching = false;
  }

  /** The error of a call under `onStoreFailure: 'reject'`. */
  error(): ConnectionError {
    const cause = this.#failure?.cause;
    return new ConnectionError(`The Redis of the rate limit failed, so nothing was sent: ${messageOf(cause)}`, {
      code: 'rate_limit_store',
      cause,
    });
  }

  async #tryReturn(): Promise<void> {
    const { shared, localBudget, own, cycleMs, retryMs } = this.#options;
    try {
      await shared.probe();
      // Between the first report and the last report of this process, Redis may grant the part of this process to other
      // processes.
      own.setLimits(perBucket(() => 0));
      const isLost = await shared.reportAll();
      this.#failure = undefined;
      shared.isOnline = true;
      this.#keepToShare(performance.now(), isLost ? cycleMs : 0);
    } catch (cause) {
      const now = performance.now();
      if (cause instanceof ConfigurationError) {
        // The waiting calls send a request to Redis again, and get the error.
        this.#failure = undefined;
        localBudget.comeOnline(now, 1, 0);
      } else {
        this.#failure = { cause, askAt: now + retryMs, isRepeated: true };
        localBudget.contactAttempted(shared.lastSentAt);
      }
      this.#limit(now);
      this.#options.onStillGone();
    }
  }

  #keepToShare(now: number, closedMs: number): void {
    const { localBudget, shared, cycleMs } = this.#options;
    const forMs = closedMs + cycleMs + Math.min(RETURN_MS, 2 * cycleMs);
    localBudget.comeOnline(now, shared.part ?? 1, forMs);
    this.#limit(now);
    const timer: { unref?: () => void } | number = setTimeout(() => this.#limit(performance.now()), forMs + 1);
    if (typeof timer === 'object') timer.unref?.();
  }

  #limit(now: number): void {
    const { own, localBudget } = this.#options;
    const snapshot = own.snapshot();
    own.setLimits(localBudget.limitsAt(now, name => snapshot[name].used));
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function textOf(fraction: number): string {
  return fraction > 0 ? `1/${Math.round(1 / fraction)}` : 'none';
}
