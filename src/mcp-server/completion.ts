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
 * The values that complete the input of a user: codes of carriers, and numbers of containers. The containers are from
 * earlier results, or are the containers that changed last. Prompts and resources accept the numbers in place of ids.
 * After a failure, the list is empty.
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
      return carriers(typed, await within(DEADLINE_MS, signal, 'carriers', limits => caller.shippingLines(limits)));
    case 'container_number':
    case 'container_id':
    case 'id': {
      const seen = numbersOf(caller, typed);
      if (seen.length > 0) return seen;
      await within(DEADLINE_MS, signal, 'containers', limits => seeLatest(caller, limits));
      return numbersOf(caller, typed);
    }
    default:
      return [];
  }
}

/** The numbers of the containers whose number or id contains the typed text. */
const numbersOf = (caller: Caller, typed: string) =>
  caller.seen().flatMap(({ id, number }) => (`${id} ${number}`.toLowerCase().includes(typed) ? number : []));

/** Stores the containers that changed last, at most once a minute. */
function seeLatest(caller: Caller, limits: Limits): Promise<unknown> {
  const read = async () => {
    const { data } = await caller.client.containers.list({ sort: '-updated_at', pageSize: MAX_VALUES, ...limits });
    for (const container of data.toReversed()) caller.saw(container);
    return { rows: [] };
  };
  return caller.snapshots.list({ tool: 'completion' }, { anew: false, now: new Date() }, read);
}

interface Limits {
  deadline: number;
  signal: AbortSignal;
}

async function within<T>(
  deadline: number,
  signal: AbortSignal,
  what: string,
  read: (limits: Limits) => Promise<T>,
): Promise<T> {
  const message = `The ${what} could not be read in time`;
  const scope = new Scope()
    .follow(signal)
    .limit(deadline, () => new TimeoutError(message, { code: 'deadline', limitMs: deadline }));
  try {
    return await read({ deadline, signal: scope.signal });
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
