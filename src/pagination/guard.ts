import { ResponseFormatError } from '../errors.ts';
import { isRecord, type WireDocument } from '../jsonapi/document.ts';

/** The position of a reading: before page `number`. */
export interface Position {
  number: number;
  pageSize: number | null;
  /** Records on a full page, and in the whole list, when the previous page was read; `null` if not known. */
  size: number | null;
  total: number | null;
  /** Ids of the records of the previous page. */
  ids: readonly string[];
}

/** How often the reading goes back although `total` was as low before: then other totals may be wrong. */
const RETURNS = 3;
/** So many pages in a row without a new record are the work of a service that does not page, unless as many were read. */
const REPEATS = 20;
/** How often a list is read again at most to prove that nothing was missed. */
const READINGS = 6;

/**
 * Decides which page of a list is read next, and when the list has ended.
 *
 * Pages are numbered, and records may be added and removed while they are read. A new record moves others to a later page,
 * where they come a second time. When a record is removed, others move to an earlier page that was read already. So when
 * `total` falls, the reading goes back by as many pages as records can have moved.
 *
 * A total may also be missing, cut off, counted some time ago, or come from two servers that differ. Then it cannot prove
 * that no record has moved, and the list is read again until two readings in succession agree: each record of the first is in
 * the second, and the second has no others but new ones at its beginning.
 */
export class ListGuard {
  /** The page that is to be requested. */
  number: number;
  /** Whether there is no page that is to be read. */
  atEnd = false;
  /** How often the list was read to its end. The pages of a second reading give only what the first has missed. */
  readings = 0;
  readonly pageSize: number | null;
  size: number;
  total: number | null;
  /** The last page with records that was taken, and their ids. */
  page: number;
  ids: readonly string[];
  readonly #path: string;
  /** The first page whose records are known. */
  readonly #start: number;
  /** The first page that is compared, and its records. */
  readonly #first: number;
  #head: ReadonlySet<string>;
  readonly #seen: Set<string>;
  /** What this reading and the one before have shown. */
  #reading: Set<string>;
  #before: ReadonlySet<string> = new Set();
  #previous: readonly string[];
  #furthest = 0;
  #lowest: number;
  #returns = 0;
  /** By how many records the total has fallen that are not found yet. */
  #owed = 0;
  /** How far the totals are to be doubted: they may have come late, or they cannot be true. */
  #doubt: 'none' | 'late' | 'wrong' = 'none';
  #repeats = 0;
  #isShuffled = false;
  #idle = 0;
  /** In a repeated reading: whether a known record has come, and a new one after it. */
  #met = false;
  #late = false;
  #skipped = false;
  #isHeadLost: boolean;
  /** Whether the first reading did not begin with the first page that is compared. */
  readonly #isPart: boolean;
  /** The only page that came, for all numbers. */
  #only: ReadonlySet<string> | undefined;

  /** @param repeats whether records may be given again: a reading that began later then proves the pages before it too. */
  constructor({ number, pageSize, size, total, ids }: Position, path: string, repeats = false) {
    this.number = number;
    this.pageSize = pageSize;
    this.size = size ?? 0;
    this.total = total;
    this.page = Math.max(1, number - 1);
    this.ids = ids;
    this.#path = path;
    this.#start = ids.length > 0 ? number - 1 : number;
    this.#first = repeats ? 1 : this.#start;
    this.#isPart = repeats && number > 1;
    this.#isHeadLost = repeats;
    this.#head = new Set(ids);
    this.#seen = new Set(ids);
    this.#reading = new Set(ids);
    this.#previous = ids;
    this.#lowest = total ?? Number.POSITIVE_INFINITY;
  }

  /** The last page that is known to exist. */
  get last(): number {
    const size = this.size || this.pageSize;
    return this.total !== null && size ? Math.ceil(this.total / size) : this.number;
  }

  /** Whether the totals so far do not prove that no record has moved. */
  get isDoubted(): boolean {
    return this.#doubt !== 'none' || this.#owed > 0;
  }

