import type { EventName } from '../../records/event-name.ts';
import { hasRightCheckDigit, isContainerNumber } from '../base/container-number.ts';
import { createRandom } from '../base/random.ts';
import { DAY, HOUR, MINUTE } from '../base/time.ts';
import { publish } from '../notifications/publish.ts';
import { containerCreatedSubject, trackingRequestSubject } from '../notifications/subject.ts';
import type { Backend } from '../state/backend.ts';
import type { Shipment, TrackingRequest } from '../state/store.ts';
import { viewShipment } from '../state/view.ts';
import type { Carrier } from '../world/carriers.ts';
import { type Outcome, outcomeOf } from '../world/scenario.ts';
import { setField } from './custom-fields.ts';
import { inferNumber } from './infer-number.ts';
import { addShipment } from './shipments.ts';

const MANIFEST_AWAITED = 7 * DAY;
const LATE_MANIFEST_AFTER = 2 * DAY;

/** Starts the tracking of a request: its outcome follows after the tracking delay. */
export function startTracking(backend: Backend, request: TrackingRequest): void {
  const jitter = createRandom(backend.seed, 'delay', request.number).between(1, 1.25);
  after(backend, Math.round(backend.trackingDelayMs * jitter), () => {
    request.carrier ??= detectCarrier(backend, request.number);
    if (request.carrier === null) fail(backend, request, 'scac_auto_detect_failed');
    else carrierAnswers(backend, request, request.carrier);
  });
}

function after({ agenda, now }: Backend, ms: number, run: () => void): void {
  agenda.add(now + ms, run);
}

function detectCarrier({ carriers }: Backend, number: string): Carrier | null {
  const selected = inferNumber(carriers, number)?.shipping_line.selected;
  return carriers.find(carrier => carrier.scac === selected?.scac) ?? null;
}

function carrierAnswers(backend: Backend, request: TrackingRequest, carrier: Carrier): void {
  const outcome = outcomeFor(request, carrier);
  switch (outcome) {
    case 'created':
      succeed(backend, request, carrier);
      break;
    case 'not_found':
      // A container fails at once. For a bill or booking the service waits for the manifest.
      if (request.type === 'container') {
        fail(backend, request, 'not_found');
      } else {
        awaitManifest(backend, request);
      }
      break;
    case 'late_manifest':
      changeToAwaiting(backend, request);
      after(backend, LATE_MANIFEST_AFTER, () => succeed(backend, request, carrier));
      break;
    case 'flaky':
      failToReach(backend, request, [0, MINUTE, 3 * MINUTE]);
      after(backend, 7 * MINUTE, () => succeed(backend, request, carrier));
      break;
    case 'unreachable':
      failToReach(backend, request, ATTEMPTS);
      after(backend, ATTEMPTS.at(-1) ?? 0, () => fail(backend, request, 'retries_exhausted'));
      break;
    default:
      fail(backend, request, outcome);
  }
}

function outcomeFor({ number, type }: TrackingRequest, carrier: Carrier): Outcome {
  if (carrier.scac === 'TEST') return number === 'TEST-TR-SUCCEEDED' ? 'created' : 'invalid_number';
  const named = outcomeOf(number);
  if (named !== 'created') return named;

  const compact = number.replace(/[\s-]/g, '').toUpperCase();
  if (type === 'container') {
    if (!isContainerNumber(compact)) return 'invalid_number';
    return hasRightCheckDigit(compact) ? 'created' : 'not_found';
  }
  // A bill of lading can look like a container number if both begin with the carrier's code.
  const isOfCarrier = compact.startsWith(carrier.scac) || compact.startsWith(carrier.bolPrefix);
  const isContainer = isContainerNumber(compact) && hasRightCheckDigit(compact) && !isOfCarrier;
  return /^[A-Z0-9]{5,}$/.test(compact) && !isContainer ? 'created' : 'invalid_number';
}

