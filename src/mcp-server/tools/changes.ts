import * as z from 'zod/mini';
import { type LocalTime, localTime } from '../../domain/local-time.ts';
import { counted, quoted, short } from '../../domain/record-values.ts';
import { KIND_GROUPS, type KindGroup, type TimelineChange, timelineChanges } from '../../domain/timeline-changes.ts';
import {
  ANY_KIND,
  filtersOf,
  type Narrowing,
  type Values,
  valuesOf,
  valuesOfChange,
} from '../../worklist/narrowing.ts';
import { recordsOf } from '../readings.ts';
import { shortText } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { changeText, isFirstReported, kindOf, kindText, textsOf } from '../views/changes.ts';
import { timeText } from '../views/read.ts';
import { containerRow, tableOf, Written, withoutIds } from '../views/rows.ts';
import { accountOf, noContainers } from './account.ts';
import { callOf, FEWEST_REQUESTS, fittingIn, listText, pages } from './list.ts';
import { byFilters, filterText, narrowing, testOf } from './narrowing.ts';
import { sinceOf, zoneOf } from './times.ts';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 50;

/** Maximum number of containers that are read. This needs 20 requests. */
const MAX_CONTAINERS = 1_000;

/** Upper bound for the JSON of all containers in one result, in characters. The whole result has about 5,000 tokens. */
const MAX_CHARACTERS = 12_000;

const containerSchema = () =>
  z.looseObject({ number: z.string(), changes: z.array(z.looseObject({ what: z.string() })) });

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Changes of containers since a moment: a row a container, as it is now, the most important first. from: the value before, of the same source. Filters: see worklist.',
  input: () =>
    z.strictObject({
      since: z.optional(shortText('yesterday, 3 hours ago or a time. Default: 24h')),
      what: z.optional(shortText(`${KIND_GROUPS.join(', ')} or a kind`)),
      ...narrowing(),
      time_zone: z.optional(shortText()),
      ...pages(),
    }),
  output: () =>
    z.object({
      since: z.string(),
      total: z.number(),
      containers: z.number(),
      counts: z.looseObject({}),
      groups: z.array(z.object({ group: z.string(), total: z.number(), containers: z.array(containerSchema()) })),
      follow: z.optional(z.looseObject({})),
      not_recorded: z.optional(z.looseObject({})),
      next: z.nullable(z.looseObject({})),
      hint: z.optional(z.string()),
    }),
  limited: FEWEST_REQUESTS,
  async run(input, context) {
    const { caller, limits, now } = context;
    const zone = zoneOf(input.time_zone?.trim() || context.timeZone);
    const read = async () => {
      const since = sinceOf(input.since, now, zone);
      const containers = await recordsOf(
        from =>
          caller.client.containers.list({
            // The service compares days, so it also sends containers that changed before `since` on the same day.
            filter: { updated_at: { gte: since.toISOString().slice(0, 10) } },
            sort: '-updated_at',
            include: ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events'],
            pageSize: PAGE_SIZE,
            priority: 'interactive',
            from,
            ...limits(),
          }),
        MAX_CONTAINERS,
      );
      for (const container of containers) caller.saw(container);
      const changed = containers.map(container => ({
        container,
        values: valuesOf(container),
        changes: timelineChanges(container, since),
      }));
      const known = changed.flatMap(({ container, values, changes }) => {
        const facts = changes.length > 0 ? factsOf(container, values, now) : undefined;
        return changes.map(change => ({
          facts,
          change,
          values: valuesOfChange(values, change),
        }));
      });
      // The service compares days, so it may send a container whose only change was before the moment `since`.
      const day = dayOf(since);
      const others = changed.filter(({ container }) => timelineChanges(container, day).length === 0);
      return {
        rows: [
          ...known,
          ...others.map(({ container, values }) => ({ other: otherOf(container, now), values })),
        ] as Read[],
        since,
        isCut: containers.length === MAX_CONTAINERS,
      };
    };
    const { skip = 0, since: moment = '' } = input;
    const filters = Object.keys(filtersOf(input));
    const anew = skip === 0 && filters.length === 0;
    const reading = await caller.snapshots.list({ tool: 'list_changes', moment, zone }, { anew, now }, read);
    const { isCut } = reading;
    const since = localTime(reading.since.toISOString(), zone) as LocalTime;
    const others = (name: string) => (name === 'what' ? Promise.resolve([ANY_KIND]) : accountOf(context));
    const matches = await testOf(reading.rows, input, others);
    const found = reading.rows.filter(matches);
    const changes = found.flatMap(({ change }) => change ?? []);
    const unrecorded = skip > 0 ? [] : found.flatMap(({ other }) => other ?? []);
    const all = changedOf(found);
    const left = all.slice(skip);
    const listed = left.slice(0, fittingIn(input, left.map(dataOf), MAX_CHARACTERS));
    const next = listed.length < left.length ? { ...input, skip: skip + listed.length } : null;
    const counts = countsOf(changes.map(kindOf));
    const totals = countsOf(all.map(({ group }) => group));
    const follow = countsOf(left.slice(listed.length).map(({ group }) => group));
    const groups = Object.entries(totals).flatMap(([group, total]) => {
      const own = listed.filter(each => each.group === group);
      return own.length > 0 ? [{ group, total, containers: own }] : [];
    });
    const hint = [
      ...(isCut ? [`Only the ${MAX_CONTAINERS} containers that changed last were read: name a later since.`] : []),
      ...(all.length === 0 ? [await emptyHint(input, context)] : []),
      ...(listed.length < 1 && all.length > 0 ? ['skip is behind the last container: begin again without skip.'] : []),
    ].join(' ');
    return {
      result: {
        since: instantOf(since),
        total: changes.length,
        containers: all.length,
        counts,
        groups: groups.map(each => ({ ...each, containers: each.containers.map(dataOf) })),
        ...(next && { follow }),
        ...(unrecorded.length > 0 && { not_recorded: notRecorded(unrecorded) }),
        next,
        ...(hint && { hint }),
      },
      text: listText(
        `${listed.length} of ${counted(all.length, 'container')} with ${counted(changes.length, 'change')} since ${timeText(since)}${byFilters(filters)}`,
        callOf('list_changes', next),
        [
          ...(next ? [`Containers that follow: ${wordsOf(follow)}.`] : []),
          ...(listed.length > 0 ? [`Changes of each kind: ${wordsOf(counts)}.`] : []),
          ...(unrecorded.length > 0 ? [notRecordedText(unrecorded, reading.since, zone)] : []),
          ...groups.map(textOf),
        ],
        hint,
      ),
    };
  },
});

