import type { TrackingClient } from '../client.ts';
import type { WorklistRow } from '../index.ts';
import { type Command, notFound, type OptionValues, textOption } from './command.ts';

/** Options that select containers by where they are and whose they are. */
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

type Name = keyof typeof NARROWING_OPTIONS;

const NAMES = Object.keys(NARROWING_OPTIONS) as Name[];

/** At most this number of containers is read to find out whether any container of the account has a value. */
const MOST_READ = 1000;

/**
 * The rows of a worklist that the options select.
 *
 * @throws {CommandError} for a value that no container of the account has: a misspelt name must not look like a port where nothing is due.
 */
export async function narrowed(
  values: OptionValues,
  worklist: AsyncIterable<WorklistRow>,
  client: TrackingClient,
  signal: AbortSignal,
): Promise<AsyncIterable<WorklistRow> | readonly WorklistRow[]> {
  const wanted = Object.fromEntries(NAMES.map(name => [name, textOption(values, name)]));
  if (Object.values(wanted).every(value => value === undefined)) return worklist;
  const { testOf, UnknownValue, valuesOf } = await import('../worklist/narrowing.ts');
  const rows: { row: WorklistRow; values: ReturnType<typeof valuesOf> }[] = [];
  for await (const row of worklist) rows.push({ row, values: valuesOf(row.container) });
  const account = async () => {
    const include = ['shipment', 'pod_terminal', 'pickup_facility'] as const;
    const containers = await client.containers.list({ include, pageSize: 100, signal }).toArray({ limit: MOST_READ });
    return containers.map(container => ({ values: valuesOf(container) }));
  };
  const matches = await testOf(rows, wanted, account).catch(error => {
    throw error instanceof UnknownValue ? notFound(`--${error.message.replaceAll(/[«»]/g, '"')}`) : error;
  });
  return rows.filter(matches).map(({ row }) => row);
}
