import type { Claim, Inbox } from './inbox.ts';
import { messageOf, type WebhookLogger } from './log.ts';
import type { Notification } from './notification.ts';
import { type DocumentSchema, parseNotification } from './parse.ts';

/** What a handler is told beside the notification. */
export interface HandlerContext {
  /** 1 at the first time. */
  attempt: number;
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

export interface HandlingPolicy {
  leaseMs: number;
  maxAttempts: number;
  minDelay: number;
  maxDelay: number;
  schema: DocumentSchema | undefined;
  onDead: ((death: DeadNotification) => unknown) | undefined;
  logger: WebhookLogger | undefined;
}

/** Handles one claim and settles it, whatever happens. Rejects only if the inbox or `onDead` does. */
export async function handleClaim(
  inbox: Pick<Inbox, 'renew' | 'done' | 'fail'>,
  claim: Claim,
  handle: (notification: Notification, context: HandlerContext) => Promise<void>,
  policy: HandlingPolicy,
): Promise<void> {
  const { entry, attempt } = claim;
  const { leaseMs, maxAttempts, logger, onDead } = policy;
  let notification: Notification | undefined;
  try {
    notification = parseNotification(entry.body, policy);
    if (attempt > maxAttempts) throw new Error('The process died each time.');
  } catch (error) {
    return fail(error, undefined);
  }

  const renewal = setInterval(renew, leaseMs / 2);
  try {
    await handle(notification, { attempt });
  } catch (error) {
    return await fail(error, attempt < maxAttempts ? backOff(attempt, policy) : undefined);
  } finally {
    clearInterval(renewal);
  }
  await inbox.done(claim);

  async function renew(): Promise<void> {
    try {
      await inbox.renew(claim, { leaseMs });
    } catch {
      // It may hold until the next try.
    }
  }

  async function fail(error: unknown, retryInMs: number | undefined): Promise<void> {
    const { id, event } = entry;
    const message = messageOf(error);
    const isLast = retryInMs === undefined;
    logger?.[isLast ? 'error' : 'warn'](`${event} ${id}: attempt ${attempt} failed: ${message}`);
    const held = await inbox.fail(claim, { error: message, retryInMs });
    if (held && isLast) await onDead?.({ id, event, notification, attempts: attempt, error });
  }
}

/** Doubles with each attempt. The jitter keeps what failed together from coming back together. */
function backOff(attempt: number, { minDelay, maxDelay }: HandlingPolicy): number {
  return Math.min(maxDelay, minDelay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
