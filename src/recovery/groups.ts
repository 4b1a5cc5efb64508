import type { Containers } from '../resources/containers.ts';
import type { Documents } from '../resources/documents.ts';
import type { Shipments } from '../resources/shipments.ts';
import type { TrackingRequests } from '../resources/tracking-requests.ts';
import type { WebhookNotifications } from '../resources/webhook-notifications.ts';
import type { Webhooks } from '../resources/webhooks.ts';

/** The groups of resources that a recovery reads from. A client has them all. */
export interface RecoveryGroups {
  containers: Pick<Containers, 'get'>;
  documents: Pick<Documents, 'get'>;
  shipments: Pick<Shipments, 'get' | 'list'>;
  trackingRequests: Pick<TrackingRequests, 'get' | 'list'>;
  webhooks: Pick<Webhooks, 'list' | 'update'>;
  webhookNotifications: Pick<WebhookNotifications, 'get' | 'list'>;
}

export type Warn = (message: string) => void;
