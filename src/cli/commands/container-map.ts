import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { MapFeatureCollection, MapPort } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, failed, textOption } from '../command.ts';
import { checkWritable } from '../files.ts';
import { openingOf } from '../found-by-search.ts';
import type { Column } from '../output/columns.ts';
import { counted, isForPrograms, print, say } from '../output/print.ts';
import { printableJson } from '../output/printable.ts';
import { table } from '../output/table.ts';
import { timeHere, timeThere } from '../output/times.ts';
import { idOf } from '../records.ts';
import { containers } from './containers.ts';

const PORTS: readonly Column<MapPort>[] = [
  ['PORT', ({ name, country_code }) => `${name}, ${country_code}`, 'key'],
  ['ARRIVES', port => timeThere(port.inbound_ata_at ?? port.inbound_eta_at, port.time_zone), 'whole'],
  ['LEAVES', port => timeThere(port.outbound_atd_at ?? port.outbound_etd_at, port.time_zone), 'whole'],
  ['STATE', port => (port.outbound_atd_at ? 'left' : port.inbound_ata_at ? 'arrived' : 'expected'), 'whole'],
];

export const map: Command = {
  about:
    'Prints the ports and the vessel on a terminal. In a pipe, with --json, and into the file of --to, it prints GeoJSON, which map programs read: the ports, the legs and the vessel.',
  options: {
    to: { type: 'string', value: 'FILE', help: 'the file to write the GeoJSON to' },
    force: { type: 'boolean', help: 'replaces a file that exists' },
    ...API_OPTIONS,
  },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const to = textOption(values, 'to');
      if (to !== undefined && existsSync(to) && values.force !== true)
        throw failed(`${to} exists. To replace it, use --force.`);
      if (to !== undefined) await checkWritable(to);
      const found = await client.containers.mapGeojson(await idOf(containers, client, name, signal, true), { signal });
      if (to !== undefined) {
        await writeFile(to, `${printableJson(found)}\n`);
        return say(`Written to ${to}.`);
      }
      if (isForPrograms(values)) return print(printableJson(found));
      await print(summaryOf(found));
      if (found.features.length === 0) return;
      say(`Legs inland are only in the route: ${openingOf('container', name, 'route')}`);
      say('GeoJSON, for a map program: --json, or --to FILE.');
    }),
};

/** The ports, the vessel, and the number of legs at sea. */
function summaryOf({ features }: MapFeatureCollection): string {
  if (features.length === 0) return 'Nothing is known yet.';
  const ports: MapPort[] = [];
  const vessels: string[] = [];
  let legs = 0;
  for (const { geometry, properties } of features) {
    if (properties.feature_type === 'port') ports.push(properties);
    else if (geometry.type === 'LineString') legs += 1;
    if (properties.feature_type !== 'current_vessel' || geometry.type !== 'Point') continue;
    const [longitude, latitude] = geometry.coordinates;
    const seen = timeHere(properties.vessel_location_timestamp)?.text;
    vessels.push(`Vessel: ${properties.vessel_name}, at ${latitude}, ${longitude}${seen ? `, ${seen}` : ''}`);
  }
  ports.sort((one, other) => one.ports_sequence - other.ports_sequence);
  return [...(ports.length > 0 ? [table(PORTS, ports).text] : []), ...vessels, `At sea: ${counted(legs, 'leg')}`].join(
    '\n',
  );
}
