import { describeValue } from '../../internal/arguments.ts';
import { isReady, newerFormat, type RedisClient, runScript, warnOfEviction } from '../../internal/redis.ts';
import { startStopwatch, startTimer } from '../../internal/signal.ts';
import { BUCKET_NAMES, type BucketName, perBucket } from '../limiter.ts';
import { EXCHANGE, PROBE, WINDOW_FORMAT } from './exchange-script.ts';
import { PRACTICALLY_UNLIMITED } from './local-budget.ts';

export interface SharedWindowOptions {
  client: RedisClient;
  key: string;
  limits: Readonly<Record<BucketName, number>>;
  /** Length of the window and its margin, in ms. */
  cycleMs: number;
  leaseMs: number;
  timeoutMs: number;
  /** True if a call waits or is in flight. */
  isBusy(): boolean;
  /** True if a call of the bucket waits. A request to Redis is then sent soon anyway. */
  isWaiting(bucket: BucketName): boolean;
  warn(message: string): void;
}

/** A slot that Redis granted. */
export interface Grant {
  id: string;
  /** Time from which the slot may be used. */
  readyAt: number;
  /**
   * True if the slot is too old: this process was suspended, and Redis grants the slot to another process.
   */
  isStale(): boolean;
}

export interface Answer {
  grants: Grant[];
  /** If no slot was granted: the wait before the next request to Redis, in ms. */
  waitMs: number;
  /** Time in ms for which a 429 in any process keeps the bucket closed. */
  closedMs: number;
  /** True if Redis has lost its data. */
  isLost: boolean;
}

interface Entry {
  readonly backAt: number;
  isReported: boolean;
  /** Time at which the request that uses the slot should have ended. Absent after the slot was given back. */
  readonly leaseEndsAt?: number;
}

interface Keys {
  epoch: string;
  turns: number;
  askedAt: number;
}

/** Time in ms for which changes are collected before they are reported to Redis. */
const REPORT_DELAY_MS = 10;
/**
 * A process counts as silent after some time without a message. If it has something to send, it sends its next message
 * after this part of that time.
 */
const BEAT = 0.8;
/** Prefix of the ids of slots that were taken without Redis. */
const ALONE = 'alone:';

/**
 * The log of taken slots, with a copy of the slots of this process. All processes share the log. The next exchange
 * reports all changes that Redis has not received or has lost. Methods reject when Redis fails or is slow.
 */
export class SharedWindow {
  /** This process's part of the budget, from 0 to 1, as Redis last reported it; `undefined` before the first response. */
  part: number | undefined;
  /** Time of the last message that Redis may have received. */
  lastSentAt = -Infinity;
  /** True if changes of the slots of this process are reported to Redis. */
  isOnline = true;
  /** After this time in ms without a message from a process, Redis reserves the part of this process. */
  readonly silenceMs: number;
  /** Redis may grant a slot to the next call up to this time in ms before the slot becomes free. */
  readonly horizonMs: number;
  /** Upper bound in ms for a response of Redis. */
  readonly timeoutMs: number;
  readonly #options: SharedWindowOptions;
  /**
   * A slot may be used up to this time in ms after its `readyAt`. Redis keeps the slot for the time of a lease, and the
   * request uses the rest of this time. This time is at least as long as a response of Redis may take.
   */
  readonly #freshMs: number;
  readonly #ledger = perBucket(() => new Map<string, Entry>());
  readonly #closedUntil = perBucket(() => -Infinity);
  readonly #keys = new Map<BucketName, Keys>();
  /** Time at which the collected changes of a bucket are reported. */
  readonly #reportAt = new Map<BucketName, number>();
  /** While Redis is not available: the next time at which the free slots are removed from the ledger. */
  #forgetAt = -Infinity;
  #willBeat = false;
  #prefix: Promise<string> | undefined;
  #process: string | undefined;
  /**
   * Time in ms by which the clock of Redis is ahead of the clock of this process. This is a lower bound, because the
   * response took some time.
   */
  #clockAhead: number | undefined;

