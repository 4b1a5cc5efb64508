import type { DynamicInclude, Party, Port, ShippingLine, Terminal, Vessel } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { textOption } from '../command.ts';
import { FIELDS_OPTION, printRecord, TABLE_OPTIONS } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { timeHere } from '../output/times.ts';
import { LIMIT_OPTIONS, limitOf, printUpTo } from '../records.ts';

const CARRIERS: readonly Column<ShippingLine>[] = [
  ['SCAC', ({ scac }) => scac],
  ['NAME', ({ name }) => name],
  ['OTHER CODES', ({ alternative_scacs }) => alternative_scacs],
  ['BILL OF LADING', ({ bill_of_lading_tracking_support }) => bill_of_lading_tracking_support, 'whole'],
  ['BOOKING', ({ booking_number_tracking_support }) => booking_number_tracking_support],
  ['CONTAINER', ({ container_number_tracking_support }) => container_number_tracking_support],
];

export const carriers: Command = {
  about: 'The carriers that can be tracked, with the kinds of numbers that each takes.',
  options: {
    search: { type: 'string', value: 'TEXT', help: 'a part of the name, or a code' },
    ...LIMIT_OPTIONS,
    ...TABLE_OPTIONS,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal) => {
      const limit = limitOf(values);
      const search = textOption(values, 'search');
      const lines = client.shippingLines.list({ search, pageSize: Math.min(limit, 100), signal });
      await printUpTo(values, limit, lines, CARRIERS);
    }),
};

const PARTIES: readonly Column<Party>[] = [
  ['ID', ({ id }) => id, 'id'],
  ['COMPANY', ({ company_name }) => company_name],
];

export const parties: Command = {
  options: {
    search: { type: 'string', value: 'TEXT', help: 'a part of the name' },
    ...LIMIT_OPTIONS,
    ...TABLE_OPTIONS,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal) => {
      const limit = limitOf(values);
      const query = textOption(values, 'search');
      await printUpTo(values, limit, client.parties.list({ query, pageSize: Math.min(limit, 100), signal }), PARTIES);
    }),
};

type Get<T> = (
  client: Parameters<Parameters<typeof withClient>[1]>[0],
  name: string,
  options: { signal: AbortSignal },
) => PromiseLike<T>;

function lookUp<T extends object>(argument: string, get: Get<T>, columns: readonly Column<T>[]): Command {
  return {
    options: { ...FIELDS_OPTION, ...API_OPTIONS },
    arguments: [argument],
    run: (values, [name = '']) =>
      withClient(values, async (client, signal) => printRecord(values, await get(client, name, { signal }), columns)),
  };
}

export const ports: Command = lookUp<Port<DynamicInclude>>(
  'LOCODE|ID',
  (client, name, options) => client.ports.get(name, options),
  [
    ['CODE', ({ code }) => code],
    ['NAME', ({ name }) => name],
    ['COUNTRY CODE', ({ country_code }) => country_code],
    ['TIME ZONE', ({ time_zone }) => time_zone],
  ],
);

export const terminals: Command = lookUp<Terminal<DynamicInclude>>(
  'ID',
  (client, name, options) => client.terminals.get(name, options),
  [
    ['NAME', ({ name }) => name],
    ['FIRMS CODE', ({ firms_code }) => firms_code],
    ['CITY', ({ city }) => city],
  ],
);

export const vessels: Command = lookUp<Vessel>('IMO|ID', (client, name, options) => client.vessels.get(name, options), [
  ['NAME', ({ name }) => name],
  ['IMO', ({ imo }) => imo],
  ['SEEN', ({ position_timestamp }) => timeHere(position_timestamp), 'whole'],
]);
