import { Scope } from '../internal/signal.ts';
import { isRecord, type WireDocument } from '../jsonapi/document.ts';
import type { RequestOptions } from '../options.ts';
import type { Priority } from '../rate-limit/limiter.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Exchange } from '../transport/call.ts';
import type { Checkpoint } from './checkpoint.ts';
import { Page } from './page.ts';
import { readPageAddress } from './page-address.ts';

/** The answer to one request for a page. */
export interface PageAnswer<T> {
  records: T[];
  document: WireDocument;
  exchange: Exchange;
}

export interface PageRequest {
  number: number;
  size: number | null;
}

/** How a list asks for one of its pages. */
export interface ListSource<T> {
  readonly baseUrl: string;
  /** The path and filters of the list, which its checkpoints contain. */
  readonly list: string;
  /** Logs one message for each topic. */
  warnOnce(topic: string, message: string): void;
  request<R>(
    page: () => PageRequest,
    options: RequestOptions,
    decode: (answer: PageAnswer<T>) => R | Promise<R>,
  ): APIPromise<R>;
}

/** The position of an iteration: before page `number`. */
export interface Position {
  number: number;
  pageSize: number | null;
  /** Records on a full page, and in the whole list, when the previous page was read; `null` if not known. */
  size: number | null;
  total: number | null;
  /** Ids of the records of the previous page. */
  ids: readonly string[];
}

export interface CursorOptions extends RequestOptions {
  concurrency?: number | undefined;
}

export function positionAfter({ page, pageSize, size, total, ids }: Checkpoint): Position {
  return { number: page + 1, pageSize, size, total, ids };
}

/** If the same page comes more often than this in a row, the list has ended, whatever `total` says. */
const MAX_REPEATS = 20;

/**
 * Reads the pages of a list one after the other and gives each record once.
 *
 * Pages are numbered, and records may be added and removed while they are read. A new record moves others to a later page,
 * where they come a second time and are dropped. When a record is removed, others move to an earlier page that was read
 * already. So when `total` falls, the cursor goes back by as many pages as records can have moved.
 */
export class Cursor<T extends { id: string }> {
  readonly #source: ListSource<T>;
  readonly #options: CursorOptions;
  readonly #start: () => Position;
  readonly #seen = new Set<string>();
  readonly #ahead = new Map<number, Promise<PageAnswer<T>>>();
  #reading = new AbortController();
  #started: Position | undefined;
  #atEnd = false;
  /** How often in a row the same page has come again. */
  #repeats = 0;

  /** @param start called with the first request, which rejects with the error that `start` throws. */
  constructor(source: ListSource<T>, options: CursorOptions, start: () => Position) {
    this.#source = source;
    this.#options = options;
    this.#start = start;
  }

  /** The first page, as a call of its own. It requests no pages ahead, which nobody would read. */
  first(priority?: Priority): APIPromise<Page<T>> {
    const options = { ...this.#options, priority: this.#options.priority ?? priority };
    return this.#source.request(
      () => this.#request(this.#position.number),
      options,
      answer => this.#settle(answer, 1),
    );
  }

  /** The next page with a new record, or `undefined` after the last page. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#atEnd) return undefined;
    const page = await this.#settle(await this.#read());
    return page.data.length > 0 ? page : undefined;
  }

  /** The position of the next request. It changes when a page is accepted. */
  get #position(): Position {
    if (!this.#started) {
      this.#started = { ...this.#start() };
      for (const id of this.#started.ids) this.#seen.add(id);
    }
    return this.#started;
  }

  /** Aborts the requests for pages ahead. */
  stop(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#ahead.clear();
  }

  async #settle(answer: PageAnswer<T>, concurrency?: number): Promise<Page<T>> {
    for (let latest = answer; ; latest = await this.#read(concurrency)) {
      if (this.#goBack(latest)) continue;
      const page = this.#accept(latest);
      if (page.data.length > 0 || this.#atEnd) return page;
    }
  }

  /** Moves the position back if records may have moved to pages that were read already. Returns whether it did. */
  #goBack({ document }: PageAnswer<T>): boolean {
    const position = this.#position;
    const total = totalOf(document);
    const lost = position.total === null || total === null ? 0 : position.total - total;
    position.total = total ?? position.total;
    if (lost <= 0 || position.number === 1) return false;
    position.number = Math.max(1, position.number - Math.ceil(lost / (position.size ?? lost)));
    this.stop();
    return true;
  }

