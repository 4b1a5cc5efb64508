import * as z from 'zod/mini';
import { pickupPlace } from '../../domain/pickup-place.ts';
import { appointmentKind, dueIn, onwardOf } from '../../worklist/entries.ts';
import type { WorklistOptions } from '../../worklist/options.ts';
import type { LateRow, WorklistName, WorklistRow } from '../../worklist/rows.ts';
import * as words from '../../worklist/words.ts';
import { count, described, optionalTexts, skip } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { staleDays } from '../views/deadline.ts';
import { quoted } from '../views/read.ts';
import { appointmentOf, feesOf, refsOf, short, tableOf } from '../views/rows.ts';
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

/** Its other columns depend on the list. */
const containerSchema = () => z.looseObject({ number: z.string(), id: z.string() });

const groupSchema = () =>
  z.object({
    lists: z.array(z.string()),
    ...optionalTexts('last_free_day', 'last_free_day_at', 'set_by', 'late_at'),
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
      hint: z.optional(z.string()),
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
    const read = async () => {
      const rows = await caller.client
        .worklist({ ...options, now, priority: 'interactive', signal: limits().signal })
        .toArray();
      for (const { container } of rows) caller.saw(container);
      return {
        rows: entriesOf(rows, now),
        counts: countsOf(rows.map(nameOf), lists),
        days_left: countsOf(rows.flatMap(row => (row.list === 'lastFreeDay' ? row.deadline.daysLeft : []))),
      };
    };
    const { rows: all, counts, days_left } = await caller.snapshots.list('worklist', input, now, read);
    const left = all.slice(skip);
    const shown = left.slice(0, fitting(left.map(costOf), MAX_CHARACTERS));
    const next = shown.length < left.length ? { ...input, skip: skip + shown.length } : null;
    const groups = groupsOf(shown);
    const byDay = wordsOf(days_left);
    const about = `${shown.length} of ${all.length} containers; ${wordsOf(counts)}`;
    const hint = shown.length > 0 ? '' : emptyHint(all.length, lists);
    return {
      result: { total: all.length, counts, days_left, groups, next, ...(hint && { hint }) },
      text: listText(
        about,
        callOf('worklist', next),
        [
          ...(byDay ? [`Containers by the days to their last free day at the place: ${byDay}.`] : []),
          ...groups.map(textOf),
        ],
        hint,
      ),
    };
  },
});

function emptyHint(total: number, lists: readonly ListName[]): string {
  if (total > 0) return 'skip is behind the last container: begin again without skip.';
  const others = NAMES.filter(name => !lists.includes(name));
  const wider = [
    ...(lists.includes('last_free_day') ? ['a larger within'] : []),
    ...(lists.includes('late') ? ['a smaller late_by'] : []),
    ...(lists.includes('silent') ? ['a smaller silent_for'] : []),
    ...(others.length > 0 ? [`the lists ${others.join(', ')}`] : []),
  ];
  return `No tracked container is on these lists.${wider.length > 0 ? ` There may be some with ${wider.join(', or ')}.` : ''} list_containers has all containers.`;
}

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

/** A container, and the values that it shares with the other containers of its group. */
interface Entry {
  rank: number;
  /** Late, and arrived: nothing can be planned anew. */
  isArrived: boolean;
  group: Omit<Group, 'containers'>;
  /** Equal in one group. */
  key: string;
  container: Listed;
}

/** Each container once, the most urgent first, those of a group one after the other. */
function entriesOf(rows: readonly WorklistRow[], now: Date): Entry[] {
  const containers = new Map<string, WorklistRow[]>();
  for (const row of rows) containers.set(row.container.id, [...(containers.get(row.container.id) ?? []), row]);
  return [...containers.values()]
    .map(own => entryOf(own.toSorted((a, b) => rankOf(a) - rankOf(b)) as [WorklistRow, ...WorklistRow[]], now))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.isArrived) - Number(b.isArrived) ||
        daysOf(a) - daysOf(b) ||
        compared(a.key, b.key) ||
        latenessOf(b) - latenessOf(a),
    );
}