  /**
   * Takes the answer for page `number`. Returns the ids that are new; `undefined` if records may have moved to pages that were
   * read already: `number` is then lower, and pages that were requested ahead are of no use.
   *
   * @param named the number of the next page, where its address tells it.
   * @throws {ResponseFormatError} if the list does not end, or changes faster than it can be read.
   */
  take(document: WireDocument, ids: readonly string[], named = 0): Set<string> | undefined {
    const { total: before } = this;
    const total = totalOf(document);
    this.total = total ?? before;
    if (this.readings === 0 && this.#goesBack(total, before)) return undefined;
    this.size = Math.max(this.size, ids.length);
    if (this.#head.size === 0) this.#head = new Set(ids);
    const isIdle = ids.every(id => this.#reading.has(id));
    const fresh = this.readings === 0 ? this.#firstTime(ids, total, before) : this.#again(ids);
    this.#countRepeats(ids, isIdle);
    for (const id of ids) this.#reading.add(id);
    // An empty page does not move the position. Otherwise records that are added to this page later would be skipped.
    if (ids.length > 0 || this.number === 1) [this.page, this.ids] = [this.number, ids];
    else this.page = this.number - 1;
    if (this.readings === 1 && this.number === this.#first && this.#only && isSame(this.#only, ids)) {
      this.atEnd = true;
      return fresh;
    }
    const isMore = this.total !== null && this.number * this.size < this.total;
    const isRepeated = this.#isRepeated(isMore);
    const isLast = ids.length === 0 || isRepeated || !(isMore || this.#namesMore(document, ids.length));
    if (!isLast) {
      this.number = Math.max(named, this.number + 1);
      return fresh;
    }
    if (total !== null && total > this.#position(ids)) this.#doubt = 'wrong';
    else if (this.#owed > 0) this.#suspect();
    const isOnly = isRepeated && this.#reading.size === ids.length;
    // One answer is true in itself.
    this.atEnd = this.number === this.#first && this.readings === 0 && !this.#isPart;
    if (isOnly && this.readings === 0) {
      this.#only = this.#reading;
      this.#doubt = 'wrong';
    }
    if (!this.atEnd) this.#endReading();
    return fresh;
  }

  #goesBack(total: number | null, before: number | null): boolean {
    if (total === null) return false;
    const isLowest = total < this.#lowest;
    if (isLowest) this.#lowest = total;
    const lost = (before ?? total) - total;
    if (lost <= 0 || this.number === 1) return false;
    if (!isLowest && this.#returns === RETURNS) {
      this.#doubt = 'wrong';
      return false;
    }
    if (!isLowest) this.#returns += 1;
    this.#furthest = Math.max(this.#furthest, this.number);
    this.#owed += lost;
    this.number = Math.max(1, this.number - Math.ceil(lost / (this.size || lost)));
    // The page that is read again may be the one that was read last.
    this.#previous = [];
    return true;
  }

  #firstTime(ids: readonly string[], total: number | null, before: number | null): Set<string> {
    const fresh = new Set(ids.filter(id => !this.#seen.has(id)));
    for (const id of fresh) this.#seen.add(id);
    const moved = ids.length - fresh.size;
    if (this.number < this.#furthest && this.number >= this.#start) this.#owed = Math.max(0, this.#owed - fresh.size);
    else if (this.number >= this.#furthest && this.#owed > 0) this.#suspect();
    if (total === null || total < this.#position(ids)) this.#doubt = 'wrong';
    else if (this.number > this.#furthest && moved > total - (before ?? 0)) this.#suspect();
    this.#furthest = Math.max(this.#furthest, this.number);
    return fresh;
  }

  /** Records may have moved without a total that tells it in time. */
  #suspect(): void {
    this.#owed = 0;
    if (this.#doubt === 'none') this.#doubt = 'late';
  }

  /** New records before those of the first page were added since. They are no part of this reading. */
  #again(ids: readonly string[]): Set<string> {
    const fresh = new Set<string>();
    for (const id of ids) {
      if (this.#seen.has(id)) {
        if (this.#skipped && !this.#met && !this.#head.has(id)) this.#loseHead();
        this.#met = true;
      } else if (this.#met || this.#isHeadLost) {
        this.#late ||= this.#met;
        fresh.add(id);
      } else {
        this.#skipped = true;
      }
    }
    for (const id of fresh) this.#seen.add(id);
    return fresh;
  }

  /** The first page is gone: what comes before the others may be old too. */
  #loseHead(): void {
    if (this.#first > 1) throw this.#unstable('Read it from its beginning');
    this.#isHeadLost = true;
    this.#late = true;
  }

  #countRepeats(ids: readonly string[], isIdle: boolean): void {
    const isSame = isIdle && ids.length === this.#previous.length && ids.every(id => this.#previous.includes(id));
    this.#repeats = isSame ? this.#repeats + 1 : 0;
    this.#isShuffled = isSame && (this.#isShuffled || ids.some((id, index) => id !== this.#previous[index]));
    this.#idle = isIdle ? this.#idle + 1 : 0;
    this.#previous = ids;
    if (this.#idle > REPEATS + this.#reading.size / Math.max(1, this.size))
      throw this.#unstable('Its pages bring no new records and do not end. Read it');
  }

  /**
   * Whether this is an endpoint without pages, which may name a next page and send the same one again. A page of new records
   * has the same effect, but not many times in a row.
   */
  #isRepeated(isMore: boolean): boolean {
    if (this.#repeats <= (isMore ? REPEATS : 1)) return false;
    if (isMore || (this.#isShuffled && this.total !== this.#reading.size)) {
      throw this.#unstable('Its pages repeat the same records. Read it');
    }
    return true;
  }

  #namesMore({ links }: WireDocument, length: number): boolean {
    if (links) return nextAddress(links) !== undefined;
    // A total may be cut off, and more than that may be there.
    const full = this.number === 1 ? this.pageSize : Math.min(this.pageSize ?? this.size, this.size);
    if (this.total === null || full === null || length < full) return false;
    this.#doubt = 'wrong';
    return true;
  }

  #endReading(): void {
    if (this.#skipped && !this.#met) this.#loseHead();
    const agrees = !this.#late && !(this.#isPart && this.readings === 1) && isWithin(this.#before, this.#reading);
    const most = { none: 0, late: 2, wrong: READINGS }[this.#doubt];
    if (this.#doubt === 'none' || (this.readings > 0 && agrees)) {
      this.atEnd = true;
    } else if (this.readings >= most) {
      if (this.#doubt === 'wrong') throw this.#unstable('It changes faster than it can be read. Read it');
      this.atEnd = true;
    } else {
      this.readings += 1;
      this.#before = this.#reading;
      this.#reading = new Set();
      this.#previous = [];
      [this.#idle, this.#repeats] = [0, 0];
      this.#met = this.#late = this.#skipped = false;
      this.number = this.#first;
    }
  }

  /** How many records the list has at least, with this page. */
  #position(ids: readonly string[]): number {
    return (this.number - 1) * this.size + ids.length;
  }

  #unstable(message: string): ResponseFormatError {
    const text = `The list ${this.#path} cannot be read as a whole, because its totals and pages contradict each other. ${message} again when fewer records are added and removed, or with a larger pageSize.`;
    return new ResponseFormatError(text, { status: 200, method: 'GET', path: this.#path, requestId: undefined });
  }
}

/** The number of records in the list; `null` if the service does not say. */
export function totalOf({ meta }: WireDocument): number | null {
  const total: unknown = meta?.total;
  return Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : null;
}

/** The address of the next page. */
export function nextAddress(links: NonNullable<WireDocument['links']>): string | undefined {
  const address = isRecord(links.next) ? links.next.href : links.next;
  return typeof address === 'string' ? address : undefined;
}

function isSame(some: ReadonlySet<string>, ids: readonly string[]): boolean {
  return some.size === ids.length && ids.every(id => some.has(id));
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const id of some) if (!all.has(id)) return false;
  return true;
}
