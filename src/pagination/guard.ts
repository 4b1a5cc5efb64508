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
  /** The page to read next. */
  number: number;
  /** The last page that was read, and the ids of its records. */
  page: number;
  ids: readonly string[];
  /** Number of records on a full page when this position was reached; `null` if not known. */
  size: number | null;
  /** `total` at this position; `null` if the totals prove nothing, `undefined` before the first page. */
  total: number | null | undefined;
  /** Ids of records of earlier pages, if they are known. */
  earlier?: Iterable<string> | undefined;
}

/** Upper bound for consecutive pages without a new record, and for repeated requests for the same page. */
const REPEATS = 20;
/** The smallest number of records on a full page if no `pageSize` was requested. */
const SMALLEST_PAGE = 25;
/** Upper bounds for the number of extra readings that prove that no record was missed, if totals are late or wrong. */
const MOST = { none: 0, late: 4, wrong: 6 };

/**
 * Decides which page of a list to read next, and when the list has ended.
 *
 * Pages are numbered. Meanwhile, records may be added at the front and removed anywhere. Only a removal before the
 * position can hide a record: it moves to a page that was already read. Two things prove that no record is hidden:
 *
 * - A page is linked to the earlier pages if it contains a record of these pages, or if the count is unchanged. The
 *   count is the number of records that were found so far, plus the number of records that are left according to
 *   `total`. If a page is not linked, the reading goes back to earlier pages until it finds a known record.
 * - If the count still changes, `total` proves nothing, and the list is read again. If the second reading has all
 *   records of the first reading, all these records have stayed in the list, so no record was hidden.
 *
 * If records change their places, only `total` shows a missed record. Then the list is read until no record is missing.
 */
export class ListGuard {
  /** The page to request next. */
  number: number;
  /** True if no page is left to read. */
  atEnd = false;
  /** Number of missing records at the end of a list whose records change their places. */
  missing = 0;
  /** Number of complete readings of the list. The second reading yields only records that the first reading missed. */
  readings: number;
  readonly pageSize: number | null;
  size: number;
  total: number | null;
  /** The last page with records that was read, and the ids of its records. */
  page: number;
  ids: readonly string[];
  /** The part of the list up to and including `page`; `undefined` if not known. */
  read: ReadSoFar | undefined;
  readonly came: Came;
  readonly #path: string;
  #order: ListOrder;
  /** Creation time of the last record of the last page. */
  #created = Number.NaN;
  /** The first page of the later readings. */
  readonly #first: number;
  /** True if the first reading began after page 1: other records were read before. */
  #isPart: boolean;
  readonly #base: ReadSoFar | undefined;
  readonly #anchor: ReadonlySet<string>;
  #reading: Set<string>;
  #moved: number;
  #previous: readonly string[];
  /** The ids of the first page that was read. Records in front of them are new. */
  #head: ReadonlySet<string>;
  /** Number of records that were found, plus the number of records that are left; `undefined` if not known yet. */
  #count: number | undefined;
  #found: number;
  /** Upper bound for `#count`, derived from the pages that were not counted. */
  #most = Infinity;
  /** `#isInFront`: the last page is in front of the counted records. `#isCounted`: it ends with the counted records. */
  #isInFront = false;
  #isCounted = true;
  #furthest: number;
  /** True if the reading looks for a known record. */
  #isSearching: boolean;
  /** The total that made the reading go back; it is kept until the moved records are found. */
  #fallen: number | undefined;
  /** The last page that was requested again because of its total, and the number of such requests. */
  #retried = 0;
  #retries = 0;
  #doubt: keyof typeof MOST;
  #repeats = 0;
  #isShuffled = false;
  #idle = 0;
  #highest = 0;
  /** Of the previous reading. `#met`: one of its records came again. `#lead`, `#late`: new records before and after it. */
  #before: ReadonlySet<string> = new Set();
  #movedBefore = 0;
  #met = false;
  #lead = 0;
  #late = false;
  /** True if this reading has new records that may have been added at the end. */
  #tail = false;
  /** `#isFront`: this reading has received only new records, of which `#skipped` were not yielded. */
  #isFront = true;
  #skipped = 0;
  #givesAll: boolean;
  /** The records of the only page, which the service sends for every page number. */
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
    // If new records come last, a record is received twice only if records change their places.
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

  /** The last page that may be requested ahead. In a later reading, no page is requested ahead. */
  get last(): number {
    if (this.readings > 0) return this.number;
    const size = this.size || this.pageSize;
    return this.total !== null && size ? Math.ceil(this.total / size) : this.number;
  }

