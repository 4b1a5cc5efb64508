import { ConfigurationError } from '../errors.ts';
import {
  objectArgument,
  optionalFunction,
  refuseUnknownNames,
  wholeNumber,
  wholeNumberOrInfinity,
} from '../internal/arguments.ts';
import { Scope } from '../internal/signal.ts';
import type { DocumentLinks, DocumentMeta, WireDocument } from '../jsonapi/document.ts';
import { joinQueries, queryString } from '../jsonapi/query.ts';
import type { RequestOptions } from '../options.ts';
import type { Priority } from '../rate-limit/limiter.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Exchange } from '../transport/call.ts';
import { type InvalidCall, type ResolvedEndpoint, requestOptions } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { ListGuard, nextAddress, type Position } from './guard.ts';
import type { ListOptions } from './options.ts';

/** Starts to read a list at the position of its options. The first request rejects if the options are not valid. */
export function open<T extends { id: string }>(source: ListSource, options: ListOptions): Cursor<T> {
  return new Cursor(source, options, () => startOf(source, options));
}

const LARGEST_PAGE = 100;

function startOf(source: ListSource, options: ListOptions): Position {
  const { from, pageNumber = 1, pageSize, concurrency } = options;
  for (const [name, value] of Object.entries({ pageNumber, pageSize, concurrency })) {
    if (value !== undefined) wholeNumber(name, value);
  }
  if (pageSize !== undefined && pageSize > LARGEST_PAGE) {
    throw new ConfigurationError(`pageSize is ${pageSize}; it must be at most ${LARGEST_PAGE}.`);
  }
  optionalFunction('onIncomplete', options.onIncomplete);
  if (from !== undefined) return positionAfter(readCheckpoint(from, nameOf(source)));
  return {
    number: pageNumber,
    pageSize: pageSize ?? null,
    page: pageNumber - 1,
    ids: [],
    size: null,
    total: undefined,
  };
}

/** The response to one request for a page. */
interface PageResponse<T> {
  records: T[];
  document: WireDocument;
  exchange: Exchange;
}

/** A list of the service. If it cannot be read, its first request rejects with the reason. */
export interface ListSource {
  readonly transport: Transport;
  readonly endpoint: ResolvedEndpoint | InvalidCall;
}

/** The path and filters of a list. The checkpoints of the list contain them. */
function nameOf({ endpoint }: ListSource): string {
  return endpoint.path + (endpoint as ResolvedEndpoint).filters;
}

export type CursorOptions = Pick<ListOptions, 'concurrency' | 'onIncomplete' | keyof RequestOptions>;

export function positionAfter({ page, pageSize, size, total, ids, read, growth, moving }: Checkpoint): Position {
  return { number: page + 1, pageSize, page, ids, size, total, read, growth, moving };
}

/** Reads the pages of a list one after the other, and yields each record once. */
export class Cursor<T extends { id: string }> {
  readonly #source: ListSource;
  readonly #options: CursorOptions;
  readonly #start: () => Position;
  /** Ids of records that the consumer already has. */
  readonly #given: ReadonlySet<string>;
  readonly #ahead = new Map<number, Promise<PageResponse<T>>>();
  #reading = new AbortController();
  #started: ListGuard | undefined;
  /** The last page of the first reading. */
  #end: Checkpoint | undefined;

  /** @param start called with the first request, which rejects with the error that `start` throws. */
  constructor(source: ListSource, options: CursorOptions, start: () => Position, given: readonly string[] = []) {
    this.#given = new Set(given);
    this.#source = source;
    this.#options = options;
    this.#start = start;
  }

  /** The first page, as a separate call. No pages are requested ahead, because the caller may not read them. */
  first(priority?: Priority): APIPromise<Page<T>> {
    const options = { ...this.#options, priority: this.#options.priority ?? priority };
    return this.#request(
      () => this.#guard.number,
      options,
      async response => {
        const page = await this.#settle(response, true);
        if (page.data.length === 0) this.#finish();
        return page;
      },
    );
  }

  /** The next page with a new record, or `undefined` after the last page. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#started?.atEnd) return this.#finish();
    const page = await this.#settle(await this.#read(this.#options.concurrency));
    return page.data.length > 0 ? page : this.#finish();
  }

  /** @throws {ResponseFormatError} if records are missing and there is no `onIncomplete`. */
  #finish(): undefined {
    const { missing, total } = this.#guard;
    if (missing === 0) return;
    if (!this.#options.onIncomplete) throw this.#guard.incomplete();
    this.#options.onIncomplete({ missing, total: total ?? 0 });
  }

