import type { TrackingRequestStatus } from '../../model/index.ts';
import { requestStatus } from '../entities/tracking-request.ts';
import type { Backend } from '../state/backend.ts';
import { pageOf, type Range } from './range.ts';

/** A tracking request of an account, in short. */
export interface TrackingRequestSummary {
  /** The id of the tracking request. */
  id: string;
  /** The number that is tracked. */
  number: string;
  /** The SCAC of the carrier; `null` until it is known. */
  scac: string | null;
  /** `status`. */
  status: TrackingRequestStatus;
  /** Why it has failed; `null` if it has not. */
  failedReason: string | null;
  /** When it was made. */
  createdAt: Date;
  /** The id of its shipment; `null` if there is none. */
  shipmentId: string | null;
}

/** The newest tracking requests first. */
export function trackingRequestSummaries(backend: Backend, range: Range | undefined): TrackingRequestSummary[] {
  return pageOf(backend.store.trackingRequests.newestFirst(), range).map(record => ({
    id: record.id,
    number: record.number,
    scac: record.carrier?.scac ?? null,
    status: requestStatus(backend, record),
    failedReason: record.failedReason,
    createdAt: new Date(record.createdAt),
    shipmentId: record.shipment?.id ?? null,
  }));
}
