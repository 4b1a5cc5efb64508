import { ConfigurationError } from '../errors.ts';
import { type DeadNotification, type HandlingPolicy, handleClaim } from './handle-claim.ts';
import type { Claim, Inbox } from './inbox.ts';
import { messageOf, type WebhookLogger } from './log.ts';
import type { ParseOptions } from './parse.ts';
import type { Router } from './router.ts';

export interface HandlingOptions extends ParseOptions {
  /** How long an entry belongs to a worker that does not answer, in ms. Renewed while the handler runs. @default 30_000 */
  leaseMs?: number | undefined;
  /** Attempts before a notification becomes a dead letter, the first included. @default 20, about two hours */
  maxAttempts?: number | undefined;
  /** Wait before the second attempt, in ms. It doubles with each further one. @default 1_000 */
  minDelay?: number | undefined;
  /** The longest wait between two attempts, in ms. @default 600_000 */
  maxDelay?: number | undefined;
  /** How often an empty inbox is asked, in ms. @default 500 */
  pollMs?: number | undefined;
  /** Told of each notification that is given up, so that somebody looks at it. */
  onDead?: ((death: DeadNotification) => unknown) | undefined;
  /** @default console */
  logger?: false | WebhookLogger | undefined;
}

export interface WorkerOptions extends HandlingOptions {
  inbox: Pick<Inbox, 'claim' | 'renew' | 'done' | 'fail'>;
  router: Pick<Router, 'handle'>;
  /** Notifications handled at a time, never two of the same group. @default 8 */
  concurrency?: number | undefined;
}

export interface Worker {
  start(): Worker;
  /** Takes nothing more, and resolves when the handlers under way have ended and what was taken is settled. */
  stop(): Promise<void>;
}

/**
 * Handles what an inbox holds: each notification at least once, those of one container one after another in the order of
 * their events. A handler that throws gets another attempt after a back-off, while the rest of its container waits.
 *
 * @throws {ConfigurationError} for a `concurrency`, a `leaseMs` or `maxAttempts` below 1.
 * @example
 * const worker = createWorker({ inbox, router, onDead: death => alert(death) }).start();
 * process.once('SIGTERM', () => worker.stop());
 */
export function createWorker(options: WorkerOptions): Worker {
  const { inbox, router, concurrency = 8, pollMs = 500, logger = console } = options;
  const { leaseMs = 30_000, maxAttempts = 20, minDelay = 1000, maxDelay = 600_000 } = options;
  const { schema, onDead } = options;
  const log = logger || undefined;
  const policy: HandlingPolicy = { leaseMs, maxAttempts, minDelay, maxDelay, schema, onDead, logger: log };
  if (!(concurrency >= 1 && leaseMs >= 1 && maxAttempts >= 1)) {
    throw new ConfigurationError('concurrency, leaseMs and maxAttempts begin at 1.');
  }
  let running: Promise<void> | undefined;
  let stopping = false;
  let active = 0;
  let settled = 0;
  let wake = () => {};

  return {
    start() {
      running ??= run();
      return this;
    },
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!stopping) {
      const before = settled;
      const claims = await claim(concurrency - active);
      for (const taken of claims) void settle(taken);
      // What settled in the meantime may have made the next of its group due.
      const nothing = claims.length === 0 && settled === before;
      if (!stopping && (nothing || active >= concurrency)) await pause();
    }
    while (active > 0) await pause();
  }

  async function claim(limit: number): Promise<Claim[]> {
    try {
      return await inbox.claim({ limit, leaseMs });
    } catch (error) {
      log?.error(`The inbox failed: ${messageOf(error)}`);
      return [];
    }
  }

  async function settle(taken: Claim): Promise<void> {
    active += 1;
    try {
      await handleClaim(inbox, taken, async (notification, context) => router.handle(notification, context), policy);
    } catch (error) {
      // Unless it was settled before, its lease runs out and it is handled again.
      log?.error(`${taken.entry.id}: ${messageOf(error)}`);
    }
    active -= 1;
    settled += 1;
    wake();
  }

  /** Until something settles, or it is time to ask the inbox again. */
  function pause(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
