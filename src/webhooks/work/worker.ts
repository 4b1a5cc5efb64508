import { ConfigurationError } from '../../errors.ts';
import { checkMethod, checkNumbers } from '../check-options.ts';
import type { Claim, Inbox } from '../inbox/inbox.ts';
import { quietly, report, type WebhookLogger } from '../log.ts';
import type { ParseOptions } from '../notification/parse.ts';
import { MAX_TIMER_MS, within } from '../time-limit.ts';
import { turn } from './event-loop-turn.ts';
import { type DeadNotification, handleClaim } from './handle-claim.ts';
import type { Router } from './router.ts';

/** How notifications are handled. */
export interface HandlingOptions extends ParseOptions {
  /**
   * How long an entry belongs to a worker that does not answer, in ms. Renewed while the handler runs. A process that was
   * paused for longer has lost it: the `signal` of its handler is aborted, and the result is discarded.
   * @default 30_000
   */
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
  /**
   * Hears of attempts that failed and of what is given up; `false` for silence.
   * @default console
   */
  logger?: false | WebhookLogger | undefined;
}

/** Options of {@link createWorker}. */
export interface WorkerOptions extends HandlingOptions {
  /** Where the notifications come from. */
  inbox: Pick<Inbox, 'claim' | 'renew' | 'done' | 'fail'>;
  /** What handles them. */
  router: Pick<Router, 'handle'>;
  /** Notifications handled at a time, never two of the same group. @default 8 */
  concurrency?: number | undefined;
  /**
   * How long a handler may take, in ms: one that never ends would keep its place for ever. Afterwards the attempt counts as
   * failed. Nothing can end the handler itself; its `signal` is aborted. Until it has ended it may run beside the next
   * attempt: see `fence` of `HandlerContext`. `Infinity` for none.
   * @default 300_000
   */
  handlerTimeoutMs?: number | undefined;
}

/** Options of {@link Worker.stop}. */
export interface StopOptions {
  /**
   * Resolve after this time at the latest, in ms, whatever is still in hand. If the process ends then, that comes again when
   * its lease is over.
   * @default none
   */
  timeoutMs?: number | undefined;
}

/** Handles what an inbox holds: see {@link createWorker}. */
export interface Worker {
  /**
   * Begins to handle what the inbox holds, and goes on until it is stopped.
   * @throws {ConfigurationError} once it was stopped.
   */
  start(): Worker;
  /** Takes nothing more, and resolves when the handlers under way have ended and what was taken is settled. */
  stop(options?: StopOptions): Promise<void>;
}

/**
 * Handles what an inbox holds: each notification at least once, those of one container one after another in the order of
 * their events. A handler that throws gets another attempt after a back-off, while the rest of its container waits.
 *
 * @throws {ConfigurationError} for an inbox or a router that is none, and for numbers below 1.
 * @example
 * const worker = createWorker({ inbox, router, onDead: death => alert(death) }).start();
 * process.once('SIGTERM', () => worker.stop({ timeoutMs: 20_000 }).then(() => process.exit()));
 */
export function createWorker(options: WorkerOptions): Worker {
  const {
    inbox,
    router,
    concurrency = 8,
    leaseMs = 30_000,
    pollMs = 500,
    handlerTimeoutMs = 300_000,
    maxAttempts = 20,
    minDelay = 1000,
    maxDelay = 600_000,
    logger = console,
  } = { ...options };
  checkMethod('inbox', inbox, 'claim');
  checkMethod('router', router, 'handle');
  if (options.schema) checkMethod('schema', options.schema, 'safeParse');
  checkNumbers({ concurrency, leaseMs, pollMs }, true);
  const limits = { handlerTimeoutMs, maxAttempts, minDelay, maxDelay };
  checkNumbers(limits);
  const handling = { ...options, ...limits, leaseMs, logger };
  let running: Promise<void> | undefined;
  let stopping = false;
  /** The groups of what is being handled: one claim of each. */
  const inHand = new Set<string>();
  let settled = 0;
  let wake = () => {};
  const warn = (message: string) => report(logger, 'warn', 'The inbox', message);

  return {
    start() {
      if (stopping) throw new ConfigurationError('The worker was stopped.');
      running ??= run();
      return this;
    },
    async stop({ timeoutMs = MAX_TIMER_MS } = {}) {
      stopping = true;
      wake();
      await quietly(() => within(timeoutMs, () => running));
    },
  };

  async function run(): Promise<void> {
    while (!stopping) {
      const before = settled;
      const claimed = await claim(concurrency - inHand.size);
      // A store and handlers without I/O would keep everything else waiting until the backlog is handled.
      await turn();
      // What settled in the meantime may have made the next of its group due.
      const nothing = claimed === 0 && settled === before;
      if (!stopping && (nothing || inHand.size >= concurrency)) await pause();
    }
    while (inHand.size > 0) await pause();
  }

  /** Begins to handle what the inbox gives, and tells how much that is. */
  async function claim(limit: number): Promise<number> {
    try {
      const claims = await inbox.claim({ limit, leaseMs, except: [...inHand], warn });
      for (const taken of claims) settle(taken, taken.entry.id, taken.entry.group);
      return claims.length;
    } catch (error) {
      report(logger, 'error', 'The inbox failed', error);
      return 0;
    }
  }

  async function settle(taken: Claim, id: string, group: string): Promise<void> {
    // An inbox that does not know `except` hands out again what it takes for abandoned.
    const isBusy = inHand.has(group);
    inHand.add(group);
    try {
      if (isBusy) await inbox.fail(taken, { error: 'Still in hand.', retryInMs: leaseMs });
      else await handleClaim(taken, handling);
    } catch (error) {
      // Unless it was settled before, its lease runs out and it is handled again.
      report(logger, 'error', id, error);
    }
    if (isBusy) return;
    inHand.delete(group);
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