/** The present facts about a container that has changed. */
interface Facts {
  number: string;
  customer: string | undefined;
  status: string | undefined;
  last_free_day: string | undefined;
  days_left: number | undefined;
  held_by: string[] | undefined;
  fees_due: string | undefined;
  id: string;
}

function factsOf(container: object, { customer: [customer] }: Values, now: Date): Facts {
  const { id, number, status, last_free_day, days_left, held_by = [], fees_due = '0' } = containerRow(container, now);
  return {
    number: number ?? '',
    customer: short(customer),
    status: status ?? undefined,
    last_free_day,
    days_left,
    held_by: held_by.length > 0 ? held_by : undefined,
    fees_due: fees_due === '0' ? undefined : fees_due,
    id,
  };
}

/** A container with its changes, and the group of its most important change. */
interface Changed {
  facts: Facts;
  changes: TimelineChange[];
  group: KindGroup;
}

/** Each container once, sorted by importance: the fewest days left, then the longest delay, then the latest change. */
function changedOf(found: readonly Read[]): Changed[] {
  const containers = new Map<Facts, TimelineChange[]>();
  for (const { facts, change } of found)
    if (facts && change) containers.set(facts, [...(containers.get(facts) ?? []), change]);
  const numbered = withoutIds([...containers.keys()], 'number');
  return [...containers.values()]
    .map((changes, index) => {
      const sorted = changes.toSorted((a, b) => rankOf(a) - rankOf(b));
      return { facts: numbered[index] as Facts, changes: sorted, group: sorted[0]?.group ?? 'events' };
    })
    .sort(
      (a, b) =>
        KIND_GROUPS.indexOf(a.group) - KIND_GROUPS.indexOf(b.group) ||
        urgencyOf(a) - urgencyOf(b) ||
        latestOf(b).localeCompare(latestOf(a)),
    );
}