function succeed(backend: Backend, request: TrackingRequest, carrier: Carrier): void {
  if (isTracked(backend, request, carrier)) {
    fail(backend, request, 'duplicate');
    return;
  }
  const isContainer = request.type === 'container';
  request.shipment = addShipment(backend, {
    carrier,
    number: isContainer ? billFor(backend, request, carrier) : request.number,
    requestNumber: request.number,
    containerNumber: isContainer ? request.number : undefined,
    refNumbers: request.refNumbers,
    tags: request.tags,
    customer: request.customer,
    ...(carrier.scac === 'TEST' && { frozen: true, containers: 1 }),
  });
  setInitialFields(backend, request.shipment, request.initialFields);
  change(backend, request, { status: 'created', failedReason: null, isRetrying: false });
  notify(backend, 'tracking_request.succeeded', request);
  // A bill of lading has its containers from the start, a booking gets them later.
  if (request.type !== 'booking_number') return;
  for (const box of request.shipment.containers) {
    publish(backend, 'container.created', () => containerCreatedSubject(backend, box));
  }
}

/** @param since When the carrier was first asked. @default now */
export function awaitManifest(backend: Backend, request: TrackingRequest, since: number = backend.now): void {
  changeToAwaiting(backend, request);
  backend.agenda.add(since + MANIFEST_AWAITED, () => fail(backend, request, 'expired'));
}

function changeToAwaiting(backend: Backend, request: TrackingRequest): void {
  change(backend, request, { status: 'awaiting_manifest' });
  notify(backend, 'tracking_request.awaiting_manifest', request);
}

function setInitialFields(backend: Backend, shipment: Shipment, fields: TrackingRequest['initialFields']): void {
  for (const field of fields.shipment) setField(backend, { type: 'shipment', id: shipment.id }, field);
  for (const { number, ...field } of fields.containers) {
    const chosen = shipment.containers.filter(container => number === '' || container.number === number);
    for (const { id } of chosen) setField(backend, { type: 'container', id }, field);
  }
}

/** Whether the account has the shipment already. For a container: whether its tracking has not stopped. */
function isTracked(backend: Backend, { number, type }: TrackingRequest, carrier: Carrier): boolean {
  return backend.store.shipments.newestFirst().some(shipment => {
    if (shipment.carrier !== carrier) return false;
    if (type !== 'container') return shipment.number === number;
    const isAboard = shipment.containers.some(container => container.number === number);
    return isAboard && viewShipment(backend, shipment).stoppedAt === null;
  });
}

function billFor({ seed }: Backend, { number }: TrackingRequest, { bolPrefix }: Carrier): string {
  return `${bolPrefix}${createRandom(seed, 'bill', number).integer(100_000_000, 999_999_999)}`;
}

/** The times of the 14 attempts to reach a carrier that does not answer, in ms after the first: 24 hours, with growing gaps. */
const ATTEMPTS = Array.from({ length: 14 }, (_, index) => ((1.4 ** index - 1) / (1.4 ** 13 - 1)) * 24 * HOUR);

function failToReach(backend: Backend, request: TrackingRequest, attempts: number[]): void {
  for (const [index, ms] of attempts.entries()) {
    after(backend, ms, () =>
      change(backend, request, {
        failedReason: 'shipping_line_unreachable',
        isRetrying: true,
        retryCount: index + 1,
      }),
    );
  }
}

function fail(backend: Backend, request: TrackingRequest, failedReason: string): void {
  change(backend, request, { status: 'failed', failedReason, isRetrying: false });
  notify(backend, 'tracking_request.failed', request);
}

function notify(backend: Backend, event: EventName, request: TrackingRequest): void {
  publish(backend, event, () => trackingRequestSubject(backend, event, request));
}

function change(backend: Backend, request: TrackingRequest, changes: Partial<TrackingRequest>): void {
  Object.assign(request, changes, { updatedAt: backend.now });
}
