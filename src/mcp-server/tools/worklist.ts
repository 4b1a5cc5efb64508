import * as z from 'zod/mini';
import type { WorklistOptions } from '../../worklist/options.ts';
import type { WorklistName, WorklistRow } from '../../worklist/rows.ts';
import { count, described, optionalTexts, skip } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { quoted } from '../views/read.ts';
import { short, tableOf } from '../views/rows.ts';
import { callOf, fitting, listText } from './list.ts';

/** The lists, the most urgent first, with the names that the library has for them. */
const LISTS = {
  demurrage: 'demurrage',
  last_free_day: 'lastFreeDay',
  held: 'held',
  ready: 'ready',
  late: 'late',
  silent: 'silent',
} as const satisfies Record<string, WorklistName>;
type ListName = keyof typeof LISTS;
const NAMES = Object.keys(LISTS) as ListName[];
/** Late and silent containers need nobody at the terminal today. */
const USUAL = NAMES.slice(0, 4);

/** Upper bound in characters of the containers of one result as data: with the rest, 5,000 tokens. Half of them are for ids. */
const MAX_CHARACTERS = 12_900;

const days = (description: string, least = 1) => z.optional(count(description, 365, least));

const containerSchema = () =>
  z.object({
    number: z.string(),
    ...optionalTexts('terminal', 'charges', 'arrived', 'expected'),
    days_late: z.optional(z.number()),
    days_silent: z.optional(z.number()),
    id: z.string(),
  });

const groupSchema = () =>
  z.object({
    lists: z.array(z.string()),
    ...optionalTexts('last_free_day', 'set_by', 'late_at'),
    days_left: z.optional(z.number()),
    next_step: z.string(),
    containers: z.array(containerSchema()),
  });

type Listed = z.infer<ReturnType<typeof containerSchema>>;
type Group = z.infer<ReturnType<typeof groupSchema>>;

export const worklist = defineTool({
  name: 'worklist',
  title: 'List what needs somebody',
  description:
    'Containers that need somebody: on demurrage, last free day near, held, ready for pickup, late, silent (no news). The most urgent first, grouped by last free day and next step. Reads all containers: ask for all lists at once.',
  input: () =>
    z.strictObject({
      lists: z.optional(described(z.array(z.enum(NAMES)), 'Default: the first four')),
      within: days('Days to the last free day, 0 is today. Default: 7', 0),
      late_by: days('Days. Default: 1'),
      silent_for: days('Days. Default: 5'),
      skip: z.optional(skip(100_000)),
    }),
  output: () =>
    z.object({
      total: z.number(),
      counts: z.looseObject({}),
      days_left: described(z.looseObject({}), 'Containers by days to the last free day'),
      groups: z.array(groupSchema()),
      next: z.nullable(z.looseObject({})),
    }),
  async run(input, { caller, limits, now }) {
    const { within = 7, late_by = 1, silent_for = 5, skip = 0 } = input;
    const lists = input.lists?.length ? input.lists : USUAL;
    const wanted = (name: ListName) => lists.includes(name);
    const options: WorklistOptions = {
      ready: wanted('ready'),
      demurrage: wanted('demurrage'),
      held: wanted('held'),
      lastFreeDay: wanted('last_free_day') ? { within } : undefined,
      late: wanted('late') ? { days: late_by } : undefined,
      silent: wanted('silent') ? { days: silent_for } : undefined,
    };
    const rows = await caller.client
      .worklist({ ...options, now, priority: 'interactive', signal: limits().signal })
      .toArray();
    for (const { container } of rows) caller.saw(container);
    const counts = countsOf(rows.map(nameOf), lists);
    const days_left = countsOf(rows.flatMap(row => (row.list === 'lastFreeDay' ? row.deadline.daysLeft : [])));
    const all = entriesOf(rows);
    const left = all.slice(skip);
    const shown = left.slice(0, fitting(left.map(costOf), MAX_CHARACTERS));
    const next = shown.length < left.length ? { ...input, skip: skip + shown.length } : null;
    const groups = groupsOf(shown);
    const byDay = wordsOf(days_left);
    const about = `${shown.length} of ${all.length} containers; ${wordsOf(counts)}`;
    return {
      result: { total: all.length, counts, days_left, groups, next },
      text: listText(about, callOf('worklist', next), [
        ...(byDay ? [`Containers by the days to their last free day at the place: ${byDay}.`] : []),
        ...groups.map(textOf),
      ]),
    };
  },
});

