import type { Answer } from './reader.ts';

type Times = Pick<Answer<unknown>, 'askedAt' | 'at'>;

/**
 * If more records than this number, or than this fraction of all records, are missing at the same time, they are
 * reported only after a second check.
 */
const MOST = 10;
const MOST_OF_ALL = 1 / 10;

/**
 * Known records that the service did not find. If many records are missing at the same time, the service may have lost
 * its database, or a gateway may respond in its place. Each record is then reported only after a second check in a
 * later reading.
 */
export class Absences {
  readonly #patienceMs: number;
  readonly #records = new Map<string, { times: Times; since: number; answers: number }>();
  /** Number of responses of the service with content. */
  #answers = 0;
  /** True if a record was found missing since the last call of `few`. */
  isUndecided = false;

  /** @param patienceMs time in ms after which a second check counts, even if the service has sent no other content. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#records.size;
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  /**
   * Remembers that the service has sent a record or a list. A record that was missing before counts as gone if it is
   * missing again after this content.
   */
  answered(): void {
    this.#answers += 1;
  }

  found(id: string): void {
    this.#records.delete(id);
  }

  /**
   * Remembers that a record was missing. Returns true if this was a second check, so that the record counts as gone.
   */
  missed(id: string, times: Times): boolean {
    const now = performance.now();
    const { since, answers } = this.#records.get(id) ?? { since: now, answers: this.#answers };
    if (answers < this.#answers || now - since >= this.#patienceMs) return this.#records.delete(id);
    this.#records.set(id, { times, since, answers });
    this.isUndecided = true;
    return false;
  }

  /**
   * Returns the missing records with the times of their responses. If there are too many missing records to report them
   * without a second check, it returns no records.
   */
  few(known: number): [id: string, times: Times][] {
    this.isUndecided = false;
    if (this.size > MOST || this.size > known * MOST_OF_ALL) return [];
    const few = Array.from(this.#records, ([id, { times }]): [string, Times] => [id, times]);
    this.#records.clear();
    return few;
  }
}
