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
  /** The list, by its path and filters, which its checkpoints carry. */
  readonly list: string;
  /** Logs one message a topic. */
  warnOnce(topic: string, message: string): void;
  request<R>(
    page: () => PageRequest,
    options: RequestOptions,
    decode: (answer: PageAnswer<T>) => R | Promise<R>,
  ): APIPromise<R>;
}

/** Where an iteration stands: before page `number`. */
export interface Position {
  number: number;
  pageSize: number | null;
  /** Records in a full page, and in the whole list, when the page before was read; `null` while that is not known. */
  size: number | null;
  total: number | null;
  /** The records of the page before. */
  ids: readonly string[];
}

export interface CursorOptions extends RequestOptions {
  concurrency?: number | undefined;
}

export function positionAfter({ page, pageSize, size, total, ids }: Checkpoint): Position {
  return { number: page + 1, pageSize, size, total, ids };
}

/** The same page this often in a row is the end, whatever `total` says. */
const MAX_REPEATS = 20;

/**
 * Reads the pages of a list one after the other, each record once.
 *
 * A list is numbered pages over records that come and go. New ones push others to a later page, where they are seen a
 * second time and dropped. When records disappear, others move to an earlier page, behind the reader's back: as `total`
 * falls, the reader goes back as many pages as they can have moved.
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
  /** How often the same page has come again in a row. */
  #repeats = 0;

  /** @param start called with the first request, so that what it throws rejects that. */
  constructor(source: ListSource<T>, options: CursorOptions, start: () => Position) {
    this.#source = source;
    this.#options = options;
    this.#start = start;
  }

  /** The first page, as a call of its own. */
  first(priority?: Priority): APIPromise<Page<T>> {
    const options = { ...this.#options, priority: this.#options.priority ?? priority };
    return this.#source.request(
      () => this.#request(this.#position.number),
      options,
      answer => this.#settle(answer),
    );
  }

  /** The next page that holds a record not seen yet, or `undefined` after the last. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#atEnd) return undefined;
    const page = await this.#settle(await this.#read());
    return page.data.length > 0 ? page : undefined;
  }

  /** Where the next request stands; changed in place as pages are accepted. */
  get #position(): Position {
    if (!this.#started) {
      this.#started = { ...this.#start() };
      for (const id of this.#started.ids) this.#seen.add(id);
    }
    return this.#started;
  }

  /** Aborts what was requested ahead. */
  stop(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#ahead.clear();
  }

  async #settle(answer: PageAnswer<T>): Promise<Page<T>> {
    for (let latest = answer; ; latest = await this.#read()) {
      if (this.#goBack(latest)) continue;
      const page = this.#accept(latest);
      if (page.data.length > 0 || this.#atEnd) return page;
    }
  }

  /** True if records may have slipped to pages that were read already: the position is then before those. */
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
    // After an empty page a list goes on where it went on before it, or records that come there would be skipped.
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

  /** The number of the page after this one; `undefined` at the end. */
  #nextNumber({ document, exchange }: PageAnswer<T>, ids: readonly string[], size: number): number | undefined {
    const { number, total, ids: before } = this.#position;
    const { links } = document;
    const isMore = total !== null && number * size < total;
    const isRepeated = ids.length === before.length && ids.every((id, index) => id === before[index]);
    this.#repeats = isRepeated ? this.#repeats + 1 : 0;
    // An endpoint that does not page may still name a next page and answer the same again. As many new records as a page
    // holds look the same, but not for ever.
    if (ids.length === 0 || this.#repeats > (isMore ? MAX_REPEATS : 1)) return undefined;
    if (!links) return isMore ? number + 1 : undefined;
    const address = isRecord(links.next) ? links.next.href : links.next;
    if (typeof address !== 'string') return undefined;
    const next = readPageAddress(this.#source.baseUrl, address);
    if (next?.elsewhere) this.#source.warnOnce('foreign links', foreignLinks(exchange.redactor.text(next.elsewhere)));
    return Math.max(next?.number ?? 0, number + 1);
  }

  /** The page at the position, requested ahead perhaps, and more pages ahead of it if they are known to exist. */
  #read(): Promise<PageAnswer<T>> {
    const { number, total, size } = this.#position;
    const last = total !== null && size ? Math.ceil(total / size) : number;
    const until = Math.min(last, number + (this.#options.concurrency ?? 1) - 1);
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
    // A page that was requested ahead may never be asked for; its failure is then nobody's.
    page.catch(() => {});
    return page;
  }

  #request(number: number): PageRequest {
    return { number, size: this.#position.pageSize };
  }
}

function foreignLinks(address: string): string {
  return `Lists link to ${address}, which is not below the base URL; the next pages are asked for at the base URL. A gateway that does not rewrite links may be the cause.`;
}

/** How many records the list has, where the service tells that. */
function totalOf({ meta }: WireDocument): number | null {
  const total: unknown = meta?.total;
  return Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : null;
}
