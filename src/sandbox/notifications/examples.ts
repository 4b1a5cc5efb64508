import type { EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { withCheckDigit } from '../base/container-number.ts';
import type { Backend } from '../state/backend.ts';
import { makeRequest, makeShipment } from '../state/new-records.ts';
import type {
  About,
  Container,
  Document,
  EmailSubmission,
  Notification,
  Shipment,
  Subject,
  TrackingRequest,
} from '../state/store.ts';
import type { PlannedEvent } from '../world/plan.ts';
import type { Phase, ScenarioName } from '../world/scripts.ts';
import { subjectOf } from './payload.ts';
import { unsent } from './publish.ts';

/** An example notification. It is not stored. */
export function exampleNotification(
  backend: Backend,
  event: EventName,
  about: About = exampleOf(backend, event),
): [Notification, Subject] {
  const { clock, ids, now } = backend;
  const webhook = {
    id: ids.of('specimen webhook'),
    createdAt: now,
    url: 'https://hooks.example/tracking',
    active: true,
    events: [event],
    secret: 'sample-signing-secret',
    headers: [],
    failedInRow: 0,
  };
  // A sandbox that is started again must not repeat ids, because an inbox would refuse them as duplicates.
  const id = ids.next(`specimen notification ${clock.start}`);
  const record = unsent(id, now, event, webhook, about);
  return [record, subjectOf(backend, event, about)];
}

/**
 * The subject of an example. Its event has not happened, and its records are not stored.
 *
 * @param documentType The type of the document, if the event is about a document.
 */
export function exampleOf(backend: Backend, event: EventName, documentType?: string): About {
  const { now } = backend;
  switch (event) {
    case 'tracking_request.succeeded':
      return requestFor(backend, { shipment: boxIn(backend, 'at_sea').shipment });
    case 'tracking_request.failed':
      return requestFor(backend, { status: 'failed', failedReason: 'not_found' });
    case 'tracking_request.awaiting_manifest':
      return requestFor(backend, { status: 'awaiting_manifest' });
    case 'tracking_request.tracking_stopped':
      return requestFor(backend, { shipment: boxIn(backend, 'returned').shipment });
    case 'shipment.estimated.arrival': {
      const { shipment } = boxIn(backend, 'at_sea');
      const index = backend.voyages.of(shipment).eta.findLastIndex(({ reportedAt }) => reportedAt <= now);
      return { kind: 'arrival estimate', shipment, index };
    }
    case 'container.created':
      return { kind: 'container created', box: boxIn(backend, 'at_sea') };
    case 'container.updated': {
      const changeset = { available_for_pickup: [false, true] as [boolean, boolean] };
      return { kind: 'container updated', box: boxIn(backend, 'available'), changeset, at: now };
    }
    case 'container.pod_terminal_changed':
      return { kind: 'terminal changed', box: boxIn(backend, 'available'), at: now };
    case 'document.extracted':
    case 'document.extraction_failed':
    case 'document_representation.created':
    case 'document_representation.failed':
    case 'link.created':
      return { kind: 'document', document: documentFor(backend, event, documentType) };
    default:
      return transportEventFor(backend, event);
  }
}

/**
 * For events that few voyages have: a scenario whose voyage has the event. The events of the rail scenario are in a
 * metro area.
 */
const SCENARIOS: Partial<Record<PlannedEvent['event'], ScenarioName>> = {
  'container.transport.feeder_arrived': 'feeder',
  'container.transport.feeder_discharged': 'feeder',
  'container.transport.feeder_loaded': 'feeder',
  'container.transport.feeder_departed': 'feeder',
  'container.transport.delivered': 'delivered',
  'container.transport.rail_arrived': 'rail-on-time',
  'container.transport.rail_unloaded': 'rail-on-time',
};

/**
 * Tries voyages until one has the event. The event `empty_out` must also be in a metro area, and only some voyages have
 * such an event.
 */
function transportEventFor(backend: Backend, event: PlannedEvent['event']): About {
  for (let variant = 0; ; variant++) {
    const box = boxIn(backend, 'returned', variant, SCENARIOS[event]);
    const { events } = defined(backend.voyages.of(box.shipment).boxes[0]);
    const index = events.findLastIndex(
      candidate =>
        candidate.event === event &&
        (event !== 'container.transport.empty_out' || candidate.place.type === 'metro_area'),
    );
    if (index !== -1) return { kind: 'transport event', box, index };
  }
}

function boxIn(backend: Backend, phase: Phase, variant = 0, scenario?: ScenarioName): Container {
  const carrier = defined(backend.carriers.find(({ scac }) => scac === 'COSU'));
  const id = backend.ids.of('specimen shipment', phase, variant);
  const shipment: Shipment = {
    ...makeShipment(backend, id, {
      carrier,
      number: `COSUSMP640${variant}`,
      containerNumber: withCheckDigit('SVQU200417'),
      phase,
    }),
    scenario: scenario ?? null,
  };
  for (const box of shipment.containers) box.shipment = shipment;
  return defined(shipment.containers[0]);
}

function requestFor({ carriers, ids, now }: Backend, changes: Partial<TrackingRequest>): About {
  const number = changes.shipment?.number ?? 'COSUSMP6404';
  const carrier = defined(carriers.find(({ scac }) => scac === 'COSU'));
  const request = makeRequest(ids.of('specimen request'), now, { number, carrier, status: 'created', ...changes });
  return { kind: 'tracking request', request };
}

/**
 * A document for an event. If the event has the newer name and reports a failed extraction, its document came by email.
 */
function documentFor(backend: Backend, event: EventName, documentType = 'commercial_invoice'): Document {
  const { ids, now } = backend;
  const isNewer = !event.startsWith('document.');
  const failed = event.includes('fail');
  const mail: EmailSubmission = {
    id: ids.of('specimen email_submission'),
    createdAt: now,
    subject: 'Invoice INV-30118',
    body: 'Invoice attached.',
    from: ['billing@supplier.example'],
    to: ['docs@inbox.example'],
    cc: [],
    messageId: '<m-30118@supplier.example>',
  };
  const payload = failed ? {} : { invoice_number: 'INV-30118', total_amount: '12450.00', currency: 'USD' };
  const id = ids.of('specimen document');
  const upload = { id, createdAt: now, filename: 'invoice.pdf', contentType: 'application/pdf', byteSize: 248193 };
  const unknownType = isNewer ? 'unknown' : null;
  return {
    id,
    createdAt: now,
    updatedAt: now,
    name: 'invoice.pdf',
    upload: { ...upload, checksum: '', signedId: '', bytes: null },
    source: failed && !isNewer ? 'api' : 'email',
    mail: failed && !isNewer ? null : mail,
    type: failed ? unknownType : documentType,
    manualType: null,
    notes: null,
    representation:
      failed && isNewer ? null : { id: ids.of('specimen document_representation'), createdAt: now, payload },
    manualData: null,
    shipments: event === 'link.created' ? [boxIn(backend, 'at_sea').shipment] : [],
    containers: [],
  };
}