const daysOf = ({ group }: Entry) => group.days_left ?? Number.POSITIVE_INFINITY;
const latenessOf = ({ container }: Entry) => Number(container.days_late ?? container.days_silent ?? 0);
const compared = (a: string, b: string) => Number(a > b) - Number(a < b);

function entryOf(own: [WorklistRow, ...WorklistRow[]], now: Date): Entry {
  const [first] = own;
  const deadline = first.deadline?.hasEnded ? null : first.deadline;
  const group = {
    lists: own.map(nameOf),
    last_free_day: deadline?.date,
    last_free_day_at: deadline?.place,
    set_by: deadline?.source,
    days_left: deadline?.daysLeft,
    late_at: lateIn(own)?.at,
    next_step: stepOf(first, now),
  };
  const isArrived = first.list === 'late' && first.delay.isActual;
  return { rank: rankOf(first), isArrived, group, key: JSON.stringify(group), container: listedOf(own, now) };
}

/** The next step in words that containers have in common: the amounts and the appointments are in their own columns. */
function stepOf(row: WorklistRow, now: Date): string {
  // The words of the library name one of its methods.
  if (row.list === 'silent') return 'Ask the shipping line.';
  if (row.list === 'late' && !row.delay.isActual) return row.next;
  const { state, deadline, appointment, container } = row;
  const kind = appointment && appointmentKind(appointment, deadline, now);
  const addition = { planned: '', late: 'the appointment is later', past: 'the appointment has passed' }[
    kind ?? 'planned'
  ];
  return (
    short(
      words.pickup(state, deadline, {
        due: dueIn(container, () => 'the fees'),
        addition,
        onward: onwardOf(container, state),
      }),
    ) ?? ''
  );
}

const lateIn = (own: readonly WorklistRow[]) => own.find(row => row.list === 'late');

function listedOf(own: readonly [WorklistRow, ...WorklistRow[]], now: Date): Listed {
  const [{ container, number, state }] = own;
  const late = lateIn(own);
  // Others are called about these: the trucker, the broker.
  const needsNames = own.some(({ list }) => list === 'ready' || list === 'held');
  const isLateOnly = own.every(({ list }) => list === 'late' || list === 'silent');
  return {
    number: short(number) ?? '',
    pickup_place: short(pickupPlace(container).name),
    fees_due: state.fees.length > 0 ? feesOf(container) : undefined,
    appointment: appointmentOf(container as object as Record<string, unknown>, state.stage),
    stale_days: isLateOnly ? undefined : staleDays(container, state.stage, now),
    ...(late && { [arrivalAt(late)]: late.arrival.date, days_late: late.delay.days }),
    days_silent: own.find(row => row.list === 'silent')?.days,
    bill_of_lading: needsNames ? short(container.shipment?.bill_of_lading_number) : undefined,
    ref_numbers: needsNames ? refsOf(container as object as Record<string, unknown>) : undefined,
    id: container.id,
  };
}

/** A date names its place: `expected_at_port`, `arrived_inland`. */
function arrivalAt({ at, delay }: LateRow): string {
  return `${delay.isActual ? 'arrived' : 'expected'}_${at === 'port' ? 'at_port' : 'inland'}`;
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

function textOf({ lists, last_free_day, last_free_day_at, set_by, days_left, late_at, next_step, containers }: Group) {
  const about = [
    lists.join(', '),
    ...(last_free_day
      ? [`last free day ${last_free_day} (${set_by}, ${last_free_day_at}), days left: ${days_left}`]
      : []),
    ...(late_at ? [`late at the ${late_at}`] : []),
    quoted(next_step),
  ];
  return `## ${about.join('; ')}\n${tableOf(containers)}`;
}
