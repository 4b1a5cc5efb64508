import { ResponseFormatError } from '../errors.ts';
import { isRecord, type WireDocument } from '../jsonapi/document.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  Came,
  creationAfter,
  isOfContainers,
  isSame,
  isWithin,
  type ListOrder,
  orderOf,
  type ReadSoFar,
  sumOf,
} from './seen.ts';

/** The position of a reading. */
export interface Position extends Pick<Checkpoint, 'pageSize' | 'read' | 'growth' | 'moving'> {
  /** The page that is read next. */
  number: number;
  /** The page that was read last, and the ids of its records. */
  page: number;
  ids: readonly string[];
  /** Records on a full page then; `null` if not known. */
  size: number | null;
  /** Records in the whole list then; `null` if the totals prove nothing; `undefined` before the first page. */
  total: number | null | undefined;
  /** Ids of records of earlier pages, as far as they are known. */
  earlier?: Iterable<string> | undefined;
}

/** Number of pages in a row without a new record that show a service without pages, unless as many were read. */
const REPEATS = 20;
/** The smallest number of records on a full page if no `pageSize` was requested. */
const SMALLEST_PAGE = 25;
/** Upper bound of the extra readings that prove that nothing was missed, if the totals are late, or wrong. */
const MOST = { none: 0, late: 4, wrong: 6 };

/**
 * Decides which page of a list is read next, and when the list has ended.
 *
 * Pages are numbered, and records may be added at the front and removed anywhere while they are read. Only a removal before
 * the position can hide a record: it then moves to a page that was read already. Two things prove that none has:
 *
 * - A page is linked to those before it if it has one of their records, or if the count stays: the records found so far
 *   and those left according to `total` are as many as before. Otherwise the reading goes back to known records.
 * - If the count changes all the same, `total` proves nothing, and the list is read again. If a second reading has all
 *   records of the first, none of them was removed meanwhile, and so none was hidden.
 *
 * If records change their places, only `total` shows a missed one: the list is then read again, until all have come.
 */
export class ListGuard {
  /** The page that is to be requested. */
  number: number;
  /** True if no page is left to read. */
  atEnd = false;
  /** Number of records that have not come at the end, in a list whose records change their places. */
  missing = 0;
  /** Number of complete readings of the list. A second reading gives only the records that the first has missed. */
  readings: number;
  readonly pageSize: number | null;
  size: number;
  total: number | null;
  /** The last page with records that was taken, and their ids. */
  page: number;
  ids: readonly string[];
  /** The part of the list that was read up to it; `undefined` if not known. */
  read: ReadSoFar | undefined;
  readonly came: Came;
  readonly #path: string;
  #order: ListOrder;
  /** Creation time of the last record of the last page. */
  #created = Number.NaN;
  /** The first page of the readings that follow. */
  readonly #first: number;
  /** True if the first reading began after that page: other records were read before. */
  #isPart: boolean;
  readonly #base: ReadSoFar | undefined;
  readonly #anchor: ReadonlySet<string>;
  #reading: Set<string>;
  #moved: number;
  #previous: readonly string[];
  /** The ids of the first page that was read; records that come before them are new. */
  #head: ReadonlySet<string>;
  /** Number of records that were found and are left; `undefined` if not known yet. */
  #count: number | undefined;
  #found: number;
  /** Upper bound of the records found and left, by pages that were not counted. */
  #most = Number.POSITIVE_INFINITY;
  /** `#isInFront`: the last page is in front of the records that were counted. `#isCounted`: it ends where they do. */
  #isInFront = false;
  #isCounted = true;
  #furthest: number;
  /** True if the reading looks for a known record. */
  #isSearching: boolean;
  /** The total because of which the reading went back, until the records that have moved are found. */
  #fallen: number | undefined;
  /** The last page that was requested again because of its total, and the number of such requests. */
  #retried = 0;
  #retries = 0;
  #doubt: keyof typeof MOST;
  #repeats = 0;
  #isShuffled = false;
  #idle = 0;
  #highest = 0;
  /** The reading before. The next fields: its records in this one, and others before and after the first of them. */
  #before: ReadonlySet<string> = new Set();
  #movedBefore = 0;
  #met = false;
  #lead = 0;
  #late = false;
  /** True if others came that may have been added at the end. */
  #tail = false;
  /** `#isFront`: only new records have come in this reading, of which `#skipped` were not given. */
  #isFront = true;
  #skipped = 0;
  #givesAll: boolean;
  /** The only page that came, for all numbers. */
  #only: ReadonlySet<string> | undefined;

