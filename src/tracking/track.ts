import { InferenceError, TrackingFailedError } from '../errors.ts';
import type { RequestOptions } from '../options.ts';
import type { Shipment } from '../records/shipment.ts';
import type { TrackingRequestCreate, TrackingRequestType } from '../records/tracking-request.ts';
import type { Shipments } from '../resources/shipments.ts';
import type { TrackedRequest, TrackingRequests } from '../resources/tracking-requests.ts';
import type { WaitOptions } from './poller.ts';

/** What to track: a number, and what is to be noted with it (api/endpoints.md section 3). */
export interface TrackItem
  extends Pick<TrackingRequestCreate, 'ref_numbers' | 'shipment_tags' | 'initial_custom_fields' | 'customer'> {
  /** Bill of lading, booking or container number. */
  number: string;
  /**
   * Code of the carrier.
   * @default what the service infers from the number, if it is sure
   */
  scac?: string | undefined;
  /**
   * Kind of the number.
   * @default what the service infers from the number
   */
  type?: TrackingRequestType | undefined;
}

export interface TrackOptions extends TrackItem, WaitOptions {}

export interface Tracked {
  trackingRequest: TrackedRequest;
  shipment: Shipment;
}

interface Groups {
  trackingRequests: TrackingRequests;
  shipments: Shipments;
}

/** From a number to its shipment: infer what is missing, create or find the request, wait, read the shipment. */
export async function track(groups: Groups, item: TrackItem, options: WaitOptions & RequestOptions): Promise<Tracked> {
  const { trackingRequests } = groups;
  const { signal, priority } = options;
  const attributes = await complete(groups, item, { signal, priority });
  const created = await trackingRequests.createOrFind(attributes, { signal, priority });
  try {
    const trackingRequest = await trackingRequests.waitFor(created, options);
    return { trackingRequest, shipment: await shipmentOf(groups, trackingRequest, { signal, priority }) };
  } catch (error) {
    if (!(error instanceof TrackingFailedError) || error.failedReason !== 'duplicate') throw error;
    // The shipment was there before the request: it was tracked under another of its numbers, or in the dashboard.
    const { data } = await groups.shipments.list({ number: item.number, signal, priority });
    const [shipment] = data;
    if (!shipment) throw error;
    return { trackingRequest: error.trackingRequest, shipment };
  }
}

async function complete(
  { trackingRequests }: Groups,
  { number, scac, type, ...others }: TrackItem,
  options: RequestOptions,
): Promise<TrackingRequestCreate> {
  if (scac !== undefined && type !== undefined) return { ...others, request_number: number, request_type: type, scac };
  const inferred = await trackingRequests.inferNumber(number, options);
  const { decision, selected } = inferred.shipping_line;
  const carrier = scac ?? (decision === 'auto_select' ? selected?.scac : undefined);
  const kind = type ?? REQUEST_TYPES[inferred.number_type];
  if (carrier === undefined || kind === undefined) throw new InferenceError(number, inferred);
  return { ...others, request_number: number, request_type: kind, scac: carrier };
}

/** The service has two names for a booking (api/README.md, D-52). */
const REQUEST_TYPES: Record<string, TrackingRequestType | undefined> = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  booking_number: 'booking_number',
  container: 'container',
};

/** The service sends the shipment along, in full or as a reference only (api/README.md, D-54). */
async function shipmentOf(
  { shipments }: Groups,
  { tracked_object: shipment, id }: TrackedRequest,
  options: RequestOptions,
): Promise<Shipment> {
  if (!shipment) throw new TypeError(`Tracking request ${id} ended without a shipment.`);
  return 'bill_of_lading_number' in shipment ? shipment : shipments.get(shipment.id, options);
}
