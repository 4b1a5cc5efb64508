import * as z from 'zod/mini';
import { short, shown } from '../../domain/record-values.ts';
import { filtersOf, type Narrowing, testOf as testOfAny, UnknownValue, type Valued } from '../../worklist/narrowing.ts';
import { ToolFailure } from '../failure.ts';
import { shortText } from '../schema.ts';

/**
 * The arguments. Each filter is a code or a part of a name, in upper or lower case. Several values are separated by
 * commas.
 */
export const narrowing = () => ({
  port: z.optional(shortText()),
  terminal: z.optional(shortText()),
  carrier: z.optional(shortText()),
  customer: z.optional(shortText()),
  reference: z.optional(shortText()),
});

/** @throws {ToolFailure} if one of these values is not in any row, and not in any other record. */
export async function testOf(...call: Parameters<typeof testOfAny>): Promise<(row: Valued) => boolean> {
  try {
    return await testOfAny(...call);
  } catch (error) {
    if (!(error instanceof UnknownValue)) throw error;
    throw new ToolFailure(
      'invalid_request',
      `${error.message}${error.filter === 'what' ? withoutHistory(error.value) : ''}`,
    );
  }
}

/** The filters of a call with their values: `port «Los Angeles», carrier MAEU`. */
export const filterText = (input: Narrowing) =>
  Object.entries(filtersOf(input))
    .map(([name, value]) => `${name} ${shown(short(value) ?? '')}`)
    .join(', ');

/** The names of the filters of a call, as a part of a sentence. */
export const byFilters = (names: readonly string[]) => (names.length > 0 ? ` by ${names.join(', ')}` : '');

function withoutHistory(part: string): string {
  return /hold|fee|customs/i.test(part)
    ? ' Holds and fees have no history: not_recorded counts containers with them, and worklist has what is held now.'
    : '';
}
