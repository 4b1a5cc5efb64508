import type { WorklistName, WorklistOptions, WorklistRow } from '../../index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, daysOption, hintOf, type OptionValues, wrongUsage } from '../command.ts';
import type { Column } from '../output/columns.ts';
import { isForPrograms, printRecords, printValue, tableOptions } from '../output/print.ts';
import { pairs } from '../output/table.ts';

/** The lists, as they are written on the command line. */
const LISTS: Readonly<Record<string, WorklistName>> = {
  ready: 'ready',
  'last-free-day': 'lastFreeDay',
  demurrage: 'demurrage',
  held: 'held',
  late: 'late',
  silent: 'silent',
};
const NAMES = Object.keys(LISTS);

/** A row for programs: everything but the record, which `containers get` has. */
type Row = Omit<WorklistRow, 'container'>;

/** A container with its rows, for the table. */
type Entry = Row & { rows: Row[] };

const COLUMNS: readonly Column<Entry>[] = [
  ['NUMBER', ({ number }) => number, 'whole'],
  ['DAYS LEFT', ({ deadline }) => daysLeft(deadline), 'whole'],
  ['HOLDS', ({ state }) => state.holds.map(({ name }) => name)],
  ['NEXT', ({ rows }) => [...new Set(rows.map(({ next }) => next))].join(' '), 'sentence'],
  ['LISTS', ({ rows }) => rows.map(({ list }) => NAMES.find(name => LISTS[name] === list))],
  ['REASON', ({ rows }) => rows.map(({ reason }) => reason).join(' '), 'sentence'],
  ['LAST FREE DAY', ({ deadline }) => deadline?.date, 'whole'],
  ['TERMINAL', ({ terminal }) => terminal],
  ['SHIPMENT', ({ shipmentNumber }) => shipmentNumber, 'whole'],
  ['CUSTOMER', ({ customer }) => customer],
];

function daysLeft(deadline: Row['deadline']): string | undefined {
  if (!deadline || deadline.hasEnded) return undefined;
  const days = deadline.daysLeft;
  return days < 0 ? `${-days} overdue` : days === 0 ? 'today' : String(days);
}

export const command: Command = {
  about: `The lists are: ready (can be picked up), last-free-day (its last free day is near), demurrage (beyond it), held (an active hold), late (arrives after the first estimate) and silent (nothing was heard). All of them unless some are named. A container is on each list whose rule it fulfils; the table has it once, and JSON once for each list. The nearest last free day comes first.`,
  options: {
    within: {
      type: 'string',
      value: 'DAYS',
      default: '7',
      help: 'for last-free-day: the last free day is at most so far away',
    },
    'late-by': { type: 'string', value: 'DAYS', default: '1', help: 'for late: at least so late' },
    'silent-for': { type: 'string', value: 'DAYS', default: '5', help: 'for silent: nothing was heard for so long' },
    estimate: { type: 'boolean', help: 'only the number of requests that the lists take' },
    ...tableOptions(COLUMNS),
    ...API_OPTIONS,
  },
  arguments: ['[LIST]...'],
  argumentValues: NAMES,
  run: (values, given) =>
    withClient(values, async (client, signal) => {
      const lists = given.flatMap(names => names.split(',')).filter(Boolean);
      const worklist = client.worklist({ ...optionsOf(values, lists), signal });
      if (values.estimate === true) {
        const estimate = await worklist.estimate();
        return printValue(values, estimate, () => pairs(Object.entries(estimate)));
      }
      const forPrograms = isForPrograms(values);
      const containers = await byUrgency(worklist);
      if (!forPrograms) await printRecords(values, containers, COLUMNS);
      else
        await printRecords(
          values,
          containers.flatMap(({ rows }) => rows),
          [],
        );
    }),
};

function optionsOf(values: OptionValues, lists: readonly string[]): WorklistOptions {
  const unknown = lists.find(name => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw wrongUsage(`There is no list ${unknown}.${hintOf(unknown, NAMES)} There are: ${NAMES.join(', ')}.`);
  }
  const isWanted = (name: string) => lists.length === 0 || lists.includes(name);
  return {
    ready: isWanted('ready'),
    demurrage: isWanted('demurrage'),
    held: isWanted('held'),
    lastFreeDay: isWanted('last-free-day') ? { within: daysOption(values, 'within', 0) } : undefined,
    late: isWanted('late') ? { days: daysOption(values, 'late-by', 1) } : undefined,
    silent: isWanted('silent') ? { days: daysOption(values, 'silent-for', 1) } : undefined,
  };
}

/** The containers, the nearest last free day first. */
async function byUrgency(worklist: AsyncIterable<WorklistRow>): Promise<Entry[]> {
  const found = new Map<string, Entry>();
  for await (const { container, ...row } of worklist) {
    const known = found.get(container.id);
    if (known) known.rows.push(row);
    else found.set(container.id, { ...row, rows: [row] });
  }
  return [...found.values()].sort((one, other) => urgency(one) - urgency(other));
}

/** Beyond every number of days where no deadline runs. */
function urgency({ deadline }: Row): number {
  return deadline && !deadline.hasEnded ? deadline.daysLeft : Number.MAX_SAFE_INTEGER;
}
