import * as z from 'zod/mini';
import { readInstant } from '../../domain/instant.ts';
import { ToolFailure } from '../failure.ts';
import { optionalTexts, shortText, skip } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { changesOf, KIND_GROUPS, KINDS, LAST_FREE_DAY, type TimelineChange } from '../views/changes.ts';
import { lastDayOf } from '../views/deadline.ts';
import { quoted, text } from '../views/read.ts';
import { containerRow, tableOf } from '../views/rows.ts';
import { accountOf, noContainers } from './account.ts';
import { callOf, fitting, listText } from './list.ts';
import {
  byFilters,
  filtersOf,
  filterText,
  type Narrowing,
  narrowing,
  testOf,
  type Values,
  valuesOf,
} from './narrowing.ts';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 50;

/** Upper bound of the containers that are read: 20 requests. */
const MAX_CONTAINERS = 1_000;

/** Upper bound in characters of the changes of one result as data: with the rest, 5,000 tokens. Many of them are for ids and times. */
const MAX_CHARACTERS = 10_500;

const changeSchema = () =>
  z.object({
    number: z.string(),
    what: z.string(),
    ...optionalTexts('from', 'to', 'last_free_day', 'place', 'at'),
    id: z.string(),
  });

type Row = z.infer<ReturnType<typeof changeSchema>>;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Changes of containers since a moment, latest first. from: the value before, of the same source. last_free_day: the one that counts now. Filters as of worklist.',
  input: () =>
    z.strictObject({
      since: z.optional(shortText('yesterday, 3 hours ago or a time. Default: 24h')),
      what: z.optional(shortText(`${KIND_GROUPS.join(', ')} or a kind`)),
      ...narrowing(),
      skip: z.optional(skip(100_000)),
    }),
  output: () =>
    z.object({
      since: z.string(),
      total: z.number(),
      counts: z.looseObject({}),
      changes: z.array(changeSchema()),
      not_recorded: z.optional(z.looseObject({})),
      next: z.nullable(z.looseObject({})),
      hint: z.optional(z.string()),
    }),
  async run(input, context) {
    const { caller, limits, now } = context;
    const read = async () => {
      const since = sinceOf(input.since, now);
      const list = caller.client.containers.list({
        // The service compares days.
        filter: { updated_at: { gte: since.toISOString().slice(0, 10) } },
        sort: '-updated_at',
        include: ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events'],
        pageSize: PAGE_SIZE,
        priority: 'interactive',
        ...limits(),
      });
      const containers = await list.toArray({ limit: MAX_CONTAINERS });
      for (const container of containers) caller.saw(container);
      const changed = containers.map(container => ({
        container,
        values: valuesOf(container),
        changes: changesOf(container, since),
      }));
      const known = changed.flatMap(({ container, values, changes }) =>
        changes.map(change => ({
          change: rowOf(container, change, now),
          // A change at a port belongs to it, wherever the container is now.
          values: {
            ...values,
            what: [change.what, change.group],
            port: change.place ? [...values.port, change.place] : values.port,
          },
        })),
      );
      // The service compares days: a change before the moment may be why it sends a container.
      const day = new Date(Math.floor(since.getTime() / DAY_MS) * DAY_MS);
      const others = changed.filter(({ container }) => changesOf(container, day).length === 0);
      return {
        rows: [
          ...known.sort((a, b) => timeOf(b).localeCompare(timeOf(a))),
          ...others.map(({ container, values }) => ({ other: otherOf(container, now), values })),
        ] as Read[],
        since: minute(since),
        isCut: containers.length === MAX_CONTAINERS,
      };
    };
    const { skip = 0, since: moment = '' } = input;
    const filters = Object.keys(filtersOf(input));
    const anew = skip === 0 && filters.length === 0;
    const reading = await caller.snapshots.list({ tool: 'list_changes', moment }, { anew, now }, read);
    const { since, isCut } = reading;
    const others = (name: string) => (name === 'what' ? Promise.resolve([ANY_KIND]) : accountOf(context));
    const matches = await testOf(reading.rows, input, others);
    const found = reading.rows.filter(matches);
    const changes = found.flatMap(({ change }) => change ?? []);
    const unrecorded = skip > 0 ? [] : found.flatMap(({ other }) => other ?? []);
    const left = changes.slice(skip);
    const shown = left.slice(0, fitting(left, MAX_CHARACTERS));
    const next = shown.length < left.length ? { ...input, skip: skip + shown.length } : null;
    const counts: Record<string, number> = {};
    for (const { what } of changes) counts[what] = (counts[what] ?? 0) + 1;
    const hint = [
      ...(isCut ? [`Only the ${MAX_CONTAINERS} containers that changed last were read: name a later since.`] : []),
      ...(changes.length === 0 ? [await emptyHint(input, context)] : []),
      ...(shown.length < 1 && changes.length > 0 ? ['skip is behind the last change: begin again without skip.'] : []),
    ].join(' ');
    const words = Object.entries(counts).map(pair => pair.join(': '));
    return {
      result: {
        since,
        total: changes.length,
        counts,
        changes: shown,
        ...(unrecorded.length > 0 && { not_recorded: notRecorded(unrecorded) }),
        next,
        ...(hint && { hint }),
      },
      text: listText(
        `${shown.length} of ${changes.length} changes since ${since}${byFilters(filters)}`,
        callOf('list_changes', next),
        [
          ...(shown.length > 0 ? [`Changes of each kind: ${words.join(', ')}.`] : []),
          ...(unrecorded.length > 0 ? [notRecordedText(unrecorded, since)] : []),
          ...(shown.length > 0 ? [tableOf(shown)] : []),
        ],
        hint,
      ),
    };
  },
});

