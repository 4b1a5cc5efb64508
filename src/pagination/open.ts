import { wholeNumber } from '../internal/arguments.ts';
import { readCheckpoint } from './checkpoint.ts';
import { Cursor, type ListSource, type Position, positionAfter } from './cursor.ts';
import type { ListOptions } from './options.ts';

export { recordsOf } from './page.ts';

/** The reading of a list, from where its options say. What is wrong with them rejects the first request. */
export function open<T extends { id: string }>(source: ListSource<T>, options: ListOptions): Cursor<T> {
  return new Cursor(source, options, () => startOf(source, options));
}

function startOf({ list }: { list: string }, options: ListOptions): Position {
  const { from, pageNumber = 1, pageSize, concurrency } = options;
  for (const [name, value] of Object.entries({ pageNumber, pageSize, concurrency })) {
    if (value !== undefined) wholeNumber(name, value);
  }
  if (from !== undefined) return positionAfter(readCheckpoint(from, list));
  return { number: pageNumber, pageSize: pageSize ?? null, size: null, total: null, ids: [] };
}
