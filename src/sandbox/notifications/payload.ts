import type { WireResource } from '../../jsonapi/document.ts';
import { EVENT_CATEGORIES, EVENTS } from '../../model/generated/events.ts';
import type { EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { iso } from '../base/time.ts';
import { document } from '../entities/document-entities.ts';
import { facilityAt, location, port, terminal, vessel } from '../entities/place-entities.ts';
import { container, shipment, trackingRequest, transportEvent } from '../entities/tracking-entities.ts';
import { serialize } from '../http/replies.ts';
import type { Backend } from '../state/backend.ts';
import type { Features } from '../state/settings.ts';
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
import { entity } from '../state/store.ts';
import { type Estimate, lastSailing, type PlannedEvent } from '../world/plan.ts';

export function webhook({ id, url, active, events, secret, headers, createdAt }: Webhook): Entity<'webhook'> {
  return entity('webhook', id, () => ({
    attributes: { url, active, events, secret, headers, created_at: iso(createdAt) },
  }));
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

/** @param reference The record that the notification is about. */
export function notification(record: Notification, reference: Subject['reference']): Entity<'webhook_notification'> {
  return entity('webhook_notification', record.id, () => render(record, reference));
}

function render(
  { id, event, deliveryStatus, createdAt, ...record }: Notification,
  reference: Subject['reference'],
): Rendered<'webhook_notification'> {
  const attributes = { id, event, delivery_status: deliveryStatus, created_at: iso(createdAt) };
  // Events whose names begin with `document.` have the relationship `document`. All other events have
  // `reference_object`.
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

/** The record that a notification is about, with the records that are sent with it. */
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
      return estimateSubject(backend, about.shipment, defined(backend.voyages.of(about.shipment).eta[about.index]));
    case 'document':
      return documentSubject(backend, event, about.document);
    default:
      return containerSubject(backend, about);
  }
}

function trackingRequestSubject(backend: Backend, event: EventName, request: TrackingRequest): Subject {
  const reference = trackingRequest(backend, request);
  const found = request.shipment;
  if (found === null) return { reference, included: [reference] };
  const containers = event === 'tracking_request.succeeded' ? found.containers : [];
  const included = [...containers.map(box => container(backend, box)), shipment(backend, found), reference];
  return { reference, included };
}

function transportEventSubject(backend: Backend, box: Container, planned: PlannedEvent): Subject {
  const reference = transportEvent(backend, box, planned);
  const { includes } = EVENTS[planned.event];
  if (includes.length === 0) return { reference, included: null };
  // Some payloads include only the event itself, without its relationships.
  const bare: typeof reference = { ...reference, render: () => ({ attributes: reference.render().attributes }) };
  if (includes.length === 1) return { reference, included: [bare] };
  const { place, leg, terminal: facility } = planned;
  const included: Entity[] = [shipment(backend, box.shipment), container(backend, box), location(place)];
  if (facility) included.push(facilityAt(place, facility));
  if (leg) included.push(vessel(backend, leg));
  return { reference, included: [...included, reference] };
}

function estimateSubject(backend: Backend, record: Shipment, { reportedAt, value }: Estimate): Subject {
  const voyage = backend.voyages.of(record);
  const { pod } = voyage;
  const leg = lastSailing(voyage, reportedAt);
  const reference = entity('estimated_event', backend.ids.of('estimated_event', record.id, reportedAt), () => ({
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
  }));
  return { reference, included: [shipment(backend, record), port(pod), reference] };
}

/** The subject of a container event that is not a milestone. */
function containerSubject(
  backend: Backend,
  about: Extract<About, { box: Container; kind: `container ${string}` | 'terminal changed' }>,
): Subject {
  const { ids, voyages } = backend;
  const { pod, podTerminal } = voyages.of(about.box.shipment);
  const common = { container: container(backend, about.box), shipment: shipment(backend, about.box.shipment) };
  const relationships = { container: common.container, terminal: terminal(podTerminal), shipment: common.shipment };
  if (about.kind === 'container created') {
    const attributes = { timestamp: iso(about.box.createdAt), timezone: 'Etc/UTC' };
    const id = ids.of('container_created_event', about.box.id);
    const reference = entity('container_created_event', id, () => ({ attributes, relationships: common }));
    return { reference, included: [common.shipment, common.container, reference] };
  }
  const timestamp = iso(about.at);
  if (about.kind === 'terminal changed') {
    const attributes = { timestamp, data_source: 'shipping_line' } as const;
    const id = ids.of('container_pod_terminal_changed_event', about.box.id, about.at);
    const reference = entity('container_pod_terminal_changed_event', id, () => ({ attributes, relationships }));
    return { reference, included: [common.shipment, common.container, relationships.terminal, reference] };
  }
  const attributes = {
    changeset: about.changeset,
    timestamp,
    data_source: 'terminal',
    timezone: pod.timeZone,
  } as const;
  const id = ids.of('container_updated_event', about.box.id, about.at);
  const reference = entity('container_updated_event', id, () => ({ attributes, relationships }));
  return { reference, included: [common.shipment, port(pod), relationships.terminal, common.container, reference] };
}

function documentSubject(backend: Backend, event: EventName, record: Document): Subject {
  const reference = document(backend, record);
  const { email_submission: mail, last_document_representation: extracted } = reference.render().relationships ?? {};
  const linked = record.shipments.map(its => shipment(backend, its));
  const included = event === 'link.created' ? [reference, ...linked] : [reference, mail, extracted];
  return { reference, included: included.filter(entity => entity !== null && entity !== undefined) };
}