/** The day of one source is not always the one that counts: that is the earliest of all. */
function rowOf(container: { id: string; number?: unknown }, change: TimelineChange, now: Date): Row {
  const { what, from, isFromFirst, to, status, place, at } = change;
  const last_free_day = what.startsWith(LAST_FREE_DAY) ? lastDayOf(container, now)?.date : undefined;
  return {
    number: text(container.number) ?? '',
    what,
    from: from && (isFromFirst ? `${from.text} (first estimate)` : from.text),
    to: to?.text ?? status,
    last_free_day,
    place,
    at,
    id: container.id,
  };
}

const ANY_KIND = { values: { port: [], terminal: [], carrier: [], customer: [], reference: [], what: KINDS } };

/** Why there is no change: no container, or none that was changed. */
async function emptyHint(input: Narrowing, context: ToolContext): Promise<string> {
  const { what: _, ...ofContainers } = input;
  const account = await accountOf(context);
  if (account.length === 0) return noContainers(context.readOnly);
  const by = filterText(ofContainers);
  const matches = await testOf(account, ofContainers, async () => []);
  const about = by && ` Containers of the account that match ${by}: ${account.filter(matches).length}.`;
  return `No recorded change: name an earlier since.${about}`;
}

/** A change, or a container that was updated without one. */
interface Read {
  change?: Row;
  other?: Other;
  values: Values;
}

interface Other {
  number: string;
  /** Held, or with fees. Both may be new. */
  isBlocked: boolean;
}

const timeOf = ({ change }: { change: Row }) => change.at ?? '';

function otherOf(container: object, now: Date): Other {
  const { number, held_by = [], fees_due = '0' } = containerRow(container, now);
  return { number: number ?? '', isBlocked: held_by.length > 0 || fees_due !== '0' };
}

const MOST_NUMBERS = 20;

/** Containers that were updated without a recorded change, in few words: a hold and a fee have no time. */
function notRecorded(others: readonly Other[]) {
  const blocked = others.filter(({ isBlocked }) => isBlocked).map(({ number }) => number);
  return { containers: others.length, held_or_with_fees: blocked.length, numbers: blocked.slice(0, MOST_NUMBERS) };
}

function notRecordedText(others: readonly Other[], since: string): string {
  const { containers, held_or_with_fees, numbers } = notRecorded(others);
  const more = held_or_with_fees - numbers.length;
  const names = [...numbers.map(quoted), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const now = held_or_with_fees > 0 ? `Held or with fees now: ${held_or_with_fees} of them: ${names}.` : '';
  return `Updated since ${since.slice(0, 10)} (UTC) without a recorded change, such as a hold or a fee: ${containers} containers. ${now}`.trim();
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** `2d`, `3 hours ago`, `1.days.ago`, `last 24 hours`. */
const SPAN = /^(?:(?:the )?(?:last|past) )?(\d{1,3})[ .]?(m|min|minute|h|hr|hour|d|day|w|week)s?(?:[ .]ago)?$/;

/** A day begins at midnight in UTC. A time without a zone is in UTC. */
function sinceOf(value: string | undefined, now: Date): Date {
  const words = value?.trim().toLowerCase() || '1.days.ago';
  const [, count, unit = ''] = SPAN.exec(words) ?? [];
  const daysAgo = ['today', 'yesterday'].indexOf(words);
  const day = new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const at =
    count !== undefined
      ? now.getTime() - Number(count) * (UNITS[unit.charAt(0)] ?? 0)
      : readInstant(daysAgo < 0 ? words.toUpperCase().replace(' ', 'T') : day)?.epochMs;
  if (at !== undefined && at <= now.getTime()) return new Date(at);
  throw new ToolFailure(
    'invalid_request',
    'since must be a time in the past, such as yesterday, "3 hours ago", 2d, 2026-11-23, or 2026-11-23T10:00 (UTC unless it has a zone).',
  );
}

const minute = (at: Date) => `${at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`;
