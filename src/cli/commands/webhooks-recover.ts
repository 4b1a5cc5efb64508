import type { TrackingClient } from '../../client.ts';
import { isRecord } from '../../jsonapi/document.ts';
import { type RecoveryCheckpoint, startOf } from '../../recovery/checkpoint.ts';
import type { Recovered } from '../../recovery/recover-options.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, type OptionValues, textOption, wrongUsage } from '../command.ts';
import { checkWritable } from '../files.ts';
import { INBOX_OPTIONS, withInbox } from '../inbox.ts';
import { Cell, codeCell } from '../output/cell.ts';
import { allOf, type Column } from '../output/columns.ts';
import { textIn } from '../output/facts.ts';
import {
  counted,
  isForPrograms,
  isOnScreen,
  print,
  printRecords,
  say,
  sayBelow,
  tableOptions,
} from '../output/print.ts';
import { table } from '../output/table.ts';
import { SINCE, sinceOf } from '../since.ts';
import { readState, writeState } from '../state-file.ts';

type Item = Omit<Recovered, 'checkpoint'>;

const type: Column<Item> = ['TYPE', ({ subject }) => codeCell(subject.type), 'whole'];
const number: Column<Item> = ['NUMBER', ({ record }) => numberIn(record), 'whole'];
const age: Column<Item> = ['AGE', ageOf, 'whole'];
const id: Column<Item> = ['ID', ({ subject }) => subject.id, 'whole'];
const missed: Column<Item> = ['MISSED', ({ notifications }) => eventsOf(notifications)];
const error: Column<Item> = ['ERROR', ({ error }) => error?.message];
const TABLE: readonly Column<Item>[] = [
  type,
  number,
  ['WHY', item => item.error?.message ?? (eventsOf(item.notifications).join(', ') || reasonOf(item)), 'key'],
  age,
  id,
];
const CSV: readonly Column<Item>[] = [type, id, number, ['REASON', reasonOf], missed, age, error];
const ALL = allOf(TABLE, CSV);

/** The reasons of the records. Each reason has the number of its records. */
const SUMMARY: readonly Column<readonly [reason: string, count: number]>[] = [
  ['RECORDS', ([, count]) => count],
  ['REASON', ([reason]) => reason, 'key'],
];

const UNFINISHED =
  'A webhook was activated, but the records that may have changed before are not all read: run the command again with --sweep.';

/** The number of records that are printed below the summary. */
const FIRST = 10;

function reasonOf({ subject, record, error, notifications }: Item): string {
  if (error) return 'could not be read: the next recovery tries again';
  if (subject.type === 'webhook') return 'was inactive';
  if (notifications.length === 0) return 'may have changed while a webhook was inactive';
  return record ? 'a notification about it was missed' : 'a notification was missed, and there is no record to read';
}

const eventsOf = (notifications: Item['notifications']) => [...new Set(notifications.map(({ event }) => event))];

function numberIn(record: Item['record']): string | undefined {
  const names = ['number', 'bill_of_lading_number', 'request_number', 'name'];
  return names.flatMap(name => textIn(record, name) ?? [])[0];
}

/**
 * The time that has passed since the latest missed notification. For programs, the value is the time of this
 * notification.
 */
function ageOf({ notifications: [latest] }: Item): Cell | undefined {
  if (!latest) return undefined;
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(latest.created_at)) / 60_000));
  const hours = Math.floor(minutes / 60);
  const text = minutes < 60 ? `${minutes} min` : hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  return new Cell(text, latest.created_at);
}

/** Prints how many records there are for each reason, and the first records. */
async function printSummary(values: OptionValues, items: AsyncIterable<Item>): Promise<number> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  if (all.length > FIRST) {
    const counts = new Map<string, number>();
    for (const item of all) counts.set(reasonOf(item), (counts.get(reasonOf(item)) ?? 0) + 1);
    await print(
      `${
        table(
          SUMMARY,
          [...counts].sort(([, one], [, other]) => other - one),
        ).text
      }\n`,
    );
  }
  await printRecords(values, all.slice(0, FIRST), TABLE, ALL);
  if (all.length > FIRST) sayBelow(`These are the first ${FIRST} of ${all.length}. For all, use --all or --json.`);
  return all.length;
}

