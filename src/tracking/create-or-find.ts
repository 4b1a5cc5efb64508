import { ValidationError } from '../errors.ts';
import type { TrackedRequest, TrackingRequestCreate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { ofCarrier } from './of-carrier.ts';

/** How an existing tracking request is found. */
interface TrackingRequestList {
  list(options: ListOptions & { filter: { request_number: string } }): List<TrackedRequest>;
}

/** Gives the created tracking request, or the existing one if the number is tracked already. */
export async function createOrFind(
  trackingRequests: TrackingRequestList,
  wanted: TrackingRequestCreate,
  options: RequestOptions | undefined,
  create: () => Promise<TrackedRequest>,
): Promise<TrackedRequest> {
  try {
    return await create();
  } catch (error) {
    const existing = isDuplicate(error) && (await find(trackingRequests, wanted, options));
    if (!existing) throw error;
    return existing;
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof ValidationError && error.errors.some(({ code }) => code === 'duplicate');
}

async function find(
  trackingRequests: TrackingRequestList,
  { request_number, scac }: TrackingRequestCreate,
  options: RequestOptions | undefined,
): Promise<TrackedRequest | undefined> {
  const { data } = await trackingRequests.list({ ...options, filter: { request_number }, pageSize: 100 });
  const live = data.filter(({ status }) => status !== 'failed');
  return ofCarrier(live, scac, request => request.scac);
}
