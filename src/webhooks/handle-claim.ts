import type { Claim, Inbox } from './inbox.ts';
import { messageOf, quietly, report, type WebhookLogger } from './log.ts';
import type { Notification } from './notification.ts';
import { type DocumentSchema, parseNotification } from './parse.ts';
import type { Router } from './router.ts';
import { within } from './within.ts';

/** What a handler is told beside the notification. */
export interface HandlerContext {
  /** 1 at the first time. */
  attempt: number;
  /** Aborted when the handler has taken longer than `handlerTimeoutMs`. */
  signal?: AbortSignal | undefined;
}

/** A notification that is given up. `inbox.revive(id)` makes it an entry again. */
export interface DeadNotification {
  id: string;
  event: string;
  /** `undefined` if it could not be read. */
  notification: Notification | undefined;
  attempts: number;
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
  const { entry, attempt } = claim;
  const { inbox, router, leaseMs, handlerTimeoutMs, maxAttempts, logger, onDead } = handling;
  let notification: Notification | undefined;
  try {
    notification = parseNotification(entry.body, handling);
    if (attempt > maxAttempts) throw new Error('The process died each time.');
  } catch (error) {
    return fail(error, undefined);
  }

  // If it fails, the lease may hold until the next try.
  const renewal = setInterval(() => quietly(() => inbox.renew(claim, { leaseMs })), leaseMs / 2);
  try {
    await within(handlerTimeoutMs, signal => router.handle(notification, { attempt, signal }));
  } catch (error) {
    return await fail(error, attempt < maxAttempts ? backOff(attempt, handling) : undefined);
  } finally {
    clearInterval(renewal);
  }
  await inbox.done(claim);

  async function fail(error: unknown, retryInMs: number | undefined): Promise<void> {
    const { id, event } = entry;
    const isLast = retryInMs === undefined;
    report(logger, isLast ? 'error' : 'warn', `${event} ${id}: attempt ${attempt} failed`, error);
    const held = await inbox.fail(claim, { error: messageOf(error), retryInMs });
    if (held && isLast) {
      await within(handlerTimeoutMs, () => onDead?.({ id, event, notification, attempts: attempt, error }));
    }
  }
}

/** Doubles with each attempt. The jitter keeps what failed together from coming back together. */
function backOff(attempt: number, { minDelay, maxDelay }: Handling): number {
  return Math.min(maxDelay, minDelay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
