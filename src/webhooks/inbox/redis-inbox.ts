import { objectArgument, optionalFunction } from '../../internal/arguments.ts';
import { consoleLogger } from '../../internal/console-logger.ts';
import {
  newerFormat,
  type RedisClient,
  RedisScripts,
  redisClient,
  subscribeTo,
  warnOfEviction,
} from '../../internal/redis.ts';
import { fromBase64 } from '../verify/signature.ts';
import { type Streaming, type StreamOptions, stream } from '../work/stream.ts';
import { Batches } from './batches.ts';
import {
  type Claim,
  type ClaimOptions,
  type DeadLetter,
  type FailOptions,
  type Inbox,
  type InboxEntry,
  type InboxStats,
  type RetentionOptions,
  retentionOf,
} from './inbox.ts';
import {
  BEGIN,
  CLAIM,
  DEAD_LETTERS,
  DONE,
  FAIL,
  HAS,
  INBOX_FORMAT,
  PUT,
  RENEW,
  REPAIR,
  REPAIRED,
  REVIVE,
  STATS,
} from './redis-scripts.ts';
import { Subscribers } from './subscribers.ts';
import { attemptOf, begunOf, uncounted } from './suspicion.ts';

/** Options of {@link redisInbox}. */
export interface RedisInboxOptions extends RetentionOptions {
  /** A connected client of the package `redis` (4 to 6) or `ioredis` (5, 6). */
  client: RedisClient;
  /** Name of the inbox, if one Redis has several inboxes. @default 'default' */
  key?: string | undefined;
  /**
   * Called when Redis has lost data, when lost data was repaired, and if Redis may drop entries when it is full.
   * @default the logger of the worker, or `console.warn` without a worker
   */
  warn?: ((message: string) => void) | undefined;
}

/**
 * An inbox in Redis, for receivers and workers on several machines. It is only as durable as Redis: run Redis with
 * `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`. While a worker runs, a duplicate of the client listens
 * for stored deliveries.
 *
 * @throws {ConfigurationError} if `client` is not a client of `redis` or `ioredis`, for an unknown option, and for a
 * `retentionMs` that is not valid. The methods of the inbox reject with this error if a newer version of this package
 * has created the keys.
 * @example
 * const redis = await createClient({ url }).connect();
 * const receiver = createReceiver({ secrets, inbox: redisInbox({ client: redis }) });
 */
export function redisInbox(options: RedisInboxOptions): Inbox & Streaming {
  return new RedisInbox(options);
}