  /** The guard, which decides about the next request. */
  get #guard(): ListGuard {
    this.#started ??= new ListGuard(this.#start(), nameOf(this.#source));
    return this.#started;
  }

  /** Aborts the requests for later pages. */
  stop(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#ahead.clear();
  }

  /** @param alone true for a single page: no page is requested ahead, and the list is not read again. */
  async #settle(answer: PageResponse<T>, alone = false): Promise<Page<T>> {
    for (let latest = answer; ; latest = await this.#read(alone ? 1 : this.#options.concurrency)) {
      const page = this.#accept(latest, alone);
      if (!page) this.stop();
      else if (page.data.length > 0 || this.#guard.atEnd || (alone && this.#readsAgain)) return page;
    }
  }

  /** Takes a response. Returns `undefined` if earlier pages must be read again. */
  #accept({ records, document, exchange }: PageResponse<T>, alone: boolean): Page<T> | undefined {
    const guard = this.#guard;
    const { readings } = guard;
    const ids = records.map(record => record.id);
    const at = Date.parse(exchange.response.headers.get('date') ?? '');
    const fresh = guard.take(document, ids, at, this.#named(document, exchange));
    if (!fresh) return undefined;
    const data = records.filter(({ id }) => fresh.delete(id) && !this.#given.has(id));
    // If records are missing and this page has records, this page is not the last: the next reader reports the missing
    // records.
    const isLast = this.#readsAgain || (guard.atEnd && (guard.missing === 0 || data.length === 0));
    const checkpoint = readings > 0 && this.#end ? this.#end : this.#checkpoint(readings);
    if (this.#readsAgain) this.#end = checkpoint;
    // If a new reading begins, the pages that were requested ahead are too old for it.
    if (guard.readings !== readings) this.stop();
    const earlier = alone ? [...guard.came.ids] : [];
    const again = () =>
      new Cursor<T>(
        this.#source,
        this.#options,
        this.#start,
        data.map(({ id }) => id),
      );
    return new Page({
      data,
      meta: document.meta ?? {},
      links: document.links ?? {},
      checkpoint,
      signal: this.#options.signal,
      rest: isLast
        ? undefined
        : () => new Cursor<T>(this.#source, this.#options, () => ({ ...positionAfter(checkpoint), earlier })),
      again: alone && this.#readsAgain ? again : undefined,
    });
  }

  /** True if pages are read again, beginning with the first. Positions are then positions of the first reading. */
  get #readsAgain(): boolean {
    return this.#guard.readings > 0 && !this.#guard.isMoving;
  }

  /** @param readings number of complete readings before the reading that received this page. */
  #checkpoint(readings: number): Checkpoint {
    const { pageSize, size, total, page, ids, read, moving, isDoubted, growth } = this.#guard;
    // A total that is too low for this position is left out.
    const isPossible = ids.length === 0 || (page - 1) * size < (total ?? 0);
    return {
      list: nameOf(this.#source),
      pageSize,
      size,
      total: isPossible && !isDoubted ? total : null,
      page,
      ids: [...ids],
      ...(read && { read }),
      ...(growth && { growth }),
      ...(moving && { moving: { ...moving, readings } }),
    };
  }

  /** The page number in the address of the next page. */
  #named({ links }: WireDocument, exchange: Exchange): number | undefined {
    const address = links && nextAddress(links);
    const next = address === undefined ? undefined : readPageAddress(this.#source.transport.baseUrl, address);
    if (next?.elsewhere) {
      const warning = foreignLinks(exchange.redactor.text(next.elsewhere));
      this.#source.transport.observer.logOnce('warn', 'foreign links', warning);
    }
    return next?.number;
  }

  /** Reads the page at the position, if it was not requested ahead. Requests more pages ahead if they exist. */
  #read(concurrency = 1): Promise<PageResponse<T>> {
    const { number, last } = this.#guard;
    const until = Math.min(last, number + concurrency - 1);
    const page = this.#ahead.get(number) ?? this.#send(number);
    this.#ahead.delete(number);
    for (let ahead = number + 1; ahead <= until; ahead += 1) {
      if (!this.#ahead.has(ahead)) this.#ahead.set(ahead, this.#send(ahead));
    }
    return page;
  }

  #send(number: number): Promise<PageResponse<T>> {
    const scope = new Scope().follow(this.#options.signal).follow(this.#reading.signal);
    const options = { ...this.#options, signal: scope.signal, priority: this.#options.priority ?? ('bulk' as const) };
    const page = this.#request(
      () => number,
      options,
      response => response,
    ).finally(() => scope.dispose());
    // Sometimes, a page is requested ahead and is not needed. In this case, its error is ignored.
    page.catch(() => {});
    return page;
  }

  #request<R>(
    number: () => number,
    options: RequestOptions,
    decode: (response: PageResponse<T>) => R | Promise<R>,
  ): APIPromise<R> {
    return this.#source.transport.call(this.#page(number, options), async (exchange, decoder) => {
      const { records, document } = await decoder.many(exchange);
      return decode({ records: records as unknown as T[], document, exchange });
    });
  }

  /** The call for one page. */
  #page(number: () => number, options: RequestOptions): ResolvedEndpoint | InvalidCall {
    const { endpoint } = this.#source;
    if ('error' in endpoint) return endpoint;
    try {
      const page = queryString({ 'page[number]': number(), 'page[size]': this.#guard.pageSize });
      return { ...endpoint, query: joinQueries(endpoint.query, page), options: requestOptions(options) };
    } catch (error) {
      return { ...endpoint, error };
    }
  }
}

