import { backOff } from '../internal/back-off.ts';
import { isIdentifier, type WireDocument, type WireResource } from '../jsonapi/document.ts';
import { subjectOf } from '../recovery/missed.ts';
import { isErrorOfOneRecord } from '../recovery/read.ts';
import { isGone } from '../tracking/read-errors.ts';
import { linkNotification } from '../webhooks/notification/link.ts';
import type { Notification } from '../webhooks/notification/notification.ts';
import { type Context, commit } from './context.ts';
import type { ReadEvent } from './events.ts';
import { GAP } from './gap.ts';
import { subjectsOf } from './handler.ts';
import { includeQuery, RECORD_PATHS } from './lists.ts';
import { dueReads, keyOf, referencesOf, rowsOf } from './rows.ts';
import type { DueRead, SyncRef, SyncRow } from './store.ts';
import { isSyncedType, type SyncedType } from './tables/names.ts';

/**
 * Number of simultaneous reads. The request budget limits the speed. This number only has to be large enough to use the
 * whole budget if responses take seconds.
 */
const CONCURRENCY = 8;
const BATCH = 500;
/** Upper bound for the length of a queue that is searched for tables. */
const WHOLE_QUEUE = 100_000;
/** Time in ms after which the clock of the service shows the next second. A read after this time resolves a tie. */
const TIE_DELAY_MS = 1100;
const FAILURE_DELAY = { minDelay: 2000, maxDelay: 600_000 };

/** Related records that are also read if the store does not have them. */
const EXPECTED = [
  'shipment',
  'container',
  'port',
  'metro_area',
  'terminal',
  'rail_terminal',
  'vessel',
  'party',
] as const;

interface Delay {
  /** End of the delay, on the local clock. */
  until: number;
  failures: number;
}

/** A table that is due to be read as a whole. */
export type DueTable = DueRead & { type: 'table'; id: SyncedType };

function isTable(read: DueRead): read is DueTable {
  return read.type === 'table';
}

/** The records that the lists have shown. */
export interface ListedRecords {
  /** Time at which the reading of the lists began, on the clock of the service. */
  since: number;
  /** The types of these records; `webhook_notification` if the lists have shown all records. */
  types: ReadonlySet<DueRead['type']>;
}

/** Reads the records that are due: records that a notification did not contain, ties, and missing related records. */
export class DueReads {
  readonly #context: Context;
  readonly #delays = new Map<string, Delay>();
  #listed: ListedRecords = { since: 0, types: new Set() };
  #hasTables = false;
  #wake = () => {};

  constructor(context: Context) {
    this.#context = context;
  }

  /** True if the last `drain` has found a table that is due to be read as a whole. */
  get hasTables(): boolean {
    return this.#hasTables;
  }

  /**
   * Called when all lists were read. A stored record that became due before the reading of these lists does not have to
   * be read. If the lists did not contain the record, `runPass` makes it due again.
   */
  listed(records: ListedRecords): void {
    this.#listed = records;
  }

  /** The tables that are due to be read as a whole, if this process keeps them. */
  async tables(): Promise<DueTable[]> {
    const { store, types } = this.#context;
    const all = await store.due({ limit: WHOLE_QUEUE });
    return all.filter(isTable).filter(({ id }) => isSyncedType(id) && types.has(id));
  }

  /** Called when something may have become due. */
  wake(): void {
    this.#wake();
  }