class RedisInbox implements Inbox, Streaming {
  readonly #client: RedisClient;
  readonly #scripts: RedisScripts;
  readonly #base: string;
  readonly #retentionMs: number;
  readonly #warn: ((message: string) => void) | undefined;
  /** Name of the channel of {@link PUT}. It does not include a prefix that a client adds to keys. */
  readonly #channel: string;
  readonly #subscribers: Subscribers;
  readonly #ends = new Batches(
    (claims: Claim[]) => this.#end(claims),
    () => false,
  );
  #isChecked = false;
  #repairing: Promise<void> | undefined;
  /** The error of the last repair. Each claim tries the repair again, but must not log the same error each time. */
  #failure: string | undefined;

  constructor(options: RedisInboxOptions) {
    const { client, key = 'default', warn } = objectArgument('redisInbox', options, '{ client }');
    this.#client = redisClient('client', client);
    this.#scripts = new RedisScripts(client);
    this.#base = `container-tracking-sdk:{inbox:${key}}`;
    this.#channel = `${this.#base}:stored`;
    this.#subscribers = new Subscribers(wake => subscribeTo(client, this.#channel, wake));
    this.#warn = optionalFunction('warn', warn);
    this.#retentionMs = retentionOf('redisInbox', options, ['client', 'key', 'warn']);
  }

  async put({ id, event, group, order, body, receivedAt, poison }: InboxEntry): Promise<'stored' | 'duplicate'> {
    const args = [id, event, group, order, toBase64(body), receivedAt, this.#channel];
    // The receiver acknowledges a delivery only for these two results.
    return (await this.#run(PUT, poison === undefined ? args : [...args, poison])) as 'stored' | 'duplicate';
  }

  async claim({ limit, leaseMs, except = [], begins = false, warn: warnWorker }: ClaimOptions): Promise<Claim[]> {
    const lease = crypto.randomUUID();
    const warn = this.#warn ?? warnWorker ?? consoleLogger.warn;
    const reply = await this.#run(CLAIM, [limit, leaseMs, lease, Number(begins), ...except]);
    const [rows, lost, empty, isIncomplete] = reply as [string[][], string[], string[], number];
    for (const id of empty) warn(`Redis has lost the content of the notification ${JSON.stringify(id)}.`);
    if (lost.length > 0 || isIncomplete === 1) {
      this.#repairing ??= this.#repair(lost, leaseMs, warn).finally(() => (this.#repairing = undefined));
    }
    return rows.map(([fence, id = '', event = '', group = '', order = '', body = '', receivedAt, ...counts]) => ({
      entry: { id, event, group, order, body: fromBase64(body), receivedAt: Number(receivedAt) },
      ...attemptOf({ attempts: Number(counts[0]), suspicion: Number(counts[1]) }, begins),
      lease,
      fence: Number(fence),
    }));
  }

  async begin(claim: Claim): Promise<boolean> {
    const { entry, lease, attempt, begunAlone } = claim;
    if (begunAlone === undefined) return true;
    return (await this.#run(BEGIN, [entry.group, lease, entry.id, attempt, begunOf(claim)])) === 1;
  }

  async renew({ entry, lease }: Claim, { leaseMs }: { leaseMs: number }): Promise<boolean> {
    return (await this.#run(RENEW, [entry.group, lease, leaseMs])) === 1;
  }

  async done(claim: Claim): Promise<boolean> {
    const result = await this.#ends.call(claim);
    if (typeof result === 'string') throw new Error(result);
    return result === 1;
  }

  /** Returns 1 for each claim, 0 if its entry was claimed again, or the text of an error. */
  async #end(claims: Claim[]): Promise<(number | string)[]> {
    const retentionMs = Number.isSafeInteger(this.#retentionMs) ? this.#retentionMs : '';
    const args = claims.flatMap(({ entry, lease }) => [entry.group, lease, entry.id]);
    return (await this.#run(DONE, [retentionMs, ...args])) as (number | string)[];
  }

  async fail(claim: Claim, { error, retryInMs, isAttempt }: FailOptions): Promise<boolean> {
    const args = [claim.entry.group, claim.lease, claim.entry.id, error];
    if (retryInMs === undefined) return (await this.#run(FAIL, args)) === 1;
    const fewer = uncounted(claim, isAttempt);
    return (await this.#run(FAIL, [...args, Math.ceil(retryInMs), ...(fewer === undefined ? [] : [-fewer])])) === 1;
  }

  async has(id: string): Promise<boolean> {
    return (await this.#run(HAS, [id])) === 1;
  }

  async deadLetters({ limit = 100 }: { limit?: number | undefined } = {}): Promise<DeadLetter[]> {
    const rows = (await this.#run(DEAD_LETTERS, [limit])) as string[][];
    return rows.map(([id = '', event = '', body = '', attempts, error = '', diedAt]) => ({
      id,
      event,
      body: fromBase64(body),
      attempts: Number(attempts),
      error,
      diedAt: Number(diedAt),
    }));
  }

  async revive(id: string): Promise<boolean> {
    return (await this.#run(REVIVE, [id, this.#channel])) === 1;
  }

  subscribe(wake: () => void): () => void {
    return this.#subscribers.add(wake);
  }

  /**
   * Counts in several steps, so that Redis is never blocked for long. The count may miss a group that is added or
   * removed meanwhile.
   */
  async stats(): Promise<InboxStats> {
    const stats = { open: 0, dead: 0 };
    let cursor = '0';
    do {
      const [next, open, dead] = (await this.#run(STATS, [cursor])) as [string, number, number];
      cursor = String(next);
      stats.open += open;
      stats.dead = dead;
    } while (cursor !== '0');
    return stats;
  }

  stream(options?: StreamOptions) {
    return stream(this, options);
  }

  /** Scans all keys of Redis, a thousand at a time: after a loss, only the entries themselves show their groups. */
  async #repair(lost: string[], leaseMs: number, warn: (message: string) => void): Promise<void> {
    let [groups, letters] = [0, 0];
    try {
      let cursor = '0';
      do {
        const reply = await this.#run(REPAIR, [cursor, leaseMs]);
        const [next, newGroups, newLetters] = reply as [string, number, number];
        cursor = String(next);
        groups += newGroups;
        letters += newLetters;
      } while (cursor !== '0');
      await this.#run(REPAIRED, lost);
      this.#failure = undefined;
      const names = lost.map(group => JSON.stringify(group)).join(', ');
      if (names) warn(`Redis has lost the order of the notifications of ${names}. ${RESTORED}.`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== this.#failure)
        warn(`Redis could not be searched for notifications that are missing in its lists: ${why}`);
      this.#failure = why;
    }
    if (groups > 0) warn(`Redis has lost the list of the groups. ${RESTORED}: ${groups}.`);
    if (letters > 0) warn(`Redis has lost the list of the dead letters. ${RESTORED}: ${letters}.`);
  }

  async #run(script: string, args: (string | number)[]): Promise<unknown> {
    if (!this.#isChecked) {
      this.#isChecked = true;
      void warnOfEviction(
        this.#client,
        this.#base,
        'notifications that nobody has handled',
        this.#warn ?? consoleLogger.warn,
      );
    }
    const reply = await this.#scripts.run(script, [this.#base], args.map(String));
    if (Array.isArray(reply) && reply[0] === 'format') throw newerFormat('inbox', reply[1], INBOX_FORMAT);
    return reply;
  }
}

const RESTORED = 'Restored from the entries that are left';

/** Both clients decode responses as text, but a body may contain any bytes. */
function toBase64(bytes: Uint8Array): string {
  let text = '';
  // This is done in chunks, because the number of arguments is limited. `apply` is six times as fast as spreading.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + CHUNK) as unknown as number[]);
  }
  return btoa(text);
}

const CHUNK = 0x2000;
