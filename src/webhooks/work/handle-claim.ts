import { backOff, type DelayBounds } from '../../internal/back-off.ts';
import type { Claim, Inbox } from '../inbox/inbox.ts';
import { messageOf, report, type WebhookLogger } from '../log.ts';
import type { Notification } from '../notification/notification.ts';
import { type DocumentSchema, parseNotification } from '../notification/parse.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { Router } from './router.ts';

/** A notification that became a dead letter. `inbox.revive(id)` lets the worker try it again. */
export interface DeadNotification {
  /** Id of the notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** `undefined` if the body could not be parsed. */
  notification: Notification | undefined;
  /** Number of attempts. */
  attempts: number;
  /** The error of the last attempt. */
  error: unknown;
}

export interface Handling extends DelayBounds {
  inbox: Pick<Inbox, 'begin' | 'renew' | 'done' | 'fail'>;
  router: Pick<Router, 'handle'>;
  leaseMs: number;
  handlerTimeoutMs: number;
  maxAttempts: number;
  schema?: DocumentSchema | undefined;
  onDead?: ((death: DeadNotification) => unknown) | undefined;
  logger: false | WebhookLogger;
}

/** Number of renewals in one lease, and upper bound for the renewals that wait for a response. */
const RENEWALS = 3;

/** Bounds of the wait before a failed call of the inbox is repeated, in ms. */
const REPEATED = { minDelay: 20, maxDelay: 2000 };

/** The outcome of a claim that is given back. Such a claim does not count as an attempt. */
export function unused(retryInMs: number) {
  return { error: 'The claim was given back.', retryInMs, isAttempt: false };
}

/**
 * Handles one claim and settles it. Resolves to the wait before the next attempt, in ms, if another attempt follows.
 * The lease began at `claimedAt` or later, on the monotonic clock. Rejects only if the inbox or `onDead` fails.
 *
 * @param onHandled called when the handler has ended, before its result is stored.
 * @param turn for a suspect: resolves when no other handler runs. It resolves to false if the claim must be given back.
 */
export async function handleClaim(
  claim: Claim,
  handling: Handling,
  claimedAt: number,
  onHandled: () => void,
  turn?: () => Promise<boolean>,
): Promise<number | undefined> {
  const { entry, attempt, fence, begunAlone } = claim;
  const { id, event } = entry;
  const { inbox, router, leaseMs, handlerTimeoutMs, maxAttempts, logger, onDead } = handling;
  const lease = new AbortController();
  let notification: Notification | undefined;
  /** Number of attempts that were counted. */
  let attempts = begunAlone === undefined ? attempt : attempt - 1;
  let ended = false;
  let lost = false;
  let unanswered = 0;
  let heldSince = claimedAt;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  try {
    if (entry.body.byteLength === 0) throw new Error('The inbox has lost the content.');
    notification = parseNotification(entry.body, handling);
    // The comparison is not `>`, because the number is NaN if the store has lost it. A suspect that never ran alone
    // gets one more attempt, in which it runs alone.
    if (!(attempt <= maxAttempts || begunAlone === 0)) throw new Error('The process ended during each attempt.');
  } catch (error) {
    return fail(error);
  }

  hold(claimedAt);
  const renewal = setInterval(renew, leaseMs / RENEWALS);
  let failure: { error: unknown } | undefined;
  try {
    if (turn && !(await begin(turn))) return undefined;
    failure = await handle(notification);
  } finally {
    ended = true;
    clearInterval(renewal);
    clearTimeout(expiry);
    onHandled();
  }
  if (lost) return undefined;
  // If an entry ran alone and the process did not end, the entry did not cause the earlier end of the process. The
  // earlier attempt then does not count.
  const counted = begunAlone === 0 ? attempt - 1 : attempt;
  if (failure) return fail(failure.error, counted < maxAttempts ? backOff(attempt, handling, jitter) : undefined);
  await settle(() => inbox.done(claim));
  return undefined;

  /** True if the handler of a suspect may begin. */
  async function begin(turnOf: () => Promise<boolean>): Promise<boolean> {
    const isTurn = await turnOf();
    if (lost) return false;
    if (isTurn && !lease.signal.aborted) {
      attempts = attempt;
      return settle(async () => (await inbox.begin?.(claim)) !== false);
    }
    await settle(() => inbox.fail(claim, unused(handling.minDelay)));
    return false;
  }

  async function handle(given: Notification): Promise<{ error: unknown } | undefined> {
    try {
      await withTimeLimit(handlerTimeoutMs, late => {
        const signal = AbortSignal.any([late, lease.signal]);
        return router.handle(given, { attempt, fence, signal });
      });
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Repeats a failing call while the lease lasts and the inbox is open. Returns false if another worker has the notification. */
  async function settle(call: () => Promise<boolean>): Promise<boolean> {
    const until = heldSince + leaseMs;
    for (let failures = 1; ; failures += 1) {
      try {
        const isOurs = await withTimeLimit(leaseMs, call);
        if (!isOurs) abandon();
        return isOurs;
      } catch (error) {
        const pause = backOff(failures, REPEATED, jitter);
        if (performance.now() + pause >= until || Object(error).code === 'store_closed') throw error;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
  }

  async function renew(): Promise<void> {
    if (ended || unanswered === RENEWALS) return;
    const since = performance.now();
    unanswered += 1;
    try {
      const renewed = await inbox.renew(claim, { leaseMs });
      if (renewed) hold(since);
      else if (!ended) abandon();
    } catch {
      // The next renewal may still succeed in time.
    }
    unanswered -= 1;
  }

  /**
   * The lease lasts for at least `leaseMs` after the request for the lease was sent. Responses to renewals may arrive
   * in another order.
   */
  function hold(since: number): void {
    if (ended || since < heldSince) return;
    heldSince = since;
    clearTimeout(expiry);
    expiry = setTimeout(expire, since + leaseMs - performance.now());
  }

  /**
   * Aborts the handler, because another worker may claim the notification now. If no worker claims it, the result of
   * the handler still counts.
   */
  function expire(): void {
    if (!lease.signal.aborted) release('must stop', 'The lease was not renewed.');
  }

  function abandon(): void {
    ended = lost = true;
    release('is discarded', 'Another worker has claimed it.');
  }

  function release(what: string, why: string): void {
    const error = new Error(why);
    report(logger, 'warn', `${event} ${id}: attempt ${attempt} ${what}`, error);
    lease.abort(error);
  }

  async function fail(error: unknown, retryInMs?: number): Promise<number | undefined> {
    const isLast = retryInMs === undefined;
    const details = { id, event, attempt, error };
    report(logger, isLast ? 'error' : 'warn', `${event} ${id}: attempt ${attempt} failed`, error, details);
    const isOurs = await settle(() => inbox.fail(claim, { error: messageOf(error), retryInMs }));
    if (isOurs && isLast) {
      await withTimeLimit(handlerTimeoutMs, () => onDead?.({ id, event, notification, attempts, error }));
    }
    return isOurs ? retryInMs : undefined;
  }
}

/** A random factor that is at least a half. With a factor near 0, a failed entry would be claimed again immediately. */
const jitter = () => 0.5 + Math.random() / 2;