  /** Resolves after `wake()`, when a delayed read is ready, or after `ms`. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const now = this.#context.reader.clock.local();
    let soonest = ms;
    for (const { until } of this.#delays.values()) soonest = Math.min(soonest, until - now);
    await new Promise<void>(resolve => {
      const timer = setTimeout(done, Math.max(1, soonest));
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }

  /**
   * Reads until the remaining due reads have to wait, or until `batches` batches are read. A record that fails is tried
   * only once. Therefore the call ends even if very many records fail. Tables are not read. Resolves to the number of
   * records that the service no longer has.
   */
  async drain(signal: AbortSignal, batches = Infinity): Promise<number> {
    let deleted = 0;
    const failed = new Set<string>();
    for (let batch = 0; batch < batches; batch += 1) {
      // The store may return all reads that wait for their next attempt. Therefore the limit is this number plus a
      // whole batch. The number stays small, because each of these reads has already used a request of the budget.
      const limit = BATCH + this.#delays.size;
      const all = await this.#context.store.due({ limit });
      if (all.length < limit) this.#forgetOthers(all);
      this.#hasTables = all.some(isTable);
      const unread = await this.#withoutListed(all.filter(read => !isTable(read)));
      const ready = unread.filter(read => this.#isReady(read) && !failed.has(keyOf(read)));
      if (ready.length === 0) return deleted;
      const due = this.#failingLast(ready).slice(0, BATCH);
      const rest = due.values();
      const workers = Array.from({ length: Math.min(CONCURRENCY, due.length) }, async () => {
        for (const read of rest) {
          signal.throwIfAborted();
          const outcome = await this.#settle(read, signal);
          if (outcome === 'deleted') deleted += 1;
          if (outcome === 'failed') failed.add(keyOf(read));
        }
      });
      // All workers end before the call rejects, so nothing is written after the lock was released.
      const ends = await Promise.allSettled(workers);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    }
    return deleted;
  }

  /** Like `drain`, but also performs the reads that have to wait, except for records that fail again and again. */
  async finish(signal: AbortSignal): Promise<number> {
    let deleted = await this.drain(signal);
    while ([...this.#delays.values()].some(({ failures }) => failures < 3)) {
      await this.wait(TIE_DELAY_MS, signal);
      signal.throwIfAborted();
      deleted += await this.drain(signal);
    }
    return deleted;
  }

  /**
   * True if the reads of a record of this type fail repeatedly, and no list after the time `since` has contained the
   * record. The time is on the clock of the service.
   */
  async hasUnread(type: SyncedType, since: number): Promise<boolean> {
    const { store } = this.#context;
    const prefix = keyOf({ type, id: '' });
    const failing: SyncRef[] = [];
    for (const [key, { failures }] of this.#delays) {
      if (failures > 0 && key.startsWith(prefix)) failing.push({ type, id: key.slice(prefix.length) });
    }
    if (failing.length === 0) return false;
    if ((await store.missing(failing)).length > 0) return true;
    return (await store.unseen(type, { before: since, limit: 1 })).length > 0;
  }

  /** Settles the reads of records that the lists have shown since the reads became due. A read with the time 0 became due at an unknown time. */
  async #withoutListed(reads: readonly DueRead[]): Promise<DueRead[]> {
    const { since, types } = this.#listed;
    const early = reads.filter(read => read.since > 0 && read.since < since && types.has(read.type));
    if (early.length === 0) return [...reads];
    const { store } = this.#context;
    const isRecord = ({ type }: DueRead) => type !== 'webhook_notification';
    const unknown = new Set((await store.missing(early.filter(isRecord) as SyncRef[])).map(keyOf));
    const settled = early.filter(read => !unknown.has(keyOf(read)));
    await commit(this.#context, { rows: [], settled });
    for (const read of settled) this.#delays.delete(keyOf(read));
    return reads.filter(read => !settled.includes(read));
  }

  #forgetOthers(due: readonly DueRead[]): void {
    const keys = new Set(due.map(keyOf));
    for (const key of this.#delays.keys()) if (!keys.has(key)) this.#delays.delete(key);
  }

  #isReady(read: DueRead): boolean {
    const delay = this.#delays.get(keyOf(read));
    return delay === undefined || delay.until <= this.#context.reader.clock.local();
  }

  /** Puts records that fail at the end, so that new reads do not wait for the retries of these records. */
  #failingLast(reads: readonly DueRead[]): DueRead[] {
    const isFailing = (read: DueRead) => (this.#delays.get(keyOf(read))?.failures ?? 0) > 0;
    return [...reads.filter(read => !isFailing(read)), ...reads.filter(isFailing)];
  }

  #delay(read: DueRead, ms: number, failures: number): void {
    this.#delays.set(keyOf(read), { until: this.#context.reader.clock.local() + ms, failures });
  }