function foreignLinks(address: string): string {
  return `Lists link to ${address}, which is not below the base URL. The next pages are requested from the base URL. The cause may be a gateway that does not rewrite links.`;
}

/** Reads the remaining pages. */
export interface PageReader<T extends { id: string }> {
  /** Requests only the next page. */
  first(): PromiseLike<Page<T>>;
  /** The next page of an iteration, which may request pages ahead. `undefined` after the last page. */
  next(): Promise<Page<T> | undefined>;
  /** Aborts the requests for later pages. */
  stop(): void;
}

interface PageContent<T extends { id: string }> {
  data: T[];
  meta: DocumentMeta;
  links: DocumentLinks;
  checkpoint: Checkpoint;
  /** The signal of the call. It ends the iteration. */
  signal: AbortSignal | undefined;
  /** Creates a reader of the remaining pages; `undefined` on the last page. */
  rest: (() => PageReader<T>) | undefined;
  /**
   * Creates a reader that proves that no record before the last page was missed; `undefined` if that is already
   * certain.
   */
  again: (() => PageReader<T>) | undefined;
}

/** One page of a list. Iterate over it to get its records and the records of all pages after it. */
export class Page<T extends { id: string }> implements AsyncIterable<T> {
  /** The records of this page that no earlier page had. */
  readonly data: T[];
  /** Counters of the list. Some lists do not have all of them. */
  readonly meta: DocumentMeta;
  /** Page addresses. Not every list has all of them. */
  readonly links: DocumentLinks;
  /**
   * A JSON value. `list({ …, from: page.checkpoint })` continues after this page. Delete a stored checkpoint when the iteration
   * has ended: after the last page nothing is left to read.
   */
  readonly checkpoint: Checkpoint;
  readonly #signal: AbortSignal | undefined;
  readonly #rest: (() => PageReader<T>) | undefined;
  readonly #again: (() => PageReader<T>) | undefined;

  constructor({ data, meta, links, checkpoint, signal, rest, again }: PageContent<T>) {
    this.data = data;
    this.meta = meta;
    this.links = links;
    this.checkpoint = checkpoint;
    this.#signal = signal;
    this.#rest = rest;
    this.#again = again;
  }

  /** True if there is a page after this page. */
  hasNextPage(): boolean {
    return this.#rest !== undefined;
  }

  /** The next page, or `undefined` after the last page. */
  async nextPage(): Promise<Page<T> | undefined> {
    const page = await this.#rest?.().first();
    return page && page.data.length > 0 ? page : undefined;
  }

  /** This page and all pages after it, each without the records of earlier pages. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    this.#signal?.throwIfAborted();
    yield this;
    const cursor = (this.#rest ?? this.#again)?.();
    try {
      for (let page = await cursor?.next(); page; page = await cursor?.next()) {
        this.#signal?.throwIfAborted();
        yield page;
      }
    } finally {
      cursor?.stop();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* recordsOf(this.pages(), this.#signal);
  }
}

/** The records of some pages. Yields nothing after an abort. */
export async function* recordsOf<T extends { id: string }>(
  pages: AsyncIterable<Page<T>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  for await (const { data } of pages) {
    for (const record of data) {
      signal?.throwIfAborted();
      yield record;
    }
  }
}

/** All records of a list, or the first `limit` of them. */
export async function collect<T>(list: AsyncIterable<T>, options: { limit?: number | undefined }): Promise<T[]> {
  refuseUnknownNames('toArray()', objectArgument('The argument of toArray()', options ?? {}, '{ limit: 100 }'), [
    'limit',
  ]);
  const limit = wholeNumberOrInfinity(0, 'limit', options?.limit ?? Infinity);
  const records: T[] = [];
  if (limit === 0) return records;
  for await (const record of list) {
    records.push(record);
    if (records.length >= limit) break;
  }
  return records;
}

/**
 * The parts of a page address of the service. This address is never requested: pages are requested from the base URL.
 */
export interface PageAddress {
  /** The number of the page; `undefined` if the address does not contain it. */
  number: number | undefined;
  /** The address without its query; `undefined` if it is below the base URL. */
  elsewhere: string | undefined;
}

/** The parts of a page address; `undefined` if the text is not an address. */
export function readPageAddress(baseUrl: string, address: string): PageAddress | undefined {
  if (!URL.canParse(address, `${baseUrl}/`)) return undefined;
  const { origin, pathname, searchParams } = new URL(address, `${baseUrl}/`);
  const base = new URL(baseUrl);
  const below = pathname === base.pathname || pathname.startsWith(`${base.pathname}/`);
  const number = Number(searchParams.get('page[number]') ?? undefined);
  return {
    number: Number.isSafeInteger(number) ? number : undefined,
    elsewhere: origin === base.origin && below ? undefined : origin + pathname,
  };
}
