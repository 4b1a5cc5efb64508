import { describeValue } from '../internal/arguments.ts';
import { startTimer } from '../internal/signal.ts';
import { BUCKET_NAMES, perBucket } from '../rate-limit/buckets.ts';
import type { BucketName } from '../rate-limit/limiter.ts';
import { type RedisClient, runScript } from './client.ts';
import { warnOfEviction } from './eviction.ts';
import { PRACTICALLY_UNLIMITED } from './share.ts';
import { EXCHANGE, PROBE } from './window-scripts.ts';

export interface SharedWindowOptions {
  client: RedisClient;
  key: string;
  limits: Readonly<Record<BucketName, number>>;
  /** Window and margin, in ms. */
  cycleMs: number;
  leaseMs: number;
  timeoutMs: number;
  /** Whether a call waits or is under way. */
  isBusy(): boolean;
  /** Whether a call of the bucket waits, so that Redis will be asked before long. */
  isWaiting(bucket: BucketName): boolean;
  warn(message: string): void;
}

/** A slot that Redis gave. */
export interface Grant {
  id: string;
  /** When it may be used. */
  readyAt: number;
}

export interface Answer {
  grants: Grant[];
  /** How long to wait before asking again, where there are none. */
  waitMs: number;
  /** How long the bucket stays closed after a 429 that some process got. */
  closedMs: number;
  /** Redis does not know what it knew before. */
  isLost: boolean;
}

interface Entry {
  readonly backAt: number;
  isReported: boolean;
}

interface Keys {
  epoch: string;
  turns: number;
  askedAt: number;
}

/** How long to gather what Redis is to be told, in ms. */
const REPORT_DELAY_MS = 10;

/**
 * The log of taken slots that all processes share, and a copy of what this process has in it: what Redis could not be
 * told, or has lost, it is told with the next exchange. Rejects when Redis fails or is slow.
 */
export class SharedWindow {
  /** This process's part of the budget as Redis told last, from 0 to 1; nothing before. */
  part: number | undefined;
  /** When something was sent last that Redis may have heard. */
  lastSentAt = Number.NEGATIVE_INFINITY;
  /** Whether what this process holds is told as it changes. */
  isOnline = true;
  /** How long a process may be silent before its part is set aside, in ms. */
  readonly silenceMs: number;
  /** How long before it comes back a slot may be given to the next one, in ms. */
  readonly horizonMs: number;
  readonly #options: SharedWindowOptions;
  readonly #ledger = perBucket(() => new Map<string, Entry>());
  readonly #closedUntil = perBucket(() => Number.NEGATIVE_INFINITY);
  readonly #keys = new Map<BucketName, Keys>();
  /** When what is gathered is told. */
  readonly #reportAt = new Map<BucketName, number>();
  #prefix: Promise<string> | undefined;
  #process: string | undefined;
  /** Of Redis's clock before this one's: at least, since the answer took its time. */
  #clockAhead: number | undefined;

  constructor(options: SharedWindowOptions) {
    this.#options = options;
    this.silenceMs = Math.ceil(options.cycleMs / 2);
    this.horizonMs = Math.floor(Math.min(options.cycleMs / 4, 2000));
  }

  ask(bucket: BucketName, requested: number): Promise<Answer> {
    return this.#exchange(bucket, requested);
  }

  /** Notes a slot that was taken without asking. */
  takeAlone(bucket: BucketName): string {
    const id = `alone:${crypto.randomUUID()}`;
    this.#hold(bucket, id, performance.now(), false);
    return id;
  }

  /** The slot comes back in so many ms; at once with 0. */
  settle(bucket: BucketName, id: string, backMs: number): void {
    this.#ledger[bucket].set(id, { backAt: backMs > 0 ? performance.now() + backMs : 0, isReported: false });
    const { isWaiting, cycleMs } = this.#options;
    this.#reportIn(bucket, backMs > 0 && isWaiting(bucket) ? cycleMs / 5 : REPORT_DELAY_MS);
  }

  /** The other processes hear of a 429. */
  close(bucket: BucketName, forMs: number): void {
    this.#closedUntil[bucket] = Math.max(this.#closedUntil[bucket], performance.now() + forMs);
    this.#reportIn(bucket, REPORT_DELAY_MS);
  }

  /** Resolves if Redis answers, which changes nothing there. */
  async probe(): Promise<void> {
    await this.#inTime(runScript(this.#options.client, PROBE, [await this.#key('processes')], []));
  }