const rankOf = ({ group }: TimelineChange) => KIND_GROUPS.indexOf(group);

const PICKUP = new Set<KindGroup>(['last_free_days', 'availability', 'appointments']);

function urgencyOf({ group, facts, changes }: Changed): number {
  if (group === 'delays') return -Math.max(...changes.map(({ days_later = 0 }) => days_later));
  return PICKUP.has(group) ? (facts.days_left ?? Number.MAX_VALUE) : 0;
}

const latestOf = ({ changes }: Changed) =>
  changes
    .map(({ at = '' }) => at)
    .sort()
    .at(-1) ?? '';

function dataOf({ facts: { number, ...facts }, changes }: Changed) {
  const rows = changes.map(change => {
    const { what, days_later, place, at } = change;
    const first_reported = isFirstReported(change) || undefined;
    return { what, ...textsOf(change), first_reported, days_later, place, at };
  });
  return { number, changes: rows, ...facts };
}

function textOf({
  group,
  total,
  containers,
}: {
  group: string;
  total: number;
  containers: readonly Changed[];
}): string {
  const rows = containers.map(({ facts: { number, ...facts }, changes }) => ({
    number,
    changes: new Written(changes.map(changeText).join('; ')),
    ...facts,
  }));
  return `## ${group}: ${containers.length} of ${total}\n${tableOf(rows)}`;
}

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const wordsOf = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${kindText(name)}: ${count}`)
    .join(', ');

/** The reason for an empty list: the account has no containers, or no container has changed. */
async function emptyHint(input: Narrowing, context: ToolContext): Promise<string> {
  const { what: _, ...ofContainers } = input;
  const account = await accountOf(context);
  if (account.length === 0) return noContainers(context.readOnly);
  const by = filterText(ofContainers);
  const matches = await testOf(account, ofContainers, async () => []);
  const about = by && ` Containers of the account that match ${by}: ${account.filter(matches).length}.`;
  return `No recorded change: name an earlier since.${about}`;
}

/** A change, or a container that was updated without a recorded change. */
interface Read {
  facts?: Facts | undefined;
  change?: TimelineChange;
  other?: Other;
  values: Values;
}

interface Other {
  number: string;
  /** True if the container has holds or fees, which may be new. */
  isBlocked: boolean;
}

function otherOf(container: object, now: Date): Other {
  const { number, held_by = [], fees_due = '0' } = containerRow(container, now);
  return { number: number ?? '', isBlocked: held_by.length > 0 || fees_due !== '0' };
}

const MOST_NUMBERS = 20;

/** The beginning of the UTC day, from which the service counts updates. */
const dayOf = (moment: Date) => new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);

/**
 * A summary of the containers that were updated without a recorded change: the service records no changes of holds and
 * fees.
 */
function notRecorded(others: readonly Other[]) {
  const blocked = others.filter(({ isBlocked }) => isBlocked).map(({ number }) => number);
  return { containers: others.length, held_or_with_fees: blocked.length, numbers: blocked.slice(0, MOST_NUMBERS) };
}

function notRecordedText(others: readonly Other[], since: Date, zone: string): string {
  const { containers, held_or_with_fees, numbers } = notRecorded(others);
  const more = held_or_with_fees - numbers.length;
  const names = [...numbers.map(quoted), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const now = held_or_with_fees > 0 ? `Held or with fees now: ${held_or_with_fees} of them: ${names}.` : '';
  return `Updated since ${timeText(localTime(dayOf(since).toISOString(), zone) as LocalTime)} without a recorded change, such as a hold or a fee: ${containers} containers. ${now}`.trim();
}

const instantOf = ({ date, time, offset }: LocalTime) => `${date}T${time}${offset === '+00:00' ? 'Z' : offset}`;
