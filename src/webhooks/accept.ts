import { WebhookVerificationError } from '../errors.ts';
import { type Answer, answerOf, type Outcome } from './answer.ts';
import { checkMethod, checkNumbers } from './check-options.ts';
import { entryOf, type OrderBy, poisonEntry } from './entry.ts';
import type { Inbox, InboxEntry } from './inbox.ts';
import { quietly, report, type WebhookLogger } from './log.ts';
import type { ParseOptions } from './parse.ts';
import type { Secrets } from './secrets.ts';
import type { SignatureOptions } from './signature.ts';
import { checkVerifying, verifyWebhook } from './verify.ts';
import { within } from './within.ts';

/** A request, as every kind of server can present it. */
export interface Delivery {
  method: string | undefined;
  /** The value of a header. Its name is given in lower case. */
  header(name: string): unknown;
  /**
   * The whole body, or why it cannot be had. Ends early when the signal is aborted.
   *
   * @throws {WebhookVerificationError} `not_raw` if something has read it before.
   */
  read(limit: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | 'too_large' | 'incomplete'>;
}

/** A request that was not acknowledged. */
export interface Rejection {
  /** What was answered. */
  status: number;
  reason: Outcome;
  /** What was thrown, where something was. */
  error: unknown;
}

export interface ReceiverOptions extends SignatureOptions, ParseOptions {
  /** The `secret` of the webhook; several while one replaces another. */
  secrets: Secrets;
  /** Where deliveries are stored. */
  inbox: Pick<Inbox, 'put'>;
  /** The header with the signature. @default 'X-SVC-Webhook-Signature' */
  header?: string | undefined;
  /** The longest body that is read. @default 1_048_576 */
  maxBodyBytes?: number | undefined;
  /**
   * Time for reading, verifying and storing, in ms: the service gives up at some point (SPEC.md, Limits). `Infinity` for
   * none.
   * @default 5_000
   */
  deadlineMs?: number | undefined;
  /**
   * What is done with a body that is signed and no notification. `reject` answers 400, and the service tries again.
   * `accept` stores the bytes as a dead letter, so that one bad payload cannot make the service switch the webhook off.
   * @default 'reject'
   */
  onPoison?: 'reject' | 'accept' | undefined;
  /**
   * Notifications with the same result are handled one after another, in the order of their events.
   * @default the tracking request that the event is about, else the container, else the shipment, else the event
   */
  orderBy?: OrderBy | undefined;
  /** Told of each request that was not acknowledged. Nobody waits for it, and what it throws is ignored. */
  onRejected?: ((rejection: Rejection) => unknown) | undefined;
  /** Hears of failures of this side: bodies that are not raw, an inbox that fails. @default console */
  logger?: false | WebhookLogger | undefined;
}

export interface Acceptor {
  /** Never rejects, also if there turns out to be no delivery. */
  answer(deliveryOf: () => Delivery): Promise<Answer>;
  close(): Promise<void>;
}

/** Everything about a receiver but the kind of server. */
export function createAcceptor(options: ReceiverOptions): Acceptor {
  const { header = 'X-SVC-Webhook-Signature', maxBodyBytes = 1_048_576, deadlineMs = 5000, logger = console } = options;
  checkVerifying(options);
  checkNumbers({ maxBodyBytes, deadlineMs });
  checkMethod('inbox', options.inbox, 'put');
  if (options.schema) checkMethod('schema', options.schema, 'safeParse');
  const underWay = new Set<Promise<Answer>>();
  let closed = false;

  return {
    answer(deliveryOf) {
      const answering = answer(deliveryOf).finally(() => underWay.delete(answering));
      underWay.add(answering);
      return answering;
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };

  async function answer(deliveryOf: () => Delivery): Promise<Answer> {
    try {
      return conclude(await within(deadlineMs, signal => receive(deliveryOf(), signal)));
    } catch (error) {
      return conclude(error instanceof WebhookVerificationError ? error.reason : 'unavailable', error);
    }
  }

  async function receive(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    if (delivery.method !== 'POST') return 'not_post';
    if (closed) throw new Error('Closed.');
    if (Number(delivery.header('content-length')) > maxBodyBytes) return 'too_large';
    const body = await delivery.read(maxBodyBytes, signal);
    if (typeof body === 'string') return body;
    const entry = await verifiedEntry(body, delivery.header(header.toLowerCase()));
    const outcome: unknown = await options.inbox.put(entry);
    if (outcome === 'stored' || outcome === 'duplicate') return outcome;
    throw new Error(`inbox.put() gave ${outcome}.`);
  }

  async function verifiedEntry(body: Uint8Array<ArrayBuffer>, signature: unknown): Promise<InboxEntry> {
    try {
      const notification = await verifyWebhook({ ...options, body, signature: signature as string });
      return entryOf(notification, body, options.orderBy);
    } catch (error) {
      const isPoison = error instanceof WebhookVerificationError && error.reason === 'bad_payload';
      if (!isPoison || options.onPoison !== 'accept') throw error;
      return poisonEntry(error.message, body);
    }
  }

  function conclude(outcome: Outcome, error?: unknown): Answer {
    const answer = answerOf(outcome);
    const { status } = answer;
    if (status >= 500) report(logger, 'error', 'Webhook delivery', error);
    if (status >= 300) quietly(() => options.onRejected?.({ status, reason: outcome, error }));
    return answer;
  }
}