  /** For a checkpoint: the number of records that must be received, relative to `total`. */
  get growth(): Checkpoint['growth'] {
    if (this.total === null) return undefined;
    return this.came.growth(this.isMoving, this.isMoving ? 0 : (this.#count ?? this.total) - this.total);
  }

  /** The received records of a list whose records change their places, for a checkpoint. */
  get moving(): { seen: string } | undefined {
    return this.isMoving ? { seen: this.came.keys } : undefined;
  }

  /** True if the totals leave open whether a record before this position was missed. */
  get isDoubted(): boolean {
    return (this.#doubt !== 'none' && !this.isMoving) || !this.#isCounted;
  }

  /**
   * Takes the response for page `number` and returns the new ids. Returns `undefined` if records may have moved to pages that
   * were already read. Then `number` is lower, and pages that were requested ahead are useless.
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
    // The total of an empty page does not describe the position: the position stays on the page before.
    if (ids.length > 0 || this.ids.length === 0) this.total = total ?? this.total;
    this.size = Math.max(this.size, ids.length);
    if (this.readings === 0 && !this.#isLinked(ids, total)) return undefined;
    this.#created = created;
    if (this.#head.size === 0) this.#head = new Set(ids);
    const fresh = this.readings === 0 ? new Set(ids.filter(id => !this.came.has(id))) : this.#again(ids, isFallen);
    this.#countRepeats(ids);
    const expected = this.came.add(document, { total, at }, fresh, this.#add(ids));
    // An empty page does not move the position. Records that are added to this page later are therefore read.
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
    // If more records were added than the count shows, other records were removed at the same time.
    else if (this.#order === 'last' && expected > Number(this.#count)) this.#suspect('late');
    else if (this.#order !== 'moving' && (!this.#isCounted || this.#found !== this.#count)) this.#suspect('late');
    if (isRepeated && this.readings === 0 && this.#reading.size === ids.length) this.#only = this.#reading;
    // If a single page is the whole list, its response is consistent.
    this.atEnd = this.number === this.#first && this.readings === 0 && !this.#only;
    if (!this.atEnd) this.#endReading();
    return fresh;
  }

  /** True if no record can be hidden between the previous pages and this page. */
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
    // True if more records were added than fit on a page: all records before the next known record are then new.
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
      // The total has risen again, although no record has moved.
      else if (this.#fallen !== undefined && total > this.#fallen && this.#order === 'first') this.#suspect('late');
    } else if (this.#order === 'last' && count > this.#count) {
      // Records were added after the position.
    } else if (!isKnown && count < this.#count && this.#fallen === undefined && this.number > 1) {
      this.#fallen = total;
      // If the reading began after page 1, the records of the pages before its beginning are not known.
      return this.#goBack(this.#isPart ? 1 : Math.ceil((this.#count - count) / this.size));
    } else if (!isKnown && count > this.#count && this.#retried !== this.number && this.#retries < REPEATS) {
      // The response to a page that was requested ahead may be older than the previous response.
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

  /** Checks the sort order by the times of creation: if the service ignores `sort`, containers change their places. */
  #creationAfter(document: WireDocument, total: number | null): number {
    if (this.#order === 'moving' || !isOfContainers(this.#path)) return Number.NaN;
    // If the reading began after page 1, unknown records may be repetitions.
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

  /** True if only the total shows whether records were missed. */
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
    // The page that is read again may be equal to the last page.
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
    this.#most = Infinity;
  }

  #suspect(doubt: 'late' | 'wrong'): void {
    if (this.#doubt !== 'wrong') this.#doubt = doubt;
  }

  /** Adds the ids to this reading. Returns the ids that this reading did not have. */
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

  /** Takes a page of a later reading. New records in front of the records of the first page are not yielded. */
  #again(ids: readonly string[], isFallen: boolean): Set<string> {
    const fresh = new Set<string>();
    // A record that was added since the previous reading may have been removed. Such a removal can hide another record.
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

  /** From now on, yields all records: records in front of the known records may be old. */
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
      throw this.#unstable('Its pages bring no new records, and the list does not end.');
  }

  /**
   * True for an endpoint without pages. Such an endpoint may link to a next page and send the same page again. In a
   * list with pages, one page without new records may also occur, but many such pages do not occur in a row.
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
    // If the total is missing or too low, an empty `links` object does not prove that this page is the last.
    if (links && !(isDenied && Object.keys(links).length === 0)) return nextAddress(links) !== undefined;
    // The total may be missing, or may have an upper limit, so the list may have more records.
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
      // Checkpoints of later readings would not advance, so a first reading of the whole list begins here.
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

  /** True if this reading has all records of the previous reading, and new records in front explain all moves. */
  #agrees(): boolean {
    let lead = this.#lead;
    if (this.#isPart && this.readings === 1) {
      const count = this.#base?.count ?? 0;
      const others = [...this.#reading].filter(id => !this.#before.has(id) || this.#anchor.has(id));
      // The ids of the records that earlier sessions yielded are not known, so the checksums are compared.
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

  /** Lower bound of the number of records in the list, including this page. */
  #position(ids: readonly string[]): number {
    return (this.number - 1) * this.size + ids.length;
  }

  /** The error of a list with missing records. */
  incomplete(): ResponseFormatError {
    return this.#error(
      `${this.missing} of ${this.total} records of the list ${this.#path} were not received, because its records change their places while it is read. Read it with another \`sort\`, with a larger pageSize, or pass onIncomplete.`,
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

/** The number of records in the list; `null` if the service does not report it. */
export function totalOf({ meta }: Pick<WireDocument, 'meta'>): number | null {
  const total: unknown = meta?.total;
  return Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : null;
}

/** The address of the next page. */
export function nextAddress(links: NonNullable<WireDocument['links']>): string | undefined {
  const address = isRecord(links.next) ? links.next.href : links.next;
  return typeof address === 'string' ? address : undefined;
}
