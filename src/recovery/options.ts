import { ConfigurationError, type TrackingError } from '../errors.ts';
import { objectArgument, requiredText } from '../internal/arguments.ts';
import type { ResourceIdentifier } from '../jsonapi/document.ts';
import type { RequestOptions } from '../options.ts';
import type { Container } from '../records/container.ts';
import type { Document } from '../records/document.ts';
import type { Shipment } from '../records/shipment.ts';
import type { TrackedRequest } from '../records/tracking-request.ts';
import type { Webhook } from '../records/webhook.ts';
import type { MissedNotification, RecoveryCheckpoint } from './checkpoint.ts';

/** Options of `webhookNotifications.recover`. */
export interface RecoverOptions extends Pick<RequestOptions, 'signal' | 'priority'> {
  /** When the outage began, or earlier. Needed unless there is a `from`. */
  since?: Date | string | undefined;
  /** Goes on from this checkpoint, and looks at what has been sent since. */
  from?: RecoveryCheckpoint | undefined;
  /**
   * Where deliveries are stored: what it never stored was missed, and what it has was not, whatever the service says of the
   * delivery. An `id` that it has forgotten counts as missed.
   * @default none: missed is what the service calls `failed`
   */
  inbox?:
    | {
        /** Whether the inbox holds or remembers a notification. */
        has(id: string): Promise<boolean>;
      }
    | undefined;
  /**
   * Only webhooks with this URL are checked, and only their notifications count: needed with an `inbox` where several
   * addresses have webhooks.
   * @default all of the account
   */
  url?: string | undefined;
  /**
   * Switches inactive webhooks on again. Each is given first, with a checkpoint that owes the sweep, and is switched on when
   * you come back for more.
   * @default false
   */
  repair?: boolean | undefined;
  /**
   * Also gives every shipment that is tracked, or was until after the outage began, with its containers, and every tracking
   * request that has changed since: there are no notifications of the time in which a webhook was inactive. It takes a
   * request per 100 shipments of the account.
   * @default whether a webhook is inactive, the checkpoint owes a sweep, or it is `since` with `repair`: an earlier call may
   * have repaired a webhook and failed then
   */
  sweep?: boolean | undefined;
  /** Told of each inactive webhook, before it is repaired. */
  onInactive?: ((webhook: Webhook) => void) | undefined;
}

/** What a missed notification was about, as it is now. */
export interface Recovered {
  source: 'recovery';
  /**
   * The container, else the shipment, the tracking request or the document; the notification itself where none is named; a
   * webhook that is to be repaired.
   */
  subject: ResourceIdentifier;
  /**
   * `null` for a webhook, if the service does not say what the notification is about or no longer has it, and with an
   * `error`. Narrow it by `type`.
   */
  record: Container | Shipment<['containers']> | TrackedRequest | Document | null;
  /** Why it could not be read. The checkpoints still hold it, so that the next recovery tries again. */
  error?: TrackingError;
  /** Those that were missed, newest first; none for what only the sweep has found. */
  notifications: MissedNotification[];
  /** Give it as `from`, once this is stored, to go on after it. */
  checkpoint: RecoveryCheckpoint;
}

/** What was missed, one after the other. */
export interface Recovery extends AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
  /** That of the item given last; at the end, also where nothing was missed, that from which the next recovery begins. */
  readonly checkpoint: RecoveryCheckpoint | undefined;
}

/** @throws {ConfigurationError} for options that cannot work. */
export function checked(options: RecoverOptions): RecoverOptions {
  const { inbox, url } = objectArgument('The argument for options', options, '{ since, inbox }');
  if (url !== undefined) requiredText('url', url);
  if (inbox !== undefined && typeof inbox?.has !== 'function') throw new ConfigurationError('inbox has no method has.');
  return options;
}
