import { ConfigurationError } from '../../errors.ts';
import { numberAtLeast, objectArgument, refuseUnknownNames, wholeNumberOrInfinity } from '../../internal/arguments.ts';
import { messageWithCause } from '../../internal/message-with-cause.ts';
import { abortable, Scope } from '../../internal/signal.ts';
import type { TriggerResult } from '../../model/index.ts';
import { createRandom } from '../base/random.ts';
import type { Backend, Deliveries } from '../state/backend.ts';
import type { Notification, Webhook } from '../state/store.ts';

/** Options of the deliveries of notifications. The service does not publish these values. */
export interface DeliveryOptions {
  /**
   * The gap between the first two attempts, in ms of the service's clock. Each further gap is twice as long as the gap
   * before it. @default 60_000
   */
  retryGapMs?: number | undefined;
  /** The share of notifications that are sent twice, from 0 to 1. The seed selects them. @default 0 */
  duplicateRate?: number | undefined;
  /**
   * A webhook is deactivated after this number of failed notifications in a row, counted from its activation. @default
   * Infinity
   */
  deactivateAfter?: number | undefined;
  /** Upper bound of the deliveries that are in progress at the same time. @default 8 */
  concurrency?: number | undefined;
}

const DEFAULTS = { retryGapMs: 60_000, duplicateRate: 0, deactivateAfter: Infinity, concurrency: 8 };

/** @throws {ConfigurationError} for a value that is out of range. */
export function checkDeliveries(webhooks: DeliveryOptions): void {
  refuseUnknownNames('webhooks', objectArgument('webhooks', webhooks, '{ retryGapMs: 1000 }'), Object.keys(DEFAULTS));
  const { retryGapMs = 0, duplicateRate = 0, deactivateAfter = 1, concurrency = 1 } = webhooks;
  numberAtLeast(0, 'webhooks.retryGapMs', retryGapMs);
  if (numberAtLeast(0, 'webhooks.duplicateRate', duplicateRate) > 1) {
    throw new ConfigurationError(`webhooks.duplicateRate is ${duplicateRate}; it must be from 0 to 1.`);
  }
  wholeNumberOrInfinity(1, 'webhooks.deactivateAfter', deactivateAfter);
  wholeNumberOrInfinity(1, 'webhooks.concurrency', concurrency);
}

const RETRIES = 12;

