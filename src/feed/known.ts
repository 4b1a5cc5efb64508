import { ConfigurationError } from '../errors.ts';
import type { FeedCheckpoint, StoredFront, StoredPass, StoredRecord } from './checkpoint.ts';
import { differing, type Fields, stateOf, valueIn } from './compare.ts';
import type { WatchedRecord } from './groups.ts';

/** An item of the feed, except the time and the checkpoint, which all items have. */
export type Difference =
  | { kind: 'appeared'; id: string; record: WatchedRecord; initial: boolean }
  | {
      kind: 'changed';
      id: string;
      field: string;
      before: unknown;
      after: unknown;
      record: WatchedRecord;
      previous: Fields;
      since: string;
    }
  | { kind: 'gone'; id: string; reason: 'not_found' | 'filtered'; before: Fields; since: string };

/** The last reported states of the records. Only the watched fields are stored, as JSON text. */
export class Known {
  readonly #of: string;
  readonly #fields: readonly string[] | undefined;
  readonly #records = new Map<string, StoredRecord>();
  /** True if at least one reading of all records was complete. */
  complete: boolean;

  constructor({ of, complete, records }: FeedCheckpoint, fields: readonly string[] | undefined) {
    this.#of = of;
    this.#fields = fields;
    this.complete = complete;
    for (const record of records) this.#records.set(record.id, record);
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): StoredRecord | undefined {
    return this.#records.get(id);
  }

  /** The ids of all records. The record whose last reading is the oldest comes first. */
  ids(): string[] {
    return [...this.#records.keys()];
  }

  /**
   * Ids of the records that were read since a time. The time is from the clock of the process that wrote the
   * checkpoint.
   */
  readSince(time: string): string[] {
    return [...this.#records.values()].filter(({ askedAt }) => askedAt >= time).map(({ id }) => id);
  }

  /** Ids of the records whose state mentions another record. */
  mentioning(id: string): string[] {
    const quoted = JSON.stringify(id);
    return [...this.#records.values()].filter(({ state }) => state?.includes(quoted)).map(record => record.id);
  }

  /** Yields the differences of a record. A difference counts as received by the consumer as soon as it is yielded. */
  *compare(record: WatchedRecord, askedAt: string, isWanted: boolean): Generator<Difference, void, undefined> {
    const { id } = record;
    const state = stateOf(record, this.#fields);
    const stored = this.#records.get(id);
    if (!stored) {
      if (!isWanted) return;
      this.#records.set(id, { id, askedAt, state });
      yield { kind: 'appeared', id, record, initial: !this.complete };
      return;
    }
    const since = stored.askedAt;
    if (stored.state !== state) {
      const previous = fieldsOf(stored);
      const told: Fields = { ...previous };
      const now: Fields = JSON.parse(state);
      for (const field of differing(told, now, record)) {
        const [before, after] = [valueIn(told, field), valueIn(now, field)];
        told[field] = after;
        // Until the consumer has taken all changes, the state keeps its old time.
        this.#records.set(id, { id, askedAt: since, state: JSON.stringify(told) });
        yield { kind: 'changed', id, field, before, after, record, previous, since };
      }
    }
    if (!isWanted) return yield* this.drop(id, 'filtered');
    // The record moves to the end, so that the map stays sorted by the last reading even if a clock is wrong.
    this.#records.delete(id);
    this.#records.set(id, { id, askedAt, state });
  }

  /** Reports that a record is gone. */
  *drop(id: string, reason: 'not_found' | 'filtered'): Generator<Difference, void, undefined> {
    const stored = this.#records.get(id);
    if (!stored) return;
    this.#records.delete(id);
    yield { kind: 'gone', id, reason, before: fieldsOf(stored), since: stored.askedAt };
  }

  /** Forgets a record without a report. */
  forget(id: string): void {
    this.#records.delete(id);
  }

  checkpoint(pass: StoredPass | null, front: StoredFront | null): FeedCheckpoint {
    const records = [...this.#records.values()];
    return { of: this.#of, complete: this.complete, pass, ...(front && { front }), records };
  }

  /**
   * The part of the checkpoint that belongs to some records. If a feed continues from this part, an interrupted reading
   * begins again.
   */
  part(ids: readonly string[], askedAt: string): FeedCheckpoint {
    const records = ids.map(id => this.#records.get(id) ?? { id, askedAt, state: null });
    return { of: this.#of, complete: this.complete, pass: null, records };
  }
}

function fieldsOf({ id, state }: StoredRecord): Fields {
  try {
    return JSON.parse(state ?? '{}');
  } catch {
    throw new ConfigurationError(`from holds a state of ${id} that is not JSON. Pass a checkpoint unchanged.`);
  }
}
