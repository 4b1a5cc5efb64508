import type { ContainerChangeset } from '../../records/container-events.ts';
import { defined } from '../base/defined.ts';
import { container } from '../entities/tracked.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Shipment } from '../state/store.ts';
import { endOfTracking, viewContainer, viewShipment } from '../state/view.ts';
import type { Estimate, PlannedEvent } from '../world/plan.ts';
import { publish, subscribers } from './publish.ts';
import {
  arrivalEstimateSubject,
  containerUpdateSubject,
  terminalChangeSubject,
  trackingRequestSubject,
  transportEventSubject,
} from './subject.ts';

/** A time of the service's clock at which webhooks may have to be notified. */
interface Moment {
  at: number;
  notify(): void;
}

/** Notifies webhooks of the shipment's events from now on. Nothing is planned before there is a webhook, to save time. */
export function watch(backend: Backend, shipment: Shipment): void {
  const { agenda, now, store, watched } = backend;
  if (store.webhooks.size === 0 || watched.has(shipment) || shipment.frozen) return;
  watched.add(shipment);
  const moments = momentsOf(backend, shipment)
    .filter(({ at }) => at > now)
    .sort((a, b) => a.at - b.at);

  // Only the next moment is on the agenda: adding all of them would make it slow.
  function next(): void {
    const moment = moments.shift();
    if (moment === undefined) return;
    agenda.add(moment.at, () => {
      if (store.shipments.get(shipment.id) !== shipment) return;
      moment.notify();
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
      ...events.map(event => ({ at: event.reportedAt, notify: () => notifyOfEvent(backend, box, event) })),
      ...holds.flatMap(({ from, to }) => [from, to]).map(at => ({ at, notify: () => notifyOfUpdate(backend, box) })),
    ];
  });
  return [
    ...ofBoxes,
    ...voyage.eta.map(estimate => ({
      at: estimate.reportedAt,
      notify: () => notifyOfArrivalEstimate(backend, shipment, estimate),
    })),
    {
      at: endOfTracking(shipment, voyage),
      notify() {
        if (shipment.stoppedAt === null) notifyOfStop(backend, shipment);
      },
    },
  ];
}

function notifyOfEvent(backend: Backend, box: Container, event: PlannedEvent): void {
  if (!viewContainer(backend, box).events.includes(event)) return;
  publish(backend, event.event, () => transportEventSubject(backend, box, event));
  // The terminal was not known before.
  if (event.event === 'container.transport.vessel_departed') {
    publish(backend, 'container.pod_terminal_changed', () => terminalChangeSubject(backend, box, backend.now));
  }
  notifyOfUpdate(backend, box);
}

function notifyOfArrivalEstimate(backend: Backend, shipment: Shipment, estimate: Estimate): void {
  if (viewShipment(backend, shipment).stoppedAt !== null) return;
  publish(backend, 'shipment.estimated.arrival', () => arrivalEstimateSubject(backend, shipment, estimate));
}

/** Notifies webhooks that the tracking of the shipment has stopped: once for each of its tracking requests. */
export function notifyOfStop(backend: Backend, shipment: Shipment): void {
  for (const request of backend.store.trackingRequests.newestFirst()) {
    if (request.shipment !== shipment) continue;
    const event = 'tracking_request.tracking_stopped';
    publish(backend, event, () => trackingRequestSubject(backend, event, request));
  }
}

/** Notifies webhooks if data from the terminal has changed at this moment. */
function notifyOfUpdate(backend: Backend, box: Container): void {
  if (subscribers(backend, 'container.updated').length === 0) return;
  if (!backend.voyages.of(box.shipment).podTerminal.reports) return;
  const changeset = changesetOf(backend, box);
  if (Object.keys(changeset).length === 0) return;
  publish(backend, 'container.updated', () => containerUpdateSubject(backend, box, changeset, backend.now));
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
