import type { DeliveryStatus, EventName } from '../../model/index.ts';
import type { Backend } from '../state/backend.ts';
import { pageOf, type Range } from './range.ts';

/** A notification of an account and what came of its deliveries. */
export interface DeliverySummary {
  /** The id of the notification. */
  id: string;
  /** The name of the event. */
  event: EventName;
  /** The address of the webhook. */
  url: string;
  /** `pending` while it is tried, then `succeeded` or `failed`. */
  status: DeliveryStatus;
  /** How often it was tried. */
  attempts: number;
  /** When the notification was made. */
  createdAt: Date;
  /** When it was last tried; `null` before the first attempt. */
  lastAttemptAt: Date | null;
  /** The status of the last answer; `null` if there was none. */
  lastStatus: number | null;
  /** Why the last attempt failed; `null` if it did not. */
  lastError: string | null;
}

/** The newest notifications first. */
export function deliverySummaries({ store }: Backend, range: Range | undefined): DeliverySummary[] {
  return pageOf(store.notifications.newestFirst(), range).map(record => ({
    id: record.id,
    event: record.event,
    url: record.webhook.url,
    status: record.deliveryStatus,
    attempts: record.attempts,
    createdAt: new Date(record.createdAt),
    lastAttemptAt: record.lastAttemptAt === null ? null : new Date(record.lastAttemptAt),
    lastStatus: record.lastStatus,
    lastError: record.lastError,
  }));
}

/** How many records of each kind an account has. */
export interface AccountCounts {
  /** Shipments. */
  shipments: number;
  /** Containers. */
  containers: number;
  /** Tracking requests. */
  trackingRequests: number;
  /** Documents. */
  documents: number;
  /** Webhooks. */
  webhooks: number;
  /** Notifications. */
  notifications: number;
}

export function countsOf({ store }: Backend): AccountCounts {
  return {
    shipments: store.shipments.size,
    containers: store.containers.size,
    trackingRequests: store.trackingRequests.size,
    documents: store.documents.size,
    webhooks: store.webhooks.size,
    notifications: store.notifications.size,
  };
}
