import * as z from 'zod/mini';
import { readInstant } from '../../domain/instant.ts';
import { ToolFailure } from '../failure.ts';
import { described, optionalTexts, shortText, skip } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { changesOf, type TimelineChange } from '../views/changes.ts';
import { text } from '../views/read.ts';
import { containerRow, tableOf } from '../views/rows.ts';
import { callOf, codes, fitting, listText } from './list.ts';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 50;

/** Upper bound of the containers that are read: 20 requests. */
const MAX_CONTAINERS = 1_000;

/** Upper bound in characters of the changes of one result as data. */
const MAX_CHARACTERS = 12_000;

const changeSchema = () =>
  z.object({ number: z.string(), what: z.string(), ...optionalTexts('from', 'to', 'place', 'at'), id: z.string() });

type Row = z.infer<ReturnType<typeof changeSchema>>;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List what has changed',
  description:
    'What has changed in containers since a moment, latest first, from and to: events, estimates, last free days, appointments, new containers. Last: those with other changes (holds, fees), as they are now.',
  input: () =>
    z.strictObject({
      since: z.optional(shortText('Default: 1.days.ago, 24 hours. Or a day, or 2026-11-23T10:00:00Z')),
      port: z.optional(shortText()),
      skip: z.optional(skip(100_000)),
    }),
  output: () =>
    z.object({
      since: z.string(),
      total: z.number(),
      counts: described(z.looseObject({}), 'Changes of each kind, of all pages'),
      changes: z.array(changeSchema()),
      next: z.nullable(z.looseObject({})),
      hint: z.optional(z.string()),
    }),
  async run(input, { caller, limits, now }) {
    const read = async () => {
      const since = sinceOf(input.since, now);
      const { port } = input;
      const list = caller.client.containers.list({
        // The service compares days.
        filter: {
          updated_at: { gte: since.toISOString().slice(0, 10) },
          ...(port !== undefined && { pod_code: codes('port', port) }),
        },
        sort: '-updated_at',
        include: ['shipment', 'transport_events'],
        pageSize: PAGE_SIZE,
        priority: 'interactive',
        ...limits(),
      });
      const containers = await list.toArray({ limit: MAX_CONTAINERS });
      for (const container of containers) caller.saw(container);
      const changed = containers.map(container => ({ container, changes: changesOf(container, since) }));
      const known = changed.flatMap(({ container, changes }) => changes.map(change => rowOf(container, change)));
      const others = changed.filter(({ changes }) => changes.length === 0);
      return {
        rows: [
          ...known.sort((a, b) => Number((a.at ?? '') < (b.at ?? '')) - Number((a.at ?? '') > (b.at ?? ''))),
          ...others.map(({ container }) => rowOf(container, { what: UNKNOWN, to: nowOf(container, now) })),
        ],
        since: minute(since),
        isCut: containers.length === MAX_CONTAINERS,
      };
    };
    const { rows, since, isCut } = await caller.snapshots.list('list_changes', input, now, read);
    const { skip = 0 } = input;
    const left = rows.slice(skip);
    const shown = left.slice(0, fitting(left, MAX_CHARACTERS));
    const next = shown.length < left.length ? { ...input, skip: skip + shown.length } : null;
    const counts: Record<string, number> = {};
    for (const { what } of rows) counts[what] = (counts[what] ?? 0) + 1;
    const hint = [
      ...(isCut ? [`Only the ${MAX_CONTAINERS} containers that changed last were read: name a later since.`] : []),
      ...(UNKNOWN in counts ? [`${UNKNOWN}: some time since ${since.slice(0, 10)} (UTC), to is the state now.`] : []),
      ...(rows.length === 0 ? ['No tracked change: name an earlier since.'] : []),
    ].join(' ');
    const words = Object.entries(counts).map(pair => pair.join(': '));
    return {
      result: { since, total: rows.length, counts, changes: shown, next, ...(hint && { hint }) },
      text: listText(
        `${shown.length} of ${rows.length} changes since ${since}`,
        callOf('list_changes', next),
        shown.length > 0 ? [`Changes of each kind: ${words.join(', ')}.`, tableOf(shown)] : [],
        hint,
      ),
    };
  },
});

const UNKNOWN = 'holds, fees or something else without a history';

function rowOf({ number, id }: { number: unknown; id: string }, change: TimelineChange): Row {
  return { number: text(number) ?? '', ...change, id };
}

/** The state of a container whose change is not known. */
function nowOf(container: object, now: Date): string {
  const { status, held_by, fees_due } = containerRow(container, now);
  return [
    status ?? 'no status',
    ...(held_by?.length ? [`held by ${held_by.join(', ')}`] : []),
    ...(fees_due && fees_due !== '0' ? [`fees ${fees_due}`] : []),
  ].join('; ');
}

/** A day begins at midnight in UTC; a number of days ago is that many times 24 hours. */
function sinceOf(value: string | undefined, now: Date): Date {
  const given = value?.trim() || '1.days.ago';
  const [, days] = /^(\d{1,3})\.days?\.ago$/.exec(given) ?? [];
  const at =
    days !== undefined
      ? now.getTime() - Number(days) * DAY_MS
      : readInstant(given === 'today' ? now.toISOString().slice(0, 10) : given)?.epochMs;
  if (at !== undefined && at <= now.getTime()) return new Date(at);
  throw new ToolFailure(
    'invalid_request',
    'since must be a time in the past: today, 1.days.ago, a day such as 2026-11-23, or a time such as 2026-11-23T10:00:00Z.',
  );
}

const minute = (at: Date) => `${at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`;
