import type { BucketName, Priority } from '../rate-limit/limiter.ts';
import type { ResolvedEndpoint } from './endpoint.ts';
import { routeOf } from './endpoint.ts';
import type { Redactor } from './redact.ts';
import type { RetryPolicy } from './retries.ts';

/** One call, with everything that its attempts have in common. */
export interface Call {
  readonly endpoint: ResolvedEndpoint;
  /** It is set when the call starts. */
  url: string;

  /** The headers of this call, without the headers of the client. */
  readonly headers: Record<string, string> | undefined;
  readonly bucket: BucketName;
  readonly priority: Priority;
  /** Limit for one attempt, in ms. */
  readonly timeout: number;
  /** Limit for the whole call, in ms. */
  readonly deadline: number;
  /** Time of the start, by `performance.now()`, like all times of a call. */
  readonly startedAt: number;
  readonly retry: RetryPolicy;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** The part of the response that the call reads: the body, or only the headers. */
  until: 'body' | 'headers';
  /** True after the call has started: `until` can then no longer be changed. */
  isUnderWay: boolean;
  /** Number of attempts so far. */
  attempts: number;
  /** Time spent waiting for slots of the rate limit, in ms. */
  queuedMs: number;
  /** True if the credential was renewed after a 401. */
  isRenewed: boolean;
  /** It is set when the first event of the call is emitted. */
  id: string | undefined;
  exchange: Exchange | undefined;
}

/** The response to a call. */
export interface Exchange {
  readonly call: Call;
  readonly response: Response;
  /** The body; empty if the caller wants to read the response. */
  readonly text: string;
  /** Masks the credential, because the response may repeat it. */
  readonly redactor: Redactor;
}

/** The identity of a call in events. Invalid calls have an identity too. */
export interface CallIdentity {
  readonly endpoint: Pick<ResolvedEndpoint, 'operation' | 'template' | 'method' | 'path' | 'query'>;
  id: string | undefined;
}

/** The fields that all events of a call have. */
export function eventFields(call: CallIdentity) {
  const { operation, template, method, path, query } = call.endpoint;
  call.id ??= newId();
  return { callId: call.id, operation, route: routeOf(template), method, path: path + query };
}

function newId(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0');
}
