import { Front, hasShrunk } from '../pagination/front.ts';
import { totalOf } from '../pagination/guard.ts';
import type { Page } from '../pagination/pages.ts';
import type { StoredFront } from './checkpoint.ts';
import type { WatchedRecord } from './groups.ts';
import { PAGE_SIZE, Pass, type PassRequest } from './pass.ts';

/**
 * One reading of the changed records: the list is sorted by the last change, and pages are read until all remaining
 * records are unchanged.
 */
export class FrontPass extends Pass {
  readonly #before: StoredFront | null;
  readonly #front: Front;
  readonly #seen = new Set<string>();
  #number = 1;
  #total: number | null = null;
  /** Number of records that were not known before. */
  added = 0;

  constructor(before: StoredFront | null) {
    super(null, null);
    this.#before = before;
    this.#front = new Front(before?.marks ?? []);
  }

  override next(): PassRequest {
    return { pageSize: PAGE_SIZE, pageNumber: this.#number, query: { sort: '-updated_at' } };
  }

  override accept(page: Page<WatchedRecord>): void {
    this.#front.take(page.data);
    for (const { id } of page.data) this.#seen.add(id);
    this.#number += 1;
    this.#total = totalOf(page);
    this.atEnd = this.#front.isReached || page.data.length === 0 || !page.hasNextPage();
  }

  override skip(): void {
    this.isWhole = false;
    this.atEnd = true;
  }

  override has(id: string): boolean {
    return this.#seen.has(id);
  }

  override pagesLeft(): number {
    return this.atEnd ? 0 : 1;
  }

  override get total(): number | null {
    return this.#total;
  }

  override lacking(): number {
    return 0;
  }

  /** Nothing is stored: this reading is short, and begins again after an interruption. */
  override stored(): null {
    return null;
  }

  /** The marks of this reading. The next reading of the changes ends when it reaches these marks. */
  get front(): StoredFront {
    const total = this.#total;
    const isEnough = this.#before !== null && !hasShrunk(this.#before.total, this.added, total);
    return { marks: this.#front.marks, total, readAt: isEnough ? (this.#before?.readAt ?? null) : null };
  }
}