const nameOf = ({ list }: WorklistRow) => NAMES.find(name => LISTS[name] === list) as ListName;
const rankOf = (row: WorklistRow) => NAMES.indexOf(nameOf(row));

/** The number of times that each value occurs: 0 for names that do not. */
function countsOf(values: readonly (string | number)[], names: readonly string[] = []): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(names.map(name => [name, 0]));
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function wordsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(pair => pair.join(': '))
    .join(', ');
}

/** A container, and what it has in common with those of its group. */
interface Entry {
  rank: number;
  group: Omit<Group, 'containers'>;
  /** Equal in one group. */
  key: string;
  container: Listed;
}

/** Each container once, the most urgent first, those of a group one after the other. */
function entriesOf(rows: readonly WorklistRow[]): Entry[] {
  const containers = new Map<string, WorklistRow[]>();
  for (const row of rows) containers.set(row.container.id, [...(containers.get(row.container.id) ?? []), row]);
  return [...containers.values()]
    .map(own => entryOf(own.toSorted((a, b) => rankOf(a) - rankOf(b)) as [WorklistRow, ...WorklistRow[]]))
    .sort(
      (a, b) => a.rank - b.rank || daysOf(a) - daysOf(b) || compared(a.key, b.key) || latenessOf(b) - latenessOf(a),
    );
}

const daysOf = ({ group }: Entry) => group.days_left ?? Number.POSITIVE_INFINITY;
const latenessOf = ({ container }: Entry) => container.days_late ?? container.days_silent ?? 0;
const compared = (a: string, b: string) => Number(a > b) - Number(a < b);

function entryOf(own: [WorklistRow, ...WorklistRow[]]): Entry {
  const [first] = own;
  const deadline = first.deadline?.hasEnded ? null : first.deadline;
  const group = {
    lists: own.map(nameOf),
    last_free_day: deadline?.date,
    set_by: deadline?.source,
    days_left: deadline?.daysLeft,
    late_at: lateIn(own)?.at,
    // The words of the library name one of its methods.
    next_step: first.list === 'silent' ? 'Ask the shipping line.' : (short(first.next) ?? ''),
  };
  return { rank: rankOf(first), group, key: JSON.stringify(group), container: listedOf(own) };
}

const lateIn = (own: readonly WorklistRow[]) => own.find(row => row.list === 'late');

function listedOf(own: readonly [WorklistRow, ...WorklistRow[]]): Listed {
  const [{ container, number, terminal }] = own;
  const charges = own.flatMap(row => (row.list === 'demurrage' ? row.demurrage : []));
  const late = lateIn(own);
  return {
    number: short(number) ?? '',
    terminal: short(terminal),
    charges: short(charges.map(({ amount, currency }) => `${amount}${currency ?? ''}`).join('+')),
    ...(late && { [late.delay.isActual ? 'arrived' : 'expected']: late.arrival.date }),
    days_late: late?.delay.days,
    days_silent: own.find(row => row.list === 'silent')?.days,
    id: container.id,
  };
}

/** The part of the result that an entry adds. */
function costOf({ key, group, container }: Entry, index: number, entries: readonly Entry[]): unknown {
  return entries[index - 1]?.key === key ? container : { ...group, containers: [container] };
}

function groupsOf(entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { key, group, container } of entries) {
    const containers = groups.get(key)?.containers ?? [];
    groups.set(key, { ...group, containers: [...containers, container] });
  }
  return [...groups.values()];
}

function textOf({ lists, last_free_day, set_by, days_left, late_at, next_step, containers }: Group): string {
  const about = [
    lists.join(', '),
    ...(last_free_day ? [`last free day ${last_free_day} (${set_by}), days left: ${days_left}`] : []),
    ...(late_at ? [`late at the ${late_at}`] : []),
    quoted(next_step),
  ];
  return `## ${about.join('; ')}\n${tableOf(containers)}`;
}
