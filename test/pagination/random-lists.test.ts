import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Checkpoint, ResponseFormatError, ServerError, TrackingClient } from '../../src/index.ts';
import type { Context } from '../../src/sync/context.ts';
import { type ListProgress, readList } from '../../src/sync/list-reading.ts';
import { listsFor } from '../../src/sync/lists.ts';
import { withRequest } from '../../support/client.ts';
import { ChangingList, type ListStory, listStory } from '../../support/random-lists.ts';
import { memoryStore } from '../sync/memory-store.ts';

/** `LIST_SOAK=10000 npx vitest run test/pagination/random-lists.test.ts` reads this number of lists, with new seeds, in each mode. */
const soak = Number(process.env.LIST_SOAK ?? 0);
const runs = soak > 0 ? { numRuns: soak } : { numRuns: 150, seed: 7 };
const examples = () => Object.values(FOUND).map((story): [ListStory] => [story]);

function clientOf(list: ChangingList): TrackingClient {
  return new TrackingClient({
    baseUrl: 'https://host.example/v2',
    apiKey: 'key',
    logger: false,
    validation: 'off',
    rateLimit: false,
    retry: false,
    fetch: withRequest(async ({ url, signal }) => {
      const body = list.answer(new URL(url));
      signal.throwIfAborted();
      return body
        ? Response.json(body, { headers: { date: list.date } })
        : Response.json({ errors: [{ title: 'Broken' }] }, { status: 503 });
    }),
  });
}

const SORT = { first: '-created_at', last: 'created_at' } as const;

type Reading = (list: ChangingList, story: ListStory) => AsyncIterable<string>;

const lists = (
  list: ChangingList,
  { pageSize, order }: ListStory,
  more: { concurrency?: number; from?: Checkpoint } = {},
) => clientOf(list).containers.list({ pageSize, sort: SORT[order], ...more });

const MODES: Record<string, Reading> = {
  async *iteration(list, story) {
    for await (const { id } of lists(list, story)) yield id;
  },
  async *'pages()'(list, story) {
    for await (const { data } of lists(list, story).pages()) yield* data.map(({ id }) => id);
  },
  async *'toArray()'(list, story) {
    yield* (await lists(list, story).toArray()).map(({ id }) => id);
  },
  async *concurrency(list, story) {
    for await (const { id } of lists(list, story, { concurrency: story.concurrency })) yield id;
  },
  async *checkpoints(list, story) {
    let from: Checkpoint | undefined;
    for (let round = 0; ; round += 1) {
      let left = story.interruptions[round] ?? Number.POSITIVE_INFINITY;
      if (from) list.continued(from);
      try {
        for await (const { data, checkpoint } of lists(list, story, from && { from }).pages()) {
          yield* data.map(({ id }) => id);
          from = JSON.parse(JSON.stringify(checkpoint));
          left -= 1;
          if (left === 0) break;
        }
      } catch (error) {
        // A failed request does not end the test: the reading continues from its checkpoint.
        if (!(error instanceof ServerError)) throw error;
        continue;
      }
      if (left > 0) return;
    }
  },
  async *sync(list, { pageSize, interruptions, order }) {
    const types = new Set(['container'] as const);
    const source = { ...listsFor(types)[0], sort: SORT[order] };
    const store = memoryStore();
    const page = async (_: unknown, number: number) => {
      const url = new URL(`https://host.example/v2/containers?page[number]=${number}&page[size]=${pageSize}`);
      const document = list.answer(url);
      const details = { status: 503, method: 'GET', path: '/containers', message: 'Broken', errors: [] };
      if (!document) throw new ServerError(details as never);
      return { document, asOf: Date.parse(list.date) };
    };
    const emit = ({ missing, total }: { missing: number; total: number }) => {
      const details = { status: 200, method: 'GET', path: '/containers', requestId: undefined };
      throw new ResponseFormatError(`${missing} of ${total} did not come.`, details);
    };
    const context = { reader: { page }, store, types, emit } as unknown as Context;
    let progress: ListProgress = { pass: 'one', page: 0, total: null, size: 0, done: false, doubted: false, ids: [] };
    for (let round = 0; !progress.done; round += 1) {
      let left = interruptions[round] ?? Number.POSITIVE_INFINITY;
      try {
        for await (const read of readList(context, source as never, progress, new AbortController().signal)) {
          progress = read.progress;
          left -= 1;
          if (left === 0) break;
        }
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
      }
    }
    yield* [...store.rows.values()].map(({ id }) => id);
  },
};

