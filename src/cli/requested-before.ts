import type { TrackingClient } from '../client.ts';
import type { TrackedRequest } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { TrackItem } from '../tracking/track.ts';
import { TrackingFailedError, TrackingPendingError } from '../tracking/tracking-errors.ts';
import type { WaitOptions } from '../tracking/wait-options.ts';
import { timeHere } from './output/times.ts';
import { reasonOf } from './plainly.ts';
import { spelt, trackedBefore, type Wanted } from './tracked-before.ts';

/** The states in which a tracking request has no outcome yet. */
const OPEN: readonly ('pending' | 'awaiting_manifest')[] = ['pending', 'awaiting_manifest'];
/**
 * If there are at most this many numbers, one request for each number costs less than the lists of all open tracking
 * requests.
 */
const MOST_SINGLE = 2;

export function isOpen({ status }: TrackedRequest): boolean {
  return OPEN.some(open => open === status);
}

/**
 * The tracking requests of the account for a number, the newest first. The carrier and the kind must also match, if
 * they are known.
 */
export async function requestsOf(
  { trackingRequests }: TrackingClient,
  wanted: Wanted,
  options: RequestOptions,
): Promise<TrackedRequest[]> {
  const filter = { request_number: wanted.number };
  const { data } = await trackingRequests.list({ filter, pageSize: 100, ...options });
  return data.filter(request => isOf(request, wanted));
}

/**
 * The open tracking requests for some numbers, by number. For many numbers, it reads the lists of all open tracking
 * requests.
 */
export async function openRequests(
  client: TrackingClient,
  wanted: readonly Wanted[],
  options: RequestOptions,
): Promise<Map<string, TrackedRequest>> {
  const found = new Map<string, TrackedRequest>();
  const byNumber = new Map(wanted.map(each => [spelt(each.number), each]));
  const take = (request: TrackedRequest) => {
    const own = byNumber.get(spelt(request.request_number ?? ''));
    if (own && isOf(request, own) && !found.has(own.number)) found.set(own.number, request);
  };
  if (wanted.length <= MOST_SINGLE) {
    for (const each of wanted) (await requestsOf(client, each, options)).filter(isOpen).forEach(take);
    return found;
  }
  for (const status of OPEN) {
    for await (const request of client.trackingRequests.list({ filter: { status }, pageSize: 100, ...options }))
      take(request);
  }
  return found;
}

/**
 * True for a tracking request with this number, carrier and kind. A request for another carrier or kind may have been a
 * mistake.
 */
function isOf(request: TrackedRequest, { number, scac, type }: Wanted): boolean {
  return (
    spelt(request.request_number ?? '') === spelt(number) &&
    (!scac || !request.scac || request.scac === scac) &&
    (!type || request.request_type === type)
  );
}

/** A number whose shipment is known. */
export interface Found {
  trackingRequest: TrackedRequest;
  shipment: { id: string };
}

/**
 * Waits for the outcome of an earlier tracking request, or of a new tracking request if there is no earlier request.
 *
 * @throws {TrackingFailedError} and all other errors of `client.track`.
 */
export async function trackOrFollow(
  client: TrackingClient,
  request: string | TrackedRequest | undefined,
  wanted: TrackItem,
  options: WaitOptions,
): Promise<Found> {
  try {
    return request ? await follow(client, request, wanted, options) : await client.track({ ...wanted, ...options });
  } catch (error) {
    // The outcome may have arrived at the last moment of the wait.
    if (!(error instanceof TrackingPendingError)) throw error;
    const { trackingRequest: last } = error;
    if (last.status !== 'failed' && !last.tracked_object) throw error;
    return follow(client, last, wanted, options);
  }
}

async function follow(
  client: TrackingClient,
  request: string | TrackedRequest,
  wanted: Wanted,
  options: WaitOptions,
): Promise<Found> {
  try {
    const trackingRequest = await client.trackingRequests.waitFor(request, options);
    const { tracked_object: shipment, id } = trackingRequest;
    if (!shipment) throw new TypeError(`Tracking request ${id} ended without a shipment.`);
    return { trackingRequest, shipment };
  } catch (error) {
    if (!(error instanceof TrackingFailedError) || error.failedReason !== 'duplicate') throw error;
    const shipment = (await trackedBefore(client, [wanted], { signal: options.signal })).get(wanted.number);
    if (!shipment) throw error;
    return { trackingRequest: error.trackingRequest, shipment };
  }
}

/** A sentence about an earlier tracking request. */
export function sentenceAbout({ status, request_number, created_at, failed_reason, id }: TrackedRequest): string {
  const when = timeHere(created_at);
  const state = status === 'failed' ? `failed: ${reasonOf(failed_reason)}` : (STATES[status] ?? `is ${status}`);
  return `${request_number} was requested before${when ? `, on ${when}` : ''} (${id}), and ${state}.`;
}

const STATES: Readonly<Record<string, string>> = {
  pending: 'has no outcome yet',
  awaiting_manifest: 'the carrier has no data yet',
  created: 'is tracked',
  tracking_stopped: 'its tracking has stopped',
};
