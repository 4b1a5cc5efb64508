import { ConfigurationError } from '../../errors.ts';
import { refuseUnknownNames } from '../../internal/arguments.ts';
import { consoleLogger } from '../../internal/console-logger.ts';
import { eventLoopTurn } from '../../internal/event-loop-turn.ts';
import { checkMethod, checkNumbers } from '../check-options.ts';
import type { Claim, Inbox } from '../inbox/inbox.ts';
import { ignoreErrors, report, type WebhookLogger } from '../log.ts';
import type { ParseOptions } from '../notification/parse.ts';
import { MAX_TIMER_MS, withTimeLimit } from '../time-limit.ts';
import { type DeadNotification, handleClaim, unused } from './handle-claim.ts';
import type { Router } from './router.ts';

/** The options for handling notifications. */
export interface HandlingOptions extends ParseOptions {
  /**
   * Time in ms for which a claimed notification belongs to this worker. While the handler runs, the lease is renewed
   * after each third of this time. If the process ends, is paused, or cannot reach the inbox for the whole time, another
   * worker may claim the notification. The `signal` of the handler is then aborted. If another worker has claimed the
   * notification, the result of the handler is ignored.
   *
   * A call of the inbox that takes longer than this counts as failed.
   * @default 30_000
   */
  leaseMs?: number | undefined;
  /** Number of attempts after which a notification becomes a dead letter. @default 20; they take one to two hours */
  maxAttempts?: number | undefined;
  /** Wait before the second attempt, in ms. Doubles with each further attempt. @default 1_000 */
  minDelay?: number | undefined;
  /** The longest wait between two attempts, in ms. @default 600_000 */
  maxDelay?: number | undefined;
  /**
   * Wait before an empty inbox is read again, in ms. An inbox with `subscribe` wakes the worker earlier, when a
   * notification is stored. Only this regular reading finds notifications that another worker has claimed but not
   * finished, because that worker ended or failed. While the inbox fails, this wait doubles, until it is 30 seconds
   * longer.
   * @default 500
   */
  pollMs?: number | undefined;
  /** Called with each notification that becomes a dead letter, so that a person can look at it. */
  onDead?: ((death: DeadNotification) => unknown) | undefined;
  /** Receives messages about failed attempts and failures of the inbox. `false` for no messages. @default console */
  logger?: false | WebhookLogger | undefined;
}

/** The compiler makes sure that no name is missing. */
export const HANDLING_OPTIONS: Record<keyof HandlingOptions, 1> = {
  schema: 1,
  leaseMs: 1,
  maxAttempts: 1,
  minDelay: 1,
  maxDelay: 1,
  pollMs: 1,
  onDead: 1,
  logger: 1,
};

/** Options of {@link createWorker}. */
export interface WorkerOptions extends HandlingOptions {
  /** The source of the notifications. */
  inbox: Pick<Inbox, 'claim' | 'begin' | 'renew' | 'done' | 'fail' | 'subscribe'>;
  /** The handlers. */
  router: Pick<Router, 'handle'>;
  /**
   * Upper bound for the number of notifications that are handled at the same time. Two notifications of the same
   * container are never handled at the same time. @default 8
   */
  concurrency?: number | undefined;
  /**
   * Upper bound in ms for a handler. After this time, its `signal` is aborted and the attempt counts as failed. A handler that
   * ignores the signal continues, and may still run during the next attempt: see `fence` of `HandlerContext`. `Infinity` for
   * no limit.
   * @default 300_000
   */
  handlerTimeoutMs?: number | undefined;
}

const OWN_OPTIONS: Record<Exclude<keyof WorkerOptions, keyof HandlingOptions>, 1> = {
  inbox: 1,
  router: 1,
  concurrency: 1,
  handlerTimeoutMs: 1,
};

/** Options of {@link Worker.stop}. */
export interface StopOptions {
  /**
   * Time in ms after which `stop()` resolves even if handlers still run. If the process then ends, the notifications of
   * these handlers are handled again when their leases have ended.
   * @default no limit
   */
  timeoutMs?: number | undefined;
}

/** Handles the notifications of an inbox: see {@link createWorker}. */
export interface Worker {
  /** Begins to handle notifications. @throws {ConfigurationError} after `stop()`. */
  start(): Worker;
  /** Stops claiming notifications. Resolves when all running handlers have ended and their results are stored. */
  stop(options?: StopOptions): Promise<void>;
}

