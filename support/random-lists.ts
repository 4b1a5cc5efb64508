import fc from 'fast-check';
import type { Checkpoint } from '../src/index.ts';
import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { container, containers, type PageStyle, pageOf } from './paged-server.ts';

/** The behaviour of the counters of a service. */
export type Totals =
  | { kind: 'true' | 'none' }
  /** Two servers with different totals respond alternately. */
  | { kind: 'alternate'; by: number; turns: number }
  /** The total is counted again only at each `every`-th response. */
  | { kind: 'late'; every: number }
  | { kind: 'capped'; at: number };

export type Step = { add: number } | { remove: number; at: number } | { refresh: number; at: number } | { fail: true };

export interface ListStory {
  /** The position of new records in the list. */
  order: 'first' | 'last';
  /**
   * Number of responses after which the service ignores `sort`: then the records that were refreshed last come first.
   */
  obeys?: number | undefined;
  length: number;
  pageSize: number;
  concurrency: number;
  totals: Totals;
  links: boolean;
  /** The changes before each response except the first. */
  steps: readonly (readonly Step[])[];
  /** Numbers of pages after which a reading is interrupted and continues from its checkpoint. */
  interruptions: readonly number[];
}

const totals: fc.Arbitrary<Totals> = fc.oneof(
  fc.constant<Totals>({ kind: 'true' }),
  fc.constant<Totals>({ kind: 'none' }),
  fc.record({
    kind: fc.constant('alternate' as const),
    by: fc.constantFrom(-9, -2, -1, 1, 2, 9),
    turns: fc.integer({ min: 2, max: 4 }),
  }),
  fc.record({ kind: fc.constant('late' as const), every: fc.integer({ min: 2, max: 30 }) }),
  fc.record({ kind: fc.constant('capped' as const), at: fc.integer({ min: 1, max: 40 }) }),
);

const count = fc.integer({ min: 1, max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: count }) },
  { weight: 4, arbitrary: fc.record({ remove: count, at: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ refresh: count, at: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ fail: true }) },
);
const steps = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step[][]>([]) },
  {
    weight: 5,
    arbitrary: fc.array(fc.oneof(fc.constant<Step[]>([]), fc.array(step, { maxLength: 2 })), {
      maxLength: 30,
      size: 'max',
    }),
  },
);

/** Lists that change while they are read. Every service without a total has links to the next page. */
export const listStory: fc.Arbitrary<ListStory> = fc
  .record({
    order: fc.constantFrom('first' as const, 'last' as const),
    obeys: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat(20) },
    ),
    length: fc.integer({ min: 0, max: 60 }),
    pageSize: fc.integer({ min: 1, max: 9 }),
    concurrency: fc.integer({ min: 2, max: 8 }),
    totals,
    links: fc.boolean(),
    steps,
    interruptions: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
  })
  .map(story => ({ ...story, links: story.links || story.totals.kind === 'none' }))
  // If records move, only a true total proves anything, and only pages with two or more records have an order.
  .map(story =>
    story.obeys === undefined ? story : { ...story, totals: { kind: 'true' }, pageSize: story.pageSize + 1 },
  );

/** The contents of a response. */
interface Contents {
  page: number;
  ids: string[];
  total: number | undefined;
  created: string[];
}

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 2, 1);

/** A list that changes as described in its story. */
export class ChangingList {
  readonly records: WireResource[];
  /** The same records; the record that was refreshed last comes first. */
  readonly #refreshed: WireResource[];
  answers = 0;
  /** Number of added and removed records. */
  changes = 0;
  removed = 0;
  refreshes = 0;
  failures = 0;
  readonly #story: ListStory;
  readonly #first: ReadonlySet<string>;
  #added = 0;
  #counted = 0;
  #wasCut = false;
  #isCutNoMore = false;
  /** The responses to the current reader, and the checkpoint from which this reader began. */
  #answers: Contents[] = [];
  #from: Checkpoint | undefined;
  /** True while nothing in the checkpoints of earlier readers proves a change. */
  #wasUntouched = true;
  /** The total in the first response, and the records that were added later and were received. */
  #firstTotal: number | undefined;
  readonly #arrivals = new Set<string>();

  constructor(story: ListStory) {
    this.#story = story;
    const first = story.order === 'first';
    this.records = containers(1, story.length).map((record, index) =>
      createdAt(record, BEGIN - (first ? index + 1 : story.length - index) * MINUTE),
    );
    this.#refreshed = first ? [...this.records] : this.records.toReversed();
    this.#first = new Set(this.records.map(({ id }) => id));
  }