  constructor(
    { number, pageSize, page, ids, size, total, read, moving, growth, earlier = [] }: Position,
    path: string,
  ) {
    this.number = number;
    this.pageSize = pageSize;
    this.size = size ?? 0;
    this.total = total ?? null;
    this.page = Math.max(1, page);
    this.ids = ids;
    this.#path = path;
    const order = orderOf(path);
    // If new records come last, no record comes a second time.
    this.#order = moving || (order === 'last' && (read?.moved ?? 0) > 0) ? 'moving' : order;
    this.#first = ids.length > 0 ? 1 : number;
    this.#isPart = ids.length > 0 && page > 1;
    this.#base = this.#isPart ? read : sumOf(ids);
    this.read = this.#base;
    this.#anchor = new Set(ids);
    this.came = new Came([...earlier, ...ids], ids.length > 0, { moving, growth });
    this.readings = growth ? (moving?.readings ?? 0) : 0;
    this.#givesAll = this.readings > 0;
    this.#reading = new Set(ids);
    this.#moved = this.#base?.moved ?? 0;
    this.#previous = ids;
    this.#head = new Set(ids);
    this.#count = total ?? undefined;
    this.#found = (this.page - 1) * this.size + ids.length;
    this.#furthest = page;
    this.#isSearching = number === page;
    this.#doubt = total === null ? 'wrong' : 'none';
  }

  /** The last page that may be requested ahead. Only responses that are made one after the other prove anything. */
  get last(): number {
    if (this.readings > 0) return this.number;
    const size = this.size || this.pageSize;
    return this.total !== null && size ? Math.ceil(this.total / size) : this.number;
  }

