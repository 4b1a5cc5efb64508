import { backOff, type DelayBounds } from '../../internal/back-off.ts';
import type { Claim, Inbox } from '../inbox/inbox.ts';
import { ignoreErrors, messageOf, report, type WebhookLogger } from '../log.ts';
import type { Notification } from '../notification/notification.ts';
import { type DocumentSchema, parseNotification } from '../notification/parse.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { Router } from './router.ts';

/** A notification that the worker has given up. `inbox.revive(id)` lets the worker try it again. */
export interface DeadNotification {
  /** Id of the notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** `undefined` if the body could not be parsed. */
  notification: Notification | undefined;
  /** How often it was tried. */
  attempts: number;
  /** The error of the last attempt. */
  error: unknown;
}

export interface Handling extends DelayBounds {
  inbox: Pick<Inbox, 'renew' | 'done' | 'fail'>;
  router: Pick<Router, 'handle'>;
  leaseMs: number;
  handlerTimeoutMs: number;
  maxAttempts: number;
  schema?: DocumentSchema | undefined;
  onDead?: ((death: DeadNotification) => unknown) | undefined;
  logger: false | WebhookLogger;
}

/** Handles one claim and settles it. Rejects only if the inbox or `onDead` fails. */
export async function handleClaim(claim: Claim, handling: Handling): Promise<void> {
  const { entry, attempt, fence } = claim;
  const { id, event } = entry;
  const { inbox, router, leaseMs, handlerTimeoutMs, maxAttempts, logger, onDead } = handling;
  const lease = new AbortController();
  let notification: Notification | undefined;
  let ended = false;
  try {
    notification = parseNotification(entry.body, handling);
    // Not `>`, because the number may be NaN if the store has lost it.
    if (!(attempt <= maxAttempts)) throw new Error('The process ended during each attempt.');
  } catch (error) {
    return fail(error, undefined);
  }

  const renewal = setInterval(() => ignoreErrors(renew), leaseMs / 2);
  try {
    await withTimeLimit(handlerTimeoutMs, late => {
      const signal = AbortSignal.any([late, lease.signal]);
      return router.handle(notification, { attempt, fence, signal });
    });
  } catch (error) {
    if (!lease.signal.aborted)
      return await fail(error, attempt < maxAttempts ? backOff(attempt, handling, jitter) : undefined);
  } finally {
    ended = true;
    clearInterval(renewal);
  }
  if (!lease.signal.aborted && !(await inbox.done(claim))) abandon();

  /** If the inbox fails, the next renewal may still come in time. */
  async function renew(): Promise<void> {
    if (!(await inbox.renew(claim, { leaseMs })) && !ended) abandon();
  }

  function abandon(): void {
    clearInterval(renewal);
    const error = new Error('The lease ended, and another worker has claimed the notification.');
    report(logger, 'warn', `${event} ${id}: attempt ${attempt} is discarded`, error);
    lease.abort(error);
  }

  async function fail(error: unknown, retryInMs: number | undefined): Promise<void> {
    const isLast = retryInMs === undefined;
    report(logger, isLast ? 'error' : 'warn', `${event} ${id}: attempt ${attempt} failed`, error);
    if (!(await inbox.fail(claim, { error: messageOf(error), retryInMs }))) abandon();
    else if (isLast) {
      await withTimeLimit(handlerTimeoutMs, () => onDead?.({ id, event, notification, attempts: attempt, error }));
    }
  }
}

/** Never at once, which full jitter allows: what failed would be claimed again by the same turn of the worker. */
const jitter = () => 0.5 + Math.random() / 2;