/**
 * Handles the notifications of an inbox, each at least once. Notifications of one container are handled one after another,
 * in the order of their events. If a handler throws, it is called again after a back-off. Until then, the other notifications
 * of the container wait.
 *
 * @throws {ConfigurationError} if the inbox, the router or the schema lacks a method that the worker calls, for an unknown
 * option, and for a number below 1.
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
    logger = consoleLogger,
  } = { ...options };
  refuseUnknownNames('createWorker()', { ...options }, Object.keys({ ...OWN_OPTIONS, ...HANDLING_OPTIONS }));
  checkMethod('inbox', inbox, 'claim', 'sqliteInbox()');
  checkMethod('router', router, 'handle', 'createRouter()');
  if (options.schema) checkMethod('schema', options.schema, 'safeParse');
  checkNumbers({ concurrency, leaseMs, pollMs }, true);
  const limits = { handlerTimeoutMs, maxAttempts, minDelay, maxDelay };
  checkNumbers(limits);
  const handling = { ...options, ...limits, leaseMs, logger };
  let running: Promise<void> | undefined;
  let stopping = false;
  /** The groups of the claims that are not settled; each group has one claim. */
  const inHand = new Set<string>();
  /** The groups of those claims whose handlers are running. */
  const handled = new Set<string>();
  /**
   * Number of suspects among these claims. While there are suspects, nothing is claimed. `waiting` contains the suspects
   * that wait until no other handler runs.
   */
  let suspects = 0;
  const waiting: { attempt: number; begin(isTurn: boolean): void }[] = [];
  /** Timers that wake the worker when a failed entry is due again. */
  const retries = new Set<ReturnType<typeof setTimeout>>();
  /** Number of claims that have failed one after another. */
  let failures = 0;
  /** Counts the events after which an entry may be due, or another handler may run. */
  let signals = 0;
  let resume = () => {};
  const wake = () => {
    signals += 1;
    resume();
  };
  const warn = (message: unknown) => report(logger, 'warn', 'The inbox', message);

  return {
    start() {
      if (stopping) throw new ConfigurationError('The worker was stopped.');
      running ??= run();
      return this;
    },
    async stop({ timeoutMs = MAX_TIMER_MS } = {}) {
      stopping = true;
      nextSuspect();
      wake();
      await ignoreErrors(() => withTimeLimit(timeoutMs, () => running));
    },
  };

  async function run(): Promise<void> {
    let unsubscribe: (() => void) | undefined;
    try {
      unsubscribe = inbox.subscribe?.(wake);
    } catch (error) {
      warn(error);
    }
    while (!stopping) {
      const before = signals;
      const claimed = await claim();
      // Without this line, a store and handlers that need no I/O would block the event loop until the backlog is
      // handled.
      await eventLoopTurn();
      if (!stopping && !claimed && signals === before) await pause();
    }
    for (const timer of retries) clearTimeout(timer);
    await ignoreErrors(() => unsubscribe?.());
    while (inHand.size > 0) await pause();
  }

  /** Claims entries, and begins to handle them. Resolves to the number of claims, if any were made. */
  async function claim(): Promise<number | undefined> {
    // A handler that has ended is not counted, even before its result is stored. So the next claim and the
    // result are sent to the store at the same time.
    const limit = Math.min(concurrency - handled.size, 2 * concurrency - inHand.size);
    if (suspects || !limit) return undefined;
    const since = performance.now();
    try {
      const count = await withTimeLimit(leaseMs, async late => {
        const claims = await inbox.claim({
          limit,
          leaseMs,
          except: [...inHand],
          begins: Boolean(inbox.begin),
          warn,
        });
        for (const taken of claims) settle(taken, taken.entry.id, taken.entry.group, since, late.aborted);
        nextSuspect();
        return claims.length;
      });
      if (failures) warn('works again');
      failures = 0;
      return count;
    } catch (error) {
      failures += 1;
      // A failure is logged only if its number is a power of two, so that a long outage does not fill the log.
      if (!(failures & (failures - 1))) report(logger, 'error', `Inbox failure ${failures}`, error);
      return undefined;
    }
  }

  async function settle(taken: Claim, id: string, group: string, since: number, isLate: boolean): Promise<void> {
    // An inbox that ignores `except` hands out a group again when its lease has ended.
    const isBusy = inHand.has(group);
    if (isBusy || isLate) {
      // If this fails, the lease still ends when its time is over.
      return ignoreErrors(() => inbox.fail(taken, unused(isBusy ? leaseMs : minDelay)));
    }
    inHand.add(group);
    handled.add(group);
    const leavePlace = () => {
      if (handled.delete(group)) wake();
    };
    const isSuspect = taken.begunAlone !== undefined;
    suspects += Number(isSuspect);
    const turn = () => new Promise<boolean>(begin => waiting.push({ attempt: taken.attempt, begin }));
    try {
      const retryInMs = await handleClaim(taken, handling, since, leavePlace, isSuspect ? turn : undefined);
      if (retryInMs !== undefined && !stopping) wakeIn(retryInMs);
    } catch (error) {
      // If the claim was not settled, its entry is handled again when the lease has ended.
      report(logger, 'error', id, error);
    }
    inHand.delete(group);
    suspects -= Number(isSuspect);
    leavePlace();
    nextSuspect();
    wake();
  }

  /** The time is a little later than `ms`, because a timer may be early and the store counts whole ms. */
  function wakeIn(ms: number): void {
    const timer = setTimeout(
      () => {
        retries.delete(timer);
        wake();
      },
      Math.min(ms + 2, MAX_TIMER_MS),
    );
    retries.add(timer);
  }

  /**
   * Lets a suspect begin if no other handler runs. The suspect with the fewest attempts comes first, because it is the
   * least likely cause.
   */
  function nextSuspect(): void {
    if (stopping) for (const { begin } of waiting.splice(0)) begin(false);
    if (inHand.size > waiting.length) return;
    waiting.sort((one, other) => one.attempt - other.attempt);
    waiting.shift()?.begin(true);
  }

  /** Resolves when a signal arrives, or when it is time to read the inbox again. */
  function pause(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, Math.min(pollMs * 2 ** failures, pollMs + 30_000));
      resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
