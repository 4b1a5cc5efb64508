import { ConfigurationError } from '../errors.ts';
import { isRecord } from '../jsonapi/document.ts';

/**
 * Where an iteration stands: after one page of one list. A JSON value, to be stored and given to the same list as `from`
 * in another process. No record is skipped there; if more than a page of records has come or gone meanwhile, some may
 * come again.
 */
export interface Checkpoint {
  /** The list it belongs to: path and filters. */
  list: string;
  /** Number of the page it stands after. */
  page: number;
  /** The page size that was asked for, since page numbers count in it; `null` for the service's own. */
  pageSize: number | null;
  /** Records that page held at most. */
  size: number;
  /** Records in the whole list then; `null` where the service does not say. */
  total: number | null;
  /** The records of that page: when new ones shift the list, they come again on the next page and are dropped. */
  ids: string[];
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
      `from is not as a page of this list gave it: there is no page ${value.page} with ${value.ids.length} of ${value.total} records. Pass the \`checkpoint\` unchanged, or start without \`from\`.`,
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
    value.ids.every(id => typeof id === 'string')
  );
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** Records on a page that begins behind the last record would end the list without a word. */
function isPossible({ page, size, total, ids }: Checkpoint): boolean {
  if (ids.length > size) return false;
  return total === null || ids.length === 0 || (page - 1) * size < total;
}
