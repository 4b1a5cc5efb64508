import * as z from 'zod/mini';
import type { WorklistOptions } from '../../worklist/options.ts';
import type { WorklistName, WorklistRow } from '../../worklist/rows.ts';
import { count, described, optionalTexts } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { short } from '../views/rows.ts';
import { fitting, listText } from './list.ts';

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
/** What needs somebody today. Late and silent containers need nobody at the terminal. */
const USUAL = NAMES.slice(0, 4);

const days = (description: string) => z.optional(count(description, 365));

const rowSchema = () =>
  z.object({
    id: z.string(),
    number: z.string(),
    lists: z.array(z.string()),
    reason: z.string(),
    next: z.string(),
    days_left: z.optional(z.number()),
    ...optionalTexts('terminal', 'bill_of_lading'),
  });

export const worklist = defineTool({
  name: 'worklist',
  title: 'List what needs somebody',
  description:
    'Containers that somebody has to do something about, with the reason and the next step, the most urgent first: on demurrage, last free day near, held, ready for pickup, late, silent (no news). Reads all containers: ask for all lists at once.',
  input: () =>
    z.strictObject({
      lists: z.optional(
        described(z.array(z.enum(NAMES)).check(z.minLength(1), z.maxLength(6)), `Default: the first four`),
      ),
      within: days('Days to the last free day. Default: 7'),
      late_by: days('Days. Default: 1'),
      silent_for: days('Days. Default: 5'),
      skip: z.optional(count('As next says', 100_000)),
    }),
  output: () =>
    z.object({
      items: z.array(rowSchema()),
      total: z.number(),
      next: z.nullable(z.object({ skip: z.number() })),
    }),
  async run({ lists = USUAL, within = 7, late_by = 1, silent_for = 5, skip = 0 }, { caller, limits, now }) {
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
    const all = inOrder(rows);
    const left = all.slice(skip);
    const items = left.slice(0, fitting(left));
    const next = items.length < left.length ? { skip: skip + items.length } : null;
    const about = `${items.length} of ${all.length} containers on ${lists.join(', ')}`;
    return { result: { items, total: all.length, next }, text: listText(about, next, items) };
  },
});

/** A row for each container: its lists, and the reason of the most urgent one. */
function inOrder(rows: readonly WorklistRow[]) {
  const containers = new Map<string, WorklistRow[]>();
  for (const row of rows) containers.set(row.container.id, [...(containers.get(row.container.id) ?? []), row]);
  return [...containers.values()]
    .map(own => own.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)))
    .sort(([a], [b]) => urgencyOf(a) - urgencyOf(b) || daysOf(a) - daysOf(b))
    .map(own => rowOf(own as [WorklistRow, ...WorklistRow[]]));
}

const nameOf = ({ list }: WorklistRow) => NAMES.find(name => LISTS[name] === list) as ListName;
const urgencyOf = (row: WorklistRow | undefined) => (row ? NAMES.indexOf(nameOf(row)) : 0);
const daysOf = (row: WorklistRow | undefined) => row?.deadline?.daysLeft ?? Number.POSITIVE_INFINITY;

function rowOf([first, ...others]: [WorklistRow, ...WorklistRow[]]) {
  const { container, number, reason, next, deadline, terminal, shipmentNumber } = first;
  return {
    id: container.id,
    number: short(number) ?? '',
    lists: [first, ...others].map(nameOf),
    reason: short(reason) ?? '',
    next: short(next) ?? '',
    days_left: deadline?.daysLeft,
    terminal: short(terminal),
    bill_of_lading: short(shipmentNumber),
  };
}
