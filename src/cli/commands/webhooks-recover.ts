import { readFile, stat } from 'node:fs/promises';
import { replaceFile } from '../../documents/save-as.ts';
import type { RecoveryCheckpoint } from '../../recovery/checkpoint.ts';
import { isDate } from '../../schemas/date-time.ts';
import { API_DETAILS, API_OPTIONS, withClient } from '../api.ts';
import { type Command, failed, type OptionValues, textOption, wrongUsage } from '../command.ts';
import { INBOX_DETAILS, INBOX_OPTIONS, withInbox } from '../inbox.ts';
import { isForPrograms, printRecords, say } from '../output/print.ts';

export const command: Command = {
  details: `      --since       when the outage began, such as 2026-03-09T03:00:00Z
      --checkpoint  a file: the recovery goes on from it if it exists, and writes it
      --repair      activates inactive webhooks again
${INBOX_DETAILS}                    without an inbox a notification counts as missed if its delivery failed
${API_DETAILS}`,
  options: {
    since: { type: 'string' },
    checkpoint: { type: 'string' },
    repair: { type: 'boolean', default: false },
    ...INBOX_OPTIONS,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal) => {
      const from = await checkpointFrom(values);
      const since = textOption(values, 'since');
      if (since === undefined && from === undefined) throw wrongUsage('--since is missing.');
      // `Date.parse` takes it for a day of the next month.
      const [day] = /^\d{4}-\d\d-\d\d/.exec(since ?? '') ?? [];
      if (day && !isDate(day)) throw wrongUsage(`--since: there is no ${day}.`);
      await withInbox(values, async inbox => {
        const start = from ? { from } : { since };
        const recovery = client.webhookNotifications.recover({
          ...start,
          inbox,
          repair: values.repair === true,
          signal,
        });
        const items = savingEach(recovery, checkpoint => save(values, checkpoint, signal));
        const count = await printRecords(values, items, [
          ['TYPE', ({ subject }) => subject.type],
          ['ID', ({ subject }) => subject.id],
          ['MISSED', ({ notifications }) => notifications.map(({ event }) => event)],
          ['ERROR', ({ error }) => error?.message],
        ]);
        if (!isForPrograms(values) && count > 0) say(`${count} records were read again.`);
        if (recovery.checkpoint) await save(values, recovery.checkpoint, signal);
      });
    }),
};

/** The position is stored when the record was printed, so that an interrupted recovery repeats at most one. */
async function* savingEach<T extends { checkpoint: RecoveryCheckpoint }>(
  items: AsyncIterable<T>,
  save: (checkpoint: RecoveryCheckpoint) => Promise<void>,
): AsyncGenerator<Omit<T, 'checkpoint'>> {
  for await (const { checkpoint, ...item } of items) {
    yield item;
    await save(checkpoint);
  }
}

async function checkpointFrom(values: OptionValues): Promise<RecoveryCheckpoint | undefined> {
  const path = textOption(values, 'checkpoint');
  if (path === undefined) return undefined;
  // Opening a FIFO lasts until somebody writes to it.
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) throw failed(`The checkpoint ${path} is not a file.`);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as RecoveryCheckpoint;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failed(`The checkpoint ${path} cannot be read: ${(error as Error).message}`);
  }
}

const WRITE_TIMEOUT_MS = 10_000;

/** A crash leaves the old file or the new one. */
async function save(values: OptionValues, checkpoint: RecoveryCheckpoint, signal: AbortSignal): Promise<void> {
  const path = textOption(values, 'checkpoint');
  if (path === undefined) return;
  const bytes = new Blob([JSON.stringify(checkpoint)]).stream();
  await replaceFile(path, bytes, { signal, timeout: WRITE_TIMEOUT_MS });
}
