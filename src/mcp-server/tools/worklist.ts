import * as z from 'zod/mini';
import { type Money, rollUpHoldsAndFees } from '../../domain/holds-and-fees.ts';
import { localTime } from '../../domain/local-time.ts';
import { pickupPlace } from '../../domain/pickup-place.ts';
import { short, shown } from '../../domain/record-values.ts';
import { appointmentKind, dueIn, onwardOf, entriesOf as rowsOf } from '../../worklist/entries.ts';
import { filtersOf, type Values, valuesOf } from '../../worklist/narrowing.ts';
import { checked, type WorklistOptions } from '../../worklist/options.ts';
import { Reading, type WorklistGroup } from '../../worklist/reading.ts';
import type { DemurrageRow, LateRow, WorklistName, WorklistRow } from '../../worklist/rows.ts';
import * as words from '../../worklist/words.ts';
import { ToolFailure } from '../failure.ts';
import { count, described, shortText } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { leftText } from '../views/deadline.ts';
import { timeText } from '../views/read.ts';
import { appointmentOf, feesOf, refsOf, staleIn, tableOf, withoutIds } from '../views/rows.ts';
import { accountOf, noContainers } from './account.ts';
import { callOf, FEWEST_REQUESTS, fittingIn, listText, pages } from './list.ts';
import { byFilters, filterText, narrowing, testOf } from './narrowing.ts';

/** The lists, the most urgent first. Each value is the name of the list in the library. */
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
/**
 * The default lists. Late and silent containers are left out, because nobody is needed at the terminal for them today.
 */
const USUAL = NAMES.slice(0, 4);

/**
 * Upper bound in characters of JSON for the containers of one result. The whole result has about 5,000 tokens, and its
 * table has fewer tokens.
 */
const MAX_CHARACTERS = 12_300;

/**
 * This number of containers is too small for another page, because a call for them would need more tokens than their
 * rows.
 */
const FEW = 2;

/** Age in s. If the containers were read at most this long ago, the text does not say when they were read. */
const FRESH_S = 5;

const days = (description: string, least = 1) => z.optional(count(description, 365, least));

/** A container in a list. Its other columns depend on the list. */
const containerSchema = () => z.looseObject({ number: z.string() });

/** A group of containers, with the values that its containers have in common. */
const groupSchema = () => z.looseObject({ next_step: z.string(), containers: z.array(containerSchema()) });

type Listed = z.infer<ReturnType<typeof containerSchema>> & { id?: string | undefined };

type Group = {
  lists: ListName[];
  last_free_day?: string | undefined;
  last_free_day_at?: string | undefined;
  set_by?: string | undefined;
  days_left?: number | undefined;
  stage?: string | undefined;
  late_at?: string | undefined;
  next_step: string;
  containers: Listed[];
};