export const command: Command = {
  about:
    'Reads again the records whose notifications were missed. Without an inbox, a notification counts as missed if its delivery has failed. A terminal shows the number of records for each reason, and the first records.',
  options: {
    since: { type: 'string', value: 'TIME', help: `the beginning of the outage: ${SINCE}` },
    checkpoint: {
      type: 'string',
      value: 'FILE',
      help: 'the recovery continues from the checkpoint in this file if the file exists, and writes it',
    },
    repair: {
      type: 'boolean',
      help: 'activates inactive webhooks again, and reads every record that may have changed while they were inactive',
    },
    sweep: {
      type: 'boolean',
      help: 'reads these records even if no webhook is inactive, as after a run with --repair that was interrupted',
    },
    requeue: { type: 'boolean', help: 'also puts what was missed into the inbox, for the handlers of its worker' },
    ...INBOX_OPTIONS,
    all: { type: 'boolean', help: 'a table of all records, without the summary' },
    ...tableOptions(TABLE, ALL),
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal) => {
      const path = textOption(values, 'checkpoint');
      if (path !== undefined) await checkWritable(path);
      const from = path === undefined ? undefined : await readState(path, isCheckpoint);
      const save = async (checkpoint: RecoveryCheckpoint) => {
        if (path !== undefined) await writeState(path, checkpoint, signal);
      };
      const given = textOption(values, 'since');
      if (given === undefined && from === undefined) throw wrongUsage('--since is missing.');
      const since = given === undefined ? undefined : sinceOf(given);
      await withInbox(values, async inbox => {
        // With `since`, each run with `repair` would sweep, because an earlier run may have been interrupted after it had
        // activated a webhook. When the command activates a webhook, it prints that --sweep is needed after an interruption.
        const start = { from: from ?? startOf({ since }) };
        const sweep = values.sweep === true || undefined;
        const requeue = values.requeue === true;
        if (requeue && !inbox) throw wrongUsage('--requeue needs an inbox: --sqlite FILE, --postgres URL or --redis.');
        const options = { ...start, repair: values.repair === true, sweep, signal };
        const recovery = client.webhookNotifications.recover(inbox ? { ...options, inbox, requeue } : options);
        const done = { records: 0, notifications: 0, webhooks: 0 };
        const items = counting(savingEach(recovery, save), done);
        const isWhole = isForPrograms(values) || [values.all, values.csv, values.columns].some(Boolean);
        const columns = values.csv === true ? CSV : TABLE;
        const printing = isWhole ? printRecords(values, items, columns, ALL) : printSummary(values, items);
        const count = await printing.catch(error => {
          if (done.webhooks > 0 && path === undefined) say(UNFINISHED);
          throw error;
        });
        if (!isForPrograms(values) && count > 0 && (isWhole || count <= FIRST)) say(`${counted(count, 'record')}.`);
        if (requeue && !isForPrograms(values)) {
          const records = counted(done.records, 'record');
          say(`Put into the inbox: ${counted(done.notifications, 'notification')} of ${records}.`);
        }
        if (!recovery.checkpoint) return;
        await save(recovery.checkpoint);
        if (!inbox && isOnScreen(values)) await sayPending(client, recovery.checkpoint, signal);
      });
    }),
};

/**
 * Says how many notifications the service still tries to deliver. The checkpoint of a complete recovery is earlier than
 * these notifications, so the next recovery checks them again.
 */
async function sayPending(client: TrackingClient, { until }: RecoveryCheckpoint, signal: AbortSignal): Promise<void> {
  let count = 0;
  for await (const { data } of client.webhookNotifications.list({ pageSize: 100, signal }).pages()) {
    const recent = data.filter(({ created_at }) => Date.parse(created_at) >= Date.parse(until));
    count += recent.filter(({ delivery_status }) => delivery_status === 'pending').length;
    if (recent.length === 0) break;
  }
  if (count === 0) return;
  const are = count === 1 ? 'which is' : 'which are';
  say(
    `The service still tries to deliver ${counted(count, 'notification')}, ${are} not missed yet. After a failure it makes at most 12 more attempts.`,
  );
  say('To list them: container-tracking notifications list --delivery pending');
}

/** The library checks the other fields. */
function isCheckpoint(value: unknown): value is RecoveryCheckpoint {
  return isRecord(value) && typeof value.until === 'string';
}

/** After each part of this many records, a terminal shows their number, because each record takes a request. */
const PART = 50;

/** Counts the missed notifications that a recovery with `requeue` puts into the inbox, and their records. */
async function* counting(
  items: AsyncIterable<Item>,
  done: { records: number; notifications: number; webhooks: number },
): AsyncGenerator<Item> {
  let read = 0;
  for await (const item of items) {
    read += 1;
    if (read % PART === 0 && process.stderr.isTTY) say(`${read} records are done …`);
    const { error, notifications, subject } = item;
    if (subject.type === 'webhook') done.webhooks += 1;
    const isPut = !error || subject.type === 'webhook_notification';
    if (isPut && notifications.length > 0) {
      done.records += 1;
      done.notifications += notifications.length;
    }
    yield item;
  }
}

/** Stores the position after each printed record, so that an interrupted recovery repeats at most one record. */
async function* savingEach<T extends { checkpoint: RecoveryCheckpoint }>(
  items: AsyncIterable<T>,
  save: (checkpoint: RecoveryCheckpoint) => Promise<void>,
): AsyncGenerator<Omit<T, 'checkpoint'>> {
  for await (const { checkpoint, ...item } of items) {
    yield item;
    await save(checkpoint);
  }
}
