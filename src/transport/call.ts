import { TimeoutError } from '../errors.ts';
import { milliseconds, oneOf, optionalSignal } from '../internal/arguments.ts';
import type { RetryPolicy } from '../internal/retry-policy.ts';
import { bucketFor } from '../rate-limit/buckets.ts';
import type { BucketName, Priority } from '../rate-limit/limiter.ts';
import type { ResolvedEndpoint } from './endpoint.ts';
import { routeOf } from './path.ts';
import type { Redactor } from './redact.ts';
import { checkHeaders, resolveRetry, type Settings } from './settings.ts';

const PRIORITIES: readonly Priority[] = ['interactive', 'bulk'];

/** One call with everything that its attempts share. */
export interface Call {
  readonly endpoint: ResolvedEndpoint;
  readonly url: string;
  /** Those of the call alone. */
  readonly headers: Record<string, string> | undefined;
  readonly bucket: BucketName;
  readonly priority: Priority;
  /** For one attempt, in ms. */
  readonly timeout: number;
  /** For the whole call, in ms. */
  readonly deadline: number;
  /** By `performance.now`, like all times of a call. */
  readonly startedAt: number;
  readonly retry: RetryPolicy;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** How far the call goes: to the value, or only to the headers of the answer. */
  until: 'body' | 'headers';
  /** Whether it is too late to change that. */
  isUnderWay: boolean;
  /** Attempts made so far. */
  attempts: number;
  /** Time spent waiting for slots of the rate limit, in ms. */
  queuedMs: number;
  /** Whether a credential was asked for again after a 401. */
  isRenewed: boolean;
  /** Made for the first event. */
  id: string | undefined;
  exchange: Exchange | undefined;
}

/** The answer to a call. */
export interface Exchange {
  readonly call: Call;
  readonly response: Response;
  /** The body; empty when the caller asked for the untouched response. */
  readonly text: string;
  /** Masks the credential that the answer may repeat. */
  readonly redactor: Redactor;
}

/** @throws {ConfigurationError} for options that cannot work. */
export function newCall(endpoint: ResolvedEndpoint, settings: Settings): Call {
  const { method, path, query, options } = endpoint;
  return {
    endpoint,
    url: settings.baseUrl + path + query,
    headers: options.headers && checkHeaders(options.headers),
    bucket: bucketFor(method, path),
    priority: options.priority === undefined ? 'interactive' : oneOf('priority', options.priority, PRIORITIES),
    timeout: options.timeout === undefined ? settings.timeout : milliseconds('timeout', options.timeout),
    deadline: options.deadline === undefined ? settings.deadline : milliseconds('deadline', options.deadline),
    startedAt: performance.now(),
    retry: resolveRetry(options.retry, settings.retry),
    signal: optionalSignal(options.signal),
    until: 'body',
    isUnderWay: false,
    attempts: 0,
    queuedMs: 0,
    isRenewed: false,
    id: undefined,
    exchange: undefined,
  };
}

/** How much time is left before the deadline, in ms. */
export function timeLeft({ startedAt, deadline }: Call): number {
  return deadline === Number.POSITIVE_INFINITY ? deadline : startedAt + deadline - performance.now();
}

/** What a call is known by, also one that cannot be made. */
export interface CallIdentity {
  readonly endpoint: Pick<ResolvedEndpoint, 'operation' | 'template' | 'method' | 'path' | 'query'>;
  id: string | undefined;
}

/** What the events of a call have in common. */
export function eventFields(call: CallIdentity) {
  const { operation, template, method, path, query } = call.endpoint;
  call.id ??= newId();
  return { callId: call.id, operation, route: routeOf(template), method, path: path + query };
}

function newId(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0');
}

export function timeoutError({ endpoint, timeout, attempts }: Call): TimeoutError {
  const { method, path } = endpoint;
  const when = attempts === 0 ? 'nothing was sent' : `attempt ${attempts}`;
  return new TimeoutError(`${method} ${path}: no complete answer within ${timeout} ms (${when})`, {
    code: 'timeout',
    limitMs: timeout,
    attempts,
  });
}

export function deadlineError(
  { endpoint, deadline, attempts }: Call,
  details: { estimatedWaitMs?: number; cause?: unknown } = {},
): TimeoutError {
  const { method, path } = endpoint;
  const wait =
    details.estimatedWaitMs === undefined
      ? ''
      : `: the rate limit has no slot free within it (at least ${Math.ceil(details.estimatedWaitMs)} ms to wait)`;
  return new TimeoutError(`${method} ${path}: not done within the deadline of ${deadline} ms${wait}`, {
    code: 'deadline',
    limitMs: deadline,
    attempts,
    ...details,
  });
}
