import { ConfigurationError } from '../errors.ts';
import { isRecord } from '../jsonapi/document.ts';

/**
 * The position of an iteration after one page of a list. It is a JSON value that you can store and pass to the same
 * list as `from`, even in another process. Delete the checkpoint when the iteration has ended: after the last page,
 * nothing is left to read. No record is skipped. If more than a page of records was added or removed in the meantime,
 * some records may be yielded again. If a list of several pages has no correct total, the list is read again from its
 * beginning. All its records are yielded again if a record before the position was removed. If records change their
 * places, a checkpoint is larger, because it then contains a key of every record that was received.
 */
export interface Checkpoint {
  /** The list that the checkpoint belongs to: its path and filters. */
  list: string;
  /** Number of the page before the position. */
  page: number;
  /** The requested page size, because page numbers depend on it; `null` for the default of the service. */
  pageSize: number | null;
  /** Number of records on a full page. */
  size: number;
  /**
   * Number of records in the whole list at that time; `null` if the service does not report this number, or if the
   * number is not reliable.
   */
  total: number | null;
  /** Ids of the records of that page. If new records shift the list, the next page repeats these records, and they are dropped. */
  ids: string[];
  /**
   * The part of the list that was read up to the position: the number of records, a checksum of their ids, and the
   * number of repeated records. If `total` is not reliable, this part shows whether one of these records was removed.
   */
  read?:
    | {
        /** Number of records. */
        count: number;
        /** A checksum of their ids. */
        sum: number;
        /** Number of records that were received a second time. */
        moved: number;
      }
    | undefined;
  /** The number of records that must be received. */
  growth?:
    | {
        /** Time of the response with the first page, in ms since 1970; `null` if the service does not send it. */
        since: number | null;
        /** The number of records at that time, plus the received records that were created later. */
        expected: number;
        /** The highest `total` so far. */
        most: number;
      }
    | undefined;
  /**
   * All records that were received up to the position, on any page. Only for a list whose records change their places.
   */
  moving?:
    | {
        /** The keys of the records, ten characters each. */
        seen: string;
        /** Number of complete readings so far: 1 in the second reading of the list. */
        readings: number;
      }
    | undefined;
}

/** @throws {ConfigurationError} if the value is not a checkpoint of this list. */
export function readCheckpoint(value: unknown, list: string): Checkpoint {
  if (!isCheckpoint(value)) {
    throw new ConfigurationError('from is not a checkpoint. Pass the `checkpoint` of a page of this list.');
  }
  if (value.list !== list) {
    throw new ConfigurationError(`from is a checkpoint of ${String(value.list)} and cannot be used for ${list}.`);
  }
  if (!isPossible(value)) {
    throw new ConfigurationError(
      `from is not a valid checkpoint of this list: there is no page ${value.page} with ${value.ids.length} of ${value.total} records. Pass the \`checkpoint\` unchanged, or start without \`from\`.`,
    );
  }
  return value;
}

function isCheckpoint(value: unknown): value is Checkpoint {
  return (
    isRecord(value) &&
    isCount(value.page, 1) &&
    isCount(value.size, 0) &&
    (value.pageSize === null || isCount(value.pageSize, 1)) &&
    (value.total === null || isCount(value.total, 0)) &&
    Array.isArray(value.ids) &&
    value.ids.every(id => typeof id === 'string') &&
    (value.read === undefined || isRecord(value.read)) &&
    (value.growth === undefined || isRecord(value.growth)) &&
    (value.moving === undefined || isMoving(value.moving))
  );
}

function isMoving(value: unknown): boolean {
  return isRecord(value) && typeof value.seen === 'string' && isCount(value.readings, 0);
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/**
 * A checkpoint with a position after the end of the list would end the iteration without an error, so such a checkpoint
 * is rejected.
 */
function isPossible({ page, size, total, ids }: Checkpoint): boolean {
  if (ids.length === 0) return page === 1 || size === 0;
  return ids.length <= size && (total === null || (page - 1) * size < total);
}
