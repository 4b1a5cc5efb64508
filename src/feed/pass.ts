import type { Checkpoint } from '../pagination/checkpoint.ts';
import type { Page } from '../pagination/page.ts';
import type { StoredPass } from './checkpoint.ts';
import type { WatchedRecord } from './groups.ts';

export const PAGE_SIZE = 100;
/** Up to this number, reading records separately takes no more requests than a page of the list whose length is not known. */
const FEW = 2;

/** One reading of all watched records, page by page. */
export class Pass {
  readonly startedAt: string;
  /** In the time of `performance.now()`. */
  readonly began = performance.now();
  /** What was read so far. */
  readonly #seen = new Set<string>();
  readonly #seenBefore: number;
  #after: Checkpoint | null;
  /** Number of the next page. */
  #page: number;
  #total: number | null;
  /** Whether the list was read to its end. */
  atEnd = false;
  /** How many records were read separately. */
  askedSeparately = 0;
  /** Whether every page of the list could be read. */
  isWhole = true;

  /** @param total how many records the list had when it was read last; `null` if that is not known. */
  constructor(stored: StoredPass | null, total: number | null) {
    this.#total = total;
    this.startedAt = stored?.startedAt ?? new Date().toISOString();
    this.#after = stored?.after ?? null;
    this.#seenBefore = stored?.seen ?? 0;
    this.#page = (this.#after?.page ?? 0) + 1;
  }

  /** The options that ask the list for the next page. */
  next(): { pageSize: number; from?: Checkpoint; pageNumber?: number } {
    const from = this.#after;
    return from?.page === this.#page - 1
      ? { pageSize: PAGE_SIZE, from }
      : { pageSize: PAGE_SIZE, pageNumber: this.#page };
  }

  /** Continues after a page whose records were all told of. */
  accept(page: Page<WatchedRecord>): void {
    this.#after = page.checkpoint;
    this.#page = page.checkpoint.page + 1;
    this.#total = page.checkpoint.total;
    this.atEnd = !page.hasNextPage();
    for (const { id } of page.data) this.#seen.add(id);
  }

  /** Continues after a page that cannot be read, whenever it is asked for. */
  skip(): void {
    this.isWhole = false;
    this.#page += 1;
    this.atEnd = this.#total === null || (this.#page - 1) * PAGE_SIZE >= this.#total;
  }

  /** Ends where the service has no such list, which it may say of an empty one. */
  end(): void {
    this.atEnd = true;
  }

  /** A record that was read separately. */
  add(id: string): void {
    this.askedSeparately += 1;
    this.#seen.add(id);
  }

  has(id: string): boolean {
    return this.#seen.has(id);
  }

  /** How many requests the rest of the list takes. Where the service does not say, no more than the pages before. */
  pagesLeft(): number {
    if (this.#total === null) return Math.max(FEW, this.#page - 1);
    return Math.max(0, Math.ceil(this.#total / PAGE_SIZE) - this.#page + 1);
  }

  get total(): number | null {
    return this.#total;
  }

  /** How many records the list counts and has not given. */
  lacking(): number {
    return Math.max(0, (this.#total ?? 0) - (this.#seen.size - this.askedSeparately) - this.#seenBefore);
  }

  stored(): StoredPass {
    return { startedAt: this.startedAt, after: this.#after, seen: this.#seen.size + this.#seenBefore };
  }
}
