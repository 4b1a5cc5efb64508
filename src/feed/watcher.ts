import { APIError, TrackingError } from '../errors.ts';
import { unknownName } from '../internal/near-name.ts';
import { Scope, sleep } from '../internal/signal.ts';
import { isIdentifier, isRecord, type ResourceIdentifier } from '../jsonapi/document.ts';
import { obeysSort, PROBE_SIZE } from '../pagination/obeys-sort.ts';
import type { Page } from '../pagination/pages.ts';
import { isForeign, isTemporary } from '../tracking/read-errors.ts';
import type { Observer } from '../transport/observer.ts';
import { Absences } from './absences.ts';
import { type FeedCheckpoint, merged, type StoredFront } from './checkpoint.ts';
import { Due, type DueEntry } from './due.ts';
import { FrontPass } from './front-pass.ts';
import type { FeedGroup, WatchedRecord } from './groups.ts';
import { type Difference, Known } from './known.ts';
import { type CheckedOptions, checked } from './options.ts';
import { PAGE_SIZE, Pass } from './pass.ts';
import { type Answer, Reader } from './reader.ts';
import { type Shared, SpareBudget, type SpareBudgetOptions } from './spare-budget.ts';

/** The records that a feed watches, and the means to read them. */
export interface WatcherSource extends Pick<SpareBudgetOptions, 'pace' | 'snapshot'> {
  /** The type of the records. */
  type: string;
  group: FeedGroup;
  shared: Shared;
  observer: Pick<Observer, 'logOnce'>;
  /**
   * Reads a notification from the API. Used if the delivery does not name a record: the API sends more content than the
   * delivery.
   */
  readNotification(id: string, signal: AbortSignal | undefined): PromiseLike<object>;
}

type Unread = { kind: 'unread'; ids: string[] | null; error: TrackingError | null };

/** An item of a feed, in a form without types. */
export type Item = (Difference | Unread) & { at: string; checkpoint: FeedCheckpoint };

type Items<T = void> = AsyncGenerator<Item, T, undefined>;
type Times = Pick<Answer<unknown>, 'askedAt' | 'at'>;

/**
 * Upper bound for the number of records that are missing in the list, and so are read separately after each reading.
 * For a long list, the bound is 1 % of the list.
 */
const MISSING_READS = 20;
/**
 * Number of windows of the rate limit after which a second check counts, even if the service has sent no other content.
 */
const PATIENCE_WINDOWS = 5;
/** Time in ms between two checks whether the service sorts the list. */
const PROBE_MS = 6 * 3_600_000;

/**
 * Reads the records, one request after the other, and reports their differences from the states that the consumer has
 * received. The next response is read only after the consumer has taken all items of the previous response. So a slow
 * consumer makes readings less frequent, and a response is never compared with a newer response.
 */
export class Watcher {
  readonly #source: WatcherSource;
  readonly #options: CheckedOptions;
  readonly #known: Known;
  readonly #reader: Reader;
  readonly #due = new Due();
  readonly #absences: Absences;
  readonly #patienceMs: number;
  /** Ids that the service does not have, and that were already reported. */
  readonly #neverFound = new Set<string>();
  #pass: Pass | null;
  /** Number of records in the last reading of the list. */
  #total: number | null = null;
  /** The marks of the last reading of the changes. The next reading of the changes ends when it reaches them. */
  #front: StoredFront | null;
  /** Time of the next full reading, by `performance.now()`. */
  #wholeBy: number;
  #obeys = { is: false, until: 0 };
  #lastPassAt = 0;
  #nextPassAt = 0;

