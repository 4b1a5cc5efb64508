import type { OrderBy } from '../inbox/create-entry.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { WebhookLogger } from '../log.ts';
import type { ParseOptions } from '../notification/parse.ts';
import type { Secrets } from '../verify/secrets.ts';
import type { SignatureOptions } from '../verify/signature.ts';
import type { Outcome } from './answer.ts';

/** A request that the receiver refused. */
export interface Rejection {
  /** The status of the response. */
  status: number;
  /** The reason for the refusal. */
  reason: Outcome;
  /** The error that caused the refusal, if there was one. */
  error: unknown;
}

/** Options of {@link createReceiver}. */
export interface ReceiverOptions extends SignatureOptions, ParseOptions {
  /**
   * The `secret` of the webhook. While you replace a secret, pass both the old and the new secret. The result of a function is
   * cached for 30 seconds.
   */
  secrets: Secrets;
  /** Stores the deliveries. */
  inbox: Pick<Inbox, 'put'>;
  /**
   * Name of the header with the signature. Its middle part is specific to the service.
   * @default the only header with a name like `X-*-Webhook-Signature`; the log contains the name once
   */
  header?: string | undefined;
  /** The longest body that is accepted, in bytes. @default 1_048_576, 1 MiB */
  maxBodyBytes?: number | undefined;
  /**
   * Upper bound in ms for reading, verifying and storing a delivery together. `Infinity` for no limit.
   * @default 5_000
   */
  deadlineMs?: number | undefined;
  /**
   * The treatment of a correctly signed body that is not a notification. `reject` responds 400, and the service sends the
   * delivery again. `accept` stores the bytes as a dead letter and acknowledges them, so that a bad payload cannot make
   * the service disable the webhook.
   * @default 'reject'
   */
  onPoison?: 'reject' | 'accept' | undefined;
  /**
   * Assigns notifications to groups. Notifications of one group are handled one after another, in the order of their events.
   * @default the tracking request of the event, otherwise the container, otherwise the shipment, otherwise the event
   */
  orderBy?: OrderBy | undefined;
  /**
   * Called with each refused request. The response does not wait for the end of this call, and errors of the call are
   * ignored.
   */
  onRejected?: ((rejection: Rejection) => unknown) | undefined;
  /**
   * Receives an error message immediately if the receiver itself fails: the body is not raw, or the inbox fails. For
   * refused requests, it receives at most one message per minute for each reason, with the number of requests and the
   * remedy. It receives no message for the sample that `webhooks.selfCheck` sends with a wrong signature. `false` for
   * no messages.
   * @default console
   */
  logger?: false | WebhookLogger | undefined;
}

/** The compiler makes sure that no name is missing. */
export const RECEIVER_OPTIONS: Record<keyof ReceiverOptions, 1> = {
  secrets: 1,
  inbox: 1,
  header: 1,
  maxBodyBytes: 1,
  deadlineMs: 1,
  onPoison: 1,
  orderBy: 1,
  onRejected: 1,
  logger: 1,
  schema: 1,
  algorithm: 1,
  encoding: 1,
  prefix: 1,
};