  /** The number of records that have to come, for a checkpoint: after it, the count is the total. */
  get growth(): Checkpoint['growth'] {
    if (this.total === null) return undefined;
    return this.came.growth(this.isMoving, this.isMoving ? 0 : (this.#count ?? this.total) - this.total);
  }

  /** The records that came of a list whose records change their places, for a checkpoint. */
  get moving(): { seen: string } | undefined {
    return this.isMoving ? { seen: this.came.keys } : undefined;
  }

  /** True if the totals do not prove that no record before this position was missed. */
  get isDoubted(): boolean {
    return (this.#doubt !== 'none' && !this.isMoving) || !this.#isCounted;
  }

  /**
   * Takes the response for page `number`. Returns the ids that are new; `undefined` if records may have moved to pages
   * that were read already: `number` is then lower, and pages that were requested ahead are of no use.
   *
   * @param at time of the response, in ms since 1970; `NaN` if the service does not send it.
   * @param named the number of the next page, if its address names it.
   * @throws {ResponseFormatError} if the list does not end, or changes faster than it can be read.
   */
  take(document: WireDocument, ids: readonly string[], at: number, named = 0): Set<string> | undefined {
    const total = totalOf(document);
    if (total !== null && total > this.#highest) [this.#highest, this.#idle] = [total, 0];
    const created = this.#creationAfter(document, total);
    const isFallen = total !== null && this.total !== null && total < this.total && this.number > this.#first;
    // The total of an empty page says nothing about the position, which stays on the page before.
    if (ids.length > 0 || this.ids.length === 0) this.total = total ?? this.total;
    this.size = Math.max(this.size, ids.length);
    if (this.readings === 0 && !this.#isLinked(ids, total)) return undefined;
    this.#created = created;
    if (this.#head.size === 0) this.#head = new Set(ids);
    const fresh = this.readings === 0 ? new Set(ids.filter(id => !this.came.has(id))) : this.#again(ids, isFallen);
    this.#countRepeats(ids);
    const expected = this.came.add(document, { total, at }, fresh, this.#add(ids));
    // An empty page does not move the position. Otherwise records that are added to this page later would be skipped.
    if (ids.length > 0 || this.number === 1) [this.page, this.ids] = [this.number, ids];
    else this.page = this.number - 1;
    const isOnly = this.readings === 1 && this.number === this.#first && this.#only && isSame(this.#only, ids);
    if (isOnly || (this.readings > 0 && this.isMoving && this.#lacking === 0)) {
      this.atEnd = true;
      return fresh;
    }
    const isMore = this.total !== null && this.number * this.size < this.total;
    if (document.links && isMore === !nextAddress(document.links)) this.#doubt = 'wrong';
    const isRepeated = this.#isRepeated(isMore);
    const isLast = ids.length === 0 || isRepeated || !(isMore || this.#namesMore(document, ids));
    if (!isLast) {
      this.number = Math.max(named, this.number + 1);
      return fresh;
    }
    if (total === null || total > this.#position(ids)) this.#doubt = 'wrong';
    // More were added than counted: as many were removed at the same time.
    else if (this.#order === 'last' && expected > Number(this.#count)) this.#suspect('late');
    else if (this.#order !== 'moving' && (!this.#isCounted || this.#found !== this.#count)) this.#suspect('late');
    if (isRepeated && this.readings === 0 && this.#reading.size === ids.length) this.#only = this.#reading;
    // A single response is consistent in itself.
    this.atEnd = this.number === this.#first && this.readings === 0 && !this.#only;
    if (!this.atEnd) this.#endReading();
    return fresh;
  }

  /** True if no record can be hidden between the pages before and this one. */
  #isLinked(ids: readonly string[], total: number | null): boolean {
    const known = ids.findLastIndex(id => this.came.has(id));
    const after = ids.length - 1 - known;
    const isKnown = known >= 0;
    if (total === null || (total < this.#position(ids) && ids.length > 0)) this.#doubt = 'wrong';
    if (total === null || this.#doubt === 'wrong' || this.#order === 'moving') return true;
    if (this.#isSearching && !isKnown) {
      if (this.number > 1) return this.#goBack(1);
      this.#restart();
    }
    this.#isSearching = false;
    if (this.#count === undefined) this.#found = this.#position([]);
    const left = Math.max(0, total - this.#position(ids));
    const count = this.#found + after + left;
    this.#count ??= count;
    // More records were added than a page holds: those before the next known record are new.
    this.#isInFront =
      this.#order === 'first' &&
      !isKnown &&
      this.came.ids.size > 0 &&
      (this.#isInFront || count >= this.#count + this.size);
    this.#isCounted = !(this.#isInFront || (isKnown && after === 0 && ids.at(-1) !== this.ids.at(-1)));
    if (!this.#isCounted) {
      this.#most = Math.min(this.#most, this.#found + left);
      return true;
    }
    if (count > this.#most) this.#suspect('late');
    if (count === this.#count) {
      if (after > 0) this.#fallen = undefined;
      // The total has risen again, and no record has moved.
      else if (this.#fallen !== undefined && total > this.#fallen && this.#order === 'first') this.#suspect('late');
    } else if (this.#order === 'last' && count > this.#count) {
      // Records were added behind the position.
    } else if (!isKnown && count < this.#count && this.#fallen === undefined && this.number > 1) {
      this.#fallen = total;
      // If the reading began later, a page further back would not be known.
      return this.#goBack(this.#isPart ? 1 : Math.ceil((this.#count - count) / this.size));
    } else if (!isKnown && count > this.#count && this.#retried !== this.number && this.#retries < REPEATS) {
      // The response may be older than the one before, if it was requested ahead.
      this.#retried = this.number;
      this.#retries += 1;
      return false;
    } else {
      this.#suspect(count > this.#count ? 'wrong' : 'late');
    }
    this.#count = count;
    this.#found += after;
    return true;
  }

  /** Checks the order by times of creation: a service that ignores `sort` uses its own, in which containers move. */
  #creationAfter(document: WireDocument, total: number | null): number {
    if (this.#order === 'moving' || !isOfContainers(this.#path)) return Number.NaN;
    // Records that are not known may come again in a part of a reading.
    const follows = this.number === this.page + 1 && !(this.#isPart && total !== this.total);
    const created = creationAfter(document, this.#order, follows ? this.#created : Number.NaN, id =>
      this.readings === 0 ? this.came.has(id) : this.#reading.has(id),
    );
    if (created === undefined) {
      this.#order = 'moving';
      if (this.readings > 0) this.#giveAll();
    }
    return created ?? Number.NaN;
  }

  /** True if only the number of records shows that some were missed. */
  get isMoving(): boolean {
    return this.#order === 'moving' && this.#doubt !== 'wrong';
  }

  get #lacking(): number {
    return this.came.lacking(this.#reading.size - this.#skipped, (this.#first - 1) * this.size);
  }

  #goBack(pages: number): false {
    this.#furthest = Math.max(this.#furthest, this.number);
    this.#isSearching = true;
    this.number = Math.max(1, this.number - pages);
    // The page that is read again may be the one that was read last.
    this.#previous = [];
    return false;
  }

  /** Forgets everything that was read before. */
  #restart(): void {
    this.#isPart = false;
    this.#reading = new Set();
    this.#head = new Set();
    this.read = sumOf([]);
    this.#count = undefined;
    this.came.restart();
    this.#found = 0;
    this.#most = Number.POSITIVE_INFINITY;
  }

  #suspect(doubt: 'late' | 'wrong'): void {
    if (this.#doubt !== 'wrong') this.#doubt = doubt;
  }

  /** Returns those that have not come in this reading. */
  #add(ids: readonly string[]): ReadonlySet<string> {
    const added = new Set(ids.filter(id => !this.#reading.has(id)));
    if (this.number > this.#furthest) this.#moved += ids.length - added.size;
    if (this.readings === 0) {
      this.#furthest = Math.max(this.#furthest, this.number);
      if (this.read) this.read = { ...sumOf(added, this.read), moved: this.#moved };
    }
    for (const id of added) this.#reading.add(id);
    return added;
  }

  /** New records before those of the first page were added since. They do not belong to this reading. */
  #again(ids: readonly string[], isFallen: boolean): Set<string> {
    const fresh = new Set<string>();
    // A record that was added after the reading before may have been removed, which hides another one.
    if (isFallen && this.#lead > 0 && !ids.some(id => this.#reading.has(id))) this.#late = true;
    for (const id of ids) {
      if (this.#before.has(id)) {
        this.#met = true;
        this.#late ||= this.#tail;
      } else if (!this.#met) {
        this.#lead += 1;
      } else if (!this.#reading.has(id)) {
        if (this.#order === 'last') this.#tail = true;
        else this.#late = true;
      }
      if (this.came.has(id)) {
        if (this.#isFront && this.#skipped && !this.#isPart && !this.#head.has(id)) this.#giveAll();
        this.#isFront = false;
      } else if (this.#givesAll || !this.#isFront) {
        fresh.add(id);
      } else {
        this.#skipped += 1;
      }
    }
    return fresh;
  }

  /** Gives all records from now on: those before the known ones may be old. */
  #giveAll(): void {
    this.#givesAll = true;
    this.#late = true;
  }

  #countRepeats(ids: readonly string[]): void {
    const isIdle = ids.every(id => this.#reading.has(id));
    const isSame = isIdle && ids.length === this.#previous.length && ids.every(id => this.#previous.includes(id));
    this.#repeats = isSame ? this.#repeats + 1 : 0;
    this.#isShuffled = isSame && (this.#isShuffled || ids.some((id, index) => id !== this.#previous[index]));
    this.#idle = isIdle ? this.#idle + 1 : 0;
    this.#previous = ids;
    if (this.#idle > REPEATS + this.#reading.size / Math.max(1, this.size))
      throw this.#unstable('Its pages bring no new records and do not end.');
  }

  /**
   * True for an endpoint without pages, which may name a next page and send the same one again. A page of new records
   * has the same effect, but not many times in a row.
   */
  #isRepeated(isMore: boolean): boolean {
    if (this.#repeats <= (isMore ? REPEATS : 1)) return false;
    if (isMore || (this.#isShuffled && this.total !== this.#reading.size)) {
      throw this.#unstable('Its pages repeat the same records.');
    }
    return true;
  }

  #namesMore({ links }: WireDocument, ids: readonly string[]): boolean {
    const isDenied = this.total === null || this.total < this.#position(ids);
    // An object without a link shows no more than the total.
    if (links && !(isDenied && Object.keys(links).length === 0)) return nextAddress(links) !== undefined;
    // A total may be missing or cut off, and more records than that may be there.
    const full = this.number === 1 ? (this.pageSize ?? SMALLEST_PAGE) : Math.min(this.pageSize ?? this.size, this.size);
    if (ids.length < full && !(this.number === 1 && isDenied && this.total !== null)) return false;
    this.#doubt = 'wrong';
    return true;
  }

  #endReading(): void {
    if (this.isMoving) {
      this.atEnd = this.readings > 0 || this.#lacking === 0;
      this.missing = this.atEnd ? this.#lacking : 0;
      if (!this.atEnd) this.#readAgain();
      return;
    }
    if (this.#isFront && this.#skipped && !this.#isPart) this.#giveAll();
    if (this.#doubt === 'none' || (this.readings > 0 && this.#agrees())) {
      this.atEnd = true;
      return;
    }
    if (this.#isPart && this.#givesAll) {
      // Checkpoints of readings that follow would not move on, so this is the first reading of the whole list.
      this.#restart();
      this.readings = 0;
      this.#begin(1);
      return;
    }
    if (this.readings >= MOST[this.#doubt]) {
      if (this.#doubt === 'wrong') throw this.#unstable('It changes faster than it can be read.');
      this.atEnd = true;
    } else this.#readAgain();
  }

  #readAgain(): void {
    this.readings += 1;
    this.#givesAll ||= this.#order === 'moving';
    this.#before = this.#reading;
    this.#movedBefore = this.#moved;
    this.#reading = new Set();
    this.#begin(this.#first);
  }

  #begin(number: number): void {
    this.#previous = [];
    this.#idle = this.#repeats = this.#lead = this.#moved = this.#furthest = this.#skipped = 0;
    this.#met = this.#late = this.#tail = false;
    this.came.readAgain();
    this.#isFront = true;
    this.number = number;
  }

  /** True if this reading proves the one before: all its records are there, and as many new ones as have moved them. */
  #agrees(): boolean {
    let lead = this.#lead;
    if (this.#isPart && this.readings === 1) {
      const count = this.#base?.count ?? 0;
      const others = [...this.#reading].filter(id => !this.#before.has(id) || this.#anchor.has(id));
      // The records that the earlier readings have given; their ids are not known.
      const end = others.findLastIndex(id => this.#anchor.has(id)) + 1 || others.length;
      const known = others.slice(Math.max(0, end - count), end);
      if (sumOf(known).sum !== this.#base?.sum) {
        this.#givesAll = true;
        return false;
      }
      lead = end - count;
    }
    if (this.#order === 'moving' && this.#before.size < this.#reading.size) return false;
    return !this.#late && lead >= this.#movedBefore && isWithin(this.#before, this.#reading);
  }

  /** Lower bound of the records of the list, with this page. */
  #position(ids: readonly string[]): number {
    return (this.number - 1) * this.size + ids.length;
  }

  /** The error of a list whose records have not all come. */
  incomplete(): ResponseFormatError {
    return this.#error(
      `${this.missing} of ${this.total} records of the list ${this.#path} did not come, because its records change their places while it is read. Read it with another \`sort\`, with a larger pageSize, or pass onIncomplete.`,
    );
  }

  #unstable(message: string): ResponseFormatError {
    return this.#error(
      `The list ${this.#path} cannot be read as a whole, because its totals and pages contradict each other. ${message} Read it again when fewer records are added and removed, or with a larger pageSize.`,
    );
  }

  #error(text: string): ResponseFormatError {
    return new ResponseFormatError(text, { status: 200, method: 'GET', path: this.#path, requestId: undefined });
  }
}

/** The number of records in the list; `null` if the service does not say. */
export function totalOf({ meta }: Pick<WireDocument, 'meta'>): number | null {
  const total: unknown = meta?.total;
  return Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : null;
}

/** The address of the next page. */
export function nextAddress(links: NonNullable<WireDocument['links']>): string | undefined {
  const address = isRecord(links.next) ? links.next.href : links.next;
  return typeof address === 'string' ? address : undefined;
}