  /** The time of the next response. A record is added between two responses. */
  get #now(): number {
    return BEGIN + this.answers * MINUTE;
  }

  /** The header `Date` of the last response. */
  get date(): string {
    return new Date(this.#now - MINUTE + 1000).toUTCString();
  }

  /** The ids of the records that are there from the beginning to the end. */
  stayed(): string[] {
    return this.records.map(({ id }) => id).filter(id => this.#first.has(id));
  }

  /**
   * True if the responses cannot prove that records were removed. There are two cases: a total that was cut off is now
   * true, or each reader could have received the same responses from a list without removals.
   */
  get isBeyondProof(): boolean {
    return this.#isCutNoMore || this.#looksUntouched();
  }

  /** Starts a new reader, which has only the checkpoint of the earlier reader. */
  continued(from: Checkpoint): void {
    this.#wasUntouched = this.#looksUntouched(from.page) && from.total !== null;
    this.#firstTotal ??= this.#answers[0]?.total;
    this.#answers = [];
    this.#from = from;
  }

  #looksUntouched(last?: number): boolean {
    return (
      this.#isInOrder(last) && (this.#story.order === 'first' ? this.#looksUnchanged(last) : this.#looksGrown(last))
    );
  }

  /** True if the received records were created in the requested order. */
  #isInOrder(last = Number.POSITIVE_INFINITY): boolean {
    const pages = new Map(this.#answers.filter(({ page }) => page <= last).map(({ page, created }) => [page, created]));
    const created = [...pages].toSorted(([one], [other]) => one - other).flatMap(([, times]) => times);
    const isNext = (at: string, before = at) => (this.#story.order === 'first' ? at <= before : at >= before);
    return created.every((at, index) => isNext(at, created[index - 1]));
  }

  /**
   * True if the responses could come from a list that has changed only by records that were added at its end. Records
   * have a creation time.
   */
  #looksGrown(last = Number.POSITIVE_INFINITY): boolean {
    const { page = 0, ids = [], size = 0, total: before } = this.#from ?? {};
    const received = this.#answers.filter(answer => answer.page <= last);
    const totals = [...(this.#from ? [before] : []), ...received.map(({ total }) => total)];
    const pages = new Map<number, string[]>(page > 0 ? [[page, ids]] : []);
    for (const answer of received) {
      const known = pages.get(answer.page) ?? [];
      if (known.some((id, index) => answer.ids[index] !== id)) return false;
      pages.set(answer.page, answer.ids);
    }
    const known = [...pages.values()].flat();
    for (const id of known) if (id.startsWith('cadded')) this.#arrivals.add(id);
    const final = totals.at(-1) ?? Number.NaN;
    return (
      this.#wasUntouched &&
      totals.every((total, index) => index === 0 || Number(total) >= Number(totals[index - 1])) &&
      new Set(known).size === known.length &&
      (last < Number.POSITIVE_INFINITY ||
        (final === Math.max(0, page - 1) * size + known.length &&
          final === (this.#firstTotal ?? received[0]?.total ?? Number.NaN) + this.#arrivals.size))
    );
  }

  /** True if an unchanged list could have sent the reader the same responses, up to a page. */
  #looksUnchanged(last = Number.POSITIVE_INFINITY): boolean {
    const { page = 0, ids = [], size = 0, total } = this.#from ?? {};
    const received = this.#answers.filter(answer => answer.page <= last);
    const pages = new Map(received.map(answer => [answer.page, JSON.stringify(answer.ids)]));
    const totals = new Set([...received.map(answer => answer.total), ...(this.#from ? [total] : [])]);
    const known = [...ids, ...[...pages.values()].flatMap((text): string[] => JSON.parse(text))];
    const count = Math.max(0, page - 1) * size + known.length;
    return (
      this.#wasUntouched &&
      totals.size === 1 &&
      received.every(answer => pages.get(answer.page) === JSON.stringify(answer.ids)) &&
      new Set(known).size === known.length &&
      (last < Number.POSITIVE_INFINITY || totals.has(count))
    );
  }

  /** Returns `undefined` for a request that fails. */
  answer(url: URL): WireDocument | undefined {
    const { steps, links } = this.#story;
    const now = this.answers === 0 ? [] : (steps[this.answers - 1] ?? []);
    const isFailure = now.map(one => this.#apply(one)).includes(true);
    const total = this.#total();
    this.answers += 1;
    if (isFailure) {
      this.failures += 1;
      return undefined;
    }
    const style: PageStyle = { links, meta: total === undefined ? 'none' : 'total' };
    const obeys = this.answers <= (this.#story.obeys ?? Number.POSITIVE_INFINITY);
    const document = pageOf(obeys ? this.records : this.#refreshed, url, style);
    if (total !== undefined) document.meta = { total };
    const data = document.data as WireResource[];
    this.#answers.push({
      page: Number(url.searchParams.get('page[number]') ?? 1),
      ids: data.map(({ id }) => id),
      total,
      created: data.map(({ attributes }) => String(attributes?.created_at)),
    });
    return document;
  }

  #apply(step: Step): boolean {
    if ('fail' in step) return true;
    if ('add' in step) {
      for (let left = step.add; left > 0; left -= 1) {
        const record = createdAt(container(`added${this.#added++}`), this.#now);
        if (this.#story.order === 'first') this.records.unshift(record);
        else this.records.push(record);
        this.#refreshed.unshift(record);
      }
      this.changes += step.add;
      return false;
    }
    if ('refresh' in step) {
      this.#refreshed.unshift(...this.#refreshed.splice(step.at, step.refresh));
      this.refreshes += 1;
      return false;
    }
    const gone = this.records.splice(step.at, step.remove);
    for (const record of gone) this.#refreshed.splice(this.#refreshed.indexOf(record), 1);
    this.changes += gone.length;
    this.removed += gone.length;
    return false;
  }

  #total(): number | undefined {
    const { totals } = this.#story;
    const { length } = this.records;
    if (totals.kind === 'none') return undefined;
    if (totals.kind === 'capped') {
      this.#wasCut ||= length > totals.at;
      this.#isCutNoMore ||= this.#wasCut && this.removed > 0 && length <= totals.at;
      return Math.min(totals.at, length);
    }
    if (totals.kind === 'alternate') {
      return Math.max(0, this.answers % totals.turns === totals.turns - 1 ? length + totals.by : length);
    }
    if (totals.kind === 'late' && this.answers % totals.every > 0) return this.#counted;
    this.#counted = length;
    return length;
  }
}

function createdAt(record: WireResource, at: number): WireResource {
  return { ...record, attributes: { ...record.attributes, created_at: new Date(at).toISOString() } };
}
