import type { TrackingClient } from '../../client.ts';
import { changesBetween } from '../../domain/changes-between.ts';
import { KIND_GROUPS } from '../../domain/timeline-changes.ts';
import { isRecord } from '../../jsonapi/document.ts';
import type { Container, Shipment } from '../../model/index.ts';
import { valuesOf } from '../../worklist/narrowing.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, type OptionValues, textOption, wrongUsage } from '../command.ts';
import { checkWritable } from '../files.ts';
import { NARROWING_OPTIONS, narrowed } from '../narrowed.ts';
import { counted, isOnScreen, print, printRecords, say, sayBelow, tableOptions } from '../output/print.ts';
import { terminalWidth } from '../output/table.ts';
import { timeHere } from '../output/times.ts';
import { type Recorded, recordedChanges } from '../recorded-changes.ts';
import { limitOf } from '../records.ts';
import { SINCE, sinceOf } from '../since.ts';
import { defaultStateFile, readState, writeState } from '../state-file.ts';
import { byContainer } from './changes-by-container.ts';
import { type Appeared, type Change, COLUMNS, CSV, forPrograms, sentenceOf } from './changes-columns.ts';
import * as recorded from './recorded-columns.ts';

type Kept = Container | Shipment;

/** The records that an earlier run has read from the account. */
interface State {
  at: string;
  records: Kept[];
}

function isState(value: unknown): value is State {
  return (
    isRecord(value) && typeof value.at === 'string' && Array.isArray(value.records) && value.records.every(isRecord)
  );
}

export const command: Command = {
  about: `Compares all shipments and containers with an earlier reading: estimates that have moved, holds, fees, last free days, availability, vessels. The first run stores that reading, in FILE or in a separate file for each account. It is replaced only with --done, after the changes were printed.

With --since, the changes of containers come from the records of the service, without a file: events, estimates, last free days, appointments. Holds, fees and shipments have no such records: they need a run without --since. The last line has the number of changes of each kind, the most important kind first.`,
  options: {
    done: { type: 'boolean', help: 'the next run compares with what this run has read' },
    since: {
      type: 'string',
      value: 'TIME',
      help: `what the service has recorded since ${SINCE}`,
    },
    kind: {
      type: 'string',
      value: 'KIND',
      help: `with --since: only changes of this kind: ${KIND_GROUPS.join(', ')}, or a part of the words of a change. delays are estimates that are later by at least a day; they are also estimates, and availability is also events`,
      values: KIND_GROUPS,
    },
    ...NARROWING_OPTIONS,
    limit: { type: 'string', value: 'COUNT', help: 'with --since: the latest changes at most; all unless given' },
    ...tableOptions<Change & Recorded>(COLUMNS, recorded.ALL),
    ...API_OPTIONS,
  },
  arguments: ['[FILE]'],
  run: (values, [file]) =>
    withClient(values, async (client, signal, access) => {
      const onScreen = isOnScreen(values);
      const since = textOption(values, 'since');
      if (since !== undefined) {
        if (file !== undefined || values.done === true)
          throw wrongUsage('--since cannot be combined with FILE or with --done.');
        return printRecorded(values, client, sinceOf(since), signal);
      }
      const foreign = ['limit', 'kind'].find(name => values[name] !== undefined);
      if (foreign) throw wrongUsage(`--${foreign} works only with --since.`);
      const isNarrowed = Object.keys(NARROWING_OPTIONS).some(name => values[name] !== undefined);
      if (isNarrowed && values.done === true)
        throw wrongUsage('--done needs a run that prints all changes: leave out --port and the other filters.');
      const path = file ?? (await defaultStateFile('changes', access));
      await checkWritable(path);
      const before = await readState(path, isState);
      const at = new Date().toISOString();
      const records = await readAll(client, signal);
      if (before) {
        requireSameAccount(path, before.records, records);
        const all = changesOf(before.records, records, at);
        const changes = isNarrowed ? await narrowedChanges(values, all, client, signal) : all;
        await printChanges(values, changes, before.at);
        if (values.done !== true) {
          if (changes.length > 0 && onScreen) say('The next run has them too, unless you use --done.');
          return;
        }
      }
      await writeState(path, { at, records } satisfies State, signal);
      if (before) return;
      say(
        `${counted(records.length, 'record')} are stored in ${path}. The next run prints what has changed since now.`,
      );
    }),
};

