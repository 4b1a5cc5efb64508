import { text } from '../domain/record-values.ts';
import { TimeoutError } from '../errors.ts';
import { Scope } from '../internal/signal.ts';
import type { ShippingLine } from '../model/index.ts';
import type { Caller } from './caller.ts';
import type { CompleteRequest, CompleteResult } from './protocol.ts';

/** The upper bound in the protocol. */
const MAX_VALUES = 100;

/** In ms. The user waits after each letter, so a later completion is of no use. */
const DEADLINE_MS = 5_000;

/**
 * The values that complete the input of a user: codes of carriers, and containers of earlier results. After a failure, the
 * list is empty.
 */
export async function complete(
  { argument }: Pick<CompleteRequest['params'], 'argument'>,
  caller: Caller,
  signal: AbortSignal,
): Promise<CompleteResult> {
  const values = await valuesOf(argument.name, argument.value.trim().toLowerCase(), caller, signal).catch(() => []);
  const unique = [...new Set(values)];
  return {
    completion: {
      values: unique.slice(0, MAX_VALUES),
      total: unique.length,
      hasMore: unique.length > MAX_VALUES,
    },
  };
}

async function valuesOf(name: string, typed: string, caller: Caller, signal: AbortSignal): Promise<string[]> {
  switch (name) {
    case 'carrier':
      return carriers(typed, await linesWithin(DEADLINE_MS, caller, signal));
    case 'container_number':
      return caller.seen().flatMap(({ number }) => (number.toLowerCase().includes(typed) ? number : []));
    case 'container_id':
    case 'id':
      return caller.seen().flatMap(({ id, number }) => (`${id} ${number}`.toLowerCase().includes(typed) ? id : []));
    default:
      return [];
  }
}

async function linesWithin(deadline: number, caller: Caller, signal: AbortSignal): Promise<ShippingLine[]> {
  const message = 'The carriers could not be read in time';
  const scope = new Scope()
    .follow(signal)
    .limit(deadline, () => new TimeoutError(message, { code: 'deadline', limitMs: deadline }));
  try {
    return await caller.shippingLines({ deadline, signal: scope.signal });
  } finally {
    scope.dispose();
  }
}

function carriers(typed: string, lines: ShippingLine[]): string[] {
  return lines.flatMap(line => {
    const names = [line.scac, line.name, line.short_name].map(value => text(value)?.toLowerCase() ?? '');
    const scac = text(line.scac);
    return scac && names.some(name => name.includes(typed)) ? scac : [];
  });
}
