import type { Answer } from './reader.ts';

type Times = Pick<Answer<unknown>, 'askedAt' | 'at'>;

/** So many known records that are not found at once, or this part of all, are looked for a second time. */
const MOST = 10;
const MOST_OF_ALL = 1 / 10;

/**
 * Known records that the service has not found. If they are many at once, the service may have lost its database, or a gateway
 * may respond like the service. Each of them is then reported only after a second look in a later reading.
 */
export class Absences {
  readonly #patienceMs: number;
  readonly #records = new Map<string, { times: Times; since: number; answers: number }>();
  /** Number of responses of the service that had content. */
  #answers = 0;
  /** True if a record was missing that `few` has not decided about. */
  isUndecided = false;

  /** @param patienceMs after this time a second look counts, even if the service has answered nothing else in between. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#records.size;
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  /** The service has given a record or a list: what it does not find after that is not there. */
  answered(): void {
    this.#answers += 1;
  }

  found(id: string): void {
    this.#records.delete(id);
  }

  /** True if this look was a second one that counts. */
  missed(id: string, times: Times): boolean {
    const now = performance.now();
    const { since, answers } = this.#records.get(id) ?? { since: now, answers: this.#answers };
    if (answers < this.#answers || now - since >= this.#patienceMs) return this.#records.delete(id);
    this.#records.set(id, { times, since, answers });
    this.isUndecided = true;
    return false;
  }

  /** Those that are few enough to be reported without a second look, with the times of their responses. */
  few(known: number): [id: string, times: Times][] {
    this.isUndecided = false;
    if (this.size > MOST || this.size > known * MOST_OF_ALL) return [];
    const few = Array.from(this.#records, ([id, { times }]): [string, Times] => [id, times]);
    this.#records.clear();
    return few;
  }
}
