import type { SearchResult } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import type { Column } from '../output/columns.ts';
import { printRecords, tableOptions } from '../output/print.ts';

const COLUMNS: readonly Column<SearchResult>[] = [
  // The commands say container.
  ['KIND', ({ entity_type }) => (entity_type === 'cargo' ? 'container' : entity_type), 'whole'],
  ['NUMBER', ({ number }) => number, 'whole'],
  ['CARRIER', ({ scac }) => scac],
  ['STATUS', ({ status }) => status],
  ['FROM', ({ port_of_lading_name }) => port_of_lading_name],
  ['TO', ({ port_of_discharge_name }) => port_of_discharge_name],
  ['ID', ({ id }) => id, 'whole'],
];

export const command: Command = {
  options: { ...tableOptions(COLUMNS), ...API_OPTIONS },
  arguments: ['QUERY'],
  run: (values, [query = '']) =>
    withClient(values, async (client, signal) => {
      await printRecords(values, await client.search(query, { signal }), COLUMNS);
    }),
};
