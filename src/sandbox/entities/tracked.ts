import { defined } from '../base/checks.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Entity, PartyRole, Shipment } from '../state/store.ts';
import { type ContainerView, viewContainer } from '../state/view.ts';
import type { PlannedEvent } from '../world/plan.ts';
import { partyRole } from './account-entities.ts';
import { renderContainer } from './container.ts';
import { type CarrierEvent, carrierEvents, isFromCarrier, renderRawEvent } from './raw-event.ts';
import { renderShipment } from './shipment.ts';
import { renderTransportEvent } from './transport-event.ts';

/**
 * Shipments, containers and their events have relationships to one another. The entities are therefore made together here;
 * how each of them is rendered is in its own file.
 */

/** @param roles The roles of parties on it, where they were asked for. */
export function shipment(backend: Backend, record: Shipment, roles?: PartyRole[] | false): Entity<'shipment'> {
  return {
    type: 'shipment',
    id: record.id,
    render() {
      const containers = record.containers.map(box => container(backend, box));
      return renderShipment(backend, record, containers, roles ? roles.map(partyRole) : undefined);
    },
  };
}

export function container(backend: Backend, record: Container): Entity<'container'> {
  return {
    type: 'container',
    id: record.id,
    render: () =>
      renderContainer(backend, record, {
        shipment: shipment(backend, record.shipment),
        transportEvent: planned => transportEvent(backend, record, planned),
        rawEvents: view => rawEventsOf(backend, record, view),
      }),
  };
}

export function transportEvent(backend: Backend, box: Container, planned: PlannedEvent): Entity<'transport_event'> {
  return {
    type: 'transport_event',
    id: planned.id,
    render: () =>
      renderTransportEvent(backend, planned, box.createdAt, {
        shipment: shipment(backend, box.shipment),
        container: container(backend, box),
        sourceEvent: isFromCarrier(planned) ? sourceEvent(backend, box, planned) : null,
      }),
  };
}

function sourceEvent(backend: Backend, box: Container, { rawId }: PlannedEvent): Entity<'raw_event'> {
  return {
    type: 'raw_event',
    id: rawId,
    render: () => defined(rawEventsOf(backend, box).find(({ id }) => id === rawId)).render(),
  };
}

/** The events in the carrier's data: those so far in their order, then the expected ones. */
export function rawEventsOf(
  backend: Backend,
  box: Container,
  view: ContainerView = viewContainer(backend, box),
): Entity<'raw_event'>[] {
  return carrierEvents(view).map(event => rawEvent(backend, box, event));
}

function rawEvent(backend: Backend, box: Container, event: CarrierEvent): Entity<'raw_event'> {
  return {
    type: 'raw_event',
    id: event.planned.rawId,
    render: () => renderRawEvent(backend, box, event, container(backend, box)),
  };
}
