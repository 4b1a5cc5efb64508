import type { EventName } from '../../records/event-name.ts';
import type { Backend } from '../backend.ts';
import { DAY } from '../clock.ts';
import { withCheckDigit } from '../container-number.ts';
import { makeShipment } from '../shipments.ts';
import type { Container, Notification, Shipment, TrackingRequest, Webhook } from '../store.ts';
import type { PlannedEvent } from '../world/box.ts';
import type { Phase } from '../world/scenario.ts';
import {
  aboutArrivalEstimate,
  aboutContainerCreated,
  aboutContainerUpdate,
  aboutTerminalChange,
  aboutTrackingRequest,
  aboutTransportEvent,
  type Subject,
} from './subject.ts';

/** A notification of an event that did not happen, about records that nothing lists. */
export function specimen(backend: Backend, event: EventName): Notification {
  const { ids, now } = backend;
  const webhook: Webhook = {
    id: ids.of('specimen webhook'),
    createdAt: now,
    url: 'https://hooks.example/tracking',
    active: true,
    events: [event],
    secret: '',
    headers: [],
  };
  const subject = subjectFor(backend, event);
  return { id: ids.next('specimen notification'), createdAt: now, event, deliveryStatus: 'pending', webhook, subject };
}

function subjectFor(backend: Backend, event: EventName): Subject {
  const { now } = backend;
  switch (event) {
    case 'tracking_request.succeeded':
      return aboutTrackingRequest(backend, event, request(backend, { shipment: voyaging(backend, 'at_sea').shipment }));
    case 'tracking_request.failed':
      return aboutTrackingRequest(backend, event, request(backend, { status: 'failed', failedReason: 'not_found' }));
    case 'tracking_request.awaiting_manifest':
      return aboutTrackingRequest(backend, event, request(backend, { status: 'awaiting_manifest' }));
    case 'tracking_request.tracking_stopped':
      return aboutTrackingRequest(backend, event, request(backend, { shipment: voyaging(backend, 'returned').shipment }));
    case 'shipment.estimated.arrival': {
      const { shipment } = voyaging(backend, 'at_sea');
      const { eta } = backend.voyages.of(shipment);
      return aboutArrivalEstimate(backend, shipment, eta.findLast(({ reportedAt }) => reportedAt <= now) ?? { reportedAt: now, value: now + 9 * DAY });
    }
    case 'container.created':
      return aboutContainerCreated(backend, voyaging(backend, 'at_sea'));
    case 'container.updated':
      return aboutContainerUpdate(backend, voyaging(backend, 'available'), { changeset: { available_for_pickup: [false, true] }, facility: backend.places.terminal('WBCT'), at: now });
    case 'container.pod_terminal_changed':
      return aboutTerminalChange(backend, voyaging(backend, 'at_sea'), backend.places.terminal('WBCT'), now);
    default:
      return transported(backend, event);
  }
}
