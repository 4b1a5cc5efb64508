import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseFormatError } from '../../src/errors.ts';
import type { WireDocument } from '../../src/jsonapi/document.ts';
import type { Context } from '../../src/sync/context.ts';
import { readList } from '../../src/sync/list-reading.ts';
import { listsFor } from '../../src/sync/lists.ts';
import { memoryStore } from './memory-store.ts';

const types = new Set(['shipment'] as const);
const [list] = listsFor(types);
if (!list) throw new Error('Shipments have no list.');

/** A list that changes while it is read. The newest record comes first. */
class ChangingList {
  readonly size: number;
  readonly ids: string[];
  readonly #first: ReadonlySet<string>;
  #added = 0;
  requests = 0;

  constructor(records: number, size: number) {
    this.size = size;
    this.ids = Array.from({ length: records }, (_, index) => `first-${index}`);
    this.#first = new Set(this.ids);
  }

  add(count: number): void {
    for (let left = count; left > 0; left -= 1) this.ids.unshift(`added-${this.#added++}`);
  }

  /** @param place the position of the record, from 0 (the newest) to 1 (the oldest). */
  remove(place: number): void {
    this.ids.splice(Math.floor(place * this.ids.length), 1);
  }

  /** The ids of the records that are in the list from the beginning to the end. */
  stayed(): string[] {
    return this.ids.filter(id => this.#first.has(id));
  }

  page(number: number, total = this.ids.length): WireDocument {
    this.requests += 1;
    const data = this.ids
      .slice((number - 1) * this.size, number * this.size)
      .map(id => ({ type: 'shipment', id, attributes: {} }));
    const links = number * this.size < total ? { next: 'https://service.example/next' } : {};
    return { data, meta: { total }, links } as WireDocument;
  }
}

/** Reads the whole list. Returns the stored ids. */
async function read(answer: (number: number) => Promise<WireDocument>): Promise<Set<string>> {
  const store = memoryStore();
  const reader = { page: async (_: unknown, number: number) => ({ document: await answer(number), asOf: 0 }) };
  const context = { reader, store, types, emit: () => {} } as unknown as Context;
  const start = { pass: 'pass', page: 0, total: null, size: 0, done: false, doubted: false, ids: [] };
  let last: boolean | undefined;
  for await (const { progress } of readList(context, list as never, start, new AbortController().signal)) {
    last = progress.done;
  }
  expect(last).toBe(true);
  return new Set([...store.rows.values()].map(({ id }) => id));
}

type Change = { add: number } | { remove: number };
const addition = fc.record({ add: fc.integer({ min: 1, max: 7 }) });
const removal = fc.record({ remove: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) });
const changesOf = (change: fc.Arbitrary<Change>) =>
  fc.array(fc.array(change, { maxLength: 3, size: 'max' }), { maxLength: 60, size: 'max' });
const listSize = { records: fc.integer({ min: 1, max: 60 }), size: fc.integer({ min: 1, max: 6 }) };

function apply(changing: ChangingList, changes: readonly Change[] = []): void {
  for (const change of changes) {
    if ('add' in change) changing.add(change.add);
    else changing.remove(change.remove);
  }
}

/** The removal of a record that was added after the first reading hides the last record a second time. */
const hiddenTwice = {
  records: 28,
  size: 6,
  changes: [
    [{ add: 6 }],
    ...[[], [], []],
    [{ add: 20 }],
    ...[[], []],
    [{ add: 7 }],
    [{ add: 6 }],
    [],
    [{ remove: 0 }],
    [],
    [{ add: 5 }, { remove: 0 }],
    [],
    [{ add: 4 }, { remove: 0 }],
    [],
    [{ add: 3 }],
    [],
    [{ add: 5 }],
    [],
    [{ remove: 0 }],
    [{ add: 5 }],
    [{ add: 10 }],
    [{ add: 5 }],
    [{ remove: 0 }, { remove: 0 }, { remove: 0 }],
    [{ remove: 0 }, { add: 5 }],
    [{ add: 2 }],
    [],
    [{ remove: 0 }],
  ],
};

test('a reading stores every record that stays in a list, with any additions and removals between its pages', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...listSize, changes: changesOf(fc.oneof(addition, removal)) }),
      async ({ records, size, changes }) => {
        const changing = new ChangingList(records, size);
        let answers = 0;
        const reading = read(async number => {
          const document = changing.page(number);
          apply(changing, changes[answers++]);
          return document;
        });
        const stored = await reading.catch((error: unknown) => {
          // A reading fails, and is repeated later, if the list changes too fast. No record is missed without an error.
          if (!(error instanceof ResponseFormatError)) throw error;
          refused += 1;
        });
        if (stored) expect(changing.stayed().filter(id => !stored.has(id))).toEqual([]);
      },
    ),
    { numRuns: 400, examples: [[hiddenTwice]] },
  );
  expect(refused).toBeLessThan(8);
});

test('a reading stores every record that stays in a list, even if responses arrive in another order', async () => {
  const order = fc.array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 60 });
  const changes = fc.oneof(changesOf(addition), changesOf(removal));
  await fc.assert(
    fc.asyncProperty(fc.record({ ...listSize, changes, order }), async ({ records, size, changes, order }) => {
      const changing = new ChangingList(records, size);
      const waiting: (() => void)[] = [];
      let answers = 0;
      const answerOne = () => {
        const [next] = waiting.splice((order[answers % order.length] ?? 0) % waiting.length, 1);
        next?.();
      };
      const reading = read(
        number =>
          new Promise(resolve => {
            waiting.push(() => {
              const document = changing.page(number);
              apply(changing, changes[answers]);
              answers += 1;
              resolve(document);
              if (waiting.length > 0) setImmediate(answerOne);
            });
            if (waiting.length === 1) setImmediate(answerOne);
          }),
      );
      const stored = await reading;
      expect(changing.stayed().filter(id => !stored.has(id))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a page that is repeated because a whole page was added is not treated as the end of the list', async () => {
  const changing = new ChangingList(20, 5);
  const stored = await read(async number => {
    const document = changing.page(number);
    if (changing.requests === 1) changing.add(5);
    return document;
  });
  expect(stored.size).toBe(20);
});

test('a reading ends even if the totals of the pages contradict each other', async () => {
  const changing = new ChangingList(50, 5);
  const stored = await read(async number => {
    if (changing.requests > 2000) throw new Error('It never ends.');
    return changing.page(number, 60 - number);
  });
  expect(stored.size).toBe(50);
  expect(changing.requests).toBeLessThan(1000);
});

test('a reading ends after three more requests if the list sends the same page for every page number', async () => {
  const changing = new ChangingList(5, 5);
  const same = async () => {
    const { data } = changing.page(1);
    return { data, links: { next: 'https://service.example/next' } } as WireDocument;
  };
  expect((await read(same)).size).toBe(5);
  expect(changing.requests).toBe(4);
});
