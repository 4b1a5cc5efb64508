import { isRecord } from '../../jsonapi/document.ts';
import type { RecoveryCheckpoint } from '../../recovery/checkpoint.ts';
import type { Recovered } from '../../recovery/recover-options.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, textOption, wrongUsage } from '../command.ts';
import { checkWritable } from '../files.ts';
import { INBOX_OPTIONS, withInbox } from '../inbox.ts';
import type { Column } from '../output/columns.ts';
import { isForPrograms, printRecords, say, tableOptions } from '../output/print.ts';
import { SINCE, sinceOf } from '../since.ts';
import { readState, writeState } from '../state-file.ts';

const COLUMNS: readonly Column<Omit<Recovered, 'checkpoint'>>[] = [
  ['TYPE', ({ subject }) => subject.type],
  ['ID', ({ subject }) => subject.id, 'whole'],
  ['MISSED', ({ notifications }) => notifications.map(({ event }) => event)],
  ['ERROR', ({ error }) => error?.message],
];

export const command: Command = {
  about: 'Without an inbox, a notification counts as missed if its delivery has failed.',
  options: {
    since: { type: 'string', value: 'TIME', help: `the beginning of the outage: ${SINCE}` },
    checkpoint: { type: 'string', value: 'FILE', help: 'the recovery goes on from it if it exists, and writes it' },
    repair: { type: 'boolean', help: 'activates inactive webhooks again' },
    requeue: { type: 'boolean', help: 'also puts what was missed into the inbox, for the handlers of its worker' },
    ...INBOX_OPTIONS,
    ...tableOptions(COLUMNS),
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
        const start = from ? { from } : { since };
        const requeue = values.requeue === true;
        if (requeue && !inbox) throw wrongUsage('--requeue needs an inbox: --sqlite FILE, --postgres URL or --redis.');
        const options = { ...start, repair: values.repair === true, signal };
        const recovery = client.webhookNotifications.recover(inbox ? { ...options, inbox, requeue } : options);
        const items = savingEach(recovery, save);
        const count = await printRecords(values, items, COLUMNS);
        if (!isForPrograms(values) && count > 0) say(`${count} records were read again.`);
        if (recovery.checkpoint) await save(recovery.checkpoint);
      });
    }),
};

/** The library checks the rest. */
function isCheckpoint(value: unknown): value is RecoveryCheckpoint {
  return isRecord(value) && typeof value.until === 'string';
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
