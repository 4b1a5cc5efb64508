import type { WireResource } from '../../jsonapi/document.ts';
import { EVENT_CATEGORIES, EVENTS } from '../../model/generated/events.ts';
import type { ContainerChangeset, EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { iso } from '../base/time.ts';
import { document } from '../entities/document-entities.ts';
import { facilityAt, location, port, terminal, vessel } from '../entities/place-entities.ts';
import { container, shipment, trackingRequest, transportEvent } from '../entities/tracking-entities.ts';
import { serialize } from '../http/replies.ts';
import type { Backend } from '../state/backend.ts';
import type { Features } from '../state/features.ts';
import type {
  About,
  Container,
  Document,
  Entity,
  Notification,
  Rendered,
  Shipment,
  Subject,
  TrackingRequest,
  Webhook,
} from '../state/store.ts';
import type { Estimate, PlannedEvent } from '../world/plan.ts';

export function webhook({ id, url, active, events, secret, headers, createdAt }: Webhook): Entity<'webhook'> {
  return {
    type: 'webhook',
    id,
    render: () => ({ attributes: { url, active, events, secret, headers, created_at: iso(createdAt) } }),
  };
}

export interface EventCategory {
  id: string;
  name: string;
  events: { name: EventName; description: string }[];
}

const NAMES = Object.keys(EVENTS) as EventName[];

/** The events that webhooks can subscribe to. They depend on the account's features. */
export function eventCategories(features: Features): EventCategory[] {
  const sent = NAMES.filter(name => isSent(EVENTS[name].feature, features));
  return Object.entries(EVENT_CATEGORIES)
    .map(([id, name]) => ({
      id,
      name,
      events: sent
        .filter(event => EVENTS[event].category === id)
        .map(event => ({ name: event, description: EVENTS[event].description })),
    }))
    .filter(({ events }) => events.length > 0);
}

function isSent(feature: keyof Features | undefined, features: Features): boolean {
  return feature === undefined || features[feature];
}

/** The name, if the service has an event of this name. */
export function eventNamed(name: string): EventName | undefined {
  return NAMES.find(event => event === name);
}

/** The payload version of document events. Other events have no version. */
const DOCUMENT_VERSION = '2026-03-10';

/** @param reference The record that it is about. */
export function notification(record: Notification, reference: Subject['reference']): Entity<'webhook_notification'> {
  return { type: 'webhook_notification', id: record.id, render: () => render(record, reference) };
}

function render(
  { id, event, deliveryStatus, createdAt, ...record }: Notification,
  reference: Subject['reference'],
): Rendered<'webhook_notification'> {
  const attributes = { id, event, delivery_status: deliveryStatus, created_at: iso(createdAt) };
  // The newer events of documents name theirs as the `reference_object`, as other events do.
  if (event.startsWith('document.') && reference.type === 'document') {
    return { attributes: { ...attributes, version: DOCUMENT_VERSION }, relationships: { document: reference } };
  }
  return {
    attributes,
    relationships: { reference_object: reference, webhook: webhook(record.webhook), webhook_notification_logs: [] },
  };
}

/** The body of a delivery. */
export function payload(
  record: Notification,
  { reference, included }: Subject,
): { data: WireResource | undefined; included?: WireResource[] } {
  const [data] = serialize([notification(record, reference)], new Map()).data;
  return included === null ? { data } : { data, included: serialize(included, new Map()).data };
}

/** The record that a notification is about, with those that are sent with it. */
export function subjectOf(backend: Backend, event: EventName, about: About): Subject {
  switch (about.kind) {
    case 'tracking request':
      return trackingRequestSubject(backend, event, about.request);
    case 'transport event': {
      const { shipment, index } = about.box;
      const { events } = defined(backend.voyages.of(shipment).boxes[index]);
      return transportEventSubject(backend, about.box, defined(events[about.index]));
    }
    case 'arrival estimate':
      return arrivalEstimateSubject(
        backend,
        about.shipment,
        defined(backend.voyages.of(about.shipment).eta[about.index]),
      );
    case 'container created':
      return containerCreatedSubject(backend, about.box);
    case 'container updated':
      return containerUpdateSubject(backend, about.box, about.changeset, about.at);
    case 'terminal changed':
      return terminalChangeSubject(backend, about.box, about.at);
    case 'document':
      return documentSubject(backend, about.document);
  }
}

export function trackingRequestSubject(backend: Backend, event: EventName, request: TrackingRequest): Subject {
  const reference = trackingRequest(backend, request);
  const found = request.shipment;
  if (found === null) return { reference, included: [reference] };
  const containers = event === 'tracking_request.succeeded' ? found.containers : [];
  const included = [...containers.map(box => container(backend, box)), shipment(backend, found), reference];
  return { reference, included };
}

export function transportEventSubject(backend: Backend, box: Container, planned: PlannedEvent): Subject {
  const reference = transportEvent(backend, box, planned);
  const { includes } = EVENTS[planned.event];
  if (includes.length === 0) return { reference, included: null };
  // Only the event itself, without relationships.
  if (includes.length === 1) return { reference, included: [bare(reference)] };
  const { place, leg, terminal: facility } = planned;
  return {
    reference,
    included: [
      shipment(backend, box.shipment),
      container(backend, box),
      location(place),
      ...(facility ? [facilityAt(place, facility)] : []),
      ...(leg ? [vessel(backend, leg)] : []),
      reference,
    ],
  };
}

function bare<T extends 'transport_event'>(entity: Entity<T>): Entity<T> {
  return { ...entity, render: () => ({ attributes: entity.render().attributes }) };
}

export function arrivalEstimateSubject(backend: Backend, record: Shipment, { reportedAt, value }: Estimate): Subject {
  const { pod, lastLeg: leg } = backend.voyages.of(record);
  const reference: Entity<'estimated_event'> = {
    type: 'estimated_event',
    id: backend.ids.of('estimated_event', record.id, reportedAt),
    render: () => ({
      attributes: {
        created_at: iso(Math.max(reportedAt, record.createdAt)),
        estimated_timestamp: iso(value),
        voyage_number: leg.voyageNumber,
        event: 'shipment.estimated.arrival',
        location_locode: pod.code,
        data_source: 'shipping_line',
        timezone: pod.timeZone,
      },
      relationships: { shipment: shipment(backend, record), port: port(pod), vessel: vessel(backend, leg) },
    }),
  };
  return { reference, included: [shipment(backend, record), port(pod), reference] };
}

export function containerCreatedSubject(backend: Backend, box: Container): Subject {
  const relationships = { container: container(backend, box), shipment: shipment(backend, box.shipment) };
  const reference: Entity<'container_created_event'> = {
    type: 'container_created_event',
    id: backend.ids.of('container_created_event', box.id),
    render: () => ({ attributes: { timestamp: iso(box.createdAt), timezone: 'Etc/UTC' }, relationships }),
  };
  return { reference, included: [relationships.shipment, relationships.container, reference] };
}

export function containerUpdateSubject(
  backend: Backend,
  box: Container,
  changeset: ContainerChangeset,
  at: number,
): Subject {
  const { pod } = backend.voyages.of(box.shipment);
  const parts = atTerminal(backend, box);
  const reference: Entity<'container_updated_event'> = {
    type: 'container_updated_event',
    id: backend.ids.of('container_updated_event', box.id, at),
    render: () => ({
      attributes: { changeset, timestamp: iso(at), data_source: 'terminal', timezone: pod.timeZone },
      relationships: parts,
    }),
  };
  return { reference, included: [parts.shipment, port(pod), parts.terminal, parts.container, reference] };
}

export function terminalChangeSubject(backend: Backend, box: Container, at: number): Subject {
  const parts = atTerminal(backend, box);
  const reference: Entity<'container_pod_terminal_changed_event'> = {
    type: 'container_pod_terminal_changed_event',
    id: backend.ids.of('container_pod_terminal_changed_event', box.id, at),
    render: () => ({ attributes: { timestamp: iso(at), data_source: 'shipping_line' }, relationships: parts }),
  };
  return { reference, included: [parts.shipment, parts.container, parts.terminal, reference] };
}

export function documentSubject(backend: Backend, record: Document): Subject {
  const reference = document(backend, record);
  const { email_submission: mail, last_document_representation: extracted } = reference.render().relationships ?? {};
  return {
    reference,
    included: [reference, mail, extracted].filter(entity => entity !== null && entity !== undefined),
  };
}

/** The relationships of an event at a terminal. */
function atTerminal(backend: Backend, box: Container) {
  const { podTerminal } = backend.voyages.of(box.shipment);
  return {
    container: container(backend, box),
    terminal: terminal(podTerminal),
    shipment: shipment(backend, box.shipment),
  };
}
