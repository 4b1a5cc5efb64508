import { TrackingError } from '../errors.ts';
import { type Span, SpanStatusCode } from './peer.ts';

/** For the attribute `error.type`: a short name from a small set. */
export function errorType(error: unknown): string {
  if (error instanceof TrackingError && 'status' in error) return String(error.status);
  if (error instanceof TrackingError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/**
 * Marks a span as failed. Only the messages of this package's own errors are recorded, because they hold no credential; the
 * message of another error may quote anything.
 */
export function markFailed(span: Span, error: unknown): void {
  const message = error instanceof TrackingError ? error.message : undefined;
  span.setAttribute('error.type', errorType(error));
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}