  /** Tells Redis all that this process holds. True if Redis had lost what it knew before. */
  async reportAll(): Promise<boolean> {
    let isLost = false;
    const used = BUCKET_NAMES.filter(bucket => this.#ledger[bucket].size > 0 || this.#keys.has(bucket));
    for (const bucket of used.length > 0 ? used : BUCKET_NAMES.slice(0, 1)) {
      const ledger = this.#ledger[bucket];
      for (const [id, { backAt }] of ledger) ledger.set(id, { backAt, isReported: false });
      const answer = await this.#exchange(bucket, 0);
      isLost ||= answer.isLost;
    }
    return isLost;
  }

  #reportIn(bucket: BucketName, ms: number): void {
    const reportAt = performance.now() + ms;
    if (!this.isOnline || (this.#reportAt.get(bucket) ?? Number.POSITIVE_INFINITY) <= reportAt) return;
    this.#reportAt.set(bucket, reportAt);
    setTimeout(() => {
      if (this.#reportAt.get(bucket) === reportAt) this.#reportAt.delete(bucket);
      const hasUnreported = [...this.#ledger[bucket].values()].some(({ isReported }) => !isReported);
      const hasNews = hasUnreported || this.#closedUntil[bucket] > performance.now();
      // Otherwise the next one who asks tells it.
      if (this.isOnline && hasNews) this.#exchange(bucket, 0).catch(() => {});
    }, ms);
  }

  async #exchange(bucket: BucketName, requested: number): Promise<Answer> {
    const { limits, cycleMs, leaseMs, isBusy } = this.#options;
    this.#process ??= crypto.randomUUID();
    const names = ['log', 'state', 'line'].map(part => `${bucket}:${part}`);
    const keys = await Promise.all([...names, 'processes', 'working'].map(name => this.#key(name)));
    const sentAt = performance.now();
    const previouslySentAt = this.lastSentAt;
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
    // Redis did it after all, for a call that has gone on without.
    const reply = await this.#inTime(running, late => {
      if (!Array.isArray(late)) return;
      for (const { id } of grantsOf(late, 0)) this.settle(bucket, id, 0);
    }).catch(error => {
      if (isRefusal(error) && this.lastSentAt === sentAt) this.lastSentAt = previouslySentAt;
      throw error;
    });
    if (!Array.isArray(reply)) throw new Error(`its answer to a script is ${describeValue(reply)}`);
    if (this.part === undefined) {
      void warnOfEviction(this.#options.client, keys[0] ?? '', 'slots that are in use', this.#options.warn);
    }
    return this.#applyReply(bucket, reply, sentAt, reported);
  }

  #applyReply(bucket: BucketName, reply: unknown[], sentAt: number, reported: [string, Entry][]): Answer {
    const now = performance.now();
    const [redisNow, epoch, turns, part, , closedMs, isLost, waitMs] = reply;
    const ledger = this.#ledger[bucket];
    this.#clockAhead = Number(redisNow) - now;
    this.#keys.set(bucket, { epoch: String(epoch), turns: Number(turns), askedAt: sentAt });
    // A Redis that has lost its keys does not know the others yet.
    this.part = isLost === 1 ? Math.min(Number(part), this.part ?? 1) : Number(part);
    for (const [id, entry] of reported) {
      entry.isReported = true;
      if (entry.backAt <= now && ledger.get(id) === entry) ledger.delete(id);
    }
    const grants = grantsOf(reply, now);
    for (const { id, readyAt } of grants) this.#hold(bucket, id, readyAt, true);
    return { grants, waitMs: Number(waitMs), closedMs: Number(closedMs), isLost: isLost === 1 };
  }

  #hold(bucket: BucketName, id: string, from: number, isReported: boolean): void {
    const { leaseMs, cycleMs } = this.#options;
    this.#ledger[bucket].set(id, { backAt: from + leaseMs + cycleMs, isReported });
  }

  #unreported(bucket: BucketName, now: number): [string, Entry][] {
    const ledger = this.#ledger[bucket];
    for (const [id, { backAt, isReported }] of ledger) if (isReported && backAt <= now) ledger.delete(id);
    return [...ledger].filter(([, { isReported }]) => !isReported);
  }

  /** Nothing after a long idle time, when the keys may have expired: that is no loss. They last for three leases and windows. */
  #known(bucket: BucketName, now: number): Keys | undefined {
    const { cycleMs, leaseMs } = this.#options;
    const known = this.#keys.get(bucket);
    return known && now < known.askedAt + 2 * (leaseMs + cycleMs) ? known : undefined;
  }

  async #key(name: string): Promise<string> {
    this.#prefix ??= prefixOf(this.#options.key);
    return `${await this.#prefix}:${name}`;
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

function grantsOf(reply: unknown[], now: number): Grant[] {
  const grants: Grant[] = [];
  for (let i = 8; i + 1 < reply.length; i += 2) {
    grants.push({ id: String(reply[i]), readyAt: now + Number(reply[i + 1]) });
  }
  return grants;
}

/** Redis has answered, and done nothing: READONLY, OOM, LOADING. Otherwise it may have, or do so later. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^-?[A-Z]{2,} /.test(error.message);
}

/** The braces keep the keys on one node of a cluster. */
async function prefixOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest).subarray(0, 16), byte => byte.toString(16).padStart(2, '0'));
  return `container-tracking-sdk:{${hex.join('')}}`;
}
