import { TrackingError } from '../errors.ts';

/**
 * - `store_newer`: a newer version of the package has made or changed the tables. Update the package in this process.
 * - `store_outdated`: the tables are missing, or belong to an earlier version. Call `migrate()`.
 * - `store_unavailable`: a connection or disk space is missing. A later call may succeed.
 * - `store_busy`: another process is filling the store, and `once()` does not wait for it.
 * - `store_closed`: `close()` was called, or the pool of the store was ended.
 * - `store_failed`: anything else, such as a missing permission.
 */
export type StoreErrorCode =
  | 'store_newer'
  | 'store_outdated'
  | 'store_unavailable'
  | 'store_busy'
  | 'store_closed'
  | 'store_failed';

/** A store cannot do its task. Neither the message nor the `cause` contains credentials. */
export class StoreError extends TrackingError {
  static override readonly brand: string = 'StoreError';
  declare readonly code: StoreErrorCode;

  constructor(message: string, options: { code: StoreErrorCode; cause?: unknown }) {
    super(message, options);
  }
}
