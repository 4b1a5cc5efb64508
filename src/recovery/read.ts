import { APIError, AuthenticationError, RateLimitError, ResponseFormatError, type TrackingError } from '../errors.ts';
import type { ResourceIdentifier } from '../jsonapi/document.ts';
import type { Document } from '../model/index.ts';
import { isGone } from '../tracking/read-errors.ts';
import type { Recovered, RecoverSettings, RecoveryGroups } from './recover-options.ts';

/**
 * The result of reading one record. The value is `null` if the service does not have the record, or if only this record
 * cannot be read.
 */
export interface Reading<T> {
  value: T | null;
  error?: TrackingError | undefined;
}

/**
 * Reads a record. If only this record cannot be read, the error is returned. An error that would affect other records
 * is thrown.
 */
export async function tryToRead<T>(read: () => PromiseLike<T>): Promise<Reading<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (isGone(error)) return { value: null };
    if (isErrorOfOneRecord(error)) return { value: null, error };
    throw error;
  }
}

/** True if it may still be possible to read other records. */
export function isErrorOfOneRecord(error: unknown): error is TrackingError {
  if (error instanceof AuthenticationError || error instanceof RateLimitError) return false;
  return error instanceof APIError || error instanceof ResponseFormatError;
}

/** Reads the current state of a subject. */
export function reader(groups: RecoveryGroups, { signal, priority }: RecoverSettings) {
  const options = { signal, priority };
  const { containers, shipments, trackingRequests, documents } = groups;

  return async ({ type, id }: ResourceIdentifier): Promise<Recovered['record']> => {
    switch (type) {
      case 'container':
        return containers.get(id, options);
      case 'shipment':
        return shipments.get(id, { ...options, include: ['containers'] });
      case 'tracking_request':
        return trackingRequests.get(id, options);
      case 'document':
        return documents.get(id, options) as PromiseLike<Document>;
      default:
        return null;
    }
  };
}
