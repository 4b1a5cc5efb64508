import type { Caller } from './caller.ts';
import type { CompleteRequest, CompleteResult } from './protocol.ts';
import { text } from './views/read.ts';

/** The protocol allows no more. */
const MAX_VALUES = 100;

/** A user waits for every letter: what takes longer is of no use. In ms. */
const DEADLINE_MS = 5_000;

/** What a user may want to type: codes of carriers, and the containers that this server has seen. A failure gives nothing. */
export async function complete(
  { argument }: Pick<CompleteRequest['params'], 'argument'>,
  caller: Caller,
): Promise<CompleteResult> {
  const values = await valuesOf(argument.name, argument.value.trim().toLowerCase(), caller).catch(() => []);
  const unique = [...new Set(values)];
  return {
    completion: {
      values: unique.slice(0, MAX_VALUES),
      total: unique.length,
      hasMore: unique.length > MAX_VALUES,
    },
  };
}

async function valuesOf(name: string, typed: string, caller: Caller): Promise<string[]> {
  switch (name) {
    case 'carrier':
      return carriers(typed, caller);
    case 'container_number':
      return caller.seen().flatMap(({ number }) => (number.toLowerCase().includes(typed) ? number : []));
    case 'container_id':
    case 'id':
      return caller.seen().flatMap(({ id, number }) => (`${id} ${number}`.toLowerCase().includes(typed) ? id : []));
    default:
      return [];
  }
}

async function carriers(typed: string, caller: Caller): Promise<string[]> {
  const lines = await caller.shippingLines({ deadline: DEADLINE_MS });
  return lines.flatMap(line => {
    const names = [line.scac, line.name, line.short_name].map(value => text(value)?.toLowerCase() ?? '');
    const scac = text(line.scac);
    return scac && names.some(name => name.includes(typed)) ? scac : [];
  });
}