  constructor(options: SharedWindowOptions) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs;
    this.silenceMs = Math.ceil(Math.min(options.cycleMs / 2, 4000));
    this.horizonMs = Math.floor(Math.min(options.cycleMs / 4, 2000));
    this.#freshMs = Math.max(options.timeoutMs, Math.min(options.leaseMs, options.cycleMs) / 2);
  }

  ask(bucket: BucketName, requested: number): Promise<Answer> {
    return this.#exchange(bucket, requested);
  }

  /** Records a slot that was taken without Redis. */
  takeAlone(bucket: BucketName): string {
    const [id, now] = [`${ALONE}${crypto.randomUUID()}`, performance.now()];
    if (now >= this.#forgetAt) {
      for (const name of BUCKET_NAMES) this.#forget(name, now);
      this.#forgetAt = now + this.#options.cycleMs;
    }
    this.#hold(bucket, id, now, false);
    return id;
  }

  /** Reports that the slot becomes free after `backMs` ms. 0 means that the slot is free now. */
  settle(bucket: BucketName, id: string, backMs: number): void {
    this.#ledger[bucket].set(id, { backAt: backMs > 0 ? performance.now() + backMs : 0, isReported: false });
    const { isWaiting, cycleMs } = this.#options;
    this.#reportIn(bucket, backMs > 0 && isWaiting(bucket) ? cycleMs / 5 : REPORT_DELAY_MS);
  }

  /** Reports a 429 to the other processes. */
  close(bucket: BucketName, forMs: number): void {
    this.#closedUntil[bucket] = Math.max(this.#closedUntil[bucket], performance.now() + forMs);
    this.#reportIn(bucket, REPORT_DELAY_MS);
  }

  /** Resolves if Redis responds. Changes nothing in Redis. */
  async probe(): Promise<void> {
    await this.#inTime(runScript(this.#options.client, PROBE, [await this.#key('processes')], []));
  }

  /** Reports all slots of this process to Redis. Resolves to true if Redis had lost its data. */
  async reportAll(): Promise<boolean> {
    let isLost = false;
    const used = BUCKET_NAMES.filter(bucket => this.#ledger[bucket].size > 0 || this.#keys.has(bucket));
    for (const bucket of used.length > 0 ? used : BUCKET_NAMES.slice(0, 1)) {
      const ledger = this.#ledger[bucket];
      for (const [id, entry] of ledger) ledger.set(id, { ...entry, isReported: false });
      const answer = await this.#exchange(bucket, 0);
      isLost ||= answer.isLost;
    }
    return isLost;
  }

  #reportIn(bucket: BucketName, ms: number): void {
    const reportAt = performance.now() + ms;
    if (!this.isOnline || (this.#reportAt.get(bucket) ?? Infinity) <= reportAt) return;
    this.#reportAt.set(bucket, reportAt);
    setTimeout(() => {
      if (this.#reportAt.get(bucket) === reportAt) this.#reportAt.delete(bucket);
      const hasUnreported = [...this.#ledger[bucket].values()].some(({ isReported }) => !isReported);
      const hasNews = hasUnreported || this.#closedUntil[bucket] > performance.now();
      // Otherwise an exchange has already reported the changes.
      if (this.isOnline && hasNews) this.#exchange(bucket, 0).catch(() => {});
    }, ms);
  }

  /** A process sends messages while it waits or has a request in flight. Otherwise Redis would reserve its part. */
  #beatIn(ms: number): void {
    const { isBusy, isWaiting } = this.#options;
    if (this.#willBeat || !isBusy()) return;
    this.#willBeat = true;
    const timer: { unref?: () => void } | number = setTimeout(() => {
      this.#willBeat = false;
      const leftMs = this.lastSentAt + BEAT * this.silenceMs - performance.now();
      if (!this.isOnline || !isBusy()) return;
      if (leftMs > 1) return this.#beatIn(leftMs);
      const buckets = [...this.#keys.keys()];
      // A message without a request for slots would end the wait of the process in the line of a bucket.
      const quiet = buckets.find(name => !isWaiting(name)) ?? buckets[0];
      if (quiet) this.#exchange(quiet, 0).catch(() => {});
    }, ms);
    if (typeof timer === 'object') timer.unref?.();
  }

  async #exchange(bucket: BucketName, requested: number): Promise<Answer> {
    const { limits, cycleMs, leaseMs, isBusy } = this.#options;
    this.#process ??= crypto.randomUUID();
    const names = ['log', 'state', 'line'].map(part => `${bucket}:${part}`);
    const keys = await Promise.all([...names, 'processes', 'working', 'server'].map(name => this.#key(name)));
    const sentAt = performance.now();
    const elapsed = startStopwatch();
    const previouslySentAt = this.lastSentAt;
    // Redis has no message from this process, and reserves no part for it. So this process need not pause after a failure.
    const isUnheard = this.part === undefined && !isReady(this.#options.client);
    const reported = this.#unreported(bucket, sentAt);
    const known = this.#known(bucket, sentAt);
    const args = [
      ...[Math.min(limits[bucket], PRACTICALLY_UNLIMITED), Math.ceil(cycleMs), leaseMs, this.horizonMs, this.silenceMs],
      ...[this.#process, this.#clockAhead === undefined ? '' : Math.floor(sentAt + this.#clockAhead)],
      ...[known?.epoch ?? '', known?.turns ?? 0, requested, isBusy() ? 1 : 0],
      ...[Math.max(0, Math.ceil(this.#closedUntil[bucket] - sentAt)) || 0],
      ...reported.flatMap(([id, { backAt }]) => [id, Math.max(0, Math.ceil(backAt - sentAt))]),
    ];
    this.lastSentAt = sentAt;
    const running = runScript(this.#options.client, EXCHANGE, keys, args.map(String));
    // If Redis grants slots too late, the call has already continued without them, so the slots are given back.
    const reply = await this.#inTime(running, late => {
      if (!Array.isArray(late)) return;
      for (const [id] of grantsOf(late)) this.settle(bucket, id, 0);
    }).catch(error => {
      if ((isUnheard || isRefusal(error)) && this.lastSentAt === sentAt) this.lastSentAt = previouslySentAt;
      if (!isUnheard) throw error;
      const hint = 'its client is not connected: wait for connect(), and check the address';
      throw new Error(`${hint}; ${error instanceof Error ? error.message : error}`, { cause: error });
    });
    if (!Array.isArray(reply)) throw new Error(`its response to a script is ${describeValue(reply)}`);
    if (reply[0] === 'format') throw newerFormat('rate limit', reply[1], WINDOW_FORMAT);
    if (this.part === undefined) {
      void warnOfEviction(this.#options.client, keys[0] ?? '', 'slots that are in use', this.#options.warn);
    }
    this.#beatIn(BEAT * this.silenceMs);
    return this.#applyReply(bucket, reply, sentAt, elapsed, reported);
  }

  #applyReply(
    bucket: BucketName,
    reply: unknown[],
    sentAt: number,
    elapsed: () => number,
    reported: [string, Entry][],
  ): Answer {
    const now = performance.now();
    const [redisNow, epoch, turns, part, , closedMs, isLost, waitMs] = reply;
    const ledger = this.#ledger[bucket];
    this.#clockAhead = Number(redisNow) - now;
    this.#keys.set(bucket, { epoch: String(epoch), turns: Number(turns), askedAt: sentAt });
    // After Redis has lost its keys, it does not know the other processes yet.
    this.part = isLost === 1 ? Math.min(Number(part), this.part ?? 1) : Number(part);
    for (const [id, entry] of reported) {
      entry.isReported = true;
      if (entry.backAt <= now && ledger.get(id) === entry) ledger.delete(id);
    }
    const grants = grantsOf(reply).map(([id, delayMs]) => ({
      id,
      readyAt: now + delayMs,
      isStale: () => elapsed() > delayMs + this.#freshMs,
    }));
    for (const { id, readyAt } of grants) this.#hold(bucket, id, readyAt, true);
    return { grants, waitMs: Number(waitMs), closedMs: Number(closedMs), isLost: isLost === 1 };
  }

  #hold(bucket: BucketName, id: string, from: number, isReported: boolean): void {
    const { leaseMs, cycleMs } = this.#options;
    const leaseEndsAt = from + leaseMs;
    this.#ledger[bucket].set(id, { backAt: leaseEndsAt + cycleMs, isReported, leaseEndsAt });
  }

  #unreported(bucket: BucketName, now: number): [string, Entry][] {
    const ledger = this.#ledger[bucket];
    for (const [id, { leaseEndsAt = now }] of ledger) {
      // The request took longer than the lease. This process was suspended, and may send the rest of the request only
      // now.
      if (leaseEndsAt < now) ledger.set(id, { backAt: now + this.#options.cycleMs, isReported: false });
    }
    this.#forget(bucket, now);
    return [...ledger].filter(([, { isReported }]) => !isReported);
  }

  /**
   * Forgets the slots that are free again and need not be reported to Redis. In an outage, these include the slots that
   * were taken without Redis, because Redis never counted them. Otherwise their number would grow throughout the
   * outage.
   */
  #forget(bucket: BucketName, now: number): void {
    const ledger = this.#ledger[bucket];
    for (const [id, { backAt, isReported }] of ledger) {
      if (backAt <= now && (isReported || (!this.isOnline && id.startsWith(ALONE)))) ledger.delete(id);
    }
  }

  /**
   * The last state of the keys that this process saw; `undefined` after a long idle time. The keys expire after three
   * times the length of a lease and a window. If the keys have expired, Redis has not lost data.
   */
  #known(bucket: BucketName, now: number): Keys | undefined {
    const { cycleMs, leaseMs } = this.#options;
    const known = this.#keys.get(bucket);
    return known && now < known.askedAt + 2 * (leaseMs + cycleMs) ? known : undefined;
  }

  async #key(name: string): Promise<string> {
    this.#prefix ??= prefixOf(this.#options.key);
    return `${await this.#prefix}:${name}`;
  }

  /** Rejects after a time limit, because a client without a connection may queue commands forever. */
  #inTime(running: Promise<unknown>, onLate?: (value: unknown) => void): Promise<unknown> {
    const { timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      let late = false;
      let stop: () => void;
      const start = () => {
        const startedAt = performance.now();
        stop = startTimer(timeoutMs, () => {
          // This process was suspended meanwhile, so the response may have arrived without being read.
          if (performance.now() > startedAt + 2 * timeoutMs) return start();
          late = true;
          reject(new Error(`no response within ${timeoutMs} ms`));
        });
      };
      start();
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

/** The id of each granted slot, and the ms until it may be used. */
function grantsOf(reply: unknown[]): [string, number][] {
  const grants: [string, number][] = [];
  for (let i = 8; i + 1 < reply.length; i += 2) grants.push([String(reply[i]), Number(reply[i + 1])]);
  return grants;
}

/** True if Redis refused the command (READONLY, OOM, LOADING). After other errors, Redis may still run the command. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^-?[A-Z]{2,} /.test(error.message);
}

/** The braces are a hash tag: they keep all keys on one node of a cluster. */
async function prefixOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest).subarray(0, 16), byte => byte.toString(16).padStart(2, '0'));
  return `container-tracking-sdk:{${hex.join('')}}`;
}
