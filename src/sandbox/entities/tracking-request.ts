import type { TrackingRequestStatus } from '../../model/index.ts';
import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { TrackingRequest } from '../state/store.ts';
import { viewShipment } from '../state/view.ts';
import { accountOf, party, user } from './account.ts';
import { shipment } from './tracked.ts';

export function trackingRequest(backend: Backend, record: TrackingRequest): Entity<'tracking_request'> {
  return {
    type: 'tracking_request',
    id: record.id,
    render: () => ({
      attributes: {
        request_number: record.number,
        request_type: record.type,
        scac: record.carrier?.scac ?? null,
        ref_numbers: record.refNumbers,
        shipment_tags: record.tags,
        created_at: iso(record.createdAt),
        updated_at: iso(requestUpdatedAt(backend, record)),
        status: requestStatus(backend, record),
        failed_reason: record.failedReason,
        is_retrying: record.isRetrying,
        retry_count: record.retryCount,
      },
      relationships: {
        tracked_object: record.shipment && shipment(backend, record.shipment),
        customer: customerOf(backend, record),
        user: user(backend),
      },
      links: { self: `/v2/tracking_requests/${record.id}` },
    }),
  };
}

function customerOf(backend: Backend, { customer }: TrackingRequest): Entity<'party' | 'account'> | null {
  if (customer === null || backend.settings.customers === 'none') return null;
  return backend.settings.customers === 'account' ? accountOf(backend, customer) : party(customer);
}

/** The status is `tracking_stopped` when the tracking of the shipment has stopped. */
export function requestStatus(backend: Backend, { status, shipment }: TrackingRequest): TrackingRequestStatus {
  const isStopped = shipment !== null && viewShipment(backend, shipment).stoppedAt !== null;
  return isStopped ? 'tracking_stopped' : status;
}

/** The time of its latest change. The end of the tracking is one. */
export function requestUpdatedAt(backend: Backend, { updatedAt, shipment }: TrackingRequest): number {
  const stoppedAt = shipment && viewShipment(backend, shipment).stoppedAt;
  return Math.max(updatedAt, stoppedAt ?? updatedAt);
}
