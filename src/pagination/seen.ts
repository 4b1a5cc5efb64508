import { isIdentifier, type WireDocument } from '../jsonapi/document.ts';
import type { Checkpoint } from './checkpoint.ts';

/**
 * The way in which records can move while the pages of a list are read.
 *
 * - `first`: new records come first, and push other records to later pages.
 * - `last`: new records come last.
 * - `moving`: a record may change its place at any time, as containers do by default: the most recently refreshed
 *   container comes first.
 */
export type ListOrder = 'first' | 'last' | 'moving';

/** @param list path and filters, including the `sort` that was sent. */
export function orderOf(list: string): ListOrder {
  const sort = /[?&]sort=([^&]*)/.exec(list)?.[1];
  if (sort === undefined) return isOfContainers(list) ? 'moving' : 'first';
  return sort === 'created_at' ? 'last' : sort === '-created_at' ? 'first' : 'moving';
}

/** True for the list of containers, the only list that changes its order if the service ignores `sort`. */
export function isOfContainers(list: string): boolean {
  return /^\/containers(\?|$)/.test(list);
}

/**
 * Returns the creation time of the last record of a page. Returns `undefined` if the records are not sorted by creation
 * time, or if a record that is received for the first time belongs on an earlier page. If other records were added in
 * front of a received record, this record may be repeated.
 */
export function creationAfter(
  document: WireDocument,
  order: ListOrder,
  after: number,
  isSeen: (id: string) => boolean,
): number | undefined {
  const precedes = (one: number, other: number) => (order === 'last' ? one < other : one > other);
  let latest = Number.NaN;
  for (const { id, at } of creations(document)) {
    if (precedes(at, latest) || (precedes(at, after) && !isSeen(id))) return undefined;
    latest = at;
  }
  return latest;
}

/** The records of a page that have a time of creation, in ms since 1970. */
export function creations({ data }: WireDocument): { id: string; at: number }[] {
  return [data].flat().flatMap(record => {
    const created = Object(Object(record).attributes).created_at;
    const at = typeof created === 'string' ? Date.parse(created) : Number.NaN;
    return isIdentifier(record) && at > -Infinity ? { id: record.id, at } : [];
  });
}

/** The part of a list that was read up to a position. */
export interface ReadSoFar {
  /** Number of records. */
  count: number;
  /** A checksum of their ids. */
  sum: number;
  /** Number of records that were received a second time, because other records were added in front of them. */
  moved: number;
}

/** The part that was read, with additional records. The sum does not depend on their order. */
export function sumOf(
  ids: Iterable<string>,
  { count, sum, moved }: ReadSoFar = { count: 0, sum: 0, moved: 0 },
): ReadSoFar {
  for (const id of ids) {
    count += 1;
    sum = (sum + hashOf(id)) >>> 0;
  }
  return { count, sum, moved };
}

function hashOf(id: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  // Without this line, ids that differ only in their last characters would often have the same sum.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const KEY_LENGTH = 10;

/**
 * A key of ten characters, for checkpoints with many ids. Among 50,000 ids, two ids have the same key with a
 * probability of one in a million.
 */
export function keyOf(id: string): string {
  return ((hashOf(id, 1) % 2 ** 19) * 2 ** 32 + hashOf(id)).toString(36).padStart(KEY_LENGTH, '0');
}

export function keysIn(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: text.length / KEY_LENGTH }, (_, at) => text.substr(at * KEY_LENGTH, KEY_LENGTH)));
}

export function isSame(some: ReadonlySet<string>, ids: readonly string[]): boolean {
  return some.size === ids.length && ids.every(id => some.has(id));
}

export function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const id of some) if (!all.has(id)) return false;
  return true;
}

/**
 * Counts the records that must be received from a list, while records are added to it and removed from it.
 */
class Tally {
  /** Time of the response with the first page, in ms since 1970; `NaN` if the service does not send it. */
  readonly since: number;
  /** Number of records at that time, plus the received records that were created later. */
  expected: number;
  /** The highest total. */
  most: number;

