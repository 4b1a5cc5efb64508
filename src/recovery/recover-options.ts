import { ConfigurationError, type TrackingError } from '../errors.ts';
import { objectArgument, requiredText } from '../internal/arguments.ts';
import type { ResourceIdentifier } from '../jsonapi/document.ts';
import type { Container, Document, Shipment, TrackedRequest, Webhook } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { OrderBy } from '../webhooks/inbox/create-entry.ts';
import type { InboxEntry } from '../webhooks/inbox/inbox.ts';
import type { MissedNotification, RecoveryCheckpoint } from './checkpoint.ts';

/** Options of `webhookNotifications.recover`. With `requeue`, the `inbox` must have the method `put`. */
export type RecoverOptions = RecoverSettings &
  (
    | {
        /** The value `true` needs an `inbox` with the method `put`. @default false */
        requeue?: false | undefined;
      }
    | {
        /**
         * The inbox that stores deliveries, with the method `put`. Pass `fromQueue(send, { has })` for a queue of your
         * program.
         */
        inbox: Required<NonNullable<RecoverSettings['inbox']>>;
      }
  );

/** The options of `webhookNotifications.recover`, one by one. */
export interface RecoverSettings extends Pick<RequestOptions, 'signal' | 'priority'> {
  /**
   * The time when the outage began, or an earlier time, on the clock of the service. Required without `from`. If the
   * time is more than a minute ahead of that clock, this is logged, and the present time is used instead.
   */
  since?: Date | string | undefined;
  /**
   * Continues from this checkpoint, and checks later notifications. The checkpoint of an item does not list the
   * remaining records. To find them, the recovery reads the notifications once more. If a sweep was interrupted, the
   * recovery also repeats the part that was read before.
   */
  from?: RecoveryCheckpoint | undefined;
  /**
   * The inbox that stores deliveries. A notification counts as missed if its id is not in the inbox, whatever delivery status
   * the service reports. A notification also counts as missed if the inbox has forgotten its id.
   * @default none: a notification counts as missed if its delivery status is `failed`
   */
  inbox?:
    | {
        /** True if the inbox stores or remembers a notification. */
        has(id: string): Promise<boolean>;
        /** Stores an entry, unless its `id` was ever stored before. Needed for `requeue`. */
        put?(entry: InboxEntry): Promise<unknown>;
      }
    | undefined;
  /**
   * Also puts each missed notification into the `inbox`, before its record is yielded. The handlers of your router then
   * receive it like a delivery. They receive it once, even if the recovery is repeated or the delivery arrives later.
   * The property `recovered` of the notification is `'event'` if the service still has the event, otherwise `'record'`.
   * The notification contains the current state of the record. This takes no additional request.
   * @default false
   */
  requeue?: boolean | undefined;
  /** For `requeue`: the function that you pass to `createReceiver`, if any. */
  orderBy?: OrderBy | undefined;
  /**
   * Checks only the webhooks with this URL, and only the notifications of these webhooks. Set it if you pass an `inbox`
   * and the account has webhooks with other URLs.
   * @default all webhooks of the account
   */
  url?: string | undefined;
  /**
   * Activates inactive webhooks. Each webhook is first yielded as an item. The checkpoint of this item still contains
   * the sweep. The webhook is activated when you request the next item.
   * @default false
   */
  repair?: boolean | undefined;
  /**
   * Also yields every shipment whose tracking did not end before the outage, with its containers, and every tracking
   * request that has changed since the outage began. The service records no notifications for the time in which a
   * webhook was inactive. A sweep takes one request for each 100 shipments of the account.
   * @default true if a webhook is inactive, if the checkpoint contains an incomplete sweep, and for `since` with `repair`
   * (an earlier call may have repaired a webhook and then failed); otherwise false
   */
  sweep?: boolean | undefined;
  /** Called for each inactive webhook, before it is repaired. */
  onInactive?: ((webhook: Webhook) => void) | undefined;
}

/** The record that the missed notifications are about, in its current state. */
export interface Recovered {
  source: 'recovery';
  /**
   * Type and id of the container, otherwise of the shipment, the tracking request or the document. If the notification
   * names none of these records, type and id of the notification. For a webhook that will be repaired, type and id of
   * the webhook.
   */
  subject: ResourceIdentifier;
  /**
   * The record; compare `type` to narrow it. `null` in four cases: the item is a webhook, there is an `error`, the
   * notification does not name a record, or the service no longer has the record.
   */
  record: Container | Shipment<['containers']> | TrackedRequest | Document | null;
  /** The reason why the record could not be read. The record stays in the checkpoints, so that the next recovery tries again. */
  error?: TrackingError;
  /** The missed notifications, newest first. Empty for a record that only the sweep has found. */
  notifications: MissedNotification[];
  /** Store it after you have stored this item. Pass it as `from` to continue after this item. */
  checkpoint: RecoveryCheckpoint;
}

/** The recovered items, one after the other. */
export interface Recovery extends AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
  /** The checkpoint of the last item. At the end, the checkpoint for the next recovery, even if nothing was missed. */
  readonly checkpoint: RecoveryCheckpoint | undefined;
}

/** @throws {ConfigurationError} for options that are not valid. */
export function checked(options: RecoverOptions): RecoverOptions {
  const { inbox, url, requeue = false } = objectArgument('The argument for options', options, '{ since, inbox }');
  if (url !== undefined) requiredText('url', url);
  if (typeof requeue !== 'boolean') throw new ConfigurationError('requeue must be true or false.');
  if ((inbox !== undefined && typeof inbox?.has !== 'function') || (requeue && typeof inbox?.put !== 'function')) {
    throw new ConfigurationError(
      'inbox needs has(), and put() for requeue. For a queue: fromQueue(send, { has: id => … }).',
    );
  }
  return options;
}

interface WithContainers {
  include: ['containers'];
}

/** The methods that a recovery needs. The resource groups of a client have them. */
export interface RecoveryGroups {
  containers: { get(id: string, options: RequestOptions): PromiseLike<Container> };
  /** Called without `include`. The result is `object`, because the compiler does not resolve an overloaded method here. */
  documents: { get(id: string, options: RequestOptions): PromiseLike<object> };
  shipments: {
    get(id: string, options: RequestOptions & WithContainers): PromiseLike<Shipment<['containers']>>;
    list(options: ListOptions & WithContainers): List<Shipment<['containers']>>;
  };
  trackingRequests: {
    get(id: string, options: RequestOptions): PromiseLike<TrackedRequest>;
    list(options: ListOptions & { filter: { updated_at: { start: Date } } }): List<TrackedRequest>;
  };
  webhooks: {
    list(options: ListOptions): List<Webhook>;
    update(id: string, attributes: { active: boolean }, options: RequestOptions): PromiseLike<Webhook>;
  };
  webhookNotifications: {
    get(id: string, options: RequestOptions): PromiseLike<object>;
    list(options: ListOptions & { include: ['reference_object'] }): List<SentNotification>;
  };
}

/** The part of a notification that a recovery needs. */
export interface SentNotification extends ResourceIdentifier, Omit<MissedNotification, 'id'> {
  /** The webhook of the notification. */
  webhook?: ResourceIdentifier | null | undefined;
}

export type Warn = (message: string) => void;
