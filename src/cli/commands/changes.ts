import type { TrackingClient } from '../../client.ts';
import type { Alert } from '../../domain/alerts.ts';
import { changesBetween } from '../../domain/changes-between.ts';
import { localTime } from '../../domain/local-time.ts';
import { isRecord } from '../../jsonapi/document.ts';
import type { Container, Shipment } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { checkWritable } from '../files.ts';
import type { Column } from '../output/columns.ts';
import { isForPrograms, printRecords, say, tableOptions } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { readState, writeState } from '../state-file.ts';

type Kept = Container | Shipment;

/** The account as the last run saw it. */
interface State {
  at: string;
  records: Kept[];
}

function isState(value: unknown): value is State {
  return (
    isRecord(value) && typeof value.at === 'string' && Array.isArray(value.records) && value.records.every(isRecord)
  );
}

/** A record that the last run did not have. */
interface Appeared {
  kind: 'new' | 'gone';
  /** Time of the run that has noticed it. */
  at: string;
  type: Kept['type'];
  id: string;
  number: string | null;
}

const COLUMNS: readonly Column<Alert | Appeared>[] = [
  ['NUMBER', ({ number }) => number, 'whole'],
  ['WHAT', whatOf],
  ['FROM → TO', fromTo, 'whole'],
  ['WHEN', ({ at }) => timeHere(at), 'whole'],
  ['ID', ({ id }) => id, 'whole'],
];

export const command: Command = {
  about: `Compares all shipments and containers with those of the run before, which the file holds: estimates that have moved, holds, fees, last free days, availability, vessels. The first run only makes the file. It is written after the changes were printed, so that none is lost.`,
  options: { ...tableOptions(COLUMNS), ...API_OPTIONS },
  arguments: ['FILE'],
  run: (values, [path = '']) =>
    withClient(values, async (client, signal) => {
      await checkWritable(path);
      const before = await readState(path, isState);
      const at = new Date().toISOString();
      const records = await readAll(client, signal);
      if (before) {
        const changes = changesOf(before.records, records, at);
        const since = timeHere(before.at);
        if (!isForPrograms(values)) say(changes.length > 0 ? `Since ${since}:` : `Nothing has changed since ${since}.`);
        if (changes.length > 0) await printRecords(values, changes, COLUMNS);
      } else {
        say(`${records.length} records are known. The next run prints what has changed since ${timeHere(at)}.`);
      }
      await writeState(path, { at, records } satisfies State, signal);
    }),
};

async function readAll(client: TrackingClient, signal: AbortSignal): Promise<Kept[]> {
  const [shipments, containers] = await Promise.all([
    client.shipments.list({ pageSize: 100, signal }).toArray(),
    client.containers.list({ pageSize: 100, signal }).toArray(),
  ]);
  return [...shipments, ...containers];
}

function changesOf(before: readonly Kept[], now: readonly Kept[], at: string): (Alert | Appeared)[] {
  const earlier = new Map(before.map(record => [record.id, record]));
  const later = new Set(now.map(({ id }) => id));
  return [
    ...now.flatMap((record): (Alert | Appeared)[] => {
      const known = earlier.get(record.id);
      return known ? changesBetween(known, record, { at }) : [appeared('new', record, at)];
    }),
    ...before.filter(({ id }) => !later.has(id)).map(record => appeared('gone', record, at)),
  ];
}

function appeared(kind: Appeared['kind'], record: Kept, at: string): Appeared {
  const number = record.type === 'shipment' ? record.bill_of_lading_number : record.number;
  return { kind, at, type: record.type, id: record.id, number };
}

/** `arrival moved`, `hold added: customs`. */
function whatOf(change: Alert | Appeared): string {
  const kind = change.kind.replaceAll('_', ' ');
  switch (change.kind) {
    case 'estimate_moved':
      return `${change.estimate.replaceAll('_', ' ')} moved`;
    case 'hold_added':
    case 'hold_cleared':
      return `${kind}: ${change.hold}`;
    case 'fee_added':
    case 'fee_changed':
      return `${kind}: ${change.fee}`.replaceAll('_', ' ');
    case 'last_free_day_moved':
      return `${kind} (${change.source})`;
    case 'unavailable':
      return `${kind}: ${change.reasons.join(', ').replaceAll('_', ' ')}`;
    case 'new':
    case 'gone':
      return `${kind} ${change.type}`;
    default:
      return kind;
  }
}

function fromTo(change: Alert | Appeared): string | undefined {
  switch (change.kind) {
    case 'estimate_moved':
      return arrow(dayOf(change.from, change.timezone), dayOf(change.to, change.timezone));
    case 'fee_added':
      return arrow(undefined, [change.amount, change.currency].filter(each => each !== null).join(' '));
    case 'fee_changed':
      return arrow(change.from, [change.amount, change.currency].filter(each => each !== null).join(' '));
    case 'last_free_day_moved':
      return arrow(change.from, change.to);
    case 'rolled':
    case 'transshipment_missed':
      return arrow(change.from.name, change.to.name);
    default:
      return undefined;
  }
}

const arrow = (from: string | number | null | undefined, to: string | null | undefined) =>
  `${from ?? '-'} → ${to ?? '-'}`;

function dayOf(at: string | null, zone: string | null): string | undefined {
  return localTime(at, zone)?.date;
}