/** @throws {CommandError} if the account does not have most of the records that an earlier run has stored in the file. */
function requireSameAccount(path: string, before: readonly Kept[], now: readonly Kept[]): void {
  const ids = new Set(now.map(({ id }) => id));
  const missing = before.filter(({ id }) => !ids.has(id)).length;
  if (missing <= before.length / 2) return;
  throw wrongUsage(
    `${path} has records of another account: this account does not have ${missing} of ${before.length}. The file stays as it is: name another file. If the records were really deleted, delete the file.`,
  );
}

async function printRecorded(
  values: OptionValues,
  client: TrackingClient,
  since: Date,
  signal: AbortSignal,
): Promise<void> {
  const limit = values.limit === undefined ? Infinity : limitOf(values);
  const found = await narrowed(values, await recordedChanges(client, since, signal), client, signal);
  const all = found.flatMap(({ change }) => change ?? []);
  const changes = all.slice(0, limit);
  const others = found.length - all.length;
  if (!isOnScreen(values) || (values.columns !== undefined && changes.length > 0)) {
    const columns = values.csv === true ? recorded.CSV : recorded.COLUMNS;
    await printRecords(values, changes, columns, recorded.ALL, { json: recorded.forPrograms });
  } else if (changes.length > 0)
    await print(
      byContainer(
        changes.map(each => ({ ...each, sentence: recorded.sentenceOf(each) })),
        terminalWidth(),
      ),
    );
  if (changes.length < all.length)
    sayBelow(
      `These are the latest ${changes.length} of ${all.length} changes since ${timeHere(since.toISOString())}. See --limit.`,
    );
  else sayCount(values, changes.length, since.toISOString());
  if (all.length > 0 && isOnScreen(values)) sayBelow(kindsOf(all));
  if (others > 0 && isOnScreen(values))
    sayBelow(
      `${counted(others, 'container')} may have changes for which there is no record, such as a hold or a fee. See --help.`,
    );
}

/** `last_free_days: 3, events: 40.`, the most important kind first. */
function kindsOf(changes: readonly Recorded[]): string {
  const counts = KIND_GROUPS.flatMap(group => {
    const count = changes.filter(({ kind }) => kind === group).length;
    return count > 0 ? `${group}: ${count}` : [];
  });
  return `${counts.join(', ')}. See --kind.`;
}

async function printChanges(values: OptionValues, changes: readonly Change[], since: string): Promise<void> {
  if (!isOnScreen(values) || (values.columns !== undefined && changes.length > 0)) {
    const columns = values.csv === true ? CSV : COLUMNS;
    await printRecords(values, changes, columns, COLUMNS, { json: forPrograms });
  } else if (changes.length > 0) {
    const lines = changes.map(change => ({ id: change.id, number: change.number, sentence: sentenceOf(change) }));
    await print(byContainer(lines, terminalWidth()));
  }
  sayCount(values, changes.length, since);
}

function sayCount(values: OptionValues, count: number, since: string): void {
  if (!isOnScreen(values)) return;
  const filters = ['kind', ...Object.keys(NARROWING_OPTIONS)].filter(name => values[name] !== undefined);
  const none =
    filters.length > 0 ? `No change matches ${filters.map(name => `--${name}`).join(' and ')}` : 'Nothing has changed';
  say(`${count > 0 ? counted(count, 'change') : none} since ${timeHere(since)}.`);
}

/** The changes of the containers that the options select, and the changes of the shipments of these containers. */
async function narrowedChanges(
  values: OptionValues,
  changes: readonly Change[],
  client: TrackingClient,
  signal: AbortSignal,
): Promise<Change[]> {
  const include = ['shipment', 'pod_terminal', 'pickup_facility'] as const;
  const containers = await client.containers.list({ include, pageSize: 100, signal }).toArray();
  const rows = changes.flatMap(change =>
    containers
      .filter(({ id, shipment }) => change.id === id || change.id === shipment?.id)
      .map(container => ({ change, values: valuesOf(container) })),
  );
  const found = await narrowed(values, rows, client, signal);
  return [...new Set(found.map(({ change }) => change))];
}

async function readAll(client: TrackingClient, signal: AbortSignal): Promise<Kept[]> {
  const [shipments, containers] = await Promise.all([
    client.shipments.list({ pageSize: 100, signal }).toArray(),
    client.containers.list({ pageSize: 100, signal }).toArray(),
  ]);
  return [...shipments, ...containers];
}

function changesOf(before: readonly Kept[], now: readonly Kept[], at: string): Change[] {
  const earlier = new Map(before.map(record => [record.id, record]));
  const later = new Set(now.map(({ id }) => id));
  return [
    ...now.flatMap((record): Change[] => {
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
