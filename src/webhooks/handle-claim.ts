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
export interface Death {
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
  onDead: ((death: Death) => unknown) | undefined;
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
  let notification: Notification | undefined;
  try {
    notification = parseNotification(entry.body, policy);
    if (attempt > policy.maxAttempts) throw new Error('The process died during each attempt.');
  } catch (error) {
    return bury(error);
  }

  const renewal = setInterval(renew, policy.leaseMs / 2);
  try {
    await handle(notification, { attempt });
  } catch (error) {
    if (attempt >= policy.maxAttempts) return await bury(error);
    const retryInMs = backOff(attempt, policy);
    policy.logger?.warn(`${entry.event} ${entry.id}: attempt ${attempt} failed: ${messageOf(error)}`);
    await inbox.fail(claim, { error: messageOf(error), retryInMs });
    return;
  } finally {
    clearInterval(renewal);
  }
  await inbox.done(claim);

  async function renew(): Promise<void> {
    try {
      await inbox.renew(claim, policy);
    } catch {
      // It may hold until the next try.
    }
  }

  async function bury(error: unknown): Promise<void> {
    const message = messageOf(error);
    if (!(await inbox.fail(claim, { error: message, retryInMs: undefined }))) return;
    policy.logger?.error(`${entry.event} ${entry.id}: attempt ${attempt} was the last: ${message}`);
    await policy.onDead?.({ id: entry.id, event: entry.event, notification, attempts: attempt, error });
  }
}

/** Doubles with each attempt. The jitter keeps what failed together from coming back together. */
function backOff(attempt: number, { minDelay, maxDelay }: HandlingPolicy): number {
  return Math.min(maxDelay, minDelay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
