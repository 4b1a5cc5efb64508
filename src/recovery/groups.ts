import type { ResourceIdentifier } from '../jsonapi/document.ts';
import type { Container, Shipment, TrackedRequest, Webhook } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { MissedNotification } from './checkpoint.ts';

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
  /** The webhook that it was for. */
  webhook?: ResourceIdentifier | null | undefined;
}

export type Warn = (message: string) => void;
