import type { WorklistName, WorklistOptions, WorklistRow } from '../../index.ts';
import { hintOf } from '../../internal/meant-name.ts';
import { inSnakeCase, spelled } from '../../internal/spelled.ts';
import { valuesOf } from '../../worklist/narrowing.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, daysOption, type OptionValues, wrongUsage } from '../command.ts';
import { ABSENT_VALUES, NARROWING_OPTIONS, narrowed } from '../narrowed.ts';
import {
  counted,
  isForPrograms,
  isOnScreen,
  printRecords,
  printValue,
  sayBelow,
  tableOptions,
} from '../output/print.ts';
import { withServiceNames } from '../output/service-names.ts';
import { pairs } from '../output/table.ts';
import { limitOf } from '../records.ts';
import {
  ALL,
  CSV,
  daysLeft,
  demurrageOf,
  type Entry,
  entryOf,
  factsOf,
  LIST_COLUMNS,
  LISTS,
  NAMES,
  NEEDED,
  nameOf,
  SEVERAL,
} from './worklist-columns.ts';

export const command: Command = {
  about: `The lists are: ready (can be picked up), last-free-day (its last free day is near), demurrage (its last free day has passed), held (an active hold), late (arrives after the first estimate) and silent (nothing was heard). All lists are printed unless you name some. A container is on each list whose rule it fulfils. The table has it once; JSON and CSV have it once for each list. The table of a single list has the columns that answer the question of that list. The nearest last free day comes first. If the only list is late or silent, the most days come first. ${ABSENT_VALUES}`,
  options: {
    within: {
      type: 'string',
      value: 'DAYS',
      help: 'for last-free-day: the largest number of days until the last free day; 7 unless given',
    },
    'late-by': {
      type: 'string',
      value: 'DAYS',
      help: 'for late: the smallest number of days of delay; 1 unless given',
    },
    'silent-for': {
      type: 'string',
      value: 'DAYS',
      help: 'for silent: the smallest number of days without news; 5 unless given',
    },
    ...NARROWING_OPTIONS,
    hold: { type: 'string', value: 'HOLD', help: 'only with this hold: a part of the name, such as customs' },
    limit: { type: 'string', value: 'COUNT', help: 'the first containers at most; all unless given' },
    estimate: { type: 'boolean', help: 'prints only the number of requests that the lists need' },
    ...tableOptions(ALL),
    ...API_OPTIONS,
  },
  arguments: ['[LIST]...'],
  argumentValues: NAMES,
  run: (values, given) =>
    withClient(values, async (client, signal) => {
      const lists = given
        .flatMap(names => names.split(','))
        .filter(Boolean)
        .map(spelled);
      const now = new Date();
      const limit = values.limit === undefined ? Infinity : limitOf(values);
      const worklist = client.worklist({ ...optionsOf(values, lists), now, signal });
      if (values.estimate === true) {
        const estimate = await worklist.estimate();
        return printValue(values, withServiceNames(estimate), () => pairs(Object.entries(estimate)));
      }
      const isTable = !isForPrograms(values) && values.csv !== true;
      const [name = '', second] = new Set(lists);
      const list = second === undefined ? LISTS[name] : undefined;
      const rows = await worklist.toArray();
      const valued = rows.map(row => ({ row, values: valuesOf(row.container) }));
      const all = containersOf(
        (await narrowed(values, valued, client, signal)).map(({ row }) => row),
        now,
      ).sort((one, other) => urgency(one, list) - urgency(other, list));
      const containers = all.slice(0, limit);
      if (!isTable) {
        const each = containers.flatMap(entry => entry.rows.map((row): Entry => ({ ...entry, rows: [row] })));
        await printRecords(values, each, CSV, ALL, { json });
        return;
      }
      await printRecords(values, containers, list ? LIST_COLUMNS[list] : SEVERAL, ALL, { fewest: NEEDED, json });
      if (containers.length > 0 && isOnScreen(values))
        sayBelow(list && WITHOUT_DEADLINE.includes(list) ? `${counted(all.length, 'container')}.` : countsOf(all));
      if (containers.length < all.length) sayBelow(`These are the first ${containers.length}. See --limit.`);
    }),
};

/** JSON has a row for each list of a container. */
const json = ({ rows: [row] }: Entry) => withServiceNames({ ...row, list: inSnakeCase(nameOf(row)) });

function optionsOf(values: OptionValues, lists: readonly string[]): WorklistOptions {
  const unknown = lists.find(name => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw wrongUsage(`There is no list ${unknown}.${hintOf(unknown, NAMES)} There are: ${NAMES.join(', ')}.`);
  }
  const isWanted = (name: string) => lists.length === 0 || lists.includes(name);
  const daysOf = (name: string, list: string, usual: number, least: number) => {
    if (values[name] === undefined) return isWanted(list) ? usual : undefined;
    if (isWanted(list)) return daysOption(values, name, least);
    throw wrongUsage(`--${name} is for the list ${list}, which is not among those that you named.`);
  };
  const within = daysOf('within', 'last-free-day', 7, 0);
  const lateBy = daysOf('late-by', 'late', 1, 1);
  const silentFor = daysOf('silent-for', 'silent', 5, 1);
  return {
    ready: isWanted('ready'),
    demurrage: isWanted('demurrage'),
    held: isWanted('held'),
    lastFreeDay: within === undefined ? undefined : { within },
    late: lateBy === undefined ? undefined : { days: lateBy },
    silent: silentFor === undefined ? undefined : { days: silentFor },
  };
}

function containersOf(rows: readonly WorklistRow[], now: Date): Entry[] {
  const found = new Map<string, Entry>();
  for (const row of rows) {
    const { id } = row.container;
    const entry = entryOf(row, now);
    found.set(id, { ...entry, rows: [...(found.get(id)?.rows ?? []), ...entry.rows] });
  }
  return [...found.values()];
}

/** The value that rows are sorted by, the lowest first. Containers without a running deadline come last. */
function urgency(entry: Entry, list: WorklistName | undefined): number {
  if (list === 'late') return -(factsOf(entry, list)?.delay.days ?? 0);
  if (list === 'silent') return -(factsOf(entry, list)?.days ?? 0);
  return daysLeft(entry) ?? Number.MAX_SAFE_INTEGER;
}

/** Lists that do not ask about deadlines. */
const WITHOUT_DEADLINE: readonly WorklistName[] = ['late', 'silent'];

/** `49 containers, 12 overdue. Demurrage: 1250 USD.` */
function countsOf(containers: readonly Entry[]): string {
  const days = containers.map(daysLeft);
  const overdue = days.filter(left => left !== undefined && left < 0).length;
  const today = days.filter(left => left === 0).length;
  const facts = [overdue > 0 && `${overdue} overdue`, today > 0 && `${today} with the last free day today`];
  const counts = `${[counted(containers.length, 'container'), ...facts.filter(Boolean)].join(', ')}.`;
  const demurrage = demurrageOf(containers);
  return demurrage === '' ? counts : `${counts} Demurrage: ${demurrage}.`;
}
