import { ConnectionError } from '../errors.ts';
import { sleep } from '../internal/signal.ts';
import { perBucket } from '../rate-limit/buckets.ts';
import type { RollingWindowLimiter } from '../rate-limit/rolling-window.ts';
import type { LocalBudget } from './share.ts';
import type { SharedWindow } from './shared-window.ts';

/** How long processes may take to notice that Redis is there again, in ms, or two windows. */
const RETURN_MS = 3000;

export interface OutageOptions {
  shared: SharedWindow;
  localBudget: LocalBudget;
  /** What this process has in flight and has used: its limits are kept to the share. */
  own: RollingWindowLimiter;
  onStoreFailure: 'local' | 'reject';
  /** How many processes share the budget, at least. */
  expectedProcesses: number;
  cycleMs: number;
  /** How long to wait before Redis is asked again, in ms. */
  retryMs: number;
  isAnyoneWaiting(): boolean;
  warn(message: string): void;
}

/** What happens while Redis does not answer, and after its return. */
export class Outage {
  readonly #options: OutageOptions;
  #failure: { cause: unknown; askAt: number } | undefined;
  #isWatching = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Whether a call has to go on without Redis. */
  mustNotAsk(): boolean {
    if (!this.#failure) return false;
    return this.#options.onStoreFailure === 'local' || performance.now() < this.#failure.askAt;
  }

  /** Redis failed, or did not answer in time. */
  begin(cause: unknown): void {
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
    warn(
      `The Redis of the rate limit does not answer (${messageOf(cause)}): this process continues with ${textOf(fraction)} of the budget.`,
    );
    void this.watch();
  }

  /** Redis has answered a question. */
  answered({ isLost, closedMs }: { isLost: boolean; closedMs: number }): void {
    if (this.#options.onStoreFailure === 'reject') this.#failure = undefined;
    // While Redis was asked, the question of another bucket may have failed.
    if (isLost && !this.#failure) this.#keepToShare(performance.now(), closedMs);
  }

  /** Asks for Redis, and keeps to what may be sent meanwhile, as long as a call waits. */
  async watch(): Promise<void> {
    const { own, localBudget, isAnyoneWaiting } = this.#options;
    if (this.#isWatching || !this.#failure) return;
    this.#isWatching = true;
    // After a time in which nobody asked, Redis may be there again.
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

  /** What a call gets under `onStoreFailure: 'reject'`. */
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
      // Redis gives this part to the others from when it hears of this process until it has all been told.
      own.setLimits(perBucket(() => 0));
      const isLost = await shared.reportAll();
      this.#failure = undefined;
      shared.isOnline = true;
      this.#keepToShare(performance.now(), isLost ? cycleMs : 0);
    } catch (cause) {
      const now = performance.now();
      this.#failure = { cause, askAt: now + retryMs };
      localBudget.contactAttempted(shared.lastSentAt);
      this.#limit(now);
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
