import type { ContainerChangeset } from '../../records/container-events.ts';
import { defined } from '../base/defined.ts';
import { container } from '../entities/tracked.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Shipment } from '../state/store.ts';
import { endOfTracking, viewContainer, viewShipment } from '../state/view.ts';
import type { Estimate, PlannedEvent } from '../world/plan.ts';
import { publish, subscribers } from './publish.ts';
import {
  aboutArrivalEstimate,
  aboutContainerUpdate,
  aboutTerminalChange,
  aboutTrackingRequest,
  aboutTransportEvent,
} from './subject.ts';

/** Something that may have to be told of, at a time of the service's clock. */
interface Moment {
  at: number;
  tell(): void;
}

/** Tells of what happens to the shipment from now on. Planning voyages takes time, so nobody looks before there is a webhook. */
export function watch(backend: Backend, shipment: Shipment): void {
  const { agenda, now, store, watched } = backend;
  if (store.webhooks.size === 0 || watched.has(shipment) || shipment.frozen) return;
  watched.add(shipment);
  const moments = momentsOf(backend, shipment)
    .filter(({ at }) => at > now)
    .sort((a, b) => a.at - b.at);

  // One at a time: what is still to come would crowd the agenda.
  function next(): void {
    const moment = moments.shift();
    if (moment === undefined) return;
    agenda.add(moment.at, () => {
      if (store.shipments.get(shipment.id) !== shipment) return;
      moment.tell();
      next();
    });
  }
  next();
}

function momentsOf(backend: Backend, shipment: Shipment): Moment[] {
  const voyage = backend.voyages.of(shipment);
  const ofBoxes = shipment.containers.flatMap(box => {
    const { events, holds } = defined(voyage.boxes[box.index]);
    return [
      ...events.map(event => ({ at: event.reportedAt, tell: () => tellOfEvent(backend, box, event) })),
      ...holds.flatMap(({ from, to }) => [from, to]).map(at => ({ at, tell: () => tellOfUpdate(backend, box) })),
    ];
  });
  return [
    ...ofBoxes,
    ...voyage.eta.map(estimate => ({
      at: estimate.reportedAt,
      tell: () => tellOfArrivalEstimate(backend, shipment, estimate),
    })),
    {
      at: endOfTracking(shipment, voyage),
      tell() {
        if (shipment.stoppedAt === null) tellOfStop(backend, shipment);
      },
    },
  ];
}

function tellOfEvent(backend: Backend, box: Container, event: PlannedEvent): void {
  if (!viewContainer(backend, box).events.includes(event)) return;
  publish(backend, event.event, () => aboutTransportEvent(backend, box, event));
  // Until then the terminal was not known.
  if (event.event === 'container.transport.vessel_departed') {
    publish(backend, 'container.pod_terminal_changed', () => aboutTerminalChange(backend, box, backend.now));
  }
  tellOfUpdate(backend, box);
}

function tellOfArrivalEstimate(backend: Backend, shipment: Shipment, estimate: Estimate): void {
  if (viewShipment(backend, shipment).stoppedAt !== null) return;
  publish(backend, 'shipment.estimated.arrival', () => aboutArrivalEstimate(backend, shipment, estimate));
}

/** Tells the requests that led to the shipment that it is no longer updated. */
export function tellOfStop(backend: Backend, shipment: Shipment): void {
  for (const request of backend.store.trackingRequests.newestFirst()) {
    if (request.shipment !== shipment) continue;
    const event = 'tracking_request.tracking_stopped';
    publish(backend, event, () => aboutTrackingRequest(backend, event, request));
  }
}

/** Tells of what this moment has changed at the terminal, if anything. */
function tellOfUpdate(backend: Backend, box: Container): void {
  if (subscribers(backend, 'container.updated').length === 0) return;
  if (!backend.voyages.of(box.shipment).podTerminal.reports) return;
  const changeset = changesetOf(backend, box);
  if (Object.keys(changeset).length === 0) return;
  publish(backend, 'container.updated', () => aboutContainerUpdate(backend, box, changeset, backend.now));
}

const REPORTED_BY_TERMINAL = [
  'available_for_pickup',
  'pickup_lfd',
  'fees_at_pod_terminal',
  'holds_at_pod_terminal',
  'pickup_appointment_at',
] as const;

function changesetOf(backend: Backend, box: Container): ContainerChangeset {
  const attributesAt = (now: number) => container({ ...backend, now }, box).render().attributes;
  const [before, after] = [attributesAt(backend.now - 1), attributesAt(backend.now)];
  const changed = REPORTED_BY_TERMINAL.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map(name => [name, [before[name], after[name]]]));
}
