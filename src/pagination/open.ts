import { ConfigurationError } from '../errors.ts';
import {
  objectArgument,
  optionalFunction,
  refuseUnknownNames,
  wholeNumber,
  wholeNumberOrInfinity,
} from '../internal/arguments.ts';
import { readCheckpoint } from './checkpoint.ts';
import { Cursor, type ListSource, positionAfter } from './cursor.ts';
import type { Position } from './guard.ts';
import type { ListOptions } from './options.ts';

export { recordsOf } from './page.ts';

/** Starts to read a list at the position that its options give. The first request rejects if the options are not valid. */
export function open<T extends { id: string }>(source: ListSource<T>, options: ListOptions): Cursor<T> {
  return new Cursor(source, options, () => startOf(source, options));
}

/** All records of a list, or the first `limit` of them. */
export async function collect<T>(list: AsyncIterable<T>, options: { limit?: number | undefined }): Promise<T[]> {
  refuseUnknownNames('toArray()', objectArgument('The argument of toArray()', options ?? {}, '{ limit: 100 }'), [
    'limit',
  ]);
  const limit = wholeNumberOrInfinity(0, 'limit', options?.limit ?? Number.POSITIVE_INFINITY);
  const records: T[] = [];
  if (limit === 0) return records;
  for await (const record of list) {
    records.push(record);
    if (records.length >= limit) break;
  }
  return records;
}

const LARGEST_PAGE = 100;

function startOf({ list }: { list: string }, options: ListOptions): Position {
  const { from, pageNumber = 1, pageSize, concurrency } = options;
  for (const [name, value] of Object.entries({ pageNumber, pageSize, concurrency })) {
    if (value !== undefined) wholeNumber(name, value);
  }
  if (pageSize !== undefined && pageSize > LARGEST_PAGE) {
    throw new ConfigurationError(`pageSize is ${pageSize}; it must be at most ${LARGEST_PAGE}.`);
  }
  optionalFunction('onIncomplete', options.onIncomplete);
  if (from !== undefined) return positionAfter(readCheckpoint(from, list));
  return {
    number: pageNumber,
    pageSize: pageSize ?? null,
    page: pageNumber - 1,
    ids: [],
    size: null,
    total: undefined,
  };
}
