import type { EventName } from '../../model/index.ts';
import type { Backend } from '../state/backend.ts';
import type { About, Document, TrackingRequest } from '../state/store.ts';
import { viewContainer, viewShipment } from '../state/view.ts';

/**
 * The newest record of the account that has such an event. The handler of a sample can read this record. `undefined` if
 * there is none.
 *
 * @param documentType The type of the document, if the event is about a document.
 */
export function storedSubject(backend: Backend, event: EventName, documentType?: string): About | undefined {
  const { store, voyages, now } = backend;
  const shipments = store.shipments.newestFirst();
  const boxes = shipments.flatMap(({ containers }) => containers);
  const hasStopped = ({ shipment }: TrackingRequest) => shipment && viewShipment(backend, shipment).stoppedAt !== null;
  switch (event) {
    case 'tracking_request.succeeded':
      return requestThat(request => request.shipment && !hasStopped(request));
    case 'tracking_request.failed':
      return requestThat(({ status }) => status === 'failed');
    case 'tracking_request.awaiting_manifest':
      return requestThat(({ status }) => status === 'awaiting_manifest');
    case 'tracking_request.tracking_stopped':
      return requestThat(hasStopped);
    case 'shipment.estimated.arrival':
      for (const shipment of shipments) {
        const index = voyages.of(shipment).eta.findLastIndex(({ reportedAt }) => reportedAt <= now);
        if (index !== -1) return { kind: 'arrival estimate', shipment, index };
      }
      return undefined;
    case 'container.created':
      return boxes[0] && { kind: 'container created', box: boxes[0] };
    case 'container.updated': {
      const about = transportEvent(
        'container.transport.available',
        box => voyages.of(box.shipment).podTerminal.reports,
      );
      const changeset = { available_for_pickup: [false, true] as [boolean, boolean] };
      return about && { kind: 'container updated', box: about.box, changeset, at: now };
    }
    case 'container.pod_terminal_changed': {
      const about = transportEvent('container.transport.vessel_departed');
      return about && { kind: 'terminal changed', box: about.box, at: now };
    }
    case 'document.extracted':
    case 'document_representation.created':
      return documentThat(({ type, representation }) => representation && (documentType ?? type) === type);
    case 'link.created':
      return documentThat(({ shipments }) => shipments.length > 0);
    case 'document.extraction_failed':
    case 'document_representation.failed':
      return undefined;
    default:
      return transportEvent(event);
  }

  function requestThat(fits: (request: TrackingRequest) => unknown): About | undefined {
    const request = store.trackingRequests.newestFirst().find(fits);
    return request && { kind: 'tracking request', request };
  }

  function documentThat(fits: (document: Document) => unknown): About | undefined {
    const document = store.documents.newestFirst().find(fits);
    return document && { kind: 'document', document };
  }

  function transportEvent(name: string, fits = (_box: (typeof boxes)[number]): boolean => true) {
    for (const box of boxes.filter(fits)) {
      const { events, box: plan } = viewContainer(backend, box);
      const known = events.findLast(candidate => candidate.event === name);
      if (known) return { kind: 'transport event' as const, box, index: plan.events.indexOf(known) };
    }
    return undefined;
  }
}