export function createDeliveries(options: DeliveryOptions = {}): Deliveries {
  const { retryGapMs = DEFAULTS.retryGapMs, duplicateRate = DEFAULTS.duplicateRate } = options;
  const { deactivateAfter = DEFAULTS.deactivateAfter, concurrency = DEFAULTS.concurrency } = options;
  const queue: (() => Promise<unknown>)[] = [];
  const inProgress = new Set<Promise<unknown>>();
  const ending = new AbortController();

  return {
    start(backend, notification) {
      const { body } = notification;
      enqueue(() => attempt(backend, notification));
      const isTwice = createRandom(backend.seed, 'duplicate', notification.id).chance(duplicateRate);
      if (isTwice) enqueue(() => send(backend, notification, body));
      tell(backend, notification);
    },
    retry: (backend, notification) => enqueue(() => attempt(backend, notification)),
    async idle() {
      while (inProgress.size > 0) await Promise.all(inProgress);
    },
    stop() {
      queue.length = 0;
      ending.abort(new Error('The sandbox was reset.'));
    },
  };

  function enqueue(task: () => Promise<unknown>): void {
    if (ending.signal.aborted) return;
    queue.push(task);
    next();
  }

  function next(): void {
    const task = inProgress.size < concurrency ? queue.shift() : undefined;
    if (task === undefined) return;
    const running = task().finally(() => {
      inProgress.delete(running);
      next();
    });
    inProgress.add(running);
  }

  async function attempt(backend: Backend, notification: Notification): Promise<void> {
    const { webhook, body, retries, dueAt } = notification;
    if (await send(backend, notification, body)) {
      webhook.failedInRow = 0;
      end(backend, notification, 'succeeded');
      return;
    }
    if (retries === RETRIES || !isActive(backend, webhook)) {
      // If the webhook is inactive, the notification was not sent, so the receiver has not failed.
      if (isActive(backend, webhook)) webhook.failedInRow += 1;
      if (webhook.failedInRow >= deactivateAfter) Object.assign(webhook, { active: false, failedInRow: 0 });
      end(backend, notification, 'failed');
      return;
    }
    notification.dueAt = dueAt + retryGapMs * 2 ** retries;
    notification.retries = retries + 1;
    if (notification.dueAt <= backend.clock.now()) enqueue(() => attempt(backend, notification));
    else backend.agenda.add(notification.dueAt, { kind: 'delivery', notification });
    tell(backend, notification);
  }

  async function send(backend: Backend, notification: Notification, body: string | null): Promise<boolean> {
    const { webhook } = notification;
    if (!isActive(backend, webhook) || body === null) return false;
    const { url, secret, headers } = webhook;
    const result = await deliver(backend, { url, secret, headers, body }, ending.signal);
    notification.attempts += 1;
    notification.lastAttemptAt = backend.clock.now();
    notification.lastStatus = result.status_code;
    notification.lastError = result.error;
    return result.succeeded;
  }

  function end(backend: Backend, notification: Notification, deliveryStatus: 'succeeded' | 'failed'): void {
    Object.assign(notification, { deliveryStatus, body: null });
    tell(backend, notification);
  }

  function tell({ account, changes }: Backend, { id }: Notification): void {
    if (ending.signal.aborted) return;
    changes.emit({ type: 'delivery', account: account.name, notificationId: id });
  }
}

function isActive({ store }: Backend, webhook: Webhook): boolean {
  return webhook.active && store.webhooks.get(webhook.id) === webhook;
}

export interface Delivery {
  url: string;
  body: string;
  /** The secret for the signature. If it is `undefined`, the delivery is not signed. */
  secret: string | undefined;
  /** Extra headers of the webhook. */
  headers?: { name: string; value: string }[];
}

const TIMEOUT_MS = 10_000;
const ACKNOWLEDGED = [200, 201, 202, 204];

/** Makes one attempt, and reads the body of the response. Never rejects. @param ending Aborts the attempt. */
export async function deliver(
  backend: Backend,
  { url, body, secret, headers = [] }: Delivery,
  ending?: AbortSignal,
): Promise<TriggerResult> {
  const requestHeaders: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': 'Tracking Webhook Bot',
    ...(secret && { [backend.webhookHeader]: await sign(body, secret) }),
    ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  };
  const sent = { url, request_headers: requestHeaders, request_body: body };
  // Unlike `setTimeout`, this signal does not keep a process alive, and fake timers of a test do not affect it.
  const scope = new Scope().follow(ending).follow(AbortSignal.timeout(TIMEOUT_MS));
  const { signal } = scope;

  async function exchange(): Promise<TriggerResult> {
    const request = { method: 'POST', headers: requestHeaders, body, signal, redirect: 'manual' } as const;
    const response = await backend.send(new Request(url, request));
    const succeeded = ACKNOWLEDGED.includes(response.status);
    return {
      ...sent,
      succeeded,
      error: succeeded ? null : `unexpected status ${response.status}`,
      status_code: response.status,
      response_headers: Object.fromEntries(response.headers),
      response_body: await response.text(),
    };
  }

  try {
    signal.throwIfAborted();
    // The function of the option `fetch` may ignore the signal.
    return await abortable(exchange(), signal);
  } catch (error) {
    return {
      ...sent,
      succeeded: false,
      error: messageWithCause(error),
      status_code: null,
      response_headers: null,
      response_body: null,
    };
  } finally {
    scope.dispose();
  }
}

/** The signature of a delivery: HMAC SHA-256 of the body, in lower-case hexadecimal. */
export async function sign(body: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(body));
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
}
