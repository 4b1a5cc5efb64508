import type { Query } from '../jsonapi/query.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';
import { totalOf } from '../pagination/guard.ts';
import type { Page } from '../pagination/pages.ts';
import { orderOf } from '../pagination/seen.ts';
import type { StoredPass } from './checkpoint.ts';
import type { WatchedRecord } from './groups.ts';

export const PAGE_SIZE = 100;

/** The options of a request for a page of a list. */
export interface PassRequest {
  pageSize: number;
  pageNumber: number;
  sort?: null;
  query?: Query;
}

/** Up to this number of records are read separately if the length of the list is unknown. */
const FEW = 2;
/** After this number of consecutive pages without a new record, the list counts as ended, whatever `total` is. */
const MAX_STALE = 20;

/**
 * One reading of all watched records, page by page, with one request per page.
 *
 * When records are removed from the list, later records move to pages that were already read. So when `total` falls,
 * the pass goes back by as many pages as a record can have moved. A total may also fall because two servers count
 * differently. If the pass went back and found no new record, it goes back again only if the total falls below all
 * earlier totals.
 */
export class Pass {
  readonly startedAt: string;
  /** Start of the pass, by `performance.now()`. For a stored pass, it is calculated from `startedAt`. */
  readonly began: number;
  /** True if another process, or another feed, began the pass. */
  readonly isResumed: boolean;
  /** The ids that were read so far. */
  readonly #seen = new Set<string>();
  /** The ids that were read before an interruption. */
  readonly #before: ReadonlySet<string>;
  readonly #seenBefore: number;
  /** The position to store: the checkpoint of the page before `#page`; `null` if `#page` is the first page. */
  #after: Checkpoint | null;
  /** True if an earlier version of this package began the pass, in the default sort order of the service. */
  readonly #isUnsorted: boolean;
  /** Number of the next page. */
  #page: number;
  #total: number | null;
  #size: number;
  /** The lowest total so far. */
  #lowest = Infinity;
  /** The pages to read again, the number of removed records, and whether one of these pages had a new record. */
  #again = { from: 0, until: 0, lost: 0, isFruitful: true };
  #stale = 0;
  /** True if the list was read to its end. */
  atEnd = false;
  /** Number of records that were read separately. */
  askedSeparately = 0;
  /** True if every page of the list could be read. */
  isWhole = true;

  /**
   * @param total number of records in the last reading of the list; `null` if not known.
   * @param before ids of records that the stored pass has read.
   */
  constructor(stored: StoredPass | null, total: number | null, before: Iterable<string> = []) {
    this.#after = stored?.after ?? null;
    this.#isUnsorted = orderOf(this.#after?.list ?? '') === 'moving';
    this.#total = this.#after?.total ?? total;
    this.#size = this.#after?.size ?? 0;
    this.startedAt = stored?.startedAt ?? new Date().toISOString();
    this.began = performance.now() - (stored ? Math.max(0, Date.now() - Date.parse(stored.startedAt)) : 0);
    this.isResumed = stored !== null;
    this.#seenBefore = stored?.seen ?? 0;
    this.#before = new Set(before);
    this.#page = (this.#after?.page ?? 0) + 1;
  }

  /** The options for the next page of the list. They contain no checkpoint of the list, so only this page is read. */
  next(): PassRequest {
    return { pageSize: PAGE_SIZE, pageNumber: this.#page, ...(this.#isUnsorted && { sort: null }) };
  }

  /** Continues after a page whose records were all reported. */
  accept(page: Page<WatchedRecord>): void {
    const number = this.#page;
    const { size } = page.checkpoint;
    const counted = totalOf(page);
    const isPossible = page.data.length === 0 || (number - 1) * size < (counted ?? 0);
    const total = isPossible ? counted : null;
    const isNew = page.data.some(({ id }) => !this.#seen.has(id));
    for (const { id } of page.data) this.#seen.add(id);
    this.#size = Math.max(this.#size, size);
    const isAgain = number <= this.#again.until;
    if (isAgain) this.#again.isFruitful ||= isNew;
    this.#stale = isNew || isAgain ? 0 : this.#stale + 1;
    const next = this.#pageAgain(number, total);
    this.#total = total ?? this.#total;
    this.#lowest = Math.min(this.#lowest, this.#total ?? this.#lowest);
    if (next === undefined) this.atEnd = this.#isLast(page);
    this.#page = next ?? number + 1;
    // After an interruption, the pass continues with `#page`, even if `#page` is an earlier page.
    this.#after = this.#page === 1 ? null : { ...page.checkpoint, page: this.#page - 1, total: this.#total };
  }

  /** The page to go back to; `undefined` to continue. */
  #pageAgain(number: number, total: number | null): number | undefined {
    const lost = this.#total === null || total === null ? 0 : this.#total - total;
    const { from, until } = this.#again;
    const isAgain = number <= until;
    if (lost <= 0 || number === 1 || (Number(total) >= this.#lowest && !this.#again.isFruitful)) return undefined;
    // While pages are read again, a record matters only if it moved to a page before these pages: later pages are read
    // anyway.
    const again = isAgain
      ? { ...this.#again, lost: this.#again.lost + lost }
      : { until: number, lost, isFruitful: false };
    const back = Math.max(1, again.until - Math.ceil(again.lost / (this.#size || PAGE_SIZE)));
    this.#again = { ...again, from: isAgain ? Math.min(from, back) : back };
    return isAgain && back >= from ? undefined : back;
  }

  #isLast(page: Page<WatchedRecord>): boolean {
    const isMore = this.#total !== null && this.#page * this.#size < this.#total;
    // The total may be limited: a full page without links may be followed by another page.
    const isFull = page.data.length >= (this.#page === 1 ? PAGE_SIZE : this.#size);
    const isCounted = this.#total !== null && !page.links.next && !isFull;
    return !page.hasNextPage() || (isCounted && !isMore) || this.#stale > (isMore ? MAX_STALE : 1);
  }

  /** Continues after a page that can never be read. */
  skip(): void {
    this.isWhole = false;
    this.#page += 1;
    this.atEnd = this.#total === null || (this.#page - 1) * (this.#size || PAGE_SIZE) >= this.#total;
  }

  /** Ends the pass after a 404 for the list. The service may send a 404 for an empty list. */
  end(): void {
    this.atEnd = true;
  }

  /** Adds a record that was read separately. */
  add(id: string): void {
    this.askedSeparately += 1;
    this.#seen.add(id);
  }

  has(id: string): boolean {
    return this.#seen.has(id) || this.#before.has(id);
  }

  /**
   * Number of requests for the rest of the list. If the total is unknown, this is the number of earlier pages, at least
   * `FEW`.
   */
  pagesLeft(): number {
    if (this.#total === null) return Math.max(FEW, this.#page - 1);
    return Math.max(0, Math.ceil(this.#total / (this.#size || PAGE_SIZE)) - this.#page + 1);
  }

  get total(): number | null {
    return this.#total;
  }

  /** The total of the list minus the number of records that its pages contained. */
  lacking(): number {
    return Math.max(0, (this.#total ?? 0) - (this.#seen.size - this.askedSeparately) - this.#seenBefore);
  }

  stored(): StoredPass | null {
    return { startedAt: this.startedAt, after: this.#after, seen: this.#seen.size + this.#seenBefore };
  }
}
