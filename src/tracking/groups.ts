import type { Container, InferNumberResults, Shipment, TrackedRequest, TrackingRequestCreate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { ShipmentGroup } from './read-shipments.ts';
import type { WaitOptions } from './wait-options.ts';

/** The methods that tracking needs. The resource groups of a client have them. */
export interface TrackingGroups {
  trackingRequests: {
    createOrFind(attributes: TrackingRequestCreate, options: RequestOptions): Promise<TrackedRequest>;
    inferNumber(number: string, options: RequestOptions): PromiseLike<InferNumberResults>;
    waitFor(request: TrackedRequest, options: WaitOptions): Promise<TrackedRequest>;
  };
  shipments: ShipmentGroup & { list(options: ListOptions & { number: string }): List<Shipment> };
  containers: {
    list(
      options: ListOptions & { filter: { number: string }; sort: '-created_at'; include: ['shipment'] },
    ): List<Container<['shipment']>>;
  };
}
