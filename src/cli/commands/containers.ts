import { containerState } from '../../domain/container-state.ts';
import { lastFreeDay } from '../../domain/last-free-day.ts';
import type { Container, DynamicInclude, RouteLocation } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { FIELDS_OPTION, print, printRecords, printValue, TABLE_OPTIONS } from '../output/print.ts';
import { printableJson } from '../output/printable.ts';
import { type Column, paragraph } from '../output/table.ts';
import { timeThere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';

export const containers: RecordGroup<Container<DynamicInclude>> = {
  type: 'container',
  operation: 'containers.list',
  list: (client, options) => client.containers.list({ ...options, sort: options.sort ?? '-created_at' }),
  get: (client, id, options) => client.containers.get(id, options),
  named: async (client, number, signal) => (await client.containers.list({ filter: { number }, signal })).data,
  filterExample: 'pickup_lfd.lte=7.days.from_now',
  includeExample: 'shipment,pod_terminal',
  columns: [
    ['NUMBER', ({ number }) => number, 'whole'],
    ['STATUS', ({ current_status }) => current_status, 'whole'],
    ['READY', container => containerState(container).pickup],
    ['LAST FREE DAY', container => lastFreeDay(container)?.date, 'whole'],
    ['HOLDS', ({ holds_at_pod_terminal }) => holds_at_pod_terminal?.map(({ name }) => name)],
    ['ARRIVED', ({ pod_arrived_at, pod_timezone }) => timeThere(pod_arrived_at, pod_timezone), 'whole'],
    ['ID', ({ id }) => id, 'whole'],
  ],
};

export const list: Command = listCommand(containers);
export const get: Command = getCommand(containers);

export const refresh: Command = {
  about: 'Asks the carrier and the terminal for news. The service limits how often, and some accounts may not.',
  options: { ...FIELDS_OPTION, ...API_OPTIONS },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const result = await client.containers.refresh(await idOf(containers, client, name, signal), { signal });
      await printValue(values, result, () => paragraph(result.message));
    }),
};

const STOPS: readonly Column<RouteLocation<DynamicInclude>>[] = [
  ['PLACE', ({ location }) => (location && 'name' in location ? location.name : undefined)],
  [
    'ARRIVES',
    ({ inbound_eta_at, inbound_ata_at, location }) => timeThere(inbound_ata_at ?? inbound_eta_at, zoneOf(location)),
    'whole',
  ],
  ['BY', ({ inbound_vessel }) => (inbound_vessel && 'name' in inbound_vessel ? inbound_vessel.name : undefined)],
  [
    'LEAVES',
    ({ outbound_etd_at, outbound_atd_at, location }) => timeThere(outbound_atd_at ?? outbound_etd_at, zoneOf(location)),
    'whole',
  ],
];

function zoneOf(location: unknown): string | undefined {
  const { time_zone } = Object(location);
  return typeof time_zone === 'string' ? time_zone : undefined;
}

export const route: Command = {
  options: { ...TABLE_OPTIONS, ...API_OPTIONS },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const { route_locations } = await client.containers.route(await idOf(containers, client, name, signal), {
        signal,
      });
      await printRecords(values, route_locations as RouteLocation<DynamicInclude>[], STOPS);
    }),
};

export const map: Command = {
  about: 'Prints GeoJSON, which map programs read: the ports, the legs and the vessel.',
  options: { ...API_OPTIONS },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const found = await client.containers.mapGeojson(await idOf(containers, client, name, signal), { signal });
      await print(printableJson(found));
    }),
};
