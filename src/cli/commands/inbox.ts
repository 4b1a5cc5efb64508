import type { DeadLetter, Inbox } from '../../webhooks/inbox/inbox.ts';
import { type Command, failed, type OptionValues, wrongUsage } from '../command.ts';
import { failureOf } from '../failure.ts';
import { INBOX_OPTIONS, withInbox } from '../inbox.ts';
import { numberIn } from '../number-in-body.ts';
import type { Column } from '../output/columns.ts';
import { say, tableOptions } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { LIMIT_OPTIONS, limitOf, printUpTo } from '../records.ts';

const ALL = Number.MAX_SAFE_INTEGER;

/** The name of the field is a symbol, because JSON leaves out such a field, and a body is long. */
const BODY = Symbol('body');

type Listed = Omit<DeadLetter, 'body' | 'diedAt'> & { number: string | null; died_at: string; [BODY]: Uint8Array };

const COLUMNS: readonly Column<Listed>[] = [
  ['ID', ({ id }) => id, 'whole'],
  ['EVENT', ({ event }) => event],
  ['NUMBER', ({ number }) => number],
  ['ATTEMPTS', ({ attempts }) => attempts],
  ['DIED', ({ died_at }) => timeHere(died_at), 'whole'],
  ['ERROR', ({ error }) => error, 'line'],
];

const OTHERS: readonly Column<Listed>[] = [['BODY', letter => new TextDecoder().decode(letter[BODY])]];

export const dead: Command = {
  about: 'The body of a delivery is shown if --fields or --columns names it.',
  options: {
    ...INBOX_OPTIONS,
    ...LIMIT_OPTIONS,
    ...tableOptions(COLUMNS, OTHERS),
    json: { type: 'boolean', help: 'JSON also on a terminal' },
  },
  run: values =>
    withNamed(values, async inbox => {
      const limit = limitOf(values);
      // Reads one dead letter more than the limit, to find out whether there are more.
      const letters = await inbox.deadLetters({ limit: Math.min(limit + 1, ALL) });
      const listed = letters.map(({ body, diedAt, ...letter }) => ({
        ...letter,
        number: numberIn(body),
        died_at: new Date(diedAt).toISOString(),
        [BODY]: body,
      }));
      await printUpTo(values, limit, listed, COLUMNS, { others: OTHERS });
    }),
};

export const retry: Command = {
  options: { ...INBOX_OPTIONS, all: { type: 'boolean', help: 'every dead letter, in place of ids' } },
  arguments: ['[ID]...'],
  run: (values, ids) =>
    withNamed(values, async inbox => {
      if (ids.length > 0 === (values.all === true)) throw wrongUsage('Name ids of dead letters, or use --all.');
      const unknown: string[] = [];
      let count = 0;
      for (const id of values.all === true ? await allDead(inbox) : ids) {
        if (await inbox.revive(id)) count += 1;
        else unknown.push(id);
      }
      say(`${count} will be handled again.`);
      if (unknown.length > 0) throw failed(`No dead letter has this id: ${unknown.join(', ')}`);
    }),
};

async function withNamed(values: OptionValues, work: (inbox: Inbox) => Promise<void>): Promise<void> {
  try {
    await withInbox(values, async inbox => {
      if (!inbox)
        throw wrongUsage(
          `Name an inbox: --sqlite FILE, --postgres URL or --redis.${process.env.DATABASE_URL ? ' For the database of DATABASE_URL, use --postgres env.' : ''}`,
        );
      await work(inbox);
    });
  } catch (error) {
    throw failureOf(error);
  }
}

async function allDead(inbox: Inbox): Promise<string[]> {
  return (await inbox.deadLetters({ limit: ALL })).map(({ id }) => id);
}
