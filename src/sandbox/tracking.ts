import type { TrackingRequestFailedReason } from '../records/tracking-request.ts';
import type { Backend } from './backend.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { hasRightCheckDigit, isContainerNumber } from './container-number.ts';
import { inferNumber } from './infer.ts';
import { createRandom } from './random.ts';
import { addShipment } from './shipments.ts';
import type { TrackingRequest } from './store.ts';
import type { Carrier } from './world/carriers.ts';
import { viewShipment } from './world/derive.ts';
import { type Outcome, outcomeOf } from './world/scenario.ts';

const MANIFEST_AWAITED = 7 * DAY;
const LATE_MANIFEST_AFTER = 2 * DAY;

/** Starts the life of a request (api/webhooks.md section 8). */
export function startTracking(backend: Backend, request: TrackingRequest): void {
  const jitter = createRandom(backend.seed, 'delay', request.number).between(1, 1.25);
  backend.agenda.add(request.createdAt + Math.round(backend.trackingDelayMs * jitter), at => {
    const carrier = request.carrier ?? detectCarrier(backend, request.number);
    if (carrier === null) return fail(request, 'scac_auto_detect_failed', at);
    request.carrier = carrier;
    carrierAnswers(backend, request, carrier, at);
  });
}

function detectCarrier({ carriers }: Backend, number: string): Carrier | null {
  const selected = inferNumber(carriers, number)?.shipping_line.selected;
  return carriers.find(carrier => carrier.scac === selected?.scac) ?? null;
}

function carrierAnswers(backend: Backend, request: TrackingRequest, carrier: Carrier, answeredAt: number): void {
  const { agenda } = backend;
  const outcome = outcomeFor(request, carrier);
  switch (outcome) {
    case 'created':
      return succeed(backend, request, carrier, answeredAt);

    case 'not_found':
      if (request.type === 'container') return fail(request, 'not_found', answeredAt);
      change(request, { status: 'awaiting_manifest' }, answeredAt);
      return agenda.add(answeredAt + MANIFEST_AWAITED, at => fail(request, 'expired', at));

    case 'late_manifest':
      change(request, { status: 'awaiting_manifest' }, answeredAt);
      return agenda.add(answeredAt + LATE_MANIFEST_AFTER, at => succeed(backend, request, carrier, at));

    case 'flaky':
      failToReach(backend, request, answeredAt, [0, MINUTE, 3 * MINUTE]);
      return agenda.add(answeredAt + 7 * MINUTE, at => succeed(backend, request, carrier, at));

    case 'unreachable':
      failToReach(backend, request, answeredAt, ATTEMPTS);
      return agenda.add(answeredAt + (ATTEMPTS.at(-1) ?? 0), at => fail(request, 'retries_exhausted', at));

    default:
      return fail(request, outcome, answeredAt);
  }
}

function outcomeFor({ number, type }: TrackingRequest, carrier: Carrier): Outcome {
  if (carrier.scac === 'TEST') return number === 'TEST-TR-SUCCEEDED' ? 'created' : 'invalid_number';
  const named = outcomeOf(number);
  if (named !== 'created') return named;

  const compact = number.replace(/[\s-]/g, '').toUpperCase();
  if (type !== 'container') {
    return /^[A-Z0-9]{5,}$/.test(compact) && !isContainerNumber(compact) ? 'created' : 'invalid_number';
  }
  if (!isContainerNumber(compact)) return 'invalid_number';
  return hasRightCheckDigit(compact) ? 'created' : 'not_found';
}

function succeed(backend: Backend, request: TrackingRequest, carrier: Carrier, at: number): void {
  if (isTracked(backend, request, carrier)) return fail(request, 'duplicate', at);
  const isContainer = request.type === 'container';
  request.shipment = addShipment(
    backend,
    {
      carrier,
      number: isContainer ? billFor(backend, request, carrier) : request.number,
      requestNumber: request.number,
      containerNumber: isContainer ? request.number : undefined,
      refNumbers: request.refNumbers,
      tags: request.tags,
      customer: request.customer,
      frozen: carrier.scac === 'TEST',
    },
    at,
  );
  change(request, { status: 'created', failedReason: null, isRetrying: false }, at);
}

/** Whether the account has the shipment, and for a container whether that is still updated. */
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

/** The 14 attempts at a carrier that does not answer: over a day, with growing gaps; ms from the first. */
const ATTEMPTS = Array.from({ length: 14 }, (_, index) => ((1.4 ** index - 1) / (1.4 ** 13 - 1)) * 24 * HOUR);

function failToReach({ agenda }: Backend, request: TrackingRequest, from: number, attempts: number[]): void {
  for (const [index, after] of attempts.entries()) {
    const failed = { failedReason: 'shipping_line_unreachable', isRetrying: true, retryCount: index + 1 };
    agenda.add(from + after, at => change(request, failed, at));
  }
}

function fail(request: TrackingRequest, failedReason: TrackingRequestFailedReason, at: number): void {
  change(request, { status: 'failed', failedReason, isRetrying: false }, at);
}

function change(request: TrackingRequest, changes: Partial<TrackingRequest>, at: number): void {
  Object.assign(request, changes, { updatedAt: at });
}
