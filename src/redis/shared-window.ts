import { shown } from '../arguments.ts';
import type { BucketName } from '../transport/limiter.ts';
import { startTimer } from '../transport/signal.ts';
import { type RedisClient, runScript } from './client.ts';
import { RESERVE, SETTLE } from './window-scripts.ts';

export interface SharedWindowOptions {
  client: RedisClient;
  key: string;
  /** Window and margin, in ms. */
  cycleMs: number;
  leaseMs: number;
  timeoutMs: number;
}

export interface Reservation {
  /** 0 if the slot is taken. */
  waitMs: number;
  /** Processes that have asked for this bucket of late. */
  processes: number;
  /** How long the bucket stays closed after a 429 that some process got. */
  closedMs: number;
}

interface Settlement {
  bucket: BucketName;
  id: string;
  /** On this process's clock. */
  backAt: number;
  penaltyMs: number;
}

/** The log of taken slots that all processes share. Its methods reject when Redis fails or is slow. */
export class SharedWindow {
  readonly #options: SharedWindowOptions;
  #prefix: Promise<string> | undefined;
  #process: string | undefined;
  readonly #epochs = new Map<BucketName, { name: string; askedAt: number }>();
  /** What Redis could not be told yet. */
  readonly #unsettled = new Set<Settlement>();

  constructor(options: SharedWindowOptions) {
    this.#options = options;
  }

  async reserve(bucket: BucketName, id: string, limit: number): Promise<Reservation> {
    const { cycleMs, leaseMs } = this.#options;
    await this.#settleAll();
    this.#process ??= crypto.randomUUID();
    const askedAt = performance.now();
    const args = [limit, Math.ceil(cycleMs), leaseMs, id, this.#process, this.#knownEpoch(bucket, askedAt)];
    const reply = await this.#inTime(this.#run(RESERVE, bucket, args), late => {
      // Redis did it after all, for a call that has gone on without.
      if (Number(Object(late)[0]) === 0) void this.settle(bucket, id, 0, 0);
    });
    if (!Array.isArray(reply)) throw new Error(`its answer to a script is ${shown(reply)}`);
    this.#epochs.set(bucket, { name: String(reply[1]), askedAt });
    return { waitMs: Number(reply[0]), processes: Number(reply[2]), closedMs: Number(reply[3]) };
  }

  /** Never rejects: what Redis cannot be told now it is told before the next reservation. */
  async settle(bucket: BucketName, id: string, backMs: number, penaltyMs: number): Promise<void> {
    const settlement = { bucket, id, backAt: performance.now() + backMs, penaltyMs };
    const isAway = this.#unsettled.size > 0;
    if (isAway) this.#unsettled.add(settlement);
    else await this.#settle(settlement).catch(() => this.#unsettled.add(settlement));
  }

  /** Nothing after a long idle time, when the keys may have expired: that is no loss. They last for three leases and windows. */
  #knownEpoch(bucket: BucketName, now: number): string {
    const { cycleMs, leaseMs } = this.#options;
    const known = this.#epochs.get(bucket);
    return known && now < known.askedAt + 2 * (leaseMs + cycleMs) ? known.name : '';
  }

  async #settle(settlement: Settlement): Promise<void> {
    const { bucket, id, backAt, penaltyMs } = settlement;
    const { leaseMs } = this.#options;
    const backMs = Math.max(0, Math.ceil(backAt - performance.now()));
    await this.#inTime(this.#run(SETTLE, bucket, [backMs, leaseMs, id, Math.ceil(penaltyMs)]));
  }

  /** One by one, so that a Redis that is still away is asked once. */
  async #settleAll(): Promise<void> {
    for (const settlement of this.#unsettled) {
      // Its lease has ended too by now.
      const isPast = settlement.backAt + this.#options.leaseMs < performance.now();
      if (!isPast) await this.#settle(settlement);
      this.#unsettled.delete(settlement);
    }
  }

  async #run(script: string, bucket: BucketName, args: (string | number)[]): Promise<unknown> {
    this.#prefix ??= prefixOf(this.#options.key);
    const prefix = `${await this.#prefix}:${bucket}`;
    const keys = ['log', 'state', 'processes'].map(part => `${prefix}:${part}`);
    return runScript(this.#options.client, script, keys, args.map(String));
  }

  /** A client without a connection may queue commands for ever. */
  #inTime(running: Promise<unknown>, onLate?: (value: unknown) => void): Promise<unknown> {
    const { timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      let late = false;
      const stop = startTimer(timeoutMs, () => {
        late = true;
        reject(new Error(`no answer within ${timeoutMs} ms`));
      });
      running.then(
        value => {
          stop();
          if (late) onLate?.(value);
          else resolve(value);
        },
        error => {
          stop();
          reject(error);
        },
      );
    });
  }
}

/** The braces keep the keys of a bucket on one node of a cluster. */
async function prefixOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest).subarray(0, 16), byte => byte.toString(16).padStart(2, '0'));
  return `container-tracking-sdk:{${hex.join('')}}`;
}
