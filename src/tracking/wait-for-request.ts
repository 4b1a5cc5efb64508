import { requiredText } from '../internal/arguments.ts';
import type { TrackedRequest } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { digitProblem } from './check-digit.ts';
import { Poller, type RequestBudget } from './poller.ts';
import { TrackingFailedError, TrackingPendingError } from './tracking-errors.ts';
import { checkedWaitOptions, WAIT, type WaitOptions } from './wait-options.ts';

/** The methods that read tracking requests. */
interface TrackingRequestReader {
  get(id: string, options: RequestOptions): PromiseLike<TrackedRequest>;
  list(options: ListOptions & { filter: { created_at?: { start: Date; end: Date } } }): List<TrackedRequest>;
}

/** Waits for the outcome of tracking requests. All calls of the same waiter share their polls. */
export type RequestWaiter = (request: string | TrackedRequest, options?: WaitOptions) => Promise<TrackedRequest>;

export function requestWaiter(requests: TrackingRequestReader, pace: RequestBudget): RequestWaiter {
  const poller = new Poller<TrackedRequest>(
    {
      name: 'Tracking request',
      get: (id, options) => requests.get(id, options),
      pages: (known, options) => requests.list({ ...options, filter: spanOf(known) }).pages(),
      changed,
    },
    pace,
  );
  return async (request, options) => {
    const known = typeof request === 'string' ? undefined : request;
    const id = requiredText('The id of the tracking request', known ? known.id : request);
    const { signal, onProgress, waitTimeout } = checkedWaitOptions('waitFor()', options, WAIT);
    return poller.wait(id, known, {
      waitTimeout,
      signal,
      onProgress: (trackingRequest, elapsedMs) => onProgress?.({ trackingRequest, elapsedMs }),
      isDone,
      pending: (latest, cause) => new TrackingPendingError(latest, waitTimeout, cause),
    });
  };
}

/** A filter for the period in which the requests were created. Empty if one of them has no known time of creation. */
function spanOf(known: (TrackedRequest | undefined)[]): { created_at?: { start: Date; end: Date } } {
  const times = known.map(request => Date.parse(request?.created_at ?? ''));
  if (times.some(Number.isNaN)) return {};
  // The service may exclude the limits of the period, and may round times to seconds. Therefore the period is a second
  // longer at both ends.
  return { created_at: { start: new Date(Math.min(...times) - 1000), end: new Date(Math.max(...times) + 1000) } };
}

function changed(before: TrackedRequest, after: TrackedRequest): boolean {
  return (['status', 'failed_reason', 'retry_count', 'scac'] as const).some(name => before[name] !== after[name]);
}

/** A tracking request with the status `created` is done only when its shipment is linked. */
function isDone(request: TrackedRequest): boolean {
  const { status, request_number: number, request_type: type } = request;
  if (status === 'failed') throw new TrackingFailedError(request, digitProblem({ number, type }));
  return (status === 'created' || status === 'tracking_stopped') && Boolean(request.tracked_object);
}
