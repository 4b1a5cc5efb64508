import type { BucketName } from './rate-limit/limiter.ts';
import type { SchemaMismatch } from './schemas/mismatch.ts';

/** Takes what the client has to say. `console` fits. */
export interface Logger {
  /** Takes details for finding mistakes. */
  debug(message: string, details?: Record<string, unknown>): void;
  /** Takes what is worth knowing. */
  info(message: string, details?: Record<string, unknown>): void;
  /** Takes what may need attention. */
  warn(message: string, details?: Record<string, unknown>): void;
  /** Takes what has failed. */
  error(message: string, details?: Record<string, unknown>): void;
}

/** Which call an event is about. */
interface CallEvent {
  /** The same for all events of one call. Unique among the calls of this process, and most likely among those of others. */
  callId: string;
  /** The method of the client that was called, such as `shipments.list`. */
  operation: string;
  /** The path with names in place of its parameters: `/shipments/{id}`. */
  route: string;
  /** HTTP method. */
  method: string;
  /** Path below the base URL, with the query. */
  path: string;
}

interface AttemptEvent extends CallEvent {
  /** 1 for the first attempt of a call. */
  attempt: number;
}

/** An attempt that is about to be sent. */
export interface RequestEvent extends AttemptEvent {
  /** What is about to be sent, the credential excepted. Headers may be added or changed here. */
  headers: Headers;
}

/** An answer, at its headers. */
export interface ResponseEvent extends AttemptEvent {
  /** HTTP status. */
  status: number;
  /** A copy, with the credential masked should the service repeat it. */
  headers: Headers;
  /** The service's id of the request, where it sent one. */
  requestId: string | undefined;
  /** From sending to the headers of the answer, in ms. */
  durationMs: number;
}

/** An attempt that failed and is followed by another. */
export interface RetryEvent extends AttemptEvent {
  /** Wait before the next attempt, in ms. */
  delayMs: number;
  /** Why the attempt failed. */
  error: unknown;
}

/** An answer of 429. */
export interface RateLimitedEvent extends AttemptEvent {
  /** The bucket that is closed. */
  bucket: BucketName;
  /** From `Retry-After`, in ms; `undefined` where the service did not say. */
  retryAfterMs: number | undefined;
}

/** An attempt that waits for its slot of the rate limit. */
export interface QueuedEvent extends AttemptEvent {
  /** The bucket whose slot it waits for. */
  bucket: BucketName;
  /** How long the call will wait for its slot at least, in ms, as far as is known now. */
  estimatedWaitMs: number;
}

/** A call that has ended. */
export interface SettledEvent extends CallEvent {
  /** Why the call failed; `undefined` if it did not. */
  error: unknown;
  /** Attempts made; 0 if nothing was sent. */
  attempts: number;
  /** Time spent waiting for slots of the rate limit, in ms. */
  queuedMs: number;
  /** From the call to its end, in ms. */
  durationMs: number;
}

/** An answer that does not fit its schema. */
export interface SchemaMismatchEvent extends CallEvent {
  /** Path below the base URL, without the query. */
  path: string;
  /** What does not fit, and where. */
  mismatch: SchemaMismatch;
}

/** Called as things happen. What a hook throws is logged and never fails a call. */
export interface Hooks {
  /** Before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** At the headers of each answer, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait that precedes another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** When the service answers 429. */
  onRateLimited?: ((event: RateLimitedEvent) => void) | undefined;
  /** When an answer does not fit its schema, or lacks a record that was asked for: once for each shape. */
  onSchemaMismatch?: ((event: SchemaMismatchEvent) => void) | undefined;
  /** When an attempt has to wait for its slot of the rate limit. */
  onQueued?: ((event: QueuedEvent) => void) | undefined;
  /** Once for every call, whatever its end. The last event of a call, but for `onSchemaMismatch` of a late check. */
  onSettled?: ((event: SettledEvent) => void) | undefined;
}
