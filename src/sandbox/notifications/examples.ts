import type { EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { withCheckDigit } from '../base/container-number.ts';
import { iso } from '../base/time.ts';
import { shipment } from '../entities/tracking-entities.ts';
import type { Backend } from '../state/backend.ts';
import { makeShipment } from '../state/new-shipment.ts';
import type { Container, Entity, Notification, Shipment, Subject, TrackingRequest } from '../state/store.ts';
import type { PlannedEvent } from '../world/plan.ts';
import type { Phase, ScenarioName } from '../world/scripts.ts';
import {
  arrivalEstimateSubject,
  containerCreatedSubject,
  containerUpdateSubject,
  terminalChangeSubject,
  trackingRequestSubject,
  transportEventSubject,
} from './payload.ts';
import { NOT_SENT } from './publish.ts';

/**
 * An example notification. Its event has not happened, and its records are not stored.
 *
 * @param documentType of the document, if the event is about one.
 */
export function exampleNotification(
  backend: Backend,
  event: EventName,
  documentType?: string,
): [Notification, Subject] {
  const { ids, now } = backend;
  const record: Notification = {
    id: ids.next('specimen notification'),
    createdAt: now,
    event,
    deliveryStatus: 'pending',
    webhook: {
      id: ids.of('specimen webhook'),
      createdAt: now,
      url: 'https://hooks.example/tracking',
      active: true,
      events: [event],
      secret: 'sample-signing-secret',
      headers: [],
      failedInRow: 0,
    },
    ...NOT_SENT,
    body: null,
    dueAt: now,
    about: { kind: 'tracking request', request: requestFor(backend, {}) },
  };
  return [record, exampleSubject(backend, event, documentType)];
}

function exampleSubject(backend: Backend, event: EventName, documentType: string | undefined): Subject {
  const { now } = backend;
  switch (event) {
    case 'tracking_request.succeeded':
      return trackingRequestSubject(
        backend,
        event,
        requestFor(backend, { shipment: boxIn(backend, 'at_sea').shipment }),
      );
    case 'tracking_request.failed':
      return trackingRequestSubject(
        backend,
        event,
        requestFor(backend, { status: 'failed', failedReason: 'not_found' }),
      );
    case 'tracking_request.awaiting_manifest':
      return trackingRequestSubject(backend, event, requestFor(backend, { status: 'awaiting_manifest' }));
    case 'tracking_request.tracking_stopped':
      return trackingRequestSubject(
        backend,
        event,
        requestFor(backend, { shipment: boxIn(backend, 'returned').shipment }),
      );
    case 'shipment.estimated.arrival': {
      const { shipment } = boxIn(backend, 'at_sea');
      const reported = backend.voyages.of(shipment).eta.findLast(({ reportedAt }) => reportedAt <= now);
      return arrivalEstimateSubject(backend, shipment, defined(reported));
    }
    case 'container.created':
      return containerCreatedSubject(backend, boxIn(backend, 'at_sea'));
    case 'container.updated':
      return containerUpdateSubject(backend, boxIn(backend, 'available'), { available_for_pickup: [false, true] }, now);
    case 'container.pod_terminal_changed':
      return terminalChangeSubject(backend, boxIn(backend, 'available'), now);
    case 'document.extracted':
    case 'document.extraction_failed':
    case 'document_representation.created':
    case 'document_representation.failed':
      return exampleDocumentSubject(backend, event, documentType);
    case 'link.created': {
      const { reference } = exampleDocumentSubject(backend, event, documentType);
      return { reference, included: [reference, shipment(backend, boxIn(backend, 'at_sea').shipment)] };
    }
    default:
      return transportSubject(backend, event);
  }
}

/** Only the voyages of these scenarios have these events. */
const SCENARIOS: Partial<Record<PlannedEvent['event'], ScenarioName>> = {
  'container.transport.feeder_arrived': 'feeder',
  'container.transport.feeder_discharged': 'feeder',
  'container.transport.feeder_loaded': 'feeder',
  'container.transport.feeder_departed': 'feeder',
  'container.transport.delivered': 'delivered',
};

/** The metro area of the examples of these events. In a voyage they may happen at a port. */
const IN_METRO_AREA: Partial<Record<PlannedEvent['event'], string>> = {
  'container.transport.empty_out': 'CNHGH',
  'container.transport.rail_arrived': 'USEWI',
  'container.transport.rail_unloaded': 'USEWI',
};

/** Not every voyage has every event: tries voyages until one has it. */
function transportSubject(backend: Backend, event: PlannedEvent['event']): Subject {
  for (let variant = 0; ; variant++) {
    const box = boxIn(backend, 'returned', variant, SCENARIOS[event]);
    const { events } = defined(backend.voyages.of(box.shipment).boxes[0]);
    const planned = events.findLast(candidate => candidate.event === event);
    if (planned === undefined) continue;
    const code = IN_METRO_AREA[event];
    const place = code === undefined ? planned.place : backend.places.metroArea(code);
    return transportEventSubject(backend, box, { ...planned, event, place });
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

function requestFor(backend: Backend, changes: Partial<TrackingRequest>): TrackingRequest {
  const { ids, now } = backend;
  return {
    id: ids.of('specimen request'),
    createdAt: now,
    updatedAt: now,
    number: changes.shipment?.number ?? 'COSUSMP6404',
    type: 'bill_of_lading',
    carrier: defined(backend.carriers.find(({ scac }) => scac === 'COSU')),
    refNumbers: [],
    tags: [],
    customer: null,
    initialFields: { shipment: [], containers: [] },
    status: 'created',
    failedReason: null,
    isRetrying: false,
    retryCount: null,
    shipment: null,
    ...changes,
  };
}

type DocumentEvent =
  | 'document.extracted'
  | 'document.extraction_failed'
  | 'document_representation.created'
  | 'document_representation.failed'
  | 'link.created';

/** The subject of an example event of a document. Under its newer name, a failed extraction has an email and no data. */
export function exampleDocumentSubject(
  { ids, now }: Backend,
  event: DocumentEvent,
  documentType = 'commercial_invoice',
): Subject {
  const isNewer = !event.startsWith('document.');
  const succeeded = !/fail/.test(event);
  const hasMail = succeeded || isNewer;
  const at = { created_at: iso(now), updated_at: iso(now) };

  const account: Entity<'account'> = {
    type: 'account',
    id: ids.of('account'),
    render: () => ({ attributes: { company_name: 'Sandbox' } }),
  };
  const representation: Entity<'document_representation'> = {
    type: 'document_representation',
    id: ids.of('specimen document_representation'),
    render: () => ({
      attributes: {
        schema_version: '2026-03-23',
        payload: succeeded ? { invoice_number: 'INV-30118', total_amount: '12450.00', currency: 'USD' } : {},
        ...at,
      },
    }),
  };
  const mail: Entity<'email_submission'> = {
    type: 'email_submission',
    id: ids.of('specimen email_submission'),
    render: () => ({
      attributes: {
        subject: 'Invoice INV-30118',
        body_preview: 'Invoice attached.',
        from: ['billing@supplier.example'],
        to: ['docs@inbox.example'],
        cc: [],
        message_id: '<m-30118@supplier.example>',
        sent_at: iso(now),
        ...at,
      },
    }),
  };
  const id = ids.of('specimen document');
  const document: Entity<'document'> = {
    type: 'document',
    id,
    render: () => ({
      attributes: {
        id,
        name: 'invoice.pdf',
        document_type: succeeded ? documentType : isNewer ? 'unknown' : null,
        document_type_manual: null,
        classification_notes: null,
        source: hasMail ? 'email' : 'upload',
        file_name: 'invoice.pdf',
        file_content_type: 'application/pdf',
        file_size_bytes: 248193,
        ...at,
      },
      relationships: {
        account,
        user: null,
        email_submission: hasMail ? mail : null,
        last_document_representation: succeeded || !isNewer ? representation : null,
        shipments: [],
        cargos: [],
      },
      links: { self: `/documents/${id}`, download: `/documents/${id}/download_url` },
    }),
  };
  if (isNewer) return { reference: document, included: [...(succeeded ? [representation] : []), document, mail] };
  return { reference: document, included: succeeded ? [document, mail, representation] : [document, representation] };
}
