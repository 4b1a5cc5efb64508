import type { EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { asContainerNumber, compact, hasRightCheckDigit, isContainerNumber } from '../base/container-number.ts';
import { createRandom } from '../base/random.ts';
import { DAY, HOUR, MINUTE } from '../base/time.ts';
import { publish, reach, watch } from '../notifications/publish.ts';
import type { Backend, Task } from '../state/backend.ts';
import { makeShipment, type NewShipment } from '../state/new-records.ts';
import type { Shipment, TrackingRequest } from '../state/store.ts';
import { viewShipment } from '../state/view.ts';
import type { Carrier } from '../world/carriers.ts';
import { type Outcome, outcomeOf, scriptNamed } from '../world/scripts.ts';
import { setField } from './custom-fields.ts';
import { endStep, receiveEmail } from './document-processing.ts';
import { inferNumber } from './infer-number.ts';
import { copyRoles } from './party-roles.ts';

export const LATE_MANIFEST_AFTER = 2 * DAY;
export const FLAKY_FOR = 7 * MINUTE;
export const UNREACHABLE_FOR = 24 * HOUR;
export const EMAIL_AFTER = HOUR;

/** Starts the tracking of a request. The outcome of the request follows after the tracking delay. */
export function startTracking(backend: Backend, request: TrackingRequest): void {
  after(backend, delayOf(backend, request.number), { kind: 'answer', request });
}

/** The time from a tracking request to the carrier's response, in ms. */
export function delayOf({ seed, trackingDelayMs }: Backend, number: string): number {
  return Math.round(trackingDelayMs * createRandom(seed, 'delay', number).between(1, 1.25));
}

function after({ agenda, now }: Backend, ms: number, task: Task): void {
  agenda.add(now + ms, task);
}

/** Detects the carrier if it is missing, and then applies the carrier's response. */
export function answerRequest(backend: Backend, request: TrackingRequest): void {
  request.carrier ??= detectCarrier(backend, request.number);
  if (request.carrier === null) endRequest(backend, request, 'scac_auto_detect_failed');
  else carrierAnswers(backend, request, request.carrier);
}

function detectCarrier({ carriers }: Backend, number: string): Carrier | null {
  const selected = inferNumber(carriers, number)?.shipping_line.selected;
  return carriers.find(carrier => carrier.scac === selected?.scac) ?? null;
}

function carrierAnswers(backend: Backend, request: TrackingRequest, carrier: Carrier): void {
  const outcome = outcomeFor(request, carrier);
  const created: Task = { kind: 'outcome', request, failedReason: null };
  switch (outcome) {
    case 'created':
      succeed(backend, request, carrier);
      break;
    case 'not_found':
      // A request for a container fails immediately, except with one carrier. For a bill of lading or a booking, the
      // service awaits the manifest.
      if (request.type === 'container' && carrier.scac !== 'HDMU') {
        fail(backend, request, 'not_found');
      } else {
        awaitManifest(backend, request);
      }
      break;
    case 'late_manifest':
      changeToAwaiting(backend, request);
      after(backend, LATE_MANIFEST_AFTER, created);
      break;
    case 'flaky':
      failToReach(backend, request, [0, MINUTE, 3 * MINUTE]);
      after(backend, FLAKY_FOR, created);
      break;
    case 'unreachable':
      failToReach(backend, request, ATTEMPTS);
      after(backend, ATTEMPTS.at(-1) ?? 0, { kind: 'outcome', request, failedReason: 'retries_exhausted' });
      break;
    default:
      fail(backend, request, outcome);
  }
}

function outcomeFor({ number, type }: TrackingRequest, carrier: Carrier): Outcome {
  if (carrier.scac === 'TEST') return number === 'TEST-TR-SUCCEEDED' ? 'created' : 'invalid_number';
  const named = outcomeOf(number);
  if (named !== 'created') return named;

  const text = compact(number);
  if (type === 'container') {
    if (!isContainerNumber(text)) return 'invalid_number';
    return hasRightCheckDigit(text) ? 'created' : 'not_found';
  }
  // A bill of lading number can look like a container number if both begin with the carrier's code.
  const isOfCarrier = text.startsWith(carrier.scac) || text.startsWith(carrier.bolPrefix);
  const isContainer = isContainerNumber(text) && hasRightCheckDigit(text) && !isOfCarrier;
  return /^[A-Z0-9]{5,}$/.test(text) && !isContainer ? 'created' : 'invalid_number';
}

function succeed(backend: Backend, request: TrackingRequest, carrier: Carrier): void {
  if (isTracked(backend, request, carrier)) {
    fail(backend, request, 'duplicate');
    return;
  }
  const containerNumber = request.type === 'container' ? asContainerNumber(request.number) : undefined;
  request.shipment = addShipment(backend, {
    carrier,
    number: containerNumber === undefined ? request.number : billFor(backend, containerNumber, carrier),
    containerNumber,
    refNumbers: request.refNumbers,
    tags: request.tags,
    customer: request.customer,
    inPhaseAt: backend.store.announced.get(request.number)?.inPhaseAt,
    ...(carrier.scac === 'TEST' && { frozen: true, containers: 1 }),
  });
  copyRoles(backend, request, request.shipment);
  setInitialFields(backend, request.shipment, request.initialFields);
  const { scenario } = request.shipment;
  if (scenario !== null && scriptNamed(scenario).hasEmail) {
    after(backend, EMAIL_AFTER, { kind: 'email', shipment: request.shipment });
  }
  change(backend, request, { status: 'created', failedReason: null, isRetrying: false });
  notify(backend, 'tracking_request.succeeded', request);
  // A bill of lading has its containers from the start. A booking gets its containers later, so an event reports each
  // of them.
  if (request.type !== 'booking_number') return;
  for (const box of request.shipment.containers) {
    publish(backend, 'container.created', { kind: 'container created', box });
  }
}

/** @param since Time of the first request to the carrier. @default now */
export function awaitManifest(backend: Backend, request: TrackingRequest, since: number = backend.now): void {
  changeToAwaiting(backend, request);
  backend.agenda.add(since + backend.settings.manifestDays * DAY, {
    kind: 'outcome',
    request,
    failedReason: 'expired',
  });
}

function changeToAwaiting(backend: Backend, request: TrackingRequest): void {
  change(backend, request, { status: 'awaiting_manifest' });
  notify(backend, 'tracking_request.awaiting_manifest', request);
}

function setInitialFields(backend: Backend, shipment: Shipment, fields: TrackingRequest['initialFields']): void {
  for (const field of fields.shipment) setField(backend, { type: 'shipment', id: shipment.id }, field);
  for (const { number, ...field } of fields.containers) {
    const chosen = shipment.containers.filter(
      container => number === '' || container.number === asContainerNumber(number),
    );
    for (const { id } of chosen) setField(backend, { type: 'container', id }, field);
  }
}

/** True if the account tracks the shipment already. A shipment whose tracking has stopped may be requested again. */
function isTracked(backend: Backend, { number, type }: TrackingRequest, carrier: Carrier): boolean {
  return backend.store.shipments.newestFirst().some(shipment => {
    if (shipment.carrier !== carrier) return false;
    const isSame =
      type === 'container'
        ? shipment.containers.some(container => container.number === asContainerNumber(number))
        : shipment.number === number;
    return isSame && viewShipment(backend, shipment).stoppedAt === null;
  });
}

function billFor({ seed }: Backend, containerNumber: string, { bolPrefix }: Carrier): string {
  return `${bolPrefix}${createRandom(seed, 'bill', containerNumber).integer(100_000_000, 999_999_999)}`;
}

/**
 * The times of the 14 attempts to reach a carrier that does not respond, in ms after the first attempt. They cover 24
 * hours, with growing gaps.
 */
const ATTEMPTS = Array.from({ length: 14 }, (_, index) => ((1.4 ** index - 1) / (1.4 ** 13 - 1)) * UNREACHABLE_FOR);

function failToReach(backend: Backend, request: TrackingRequest, attempts: number[]): void {
  for (const [index, ms] of attempts.entries()) {
    after(backend, ms, { kind: 'attempt', request, count: index + 1 });
  }
}

/** Counts one more failed attempt to reach the carrier. */
export function countAttempt(backend: Backend, request: TrackingRequest, count: number): void {
  change(backend, request, { failedReason: 'shipping_line_unreachable', isRetrying: true, retryCount: count });
}

/** Ends a request with a shipment, or with the reason why there is no shipment. */
export function endRequest(backend: Backend, request: TrackingRequest, failedReason: string | null): void {
  if (failedReason === null) succeed(backend, request, defined(request.carrier));
  else fail(backend, request, failedReason);
}

function fail(backend: Backend, request: TrackingRequest, failedReason: string): void {
  change(backend, request, { status: 'failed', failedReason, isRetrying: false });
  notify(backend, 'tracking_request.failed', request);
}

function notify(backend: Backend, event: EventName, request: TrackingRequest): void {
  publish(backend, event, { kind: 'tracking request', request });
}

function change(backend: Backend, request: TrackingRequest, changes: Partial<TrackingRequest>): void {
  Object.assign(request, changes, { updatedAt: backend.now });
}

/** Adds a shipment with its containers to the account. */
export function addShipment(backend: Backend, input: NewShipment): Shipment {
  const { ids, store } = backend;
  const shipment = store.shipments.add(makeShipment(backend, ids.next('shipment'), input));
  for (const container of shipment.containers) store.containers.add(container);
  watch(backend, shipment);
  return shipment;
}

/** Removes a shipment with its containers, tracking requests and custom fields. Its documents stay, but are not linked to it. */
export function removeShipment({ store }: Backend, shipment: Shipment): void {
  const requests = store.trackingRequests.newestFirst().filter(request => request.shipment === shipment);
  const removed = new Set([shipment, ...shipment.containers, ...requests].map(({ id }) => id));
  for (const field of store.customFields.newestFirst()) {
    if (removed.has(field.entity.id)) store.customFields.remove(field.id);
  }
  for (const role of store.partyRoles.newestFirst()) if (removed.has(role.owner)) store.partyRoles.remove(role.id);
  for (const document of store.documents.newestFirst()) {
    document.shipments = document.shipments.filter(({ id }) => !removed.has(id));
    document.containers = document.containers.filter(({ id }) => !removed.has(id));
  }
  for (const collection of [store.shipments, store.containers, store.trackingRequests]) {
    for (const id of removed) collection.remove(id);
  }
}

/** The email of a scenario. It has one document that can be read, and one document that cannot be read. */
function receiveScenarioEmail(backend: Backend, { number }: Shipment): void {
  receiveEmail(backend, {
    subject: `Documents for ${number}`,
    attachments: [
      { filename: `arrival notice ${number}.pdf`, content: `arrival notice for ${number}` },
      { filename: `unreadable scan ${number}.pdf`, content: `scan for ${number}` },
    ],
  });
}

/** Performs a task of the agenda. */
export function perform(backend: Backend, task: Task): void {
  switch (task.kind) {
    case 'answer':
      answerRequest(backend, task.request);
      break;
    case 'outcome':
      endRequest(backend, task.request, task.failedReason);
      break;
    case 'attempt':
      countAttempt(backend, task.request, task.count);
      break;
    case 'document':
      endStep(backend, task.document, task.step, task.goOn);
      break;
    case 'voyage':
      reach(backend, task.shipment, task.index);
      break;
    case 'email':
      receiveScenarioEmail(backend, task.shipment);
      break;
    case 'delivery':
      backend.deliveries.retry(backend, task.notification);
      break;
  }
}
