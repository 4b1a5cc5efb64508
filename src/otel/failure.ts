import { TrackingError } from '../errors.ts';
import { type Span, SpanStatusCode } from './peer.ts';

/** For the attribute `error.type`: a short name from a small set. */
export function errorType(error: unknown): string {
  if (error instanceof TrackingError && 'status' in error) return String(error.status);
  if (error instanceof TrackingError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** What a span tells about a failure. */
export interface Failure {
  /** For the attribute `error.type`. */
  type: string;
  message?: string | undefined;
}

/**
 * Only the messages of this package's own errors are recorded, because they hold no credential; the message of another error
 * may quote anything.
 */
export function failureOf(error: unknown): Failure {
  return { type: errorType(error), message: error instanceof TrackingError ? error.message : undefined };
}

/** Marks a span as failed. */
export function markFailed(span: Span, { type, message }: Failure): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}
