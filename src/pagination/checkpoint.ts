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
  const valid =
    isRecord(value) &&
    Number.isInteger(value.page) &&
    (value.page as number) >= 1 &&
    Number.isInteger(value.size) &&
    (value.pageSize === null || Number.isInteger(value.pageSize)) &&
    (value.total === null || Number.isInteger(value.total)) &&
    Array.isArray(value.ids);
  if (!valid) throw new ConfigurationError('from is not a checkpoint. Pass the `checkpoint` of a page of this list.');
  if (value.list !== list) {
    throw new ConfigurationError(`from is a checkpoint of ${String(value.list)} and cannot be used for ${list}.`);
  }
  return value as unknown as Checkpoint;
}
