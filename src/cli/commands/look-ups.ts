import type { TrackingClient } from '../../client.ts';
import { attribute } from '../../domain/attribute.ts';
import type { DynamicInclude, Party, Port, ShippingLine, Terminal, Vessel } from '../../model/index.ts';
import { isGone } from '../../tracking/read-errors.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { ambiguous, notFound, textOption } from '../command.ts';
import { codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { FIELDS_OPTION, printRecord } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { listing } from '../records.ts';

const CARRIERS: readonly Column<ShippingLine>[] = [
  ['SCAC', ({ scac }) => scac],
  ['NAME', ({ name }) => name],
  ['OTHER CODES', ({ alternative_scacs }) => alternative_scacs],
  ['TRACKED BY', numbersOf],
];

/** The kinds of numbers that can be tracked at a carrier. */
function numbersOf(carrier: ShippingLine): string[] {
  return [
    ...(carrier.bill_of_lading_tracking_support ? ['bill of lading'] : []),
    ...(carrier.booking_number_tracking_support ? ['booking'] : []),
    ...(carrier.container_number_tracking_support ? ['container'] : []),
  ];
}

export const carriers: Command = listing({
  about: 'The carriers that can be tracked, with the kinds of numbers that each takes.',
  options: searchOption('a part of the name, or a code'),
  isSearchable: true,
  columns: CARRIERS,
  list: (client, page, values) => client.shippingLines.list({ ...page, search: textOption(values, 'search') }),
});

const PARTIES: readonly Column<Party>[] = [
  ['ID', ({ id }) => id, 'whole'],
  ['COMPANY', ({ company_name }) => company_name],
];

export const parties: Command = listing({
  options: searchOption('a part of the name'),
  isSearchable: true,
  columns: PARTIES,
  list: (client, page, values) => client.parties.list({ ...page, query: textOption(values, 'search') }),
});

function searchOption(help: string): Command['options'] {
  return { search: { type: 'string', value: 'TEXT', help } };
}

type Get<T> = (client: TrackingClient, name: string, options: { signal: AbortSignal }) => PromiseLike<T>;

/** A record that a name may mean, by its id or number. */
interface Named {
  key: string;
  name: string;
}

/**
 * Finds records by their code or by a part of their name. It searches the records of the account, because the service
 * does not have such a search.
 */
type Find = (client: TrackingClient, name: string, signal: AbortSignal) => Promise<Named[]>;

/** At most this number of containers or shipments is read to find a name. */
const MOST_READ = 1000;

const has = (text: string | null | undefined, name: string) => text?.toLowerCase().includes(name.toLowerCase());

/**
 * The only record that a name means; `undefined` if no record fits.
 *
 * @throws {CommandError} if several records fit.
 */
async function meant(find: Find, client: TrackingClient, name: string, signal: AbortSignal) {
  const named = new Map((await find(client, name, signal)).map(each => [each.key, each.name]));
  const [first, ...others] = [...named].map(([key, name]) => ({ id: key, name }));
  if (!first || others.length === 0) return first?.id;
  const lines = [first, ...others].map(({ id, name }) => `${id}  ${name}`);
  throw ambiguous(`${name} names several records:\n${lines.join('\n')}`, [first, ...others]);
}

async function namedTerminals(client: TrackingClient, name: string, signal: AbortSignal): Promise<Named[]> {
  const include = ['pod_terminal', 'pickup_facility'] as const;
  const containers = await client.containers.list({ include, pageSize: 100, signal }).toArray({ limit: MOST_READ });
  return containers
    .flatMap(({ pod_terminal, pickup_facility }) => [pod_terminal ?? [], pickup_facility ?? []].flat())
    .filter(terminal => terminal.firms_code === name.toUpperCase() || has(terminal.name, name))
    .map(terminal => ({ key: terminal.id, name: terminal.name ?? '' }));
}

async function namedPorts(client: TrackingClient, name: string, signal: AbortSignal): Promise<Named[]> {
  const shipments = await client.shipments.list({ pageSize: 100, signal }).toArray({ limit: MOST_READ });
  return shipments
    .flatMap(each => [
      { key: each.port_of_lading_locode, name: each.port_of_lading_name },
      { key: each.port_of_discharge_locode, name: each.port_of_discharge_name },
      { key: each.destination_locode, name: each.destination_name },
    ])
    .flatMap(({ key, name: port }) => (key && port && has(port, name) ? [{ key, name: port }] : []));
}

async function namedVessels(client: TrackingClient, name: string, signal: AbortSignal): Promise<Named[]> {
  const shipments = await client.shipments.list({ pageSize: 100, signal }).toArray({ limit: MOST_READ });
  return shipments.flatMap(({ pod_vessel_imo: key, pod_vessel_name: vessel }) =>
    key && vessel && has(vessel, name) ? [{ key, name: vessel }] : [],
  );
}

/** @param found text for the message if there is no such record; the argument replaces `NAME` in this text. */
function lookUp<T extends object>(
  argument: string,
  found: string,
  get: Get<T>,
  columns: readonly Column<T>[],
  find?: Find,
): Command {
  return {
    options: { ...FIELDS_OPTION, ...API_OPTIONS },
    arguments: [argument],
    run: (values, [name = '']) =>
      withClient(values, async (client, signal) => {
        const record = await Promise.resolve(get(client, name, { signal })).catch(async error => {
          if (!isGone(error)) throw error;
          const id = await (find && meant(find, client, name, signal));
          if (id === undefined) throw notFound(`There is no ${found.replace('NAME', name)}.`);
          return get(client, id, { signal });
        });
        await printRecord(values, record, columns);
      }),
  };
}

export const ports: Command = lookUp<Port<DynamicInclude>>(
  'LOCODE|NAME|ID',
  'port NAME. A port is found by its UN/LOCODE, such as NLRTM for Rotterdam, by its id, or by a part of its name if it is a port of one of your first 1000 shipments',
  (client, name, options) => client.ports.get(name, options),
  [
    ['CODE', ({ code }) => code],
    ['NAME', ({ name }) => name],
    ['CITY', ({ city, state_abbr }) => [city, state_abbr].filter(Boolean).join(', ')],
    ['COUNTRY CODE', ({ country_code }) => country_code],
    ['TIME ZONE', ({ time_zone }) => time_zone],
    ['POSITION', positionOf],
    ['ID', ({ id }) => id, 'whole'],
  ],
  namedPorts,
);

export const terminals: Command = lookUp<Terminal<DynamicInclude>>(
  'CODE|NAME|ID',
  'terminal NAME. A terminal is found by its id, or by its FIRMS code or a part of its name if it is a terminal of your first 1000 containers',
  (client, name, options) => client.terminals.get(name, options),
  [
    ['NAME', ({ name }) => name],
    ['FIRMS CODE', ({ firms_code }) => firms_code],
    ['SMDG CODE', ({ smdg_code }) => smdg_code],
    ['BIC FACILITY CODE', ({ bic_facility_code }) => bic_facility_code],
    ['STREET', ({ street }) => street],
    ['CITY', ({ city, state_abbr, zip }) => [city, state_abbr, zip].filter(Boolean).join(', ')],
    ['COUNTRY', ({ country }) => country],
    ['KIND', ({ facility_type }) => codeCell(facility_type)],
    ['ID', ({ id }) => id, 'whole'],
  ],
  namedTerminals,
);

export const vessels: Command = lookUp<Vessel>(
  'IMO|NAME|ID',
  'vessel NAME. A vessel is found by its IMO number, of seven digits, by its id, or by a part of its name if it carries one of your first 1000 shipments',
  (client, name, options) => client.vessels.get(name, options),
  [
    ['NAME', ({ name }) => name],
    ['IMO', ({ imo }) => imo],
    ['MMSI', ({ mmsi }) => mmsi],
    ['POSITION', positionOf],
    ['SEEN', ({ position_timestamp }) => timeHere(position_timestamp), 'whole'],
    ['ID', ({ id }) => id, 'whole'],
  ],
  namedVessels,
);

/** `33.74, -118.26`: latitude and longitude. */
function positionOf(record: object): string | undefined {
  const [latitude, longitude] = [attribute(record, 'latitude'), attribute(record, 'longitude')];
  return latitude == null || longitude == null ? undefined : `${latitude}, ${longitude}`;
}