  /** @throws {ConfigurationError} for invalid options. */
  constructor(source: WatcherSource, given: object) {
    const options = checked(given);
    const { fields, include, share, ids } = options;
    const of = [source.type, `fields: ${fields ?? 'all'}`, `include: ${include ?? 'none'}`].join('; ');
    const position = merged(options.from, of);
    this.#source = source;
    this.#options = options;
    this.#known = new Known(position, fields);
    for (const id of this.#known.ids()) if (ids?.has(id) === false) this.#known.forget(id);
    const { group, pace, shared } = source;
    shared.budget ??= new SpareBudget(source);
    this.#reader = new Reader({ group, include, budget: shared.budget, share, windowMs: pace.windowMs });
    this.#patienceMs = PATIENCE_WINDOWS * pace.windowMs;
    this.#absences = new Absences(this.#patienceMs);
    // With `ids`, an interrupted reading begins again: the ids of its earlier pages are not stored, and reading these
    // records separately would take more requests than the pages.
    const { pass } = position;
    this.#front = position.front ?? null;
    this.#total = this.#front?.total ?? null;
    const age = Date.now() - Date.parse(this.#front?.readAt ?? '');
    this.#wholeBy = age >= 0 ? performance.now() + options.reconcile - age : 0;
    this.#pass = ids ? null : pass && new Pass(pass, null, this.#known.readSince(pass.startedAt));
  }

  get checkpoint(): FeedCheckpoint {
    return this.#known.checkpoint(this.#pass?.stored() ?? null, this.#front);
  }

  get options(): Pick<CheckedOptions, 'inbox' | 'signal'> {
    return this.#options;
  }

  /** Resolves when the records of a notification were read and their changes were taken. */
  async handle(notification: { id: string }, signal: AbortSignal | undefined): Promise<void> {
    if ('document' in notification) return;
    let subjects = subjectsOf(notification);
    if (subjects.length === 0) subjects = subjectsOf(await this.#source.readNotification(notification.id, signal));
    const ids = new Set(subjects.flatMap(({ type, id }) => this.#watchedBy(type, id)));
    await Promise.all([...ids].map(id => this.#due.add(id, signal)));
  }

  protected async *watch(signal: AbortSignal): Items {
    try {
      for (;;) {
        // Other tasks must run between two requests: a custom `fetch` may respond without a pause.
        await sleep(1, signal);
        const waiting = this.#due.waiting();
        const first = this.#toReadSeparately(waiting);
        if (first !== undefined) yield* this.#readDue(first, waiting, signal);
        else if (this.#pass) yield* this.#continue(this.#pass, waiting, signal);
        else if (this.#absences.isUndecided && waiting.length === 0) yield* this.#tellFew();
        else if (waiting.length > 0 || performance.now() >= this.#nextPassAt) await this.#begin(signal);
        else await this.#rest(signal);
      }
    } finally {
      this.end();
    }
  }

  /** Rejects all notifications from now on. */
  protected end(): void {
    this.#due.end(new TrackingError('The feed has ended: it reads no more records.', { code: 'feed_ended' }));
  }

  /** The watched records that change together with a record. */
  #watchedBy(type: string, id: string): string[] {
    const { ids, include } = this.#options;
    if (type === this.#source.type) return ids?.has(id) === false ? [] : [id];
    return include ? this.#known.mentioning(id) : [];
  }

  /** The record to read for a notification, unless reading the list takes fewer requests. */
  #toReadSeparately(waiting: readonly DueEntry[]): string | undefined {
    // The list was read after these notifications had arrived, and does not contain their records.
    const missed = this.#pass ? undefined : waiting.find(({ arrivedAt }) => arrivedAt < this.#lastPassAt);
    if (missed) return missed.id;
    const ids = new Set(waiting.map(({ id }) => id));
    // If this pass has read its last page, the list is read again from the start, so all pages of the list are counted.
    const pass = this.#pass && !this.#pass.atEnd ? this.#pass : new Pass(null, this.#total);
    return ids.size <= Math.max(1, pass.pagesLeft()) ? waiting[0]?.id : undefined;
  }

  async *#readDue(id: string, waiting: readonly DueEntry[], signal: AbortSignal): Items {
    const error = yield* this.#readOne(id, signal);
    const answered = waiting.filter(entry => entry.id === id);
    if (error) this.#due.fail(answered, error);
    else this.#due.settle(answered);
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const readsFront = await this.#canReadFront(signal);
    // If there is no front yet, read a front before the full reading. The next front then shows the changes during the
    // full reading.
    const isFront = readsFront && (this.#front === null || performance.now() < this.#wholeBy);
    this.#pass = isFront ? new FrontPass(this.#front) : new Pass(null, this.#total);
    this.#lastPassAt = this.#pass.began;
  }

  /**
   * True if a reading of the changes takes fewer requests than a full reading, and the service sorts by the last
   * change.
   */
  async #canReadFront(signal: AbortSignal): Promise<boolean> {
    const { ids, include, every, reconcile } = this.#options;
    if (this.#source.type !== 'container' || ids || include || !this.#known.complete) return false;
    if ((this.#total ?? 0) <= PAGE_SIZE || reconcile <= every) return false;
    const now = performance.now();
    // The check is made only if a reading is due anyway, so that the check does not delay a waiting notification.
    if (now >= this.#obeys.until && now >= this.#nextPassAt) {
      const is = await obeysSort(query => this.#reader.first(PROBE_SIZE, query, signal));
      this.#obeys = { is, until: now + PROBE_MS };
    }
    return this.#obeys.is;
  }

  /** Reads the next page, or the next separate record, or ends the pass. */
  async *#continue(pass: Pass, waiting: readonly DueEntry[], signal: AbortSignal): Items {
    const { ids, every } = this.#options;
    const missing = ids ? [...ids].filter(id => !pass.has(id)) : pass.atEnd ? this.#leftOut(pass) : undefined;
    if (missing && (pass.atEnd || missing.length <= pass.pagesLeft())) {
      const [id] = missing;
      if (id === undefined) {
        yield* this.#end(pass);
      } else {
        yield* this.#readOne(id, signal);
        pass.add(id);
      }
      return;
    }
    const answer = await this.#reader.page(pass, signal);
    if ('value' in answer) {
      if (answer.value) this.#absences.answered();
      if (answer.value) yield* this.#readPage(pass, answer.value, waiting, answer);
      else pass.end();
      return;
    }
    yield this.#unread(null, answer.error, answer);
    // During a deployment, a proxy sends the same response for each page, so this page is requested again after a wait.
    const { error } = answer;
    const isForAllPages = isTemporary(error) || (error instanceof APIError && isForeign(error));
    if (isForAllPages) await sleep(Math.min(every, this.#source.pace.windowMs), signal);
    else pass.skip();
  }

  async *#readPage(pass: Pass, page: Page<WatchedRecord>, waiting: readonly DueEntry[], times: Times): Items {
    const { ids, where } = this.#options;
    // With `where`, new records cannot be distinguished from records that `where` excludes.
    if (pass instanceof FrontPass && !where) pass.added += page.data.filter(({ id }) => !this.#known.get(id)).length;
    for (const record of page.data) {
      if (ids?.has(record.id) !== false) yield* this.#compare(record, times);
    }
    pass.accept(page);
    this.#total = pass.total;
    const read = new Set(page.data.map(({ id }) => id));
    this.#due.settle(waiting.filter(({ id }) => read.has(id)));
  }

  /**
   * Known records that the list did not contain, the record with the oldest reading first. The list is empty if the
   * allowed number of records was read separately. The other records then wait for the next pass.
   */
  #leftOut(pass: Pass): string[] {
    if (pass instanceof FrontPass) return [];
    const most = Math.max(MISSING_READS, (pass.total ?? 0) / 100) + this.#absences.size;
    return pass.askedSeparately >= most ? [] : this.#known.ids().filter(id => !pass.has(id));
  }

  async *#end(pass: Pass): Items {
    const now = new Date().toISOString();
    const { ids, every } = this.#options;
    if (!ids && pass.isWhole && pass.lacking() > 0) yield this.#unread(null, null, { askedAt: now, at: now });
    this.#known.complete ||= pass.isWhole || ids !== undefined;
    // If records need a second check, the next pass begins as soon as such a check counts. After an interruption, the
    // pages from before the interruption may have changed.
    const isLooking = this.#absences.size > 0;
    const wait = isLooking ? Math.min(every, this.#patienceMs) : every;
    this.#nextPassAt = pass.isResumed ? 0 : pass.began + wait;
    if (pass instanceof FrontPass) this.#endFront(pass);
    else if (this.#front && pass.isWhole) {
      this.#front = { ...this.#front, readAt: pass.startedAt };
      this.#wholeBy = pass.began + this.#options.reconcile;
    }
    this.#pass = null;
  }

  #endFront(pass: FrontPass): void {
    if (pass.isWhole) this.#front = pass.front;
    else this.#obeys = { is: false, until: performance.now() + PROBE_MS };
    if (pass.isWhole && this.#front?.readAt) return;
    // Only a full reading finds the remaining changes.
    this.#wholeBy = 0;
    this.#nextPassAt = 0;
  }

  /** Reads one record. Returns the error if the record could not be read. */
  async *#readOne(id: string, signal: AbortSignal): Items<TrackingError | undefined> {
    const answer = await this.#reader.record(id, signal);
    if ('error' in answer) {
      yield this.#unread([id], answer.error, answer);
      return answer.error;
    }
    if (answer.value) {
      this.#absences.answered();
      yield* this.#compare(answer.value, answer);
    } else if (this.#known.get(id)) {
      if (this.#absences.missed(id, answer)) yield* this.#drop(id, answer);
    } else if (this.#options.ids && !this.#neverFound.has(id)) {
      this.#neverFound.add(id);
      yield this.#unread([id], null, answer);
    }
    return undefined;
  }

  /** Reports the records that are gone, if they are few. */
  *#tellFew(): Generator<Item, void, undefined> {
    for (const [id, times] of this.#absences.few(this.#known.size)) yield* this.#drop(id, times);
  }

  *#drop(id: string, times: Times): Generator<Item, void, undefined> {
    for (const difference of this.#known.drop(id, 'not_found')) yield this.#item(difference, times);
  }

  *#compare(record: WatchedRecord, times: Times): Generator<Item, void, undefined> {
    const { where } = this.#options;
    this.#absences.found(record.id);
    if (this.#known.size === 0) this.#warnOfFields(record);
    const isWanted = !where || Boolean(where(record));
    for (const difference of this.#known.compare(record, times.askedAt, isWanted)) yield this.#item(difference, times);
  }

  /** The service sends every attribute of a record, including attributes that this version does not know. */
  #warnOfFields(record: WatchedRecord): void {
    const names = Object.keys(record);
    for (const field of this.#options.fields ?? []) {
      if (names.includes(field)) continue;
      const { message } = unknownName(`watch(): ${record.type}`, field, names, 'field ');
      this.#source.observer.logOnce('warn', message, message);
    }
  }

  #item(difference: Difference, { askedAt, at }: Times): Item {
    return { ...difference, at, checkpoint: this.#known.part([difference.id], askedAt) };
  }

  #unread(ids: string[] | null, error: TrackingError | null, { askedAt, at }: Times): Item {
    return { kind: 'unread', ids, error, at, checkpoint: this.#known.part([], askedAt) };
  }

  /** Waits for the next reading, or for a notification. */
  async #rest(signal: AbortSignal): Promise<void> {
    const scope = new Scope().follow(signal);
    try {
      await Promise.race([sleep(this.#nextPassAt - performance.now(), scope.signal), this.#due.arrival()]);
    } finally {
      scope.abort();
      scope.dispose();
    }
  }
}

/** The types of records that can be watched. */
const WATCHABLE: readonly string[] = ['container', 'shipment', 'tracking_request'];

/** The containers, shipments and tracking requests that a notification names. */
function subjectsOf(notification: object): ResourceIdentifier[] {
  const { reference_object, included } = notification as Record<string, unknown>;
  const subject = isRecord(reference_object) ? reference_object : {};
  const sent = Array.isArray(included) ? included : [];
  const named = [subject, ...Object.values(subject), ...Object.values(notification), ...sent];
  const found = new Map<string, ResourceIdentifier>();
  for (const record of named.filter(isIdentifier)) {
    if (WATCHABLE.includes(record.type)) found.set(`${record.type} ${record.id}`, record);
  }
  return [...found.values()];
}