export const worklist = defineTool({
  name: 'worklist',
  title: 'Worklist',
  description:
    'Containers that need somebody, the most urgent first: on demurrage, last free day near, held, ready for pickup, late, silent (no news). Filters: codes or parts of names, several with commas. What costs money now: fees_due of the default lists.',
  input: () =>
    z.strictObject({
      lists: z.optional(described(z.array(z.enum(NAMES)), 'Default: the first four')),
      ...narrowing(),
      hold: z.optional(shortText('customs, freight …')),
      within: days('Days, 0 is today. Default: 7', 0),
      late_by: days('Default: 1'),
      silent_for: days('Default: 5'),
      ...pages(),
    }),
  output: () =>
    z.object({
      total: z.number(),
      counts: z.looseObject({}),
      days_left: z.looseObject({}),
      fees_due: z.optional(z.looseObject({})),
      late_by_customer: z.optional(z.looseObject({})),
      groups: z.array(groupSchema()),
      next: z.nullable(z.looseObject({})),
      hint: z.optional(z.string()),
    }),
  limited: `The next call continues this reading. ${FEWEST_REQUESTS}`,
  async run(input, context) {
    const { caller, limits, now, readOnly } = context;
    const { within = 7, late_by = 1, silent_for = 5, skip = 0 } = input;
    const lists = listsOf(input);
    const wanted = (name: ListName) => lists.includes(name);
    const options: WorklistOptions = {
      ready: wanted('ready'),
      demurrage: wanted('demurrage'),
      held: wanted('held'),
      lastFreeDay: wanted('last_free_day') ? { within } : undefined,
      late: wanted('late') ? { days: late_by } : undefined,
      silent: wanted('silent') ? { days: silent_for } : undefined,
    };
    let readAt = now.getTime();
    const group: WorklistGroup = {
      list(list) {
        const open: Parameters<typeof caller.readings.list>[1] = from =>
          caller.client.containers.list({ ...list, from, ...limits() });
        const stored = caller.readings.list(list.filter, open, context);
        readAt = Math.min(readAt, stored.beganAt);
        return stored;
      },
    };
    const read = await new Reading(group, { ...options, now, priority: 'interactive' }).toArray({});
    for (const { container } of read) caller.saw(container);
    const rows = withKeysOf(entriesOf(read, now));
    const filters = Object.keys(filtersOf(input));
    const matches = await testOf(rows, input, () => accountOf(context));
    const all = rows.filter(matches);
    const counts = countsOf(
      all.flatMap(({ group }) => group.lists),
      lists,
    );
    const days_left = countsOf(
      all.flatMap(({ group }) =>
        group.lists.includes('last_free_day') || !wanted('last_free_day') ? (group.days_left ?? []) : [],
      ),
    );
    const fees_due = sumsOf(all.flatMap(({ due }) => due));
    const late_by_customer = lateByCustomer(all);
    const left = all.slice(skip);
    const fits = fittingIn(input, left.map(costOf), MAX_CHARACTERS);
    const listed = input.limit === undefined && left.length - fits <= FEW ? left : left.slice(0, fits);
    const next = listed.length < left.length ? { ...input, skip: skip + listed.length } : null;
    const groups = groupsOf(listed);
    const whyEmpty = async () => {
      if (all.length > 0) return 'skip is behind the last container: begin again without skip.';
      const account = await accountOf(context);
      if (account.length === 0) return noContainers(readOnly);
      if (filters.length === 0) return emptyHint(lists);
      const there = account.filter(matches);
      if (there.length === 0)
        return `No container matches ${filters.join(' and ')}${filters.length > 1 ? ' at once: leave one out' : ''}.`;
      const every = checked({
        ready: true,
        demurrage: true,
        held: true,
        lastFreeDay: { within },
        late: { days: late_by },
        silent: { days: silent_for },
      });
      const on = there.flatMap(({ container }) => rowsOf(container, every, now).map(nameOf));
      const others = on.filter(name => !lists.includes(name));
      const none = lists.map(name => `0 ${name}`).join(', ');
      return `${none} with ${filterText(input)}. Containers of the account that match: ${there.length}; on other lists: ${wordsOf(countsOf(others)) || 'none'}.`;
    };
    const byDay = Object.entries(days_left)
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([days, count]) => `${days}: ${count}`)
      .join(', ');
    const age = Math.round((now.getTime() - readAt) / 1_000);
    const about = `${listed.length} of ${all.length} containers${byFilters(filters)}${age > FRESH_S ? `, read ${age} s ago` : ''}; ${wordsOf(counts)}`;
    const hint = listed.length > 0 ? (counts.held ? HELD_SINCE : '') : await whyEmpty();
    return {
      result: {
        total: all.length,
        counts,
        days_left,
        fees_due,
        late_by_customer,
        groups,
        next,
        ...(hint && { hint }),
      },
      text: listText(
        about,
        callOf('worklist', next),
        [
          ...(byDay ? [`Containers by the days to their last free day at the place: ${byDay}.`] : []),
          ...(fees_due ? [`Fees due at terminals, of all these containers: ${wordsOf(fees_due)}.`] : []),
          ...(late_by_customer ? [`Late by customer: ${wordsOf(late_by_customer)}.`] : []),
          ...groups.map(textOf),
        ],
        hint,
      ),
    };
  },
});

/** The list to which each limit of days belongs. */
const LIMITED = { within: 'last_free_day', late_by: 'late', silent_for: 'silent' } as const;

/**
 * The lists of a call. Without `lists`, a limit of days selects its list.
 *
 * @throws {ToolFailure} for a limit of days without its list.
 */
function listsOf(input: { [L in keyof typeof LIMITED]?: number | undefined } & { lists?: ListName[] | undefined }) {
  const limits = (Object.keys(LIMITED) as (keyof typeof LIMITED)[]).filter(limit => input[limit] !== undefined);
  const limited = limits.map(limit => LIMITED[limit]);
  const usual = limited.every(list => USUAL.includes(list)) ? USUAL : limited;
  const lists = input.lists?.length ? input.lists : usual;
  const unused = limits.find(limit => !lists.includes(LIMITED[limit]));
  if (unused)
    throw new ToolFailure(
      'invalid_request',
      `${unused} is for the list ${LIMITED[unused]}: add this list to lists, or leave ${unused} out.`,
    );
  return lists;
}