  #accept(answer: PageAnswer<T>): Page<T> {
    const { records, document } = answer;
    const { number, pageSize, total, ids: before } = this.#position;
    const ids = records.map(record => record.id);
    const size = Math.max(records.length, this.#position.size ?? 0);
    const next = this.#nextNumber(answer, ids, size);
    const data = records.filter(record => !this.#seen.has(record.id));
    for (const id of ids) this.#seen.add(id);
    Object.assign(this.#position, { number: next ?? number, size, ids });
    this.#atEnd = next === undefined;
    // An empty page does not move the checkpoint. Otherwise records that are added to this page later would be skipped.
    const after = ids.length > 0 || number === 1 ? { page: number, ids } : { page: number - 1, ids: [...before] };
    const checkpoint = { list: this.#source.list, pageSize, size, total, ...after };
    return new Page({
      data,
      meta: document.meta ?? {},
      links: document.links ?? {},
      checkpoint,
      signal: this.#options.signal,
      rest: this.#atEnd ? undefined : () => new Cursor(this.#source, this.#options, () => positionAfter(checkpoint)),
    });
  }

  /** The number of the next page; `undefined` at the end. */
  #nextNumber({ document, exchange }: PageAnswer<T>, ids: readonly string[], size: number): number | undefined {
    const { number, total, ids: before } = this.#position;
    const { links } = document;
    const isMore = total !== null && number * size < total;
    const isRepeated = ids.length === before.length && ids.every((id, index) => id === before[index]);
    this.#repeats = isRepeated ? this.#repeats + 1 : 0;
    // An endpoint without pages may name a next page and send the same page again. A full page of new records has the same
    // effect, but not many times in a row.
    if (ids.length === 0 || this.#repeats > (isMore ? MAX_REPEATS : 1)) return undefined;
    if (!links) return isMore ? number + 1 : undefined;
    const address = isRecord(links.next) ? links.next.href : links.next;
    if (typeof address !== 'string') return undefined;
    const next = readPageAddress(this.#source.baseUrl, address);
    if (next?.elsewhere) this.#source.warnOnce('foreign links', foreignLinks(exchange.redactor.text(next.elsewhere)));
    return Math.max(next?.number ?? 0, number + 1);
  }

  /** Reads the page at the position, which may have been requested ahead. Requests more pages ahead if they exist. */
  #read(concurrency = this.#options.concurrency ?? 1): Promise<PageAnswer<T>> {
    const { number, total, size } = this.#position;
    const last = total !== null && size ? Math.ceil(total / size) : number;
    const until = Math.min(last, number + concurrency - 1);
    const page = this.#ahead.get(number) ?? this.#send(number);
    this.#ahead.delete(number);
    for (let ahead = number + 1; ahead <= until; ahead += 1) {
      if (!this.#ahead.has(ahead)) this.#ahead.set(ahead, this.#send(ahead));
    }
    return page;
  }

  #send(number: number): Promise<PageAnswer<T>> {
    const scope = new Scope().follow(this.#options.signal).follow(this.#reading.signal);
    const options = { ...this.#options, signal: scope.signal, priority: this.#options.priority ?? ('bulk' as const) };
    const page = this.#source
      .request(
        () => this.#request(number),
        options,
        answer => answer,
      )
      .finally(() => scope.dispose());
    // Nobody may need a page that was requested ahead. Its error is then ignored.
    page.catch(() => {});
    return page;
  }

  #request(number: number): PageRequest {
    return { number, size: this.#position.pageSize };
  }
}

function foreignLinks(address: string): string {
  return `Lists link to ${address}, which is not below the base URL. The next pages are requested from the base URL. The cause may be a gateway that does not rewrite links.`;
}

/** The number of records in the list; `null` if the service does not say. */
function totalOf({ meta }: WireDocument): number | null {
  const total: unknown = meta?.total;
  return Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : null;
}
