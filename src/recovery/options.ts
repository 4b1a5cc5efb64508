import type { ResourceIdentifier } from '../jsonapi/document.ts';
import type { RequestOptions } from '../options.ts';
import type { Container } from '../records/container.ts';
import type { Document } from '../records/document.ts';
import type { DateTime } from '../records/model.ts';
import type { Shipment } from '../records/shipment.ts';
import type { Webhook } from '../records/webhook.ts';
import type { DeliveryStatus } from '../records/webhook-notification.ts';
import type { TrackedRequest } from '../resources/tracking-requests.ts';
import type { RecoveryCheckpoint } from './checkpoint.ts';

export interface RecoverOptions extends Pick<RequestOptions, 'signal' | 'priority'> {
  /** When the outage began, or earlier. Needed unless there is a `from`. */
  since?: Date | string | undefined;
  /** Goes on from this checkpoint, and looks at what has been sent since. */
  from?: RecoveryCheckpoint | undefined;
  /**
   * Where deliveries are stored: what it never stored was missed too, whatever the service says of the delivery. An `id` that
   * it has forgotten counts as missed.
   */
  inbox?: { has(id: string): Promise<boolean> } | undefined;
  /** Only the webhook with this URL is checked. @default all of the account */
  url?: string | undefined;
  /** Switches inactive webhooks on again. @default false */
  repair?: boolean | undefined;
  /**
   * Also gives every shipment that is still tracked, with its containers: there are no notifications of the time in which a
   * webhook was inactive.
   * @default whether an inactive webhook was found
   */
  sweep?: boolean | undefined;
  /** Told of each inactive webhook, before it is repaired. */
  onInactive?: ((webhook: Webhook) => void) | undefined;
}

/** A notification that did not arrive. */
export interface MissedNotification {
  id: string;
  event: string;
  created_at: DateTime;
  delivery_status: DeliveryStatus;
}

/** What a missed notification was about, as it is now. */
export interface Recovered {
  source: 'recovery';
  /** The container, else the shipment, the tracking request or the document; the notification itself where none is named. */
  subject: ResourceIdentifier;
  /** `null` if the service does not say what the notification is about, or no longer has it. Narrow it by `type`. */
  record: Container | Shipment<['containers']> | TrackedRequest | Document | null;
  /** Those that were missed, newest first; none for what only the sweep has found. */
  notifications: MissedNotification[];
  /** Give it as `from`, once this is stored, to go on after it. */
  checkpoint: RecoveryCheckpoint;
}
