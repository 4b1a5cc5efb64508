import type { Claim, Inbox } from '../inbox/inbox.ts';
import { messageOf, quietly, report, type WebhookLogger } from '../log.ts';
import type { Notification } from '../notification/notification.ts';
import { type DocumentSchema, parseNotification } from '../notification/parse.ts';
import { within } from '../time-limit.ts';
import type { Router } from './router.ts';

/** What a handler is told beside the notification. */
export interface HandlerContext {
  /** 1 at the first time. */
  attempt: number;
  /**
   * Aborted when the handler has taken longer than `handlerTimeoutMs`, or when its lease is lost: the process was paused for
   * longer than `leaseMs`, and another worker has taken the notification over. What it returns then counts for nothing.
   */
  signal?: AbortSignal | undefined;
  /**
   * The number of the claim. It rises: a later claim of the same container has a higher one. Where a handler cannot be
   * stopped, write the number with the record and let the store refuse a lower one: what a stale handler writes last then
   * changes nothing. `undefined` if the inbox gives none.
   *
   * @example
   * router.on('container.*', async (n, { fence }) => {
   *   const { rowCount } = await db.query('update containers set status = $2, fence = $3 where id = $1 and fence <= $3', …);
   *   if (rowCount === 0) throw new Error('A newer claim has written before.');
   * });
   */
  fence?: number | undefined;
}

/** A notification that is given up. `inbox.revive(id)` makes it an entry again. */
export interface DeadNotification {
  /** Id of the notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** `undefined` if it could not be read. */
  notification: Notification | undefined;
  /** How many attempts were made. */
  attempts: number;
  /** What the last attempt failed with. */
  error: unknown;
}

export interface Handling {
  inbox: Pick<Inbox, 'renew' | 'done' | 'fail'>;
  router: Pick<Router, 'handle'>;
  leaseMs: number;
  handlerTimeoutMs: number;
  maxAttempts: number;
  minDelay: number;
  maxDelay: number;
  schema?: DocumentSchema | undefined;
  onDead?: ((death: DeadNotification) => unknown) | undefined;
  logger: false | WebhookLogger;
}

/** Handles one claim and settles it, whatever happens. Rejects only if the inbox does, or `onDead` fails. */
export async function handleClaim(claim: Claim, handling: Handling): Promise<void> {
  const { entry, attempt, fence } = claim;
  const { id, event } = entry;
  const { inbox, router, leaseMs, handlerTimeoutMs, maxAttempts, logger, onDead } = handling;
  const lease = new AbortController();
  let notification: Notification | undefined;
  let ended = false;
  try {
    notification = parseNotification(entry.body, handling);
    // Not `>`: a store may have lost the number.
    if (!(attempt <= maxAttempts)) throw new Error('The process died each time.');
  } catch (error) {
    return fail(error, undefined);
  }

  const renewal = setInterval(() => quietly(renew), leaseMs / 2);
  try {
    await within(handlerTimeoutMs, late => {
      const signal = AbortSignal.any([late, lease.signal]);
      return router.handle(notification, { attempt, fence, signal });
    });
  } catch (error) {
    if (!lease.signal.aborted) return await fail(error, attempt < maxAttempts ? backOff(attempt, handling) : undefined);
  } finally {
    ended = true;
    clearInterval(renewal);
  }
  if (!lease.signal.aborted && !(await inbox.done(claim))) lose();

  /** If the inbox fails, the lease may hold until the next try. */
  async function renew(): Promise<void> {
    if (!(await inbox.renew(claim, { leaseMs })) && !ended) lose();
  }

  function lose(): void {
    clearInterval(renewal);
    const error = new Error('Its lease ran out, and another claim has taken its place.');
    report(logger, 'warn', `${event} ${id}: attempt ${attempt} is discarded`, error);
    lease.abort(error);
  }

  async function fail(error: unknown, retryInMs: number | undefined): Promise<void> {
    const isLast = retryInMs === undefined;
    report(logger, isLast ? 'error' : 'warn', `${event} ${id}: attempt ${attempt} failed`, error);
    if (!(await inbox.fail(claim, { error: messageOf(error), retryInMs }))) lose();
    else if (isLast) {
      await within(handlerTimeoutMs, () => onDead?.({ id, event, notification, attempts: attempt, error }));
    }
  }
}

/** Doubles with each attempt. The jitter keeps what failed together from coming back together. */
function backOff(attempt: number, { minDelay, maxDelay }: Handling): number {
  return Math.min(maxDelay, minDelay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