  async #settle(read: DueRead, signal: AbortSignal): Promise<ReadEvent['outcome'] | 'failed'> {
    const { emit, reader } = this.#context;
    const record = { type: read.type, id: read.id };
    let outcome: ReadEvent['outcome'];
    try {
      outcome = await this.#read(read, signal);
    } catch (error) {
      if (!isErrorOfOneRecord(error)) throw error;
      emit({ type: 'skipped', record, error });
      await this.#postpone(read);
      return 'failed';
    }
    if (outcome === 'tie') this.#delay(read, TIE_DELAY_MS, 0);
    else this.#delays.delete(keyOf(read));
    emit({ type: 'read', record, outcome, lagMs: Math.max(0, reader.clock.now() - read.since) });
    return outcome;
  }

  async #read(read: DueRead, signal: AbortSignal): Promise<ReadEvent['outcome']> {
    const { reader, store, types } = this.#context;
    const { type, id, since } = read;
    if (type === 'webhook_notification') return this.#readNotification(read, signal);
    // A transport event is never due, because it has no address. Tables are read by `readDueTables`.
    if (type === 'transport_event' || type === 'table') return this.#replace(read, []);
    const began = reader.clock.local();
    const path = `${RECORD_PATHS[type]}/${encodeURIComponent(id)}`;
    try {
      const { document, asOf } = await reader.read(path, includeQuery(type, types), signal);
      // The read became due before it began. Therefore the response contains all that the service knew at the time
      // `since`.
      const at = this.#atLeast(since, asOf);
      const rows = rowsOf(document, at, this.#context);
      const expected = EXPECTED.filter(expectedType => types.has(expectedType));
      const missing = await store.missing(referencesOf(rows, expected));
      const result = await commit(this.#context, { rows, settled: [read], due: dueReads(missing, at) });
      if (result.ties.length > 0) return 'tie';
      return result.written > 0 ? 'written' : 'unchanged';
    } catch (error) {
      if (!isGone(error)) throw error;
      // A sample notification names records that do not exist. No row is stored for them.
      const isUnknown = (await store.missing([{ type, id }])).length > 0;
      const gone: SyncRow = { type, id, asOf: this.#atLeast(since, reader.clock.at(began)), record: null };
      const result = await commit(this.#context, { rows: isUnknown ? [] : [gone], settled: [read] });
      return result.ties.length > 0 ? 'tie' : 'deleted';
    }
  }

  #atLeast(since: number, asOf: number): number {
    return this.#context.reader.clock.isAhead(since) ? asOf : Math.max(since, asOf);
  }

  /**
   * Finds the records that a notification is about. If the notification does not name a record, any record may have
   * changed, and all lists have to be read.
   */
  async #readNotification(read: DueRead, signal: AbortSignal): Promise<ReadEvent['outcome']> {
    const notification = await this.#notification(read.id, signal);
    if (notification && subjectOf(notification)) {
      return this.#replace(read, subjectsOf(notification, this.#context.types));
    }
    await commit(this.#context, { rows: [], settled: [read], checkpoint: { name: GAP, value: true } });
    return 'unchanged';
  }

  /** `undefined` if the service no longer has the notification, or if the notification does not name a record. */
  async #notification(id: string, signal: AbortSignal): Promise<Notification | undefined> {
    try {
      const path = `/webhook_notifications/${encodeURIComponent(id)}`;
      const { document } = await this.#context.reader.read(path, {}, signal);
      if (!isIdentifier(document.data)) return undefined;
      return linkNotification(document as WireDocument<WireResource>);
    } catch (error) {
      if (!isGone(error)) throw error;
      return undefined;
    }
  }

  async #replace(read: DueRead, by: readonly SyncRef[]): Promise<ReadEvent['outcome']> {
    await commit(this.#context, { rows: [], settled: [read], due: dueReads(by, read.since) });
    return 'unchanged';
  }

  /** Puts the read at the end of the queue, so that a record that fails does not delay the other records. */
  async #postpone(read: DueRead): Promise<void> {
    const failures = (this.#delays.get(keyOf(read))?.failures ?? 0) + 1;
    this.#delay(
      read,
      backOff(failures, FAILURE_DELAY, () => 0.5 + Math.random() / 2),
      failures,
    );
    await commit(this.#context, { rows: [], settled: [read], due: [{ ...read, token: crypto.randomUUID() }] });
  }
}