/** Lists that once lost or repeated records without an error. Each list is read in every mode. */
const FOUND: Record<string, ListStory> = {
  'the total was counted before the last record moved, while another was added': {
    ...{
      order: 'first',
      length: 4,
      pageSize: 1,
      concurrency: 2,
      totals: { kind: 'late', every: 3 },
      links: true,
      interruptions: [3, 1],
    },
    steps: [[{ remove: 1, at: 0 }], [], [{ add: 1 }]],
  },
  'the total of a checkpoint was newer than the count': {
    ...{
      order: 'first',
      length: 4,
      pageSize: 1,
      concurrency: 2,
      totals: { kind: 'late', every: 2 },
      links: true,
      interruptions: [2, 1],
    },
    steps: [[{ add: 3 }, { remove: 4, at: 0 }]],
  },
  'the page of a checkpoint had only new records': {
    ...{
      order: 'first',
      length: 2,
      pageSize: 1,
      concurrency: 2,
      totals: { kind: 'late', every: 3 },
      links: true,
      interruptions: [1, 3],
    },
    steps: [[{ add: 2 }], [], [{ remove: 2, at: 0 }]],
  },
  'a new record was counted in place of an old one': {
    ...{
      order: 'first',
      length: 2,
      pageSize: 1,
      concurrency: 2,
      totals: { kind: 'late', every: 2 },
      links: true,
      interruptions: [1],
    },
    steps: [[{ add: 2 }], [{ remove: 2, at: 0 }]],
  },
  'a record was removed before a checkpoint, and others were added after it': {
    ...{
      order: 'first',
      length: 8,
      pageSize: 1,
      concurrency: 2,
      totals: { kind: 'late', every: 13 },
      links: true,
      interruptions: [1],
    },
    steps: [[], [], [], [], [{ remove: 1, at: 0 }], [], [], [], [], [], [{ fail: true }, { add: 2 }]],
  },
  'old records were mistaken for the same number of new records': {
    ...{
      order: 'first',
      length: 7,
      pageSize: 2,
      concurrency: 2,
      totals: { kind: 'late', every: 4 },
      links: false,
      interruptions: [1],
    },
    steps: [[{ add: 5 }, { fail: true }], [], [], [{ remove: 3, at: 0 }]],
  },
  'the sums of other ids were equal': {
    ...{
      order: 'first',
      length: 18,
      pageSize: 2,
      concurrency: 2,
      totals: { kind: 'true' },
      links: false,
      interruptions: [5],
    },
    steps: [[{ add: 2 }, { remove: 2, at: 13 }], [], [], [], [], [], [{ remove: 4, at: 11 }]],
  },
  'a record was added before the reading of an empty page after the end': {
    ...{
      order: 'first',
      length: 4,
      pageSize: 3,
      concurrency: 2,
      totals: { kind: 'true' },
      links: false,
      interruptions: [1, 1, 1],
    },
    steps: [[], [{ add: 1 }]],
  },
  'a record of a checkpoint was sent again, and the totals showed no change': {
    ...{
      order: 'first',
      length: 4,
      pageSize: 1,
      concurrency: 2,
      totals: { kind: 'late', every: 3 },
      links: true,
      interruptions: [1],
    },
    steps: [[{ add: 2 }], [{ remove: 1, at: 3 }], [{ remove: 1, at: 0 }]],
  },
  'one server of three counts too few, and nothing changes': {
    ...{ order: 'first', length: 12, pageSize: 1, concurrency: 2, links: false, interruptions: [1], steps: [] },
    totals: { kind: 'alternate', by: -9, turns: 3 },
  },
};

/** Limits of the modes (docs/guides/lists.md#records-that-come-and-go). */
const KNOWN_LIMITS: Record<string, (story: ListStory) => ListStory> = {
  // The pages of this server are smaller than the page size of sync, so that only links show a next page.
  sync: story => ({ ...story, links: true }),
};

test.each(Object.entries(MODES))(
  'a list that is read by %s is complete, or ends with an error',
  async (mode, read) => {
    const outcomes = {
      lists: 0,
      whole: 0,
      'short, beyond proof': 0,
      'ended by a failed request': 0,
      'ended by a contradiction': 0,
      requests: 0,
    };
    await fc.assert(
      fc.asyncProperty(listStory.map(KNOWN_LIMITS[mode] ?? (story => story)), async story => {
        const list = new ChangingList(story);
        const found: string[] = [];
        let error: unknown;
        try {
          for await (const id of read(list, story)) found.push(id);
        } catch (thrown) {
          error = thrown;
        }
        outcomes.lists += 1;
        outcomes.requests += list.answers;
        expect(list.answers).toBeLessThan(2000);
        // After a checkpoint, records may be repeated if records were removed, more than a page was added, or a total is wrong.
        const isTrue = story.totals.kind === 'true';
        const isStill = isTrue && list.removed === 0 && list.changes <= story.pageSize;
        const isCalm = story.obeys === undefined && (list.changes === 0 || isStill);
        const mayRepeat = mode === 'checkpoints' && !isCalm;
        if (!mayRepeat) expect(new Set(found).size).toBe(found.length);
        if (error === undefined) {
          const missed = list.stayed().filter(id => !found.includes(id));
          if (!list.isBeyondProof) expect(missed).toEqual([]);
          outcomes[missed.length === 0 ? 'whole' : 'short, beyond proof'] += 1;
        } else {
          outcomes[error instanceof ServerError ? 'ended by a failed request' : 'ended by a contradiction'] += 1;
          expect(error).toSatisfy(thrown => thrown instanceof ServerError || thrown instanceof ResponseFormatError);
          // A list that does not change is read completely, even with wrong totals.
          expect(list.changes + list.failures + list.refreshes + (story.obeys ?? 0)).toBeGreaterThan(0);
        }
      }),
      { ...runs, examples: examples() },
    );
    if (soak > 0) console.log(mode, JSON.stringify(outcomes));
  },
  3_600_000,
);
