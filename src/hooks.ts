import type { BucketName } from './rate-limit/limiter.ts';
import type { SchemaMismatch } from './schemas/mismatch.ts';

/** Receives the messages of the client. `console` is a valid logger. */
export interface Logger {
  /** Called with details for debugging. */
  debug(message: string, details?: Record<string, unknown>): void;
  /** Called with information. */
  info(message: string, details?: Record<string, unknown>): void;
  /** Called with warnings. */
  warn(message: string, details?: Record<string, unknown>): void;
  /** Called with errors. */
  error(message: string, details?: Record<string, unknown>): void;
}

/** The call that an event belongs to. */
interface CallEvent {
  /** Id of the call, the same in all its events. Unique in this process, and most likely across processes. */
  callId: string;
  /** The method of the client that was called, such as `shipments.list`. */
  operation: string;
  /** The path with placeholders for its parameters: `/shipments/{id}`. */
  route: string;
  /** HTTP method. */
  method: string;
  /** Path below the base URL, with the query. */
  path: string;
}

interface AttemptEvent extends CallEvent {
  /** Number of the attempt; 1 for the first attempt of a call. */
  attempt: number;
}

/** An attempt that is about to be sent. */
export interface RequestEvent extends AttemptEvent {
  /** The address of the request, with its query. */
  url: string;
  /** The headers without the credential. A hook may add or change headers here. */
  headers: Headers;
}

/** A response whose headers have arrived. */
export interface ResponseEvent extends AttemptEvent {
  /** HTTP status. */
  status: number;
  /** A copy of the headers. A credential that the service repeats is masked. */
  headers: Headers;
  /** Id that the service gave the request; `undefined` if the service sent no id. */
  requestId: string | undefined;
  /** Time from sending the request to receiving the headers, in ms. */
  durationMs: number;
}

/** A failed attempt that is followed by another attempt. */
export interface RetryEvent extends AttemptEvent {
  /** Wait before the next attempt, in ms. */
  delayMs: number;
  /** Reason why the attempt failed. */
  error: unknown;
}

/** A response with status 429. */
export interface RateLimitedEvent extends AttemptEvent {
  /** The bucket of the rate limit that is now closed. */
  bucket: BucketName;
  /** The wait that `Retry-After` demands, in ms; `undefined` if the service did not send this header. */
  retryAfterMs: number | undefined;
}

/** An attempt that waits for its slot of the rate limit. */
export interface QueuedEvent extends AttemptEvent {
  /** The bucket that the slot belongs to. */
  bucket: BucketName;
  /** The estimated minimum wait for the slot, in ms. */
  estimatedWaitMs: number;
}

/** A call that has ended. */
export interface SettledEvent extends CallEvent {
  /** Reason why the call failed; `undefined` if the call did not fail. */
  error: unknown;
  /** Number of attempts; 0 if nothing was sent. */
  attempts: number;
  /** Time for which the call waited for slots of the rate limit, in ms. */
  queuedMs: number;
  /** Time from the call to its end, in ms. */
  durationMs: number;
}

/** A response that does not match its schema. */
export interface SchemaMismatchEvent extends CallEvent {
  /** Path below the base URL, without the query. */
  path: string;
  /** The part that does not match, with its path. */
  mismatch: SchemaMismatch;
}

/**
 * Functions that are called during requests. An error in a hook is logged and does not affect the call.
 *
 * On Node, the same events are published to `node:diagnostics_channel`. Each hook has its own channel, such as
 * `container-tracking-sdk:onSettled`. Monitoring tools can subscribe to these channels and receive the events of all
 * clients of the process.
 */
export interface Hooks {
  /** Before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when the headers of a response have arrived, for any status of the response. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the wait for another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called when the service responds 429. */
  onRateLimited?: ((event: RateLimitedEvent) => void) | undefined;
  /**
   * Called when a response does not match its schema, or lacks a requested record. It is called once for each kind of
   * mismatch.
   */
  onSchemaMismatch?: ((event: SchemaMismatchEvent) => void) | undefined;
  /** Called when an attempt has to wait for its slot of the rate limit. */
  onQueued?: ((event: QueuedEvent) => void) | undefined;
  /**
   * Called once for every call, at the end of the call. Only `onSchemaMismatch` can come later, if the response is
   * checked after the end of the call.
   */
  onSettled?: ((event: SettledEvent) => void) | undefined;
}