  constructor(since: number, total: number, most = total) {
    this.since = since;
    this.expected = total;
    this.most = most;
  }

  take(document: WireDocument, total: number, fresh: ReadonlySet<string>): void {
    this.expected += creations(document).filter(({ id, at }) => at > this.since && fresh.has(id)).length;
    this.most = Math.max(this.most, total);
  }
}

/** The tally of an incomplete reading, and of all readings after a restart. */
const UNKNOWN = new Tally(Number.NaN, Infinity);

/** The received records of a list, and the number of records that must be received. */
export class Came {
  /**
   * The ids of the received records. Records that are known only by their keys, from a checkpoint, are not included.
   */
  readonly ids: Set<string>;
  readonly #keys: ReadonlySet<string>;
  /** For the next checkpoint: the keys of the received records, and the ids whose keys are not added yet. */
  #text: string;
  #unwritten: string[];
  /** The tallies of all readings, and of the current reading. */
  #all: Tally | undefined;
  #own: Tally | undefined;

  /** @param isPart true if other records were received earlier, or may have been. */
  constructor(ids: Iterable<string>, isPart: boolean, { moving, growth }: Pick<Checkpoint, 'moving' | 'growth'>) {
    this.ids = new Set(moving ? [] : ids);
    this.#unwritten = [...this.ids];
    this.#text = moving?.seen ?? '';
    this.#keys = keysIn(this.#text);
    if (isPart) this.#own = this.#all = UNKNOWN;
    if (growth) this.#all = new Tally(growth.since ?? Number.NaN, growth.expected, growth.most);
  }

  has(id: string): boolean {
    return this.ids.has(id) || (this.#keys.size > 0 && this.#keys.has(keyOf(id)));
  }

  /**
   * Adds the records of a page.
   *
   * @param at time of the response, in ms since 1970; `NaN` if the service does not send it.
   * @param fresh the records that were not received before.
   * @param inReading the records that this reading receives for the first time.
   * @returns The number of records at the start, plus the received records that were created later.
   */
  add(
    document: WireDocument,
    { total, at }: { total: number | null; at: number },
    fresh: ReadonlySet<string>,
    inReading: ReadonlySet<string>,
  ): number {
    for (const id of fresh) this.ids.add(id);
    this.#unwritten.push(...fresh);
    if (total !== null) {
      this.#all ??= new Tally(at, total);
      this.#all.take(document, total, fresh);
      this.#own ??= new Tally(at, total);
      this.#own.take(document, total, inReading);
    }
    return this.#tally.expected;
  }

  /** Begins another reading. */
  readAgain(): void {
    this.#own = undefined;
  }

  /** Forgets everything that was read before. */
  restart(): void {
    this.#all = UNKNOWN;
  }

  get #tally(): Tally {
    return (this.#all === UNKNOWN ? this.#own : this.#all) ?? UNKNOWN;
  }

  /**
   * Number of missing records. It is exact if no record was removed before it could be received; otherwise it is too
   * high.
   *
   * @param inReading number of records that were received in this reading.
   * @param before number of records before the first page that was read.
   */
  lacking(inReading: number, before: number): number {
    const lacking = ({ expected, most } = UNKNOWN, came: number) => Math.max(expected, most) - before - came;
    return Math.max(0, Math.min(lacking(this.#own, inReading), lacking(this.#all, this.ids.size + this.#keys.size)));
  }

  /** The keys of all received records, for a checkpoint. */
  get keys(): string {
    this.#text += this.#unwritten.map(keyOf).join('');
    this.#unwritten = [];
    return this.#text;
  }

  /**
   * The number of records that must be received, for a checkpoint.
   * @param counted the number by which the count exceeds the total.
   */
  growth(isMoving: boolean, counted: number): Checkpoint['growth'] {
    // After a restart, some of the earlier keys may belong to removed records.
    const { since, expected, most } = (isMoving ? this.#all : this.#tally) ?? UNKNOWN;
    if (expected === Infinity) return undefined;
    return { since: since > 0 ? since : null, expected: expected - counted, most };
  }
}