function emptyHint(lists: readonly ListName[]): string {
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

/** The number of times that each value occurs. If a value in `names` does not occur, its number is 0. */
function countsOf(values: readonly (string | number)[], names: readonly string[] = []): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(names.map(name => [name, 0]));
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function wordsOf(counts: Record<string, number | string>): string {
  return Object.entries(counts)
    .map(([name, value]) => `${shown(name)}: ${value}`)
    .join(', ');
}

/** The service does not report the time of a hold. */
const HELD_SINCE =
  'The service does not report the time of a hold. discharged is the first day on which it could keep the container from its pickup.';

/** Sums of amounts by currency; `undefined` if nothing is due. */
function sumsOf(amounts: readonly Money[]): Record<string, number> | undefined {
  const sums: Record<string, number> = {};
  for (const { amount, currency } of amounts) {
    const name = currency ?? 'local currency';
    sums[name] = (sums[name] ?? 0) + amount;
  }
  return amounts.length > 0 ? sums : undefined;
}

const MOST_CUSTOMERS = 20;

/** The late containers of each customer. The customer with the most late containers comes first. */
function lateByCustomer(entries: readonly Entry[]): Record<string, string> | undefined {
  const customers = new Map<string, number[]>();
  for (const { group, container, values } of entries) {
    if (!group.lists.includes('late')) continue;
    const name = short(values.customer[0]) ?? 'unknown';
    customers.set(name, [...(customers.get(name) ?? []), Number(container.days_late)]);
  }
  const most = [...customers].sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_CUSTOMERS);
  return most.length > 0
    ? Object.fromEntries(most.map(([name, days]) => [name, `${days.length}, up to ${Math.max(...days)} days`]))
    : undefined;
}

/** A container, and the values that it shares with the other containers of its group. */
interface Entry {
  rank: number;
  /** True if the container is late and has already arrived: a new plan for its arrival is no longer needed. */
  isArrived: boolean;
  group: Omit<Group, 'containers'>;
  /** Identifies the group: the containers of a group have the same key. */
  key: string;
  container: Listed;
  /** The fees of the terminal, in each currency. */
  due: readonly Money[];
  values: Values;
}

/** The stages of late containers, in the order of the journey. */
const STAGES = [
  'booked',
  'at_origin',
  'on_ship',
  'arrived_at_port',
  'at_port',
  'on_rail',
  'arrived_inland',
  'at_inland',
];

/**
 * Each container occurs once. The most urgent container comes first. The containers of a group are next to each other.
 */
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
        stageOf(a) - stageOf(b) ||
        compared(a.key, b.key) ||
        latenessOf(b) - latenessOf(a),
    );
}

function withKeysOf(entries: readonly Entry[]): Entry[] {
  const containers = withoutIds(
    entries.map(({ container }) => container),
    'number',
  );
  return entries.map((entry, index) => ({ ...entry, container: containers[index] ?? entry.container }));
}

const daysOf = ({ group }: Entry) => group.days_left ?? Infinity;
const stageOf = ({ group }: Entry) => STAGES.indexOf(group.stage ?? '');
const latenessOf = ({ container }: Entry) => Number(container.days_late ?? container.days_silent ?? 0);
const compared = (a: string, b: string) => Number(a > b) - Number(a < b);

function entryOf(own: [WorklistRow, ...WorklistRow[]], now: Date): Entry {
  const [first] = own;
  const isLate = first.list === 'late';
  // Late containers are sorted by their delay, not by their last free day.
  const deadline = isLate || first.deadline?.hasEnded ? null : first.deadline;
  const group = {
    lists: own.map(nameOf),
    last_free_day: deadline?.date,
    last_free_day_at: deadline?.place,
    set_by: deadline?.source,
    days_left: deadline?.daysLeft,
    stage: isLate ? first.state.stage : undefined,
    late_at: lateIn(own)?.at,
    next_step: stepOf(first, now),
  };
  const values = valuesOf(first.container);
  const container = listedOf(own, values, now);
  const isArrived = isLate && first.delay.isActual;
  return {
    rank: rankOf(first),
    isArrived,
    group,
    key: JSON.stringify(group),
    container,
    due: container.fees_due ? rollUpHoldsAndFees([first.container]).totals : [],
    values,
  };
}

/**
 * The next step in words that several containers can share. Amounts and appointments are in their own columns, and texts of
 * records are between the marks « and ».
 */
