import type { ContainerChangeset, EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { container } from '../entities/tracking-entities.ts';
import type { Backend } from '../state/backend.ts';
import type { About, Container, Notification, Shipment, Webhook } from '../state/store.ts';
import { viewContainer, viewShipment } from '../state/view.ts';
import type { Moment } from '../state/voyages.ts';
import { payload, subjectOf } from './payload.ts';

/** The webhooks that are active now and subscribe to an event. */
export function subscribers({ store }: Backend, event: EventName): Webhook[] {
  if (store.webhooks.size === 0) return [];
  return store.webhooks.newestFirst().filter(({ active, events }) => active && nameFor(event, events) !== undefined);
}

/**
 * Events that have another name in another edition of the service. A webhook that subscribes to both names is notified
 * once.
 */
const OTHER_NAMES: Partial<Record<EventName, EventName>> = {
  'document.extracted': 'document_representation.created',
  'document.extraction_failed': 'document_representation.failed',
};

function nameFor(event: EventName, subscribed: readonly EventName[]): EventName | undefined {
  return [event, OTHER_NAMES[event]].find(name => name !== undefined && subscribed.includes(name));
}

/** A notification that was not attempted yet. */
export function unsent(id: string, now: number, event: EventName, webhook: Webhook, about: About): Notification {
  const attempts = { attempts: 0, retries: 0, lastAttemptAt: null, lastStatus: null, lastError: null };
  return { id, createdAt: now, event, deliveryStatus: 'pending', ...attempts, dueAt: now, body: null, webhook, about };
}

/** Notifies the subscribed webhooks of an event. */
export function publish(backend: Backend, event: EventName, about: About): void {
  const webhooks = subscribers(backend, event);
  if (webhooks.length === 0) return;
  const subject = subjectOf(backend, event, about);
  for (const webhook of webhooks) {
    const name = nameFor(event, webhook.events) ?? event;
    const notification = unsent(backend.ids.next('notification'), backend.now, name, webhook, about);
    notification.body = JSON.stringify(payload(notification, subject));
    backend.deliveries.start(backend, backend.store.notifications.add(notification));
  }
}

/**
 * Notifies webhooks of the shipment's events from now on. To save time, does nothing while the account has no webhooks.
 */
export function watch(backend: Backend, shipment: Shipment): void {
  const { now, store } = backend;
  if (store.webhooks.size === 0 || shipment.isWatched || shipment.frozen) return;
  shipment.isWatched = true;
  waitFor(
    backend,
    shipment,
    backend.voyages.momentsOf(shipment).findIndex(({ at }) => at > now),
  );
}

/** Only the next moment is on the agenda, because an agenda with all moments would be slow. */
function waitFor(backend: Backend, shipment: Shipment, index: number): void {
  const moment = backend.voyages.momentsOf(shipment)[index];
  if (moment !== undefined) backend.agenda.add(moment.at, { kind: 'voyage', shipment, index });
}

/** Notifies webhooks of a moment of a voyage, and puts the next moment on the agenda. */
export function reach(backend: Backend, shipment: Shipment, index: number): void {
  if (backend.store.shipments.get(shipment.id) !== shipment) return;
  notifyOf(backend, shipment, defined(backend.voyages.momentsOf(shipment)[index]));
  waitFor(backend, shipment, index + 1);
}

function notifyOf(backend: Backend, shipment: Shipment, { what, box, index }: Moment): void {
  switch (what) {
    case 'event':
      notifyOfEvent(backend, defined(box), index);
      break;
    case 'terminal':
      notifyOfUpdate(backend, defined(box));
      break;
    case 'estimate':
      notifyOfArrivalEstimate(backend, shipment, index);
      break;
    case 'end':
      if (shipment.stoppedAt === null) notifyOfStop(backend, shipment);
  }
}

function notifyOfEvent(backend: Backend, box: Container, index: number): void {
  const event = defined(defined(backend.voyages.of(box.shipment).boxes[box.index]).events[index]);
  if (!viewContainer(backend, box).events.includes(event)) return;
  publish(backend, event.event, { kind: 'transport event', box, index });
  // The terminal becomes known with this event.
  if (event.event === 'container.transport.vessel_departed') {
    publish(backend, 'container.pod_terminal_changed', { kind: 'terminal changed', box, at: backend.now });
  }
  notifyOfUpdate(backend, box);
}

function notifyOfArrivalEstimate(backend: Backend, shipment: Shipment, index: number): void {
  if (viewShipment(backend, shipment).stoppedAt !== null) return;
  publish(backend, 'shipment.estimated.arrival', { kind: 'arrival estimate', shipment, index });
}

/**
 * Notifies webhooks that the tracking of the shipment has stopped. The webhooks are notified once for each tracking
 * request of the shipment.
 */
export function notifyOfStop(backend: Backend, shipment: Shipment): void {
  for (const request of backend.store.trackingRequests.newestFirst()) {
    if (request.shipment !== shipment) continue;
    publish(backend, 'tracking_request.tracking_stopped', { kind: 'tracking request', request });
  }
}

/** Notifies webhooks if data from the terminal has changed at this moment. */
function notifyOfUpdate(backend: Backend, box: Container): void {
  if (subscribers(backend, 'container.updated').length === 0) return;
  if (!backend.voyages.of(box.shipment).podTerminal.reports) return;
  const changeset = changesetOf(backend, box);
  if (Object.keys(changeset).length === 0) return;
  publish(backend, 'container.updated', { kind: 'container updated', box, changeset, at: backend.now });
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
