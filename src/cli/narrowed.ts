import type { TrackingClient } from '../client.ts';
import { several } from '../domain/record-values.ts';
import {
  ANY_KIND,
  matcherOf,
  type Narrowing,
  testOf,
  UnknownValue,
  type Valued,
  valuesOf,
} from '../worklist/narrowing.ts';
import { type Command, type CommandError, notFound, type OptionValues, textOption, wrongUsage } from './command.ts';
import { say } from './output/print.ts';

/** Options that select containers by their location and by the party that they belong to. */
export const NARROWING_OPTIONS = {
  port: { type: 'string', value: 'PORT', help: 'only containers of this port: a UN/LOCODE or a part of the name' },
  terminal: { type: 'string', value: 'TERMINAL', help: 'only of this terminal: a FIRMS code or a part of the name' },
  carrier: { type: 'string', value: 'CARRIER', help: 'only of this carrier: a SCAC or a part of the name' },
  customer: { type: 'string', value: 'CUSTOMER', help: 'only of this customer: a part of the name' },
  reference: {
    type: 'string',
    value: 'REFERENCE',
    help: 'only with this reference or number. Each of these options takes several values, separated by commas',
  },
} as const satisfies Command['options'];

/** The filters that the options stand for. */
const wantedOf = (values: OptionValues): Narrowing => ({
  ...Object.fromEntries([...Object.keys(NARROWING_OPTIONS), 'hold'].map(name => [name, textOption(values, name)])),
  what: textOption(values, 'kind'),
});

/** At most this number of containers is read to find out whether any container of the account has a value. */
const MOST_READ = 1000;

/** The rule for values that no container has, for the help of a command. */
export const ABSENT_VALUES =
  'If no container has a value of a filter, the command warns and prints the rows of the other values. It fails for a carrier that the service does not have, and for a value that is similar to an existing one.';

/**
 * The rows that the options select. Warns about each value that no container of the account has: a misspelt name must not
 * look like a port where nothing is due.
 *
 * @throws {CommandError} for a carrier that the service does not have, for an unknown kind, and for a value that is similar to an
 * existing one.
 */
export async function narrowed<Row extends Valued>(
  values: OptionValues,
  rows: readonly Row[],
  client: TrackingClient,
  signal: AbortSignal,
): Promise<Row[]> {
  const account = async (name: string) => {
    if (name === 'what') return [ANY_KIND];
    const include = ['shipment', 'pod_terminal', 'pickup_facility'] as const;
    const containers = await client.containers.list({ include, pageSize: 100, signal }).toArray({ limit: MOST_READ });
    return containers.map(container => ({ values: valuesOf(container) }));
  };
  const wanted = wantedOf(values);
  for (;;) {
    try {
      return rows.filter(await testOf(rows, wanted, account));
    } catch (error) {
      if (!(error instanceof UnknownValue)) throw error;
      const refusal = refusalOf(error);
      if (!(await canExist(error, client, signal))) throw refusal;
      const others = several(wanted[error.filter] ?? '').filter(part => part !== error.value);
      say(refusal.message, 'warning');
      if (others.length === 0) return [];
      wanted[error.filter] = others.join();
    }
  }
}

/** True for a value that a container may have on another day. A value that is similar to an existing one is probably misspelt. */
async function canExist({ filter, value, isNear }: UnknownValue, client: TrackingClient, signal: AbortSignal) {
  if (filter === 'what' || isNear) return false;
  if (filter !== 'carrier') return true;
  const isIn = matcherOf(value);
  const carriers = await client.shippingLines.list({ signal }).toArray();
  return carriers.some(({ scac, name }) => isIn([scac, name].filter(Boolean).join(' ')));
}

function refusalOf({ filter, message }: UnknownValue): CommandError {
  const text = message.replaceAll(/[«»]/g, '"');
  if (filter !== 'what') return notFound(`--${text}`);
  return wrongUsage(`${text.replace('what', '--kind')} Holds and fees have no records: see changes without --since.`);
}
