import type { Answer } from './reader.ts';

type Times = Pick<Answer<unknown>, 'askedAt' | 'at'>;

/** Number of known records that may be missing at once without a second look; the other bound is a part of all records. */
const MOST = 10;
const MOST_OF_ALL = 1 / 10;

/**
 * Known records that the service did not find. If many are missing at once, the service may have lost its database, or a gateway
 * may respond in its place. Each of them is then reported only after a second look in a later reading.
 */
export class Absences {
  readonly #patienceMs: number;
  readonly #records = new Map<string, { times: Times; since: number; answers: number }>();
  /** Number of responses of the service with content. */
  #answers = 0;
  /** True if a record was missing and `few` has not decided about it. */
  isUndecided = false;

  /** @param patienceMs time after which a second look counts, even if the service has sent no other content in between. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#records.size;
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  /** The service has sent a record or a list: records that it does not find after that are really missing. */
  answered(): void {
    this.#answers += 1;
  }

  found(id: string): void {
    this.#records.delete(id);
  }

  /** Records that a record was missing. Returns true if this was a second look that counts. */
  missed(id: string, times: Times): boolean {
    const now = performance.now();
    const { since, answers } = this.#records.get(id) ?? { since: now, answers: this.#answers };
    if (answers < this.#answers || now - since >= this.#patienceMs) return this.#records.delete(id);
    this.#records.set(id, { times, since, answers });
    this.isUndecided = true;
    return false;
  }

  /** The missing records, if they are few enough to be reported without a second look, with the times of their responses. */
  few(known: number): [id: string, times: Times][] {
    this.isUndecided = false;
    if (this.size > MOST || this.size > known * MOST_OF_ALL) return [];
    const few = Array.from(this.#records, ([id, { times }]): [string, Times] => [id, times]);
    this.#records.clear();
    return few;
  }
}
