import { TrackingError } from '../errors.ts';

/** The value of the attribute `error.type`: a short name from a small set. */
export function errorType(error: unknown): string {
  if (error instanceof TrackingError && 'status' in error) return String(error.status);
  if (error instanceof TrackingError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
