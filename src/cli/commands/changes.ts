import type { TrackingClient } from '../../client.ts';
import type { Alert } from '../../domain/alerts.ts';
import { changesBetween } from '../../domain/changes-between.ts';
import { localTime } from '../../domain/local-time.ts';
import { isRecord } from '../../jsonapi/document.ts';
import type { Container, Shipment } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { checkWritable } from '../files.ts';
import { isForPrograms, printRecords, say, TABLE_OPTIONS } from '../output/print.ts';
import type { Column } from '../output/table.ts';
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
  type: Kept['type'];
  id: string;
  number: string | null;
}

const COLUMNS: readonly Column<Alert | Appeared>[] = [
  ['NUMBER', ({ number }) => number, 'whole'],
  ['CHANGE', ({ kind }) => kind.replaceAll('_', ' ')],
  ['DETAILS', change => detailsOf(change)],
  ['ID', ({ id }) => id, 'whole'],
];

export const command: Command = {
  about: `Compares all shipments and containers with those of the run before, which the file holds: estimates that have moved, holds, fees, last free days, availability, vessels. The first run only makes the file. It is written after the changes were printed, so that none is lost.`,
  options: { ...TABLE_OPTIONS, ...API_OPTIONS },
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
      return known ? changesBetween(known, record, { at }) : [appeared('new', record)];
    }),
    ...before.filter(({ id }) => !later.has(id)).map(record => appeared('gone', record)),
  ];
}

function appeared(kind: Appeared['kind'], record: Kept): Appeared {
  const number = record.type === 'shipment' ? record.bill_of_lading_number : record.number;
  return { kind, type: record.type, id: record.id, number };
}

function detailsOf(change: Alert | Appeared): string {
  switch (change.kind) {
    case 'estimate_moved':
      return `${change.estimate.replaceAll('_', ' ')}: ${dayOf(change.from, change.timezone)} → ${dayOf(change.to, change.timezone)}`;
    case 'hold_added':
    case 'hold_cleared':
      return change.hold;
    case 'fee_added':
      return `${change.fee} ${change.amount} ${change.currency ?? ''}`;
    case 'fee_changed':
      return `${change.fee} ${change.from} → ${change.amount} ${change.currency ?? ''}`;
    case 'last_free_day_moved':
      return `${change.source}: ${change.from ?? '-'} → ${change.to}`;
    case 'unavailable':
      return change.reasons.join(', ').replaceAll('_', ' ');
    case 'rolled':
    case 'transshipment_missed':
      return `${change.from.name ?? '-'} → ${change.to.name ?? '-'}`;
    default:
      return change.type;
  }
}

function dayOf(at: string | null, zone: string | null): string {
  return localTime(at, zone)?.date ?? '-';
}
