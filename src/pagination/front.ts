import { isIdentifier } from '../jsonapi/document.ts';
import { sumOf } from './seen.ts';

/** A record at the front of a list: its id, and a checksum of its content. */
export type Mark = readonly [id: string, sum: string];

/** Number of consecutive unchanged records after which a reading ends. */
const ENOUGH = 50;
/** Number of marks to keep: more than `ENOUGH`, because some records change their place before the next reading. */
const KEPT = 4 * ENOUGH;
/**
 * Attributes with the times at which the service made its own requests. These attributes change even if nothing else
 * changes.
 */
const VOLATILE = /_checked_at$|_last_tracking_request_at$|^line_tracking_last_/;

/**
 * Reads a list whose changed records come first, until 50 records in a row are unchanged since the previous reading.
 *
 * Records are compared with the last complete reading. After an interruption, the next reading also covers the records
 * that the interrupted reading did not reach.
 */
export class Front {
  readonly #before: ReadonlyMap<string, string>;
  readonly #now = new Map<string, string>();
  #inARow = 0;

  /** @param before the marks of the last complete reading. */
  constructor(before: readonly Mark[]) {
    this.#before = new Map(before);
  }

  /** Compares and marks the records of the next page. */
  take(records: Iterable<{ id: string }>): void {
    for (const record of records) {
      const sum = contentOf(record);
      this.#inARow = sum !== '' && this.#before.get(record.id) === sum ? this.#inARow + 1 : 0;
      if (!this.#now.has(record.id)) this.#now.set(record.id, sum);
    }
  }

  /**
   * True if the records that follow are unchanged. Without earlier marks, this is not known. The reading then ends when
   * enough records are marked for the next comparison.
   */
  get isReached(): boolean {
    return this.#before.size === 0 ? this.#now.size >= KEPT / 2 : this.#inARow >= ENOUGH;
  }

  /** The marks for the comparison with the next reading. */
  get marks(): Mark[] {
    const marks = new Map([...this.#now].slice(0, KEPT));
    for (const [id, sum] of this.#before) {
      if (marks.size >= KEPT) break;
      if (!this.#now.has(id)) marks.set(id, sum);
    }
    return [...marks];
  }
}

/**
 * A checksum of the attributes. It does not cover related records, because these change separately. Empty if attributes
 * are nested too deeply.
 */
function contentOf(record: object): string {
  const attributes = Object.entries(record).filter(([name, value]) => !VOLATILE.test(name) && !isRelated(value));
  try {
    return sumOf([JSON.stringify(attributes)]).sum.toString(36);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function isRelated(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isIdentifier) : isIdentifier(value);
}

/**
 * True if records were removed since the list had `before` records. `added` is the number of records that were added
 * since then.
 */
export function hasShrunk(before: number | null, added: number, total: number | null): boolean {
  return before !== null && total !== null && total < before + added;
}
