import { EVENTS } from '../../model/generated/events.ts';
import type { ContainerChangeset, EventName } from '../../model/index.ts';
import { defined } from '../base/defined.ts';
import { iso } from '../base/time.ts';
import { document } from '../entities/document.ts';
import { facilityAt, location, port, terminal } from '../entities/places.ts';
import { container, shipment, transportEvent } from '../entities/tracked.ts';
import { trackingRequest } from '../entities/tracking-request.ts';
import { vessel } from '../entities/vessel.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { About, Container, Document, Shipment, Subject, TrackingRequest } from '../state/store.ts';
import { type Estimate, lastSailing, type PlannedEvent } from '../world/plan.ts';

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
  const voyage = backend.voyages.of(record);
  const { pod } = voyage;
  const leg = lastSailing(voyage, reportedAt);
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