function stepOf(row: WorklistRow, now: Date): string {
  // The text of the library is replaced, because it mentions a method that the model cannot call.
  if (row.list === 'silent') return 'Ask the shipping line.';
  if (row.list === 'late') return row.delay.isActual ? ARRIVED[row.at] : 'Plan with the new estimate.';
  const { state, deadline, appointment, container } = row;
  const kind = appointment && appointmentKind(appointment, deadline, now);
  const addition = { planned: '', late: 'the appointment is later', past: 'the appointment has passed' }[
    kind ?? 'planned'
  ];
  const holds = state.holds.map(hold => ({ ...hold, name: marked(hold.name) || 'unknown' }));
  const { shipment } = container;
  const bound = shipment && { ...shipment, destination_name: marked(shipment.destination_name) };
  return words.pickup({ ...state, holds }, deadline, {
    due: dueIn(container, () => 'the fees'),
    addition,
    onward: onwardOf({ ...container, shipment: bound }, state),
  });
}

const marked = (value: unknown) => shown(short(value) ?? '');

const ARRIVED = {
  port: 'It has arrived at the port. The other lists have its next step.',
  destination: 'It has arrived inland. The other lists have its next step.',
};

const lateIn = (own: readonly WorklistRow[]) => own.find(row => row.list === 'late');

/** The code of the port, because its name could be as long as the rest of the row. */
const portOf = ({ port: [port = ''] }: Values) => /^[A-Z]{2}[A-Z0-9]{3}(?= |$)/.exec(port)?.[0] ?? short(port);

function listedOf(own: readonly [WorklistRow, ...WorklistRow[]], values: Values, now: Date): Listed {
  const [{ container, number, state }] = own;
  const late = lateIn(own);
  const demurrage = own.find(row => row.list === 'demurrage');
  // For these lists, the user contacts the trucker, the broker or the customer, who need the references.
  const needsNames = own.some(({ list }) => list === 'ready' || list === 'held');
  const customer = short(container.shipment?.customer_name);
  const isLateOnly = own.every(({ list }) => list === 'late' || list === 'silent');
  return {
    number: short(number) ?? '',
    port: portOf(values),
    pickup_place: short(pickupPlace(container).name),
    customer,
    ...(!isLateOnly && {
      fees_due: state.fees.length > 0 ? feesOf(container) : undefined,
      appointment: appointmentOf(container as object as Record<string, unknown>, state.stage),
      stale: staleIn(container, now),
    }),
    ...(late && latenessFacts(late)),
    demurrage_a_day_so_far: demurrage && averageOf(demurrage),
    discharged: own.some(({ list }) => list === 'held')
      ? localTime(container.pod_discharged_at, container.pod_timezone)?.date
      : undefined,
    days_silent: own.find(row => row.list === 'silent')?.days,
    bill_of_lading: needsNames ? short(container.shipment?.bill_of_lading_number) : undefined,
    ref_numbers: needsNames || (late && !customer) ? refsOf(container as object as Record<string, unknown>) : undefined,
    id: container.id,
  };
}

/** The average per charged day, because the service has no tariffs. */
function averageOf({ demurrage, days }: DemurrageRow): string | undefined {
  const amounts = demurrage.map(({ amount, currency }) => `${Math.round(amount / days)}${currency ?? ''}`);
  return short(amounts.join('+'));
}

/**
 * The times of a late container. The name of a time contains its place: `expected_at_port`, `arrived_inland`. A
 * container that is late at the port and goes inland also has `expected_inland`.
 */
function latenessFacts({ at, delay, since, arrival, container }: LateRow): Partial<Listed> {
  const { ind_eta_at, ind_ata_at, final_destination_timezone, shipment } = container;
  const inland =
    localTime(ind_eta_at, final_destination_timezone) ??
    localTime(shipment?.destination_eta_at, shipment?.destination_timezone);
  return {
    first_estimate: timeText(since),
    [`${delay.isActual ? 'arrived' : 'expected'}_${at === 'port' ? 'at_port' : 'inland'}`]: timeText(arrival),
    days_late: delay.days,
    ...(at === 'port' && inland && !ind_ata_at && { expected_inland: timeText(inland) }),
  };
}

/** The part that an entry adds to the result, to measure its length. */
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

function textOf(group: Group) {
  const { lists, last_free_day, last_free_day_at, set_by, days_left, stage, late_at, next_step, containers } = group;
  const about = [
    lists.join(', '),
    ...(last_free_day
      ? [`last free day ${last_free_day} (${set_by}, ${last_free_day_at}), ${leftText(days_left ?? 0)}`]
      : []),
    ...(stage ? [stage] : []),
    ...(late_at ? [`late at the ${late_at}`] : []),
    next_step,
  ];
  return `## ${about.join('; ')}\n${tableOf(containers)}`;
}
