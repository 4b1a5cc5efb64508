import type { TrackingClient } from '../../client.ts';
import { localTime } from '../../domain/local-time.ts';
import { wordsOf } from '../../domain/words-of.ts';
import type { SearchResult } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { openingOf, typeOf } from '../found-by-search.ts';
import { codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { isForPrograms, printRecords, say, tableOptions } from '../output/print.ts';

/** A hit, with facts about its record that the search does not return. */
interface Row extends SearchResult {
  status: string | null;
  /** The bill of lading of the shipment, if the hit is a container. */
  shipment?: string | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  ['KIND', row => codeCell(typeOf(row)), 'whole'],
  ['NUMBER', ({ number }) => number, 'whole'],
  ['STATUS', ({ status }) => codeCell(status)],
  ['ABOUT', aboutOf],
  ['CARRIER', ({ scac }) => scac],
  ['REFERENCES', ({ ref_numbers }) => ref_numbers],
];
const OTHERS: readonly Column<Row>[] = [['ID', ({ id }) => id, 'whole']];

/** The route of a shipment, the shipment of a container, or the reason why a tracking request failed. */
function aboutOf({ port_of_lading_name: from, port_of_discharge_name: to, ...row }: Row): string | undefined {
  const count = row.containers_count;
  const parts = [
    (from || to) && `${from ?? 'not known'} to ${to ?? 'not known'}`,
    count !== null && `${count} ${count === 1 ? 'container' : 'containers'}`,
    row.shipment && `of ${row.shipment}`,
    row.failed_reason && wordsOf(row.failed_reason),
  ];
  return parts.filter(Boolean).join(', ');
}

export const command: Command = {
  about: 'Finds numbers and references that contain the text: at most 25 records.',
  options: { ...tableOptions(COLUMNS, OTHERS), ...API_OPTIONS },
  arguments: ['QUERY'],
  run: (values, [query = '']) =>
    withClient(values, async (client, signal) => {
      const hits = await client.search(query, { signal });
      const rows = isForPrograms(values) ? hits : await withStatus(client, hits, signal);
      const isUsed = ([, value]: Column<Row>) => rows.some(row => [value(row)].flat().some(Boolean));
      await printRecords(values, rows, values.csv === true ? COLUMNS : COLUMNS.filter(isUsed), OTHERS);
      if (values.csv !== true && !isForPrograms(values)) sayOpenings(rows);
    }),
};

/** Prints the command that opens the first record of each kind. */
function sayOpenings(rows: readonly Row[]): void {
  const firsts = [...new Set(rows.map(typeOf))].map(type => rows.find(row => typeOf(row) === type) as Row);
  for (const first of firsts) say(`To open it: ${openingOf(typeOf(first), first.number)}`);
}

/** Adds the status of containers and shipments to the hits. This takes one request for each of the two kinds. */
async function withStatus(client: TrackingClient, hits: readonly SearchResult[], signal: AbortSignal): Promise<Row[]> {
  const numbersOf = (type: string) => hits.filter(hit => typeOf(hit) === type).map(({ number }) => number);
  const [inContainers, inShipments] = [numbersOf('container'), numbersOf('shipment')];
  const [containers, shipments] = await Promise.all([
    inContainers.length > 0
      ? client.containers.list({ filter: { number: inContainers }, include: ['shipment'], pageSize: 100, signal })
      : undefined,
    inShipments.length > 0
      ? client.shipments.list({ filter: { number: inShipments }, pageSize: 100, signal })
      : undefined,
  ]);
  return hits.map(hit => {
    const container = containers?.data.find(({ id }) => id === hit.id);
    const shipment = shipments?.data.find(({ id }) => id === hit.id);
    const status = container?.current_status ?? hit.status;
    return {
      ...hit,
      shipment: container?.shipment?.bill_of_lading_number,
      status: shipment ? stateOf(shipment) : status && wordsOf(status),
    };
  });
}

interface Arrival {
  line_tracking_stopped_at?: string | null;
  pod_ata_at?: string | null;
  pod_eta_at?: string | null;
  pod_timezone?: string | null;
}

/** Words in place of a status, which a shipment does not have: `arrived 2026-12-06`. */
function stateOf({ line_tracking_stopped_at, pod_ata_at, pod_eta_at, pod_timezone }: Arrival): string | null {
  const day = localTime(pod_ata_at ?? pod_eta_at, pod_timezone)?.date;
  const words = [day && `${pod_ata_at ? 'arrived' : 'expected'} ${day}`, line_tracking_stopped_at && 'stopped'];
  return words.filter(Boolean).join(', ') || null;
}
