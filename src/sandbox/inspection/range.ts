import { objectArgument, refuseUnknownNames, wholeNumber } from '../../internal/arguments.ts';

/** Part of a list. */
export interface Range {
  /** How many. @default 50 */
  limit?: number | undefined;
  /** How many are left out before them. @default 0 */
  offset?: number | undefined;
}

/** @throws {ConfigurationError} for a value that is out of range. */
export function pageOf<T>(list: readonly T[], range: Range = {}): T[] {
  refuseUnknownNames('The range', objectArgument('The range', range, '{ limit: 20 }'), ['limit', 'offset']);
  const { limit = 50, offset = 0 } = range;
  wholeNumber('offset', offset, 0);
  return list.slice(offset, offset + wholeNumber('limit', limit, 0));
}
