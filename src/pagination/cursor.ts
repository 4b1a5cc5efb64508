import { Scope } from '../internal/signal.ts';
import type { WireDocument } from '../jsonapi/document.ts';
import type { RequestOptions } from '../options.ts';
import type { Priority } from '../rate-limit/limiter.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Exchange } from '../transport/call.ts';
import type { Checkpoint } from './checkpoint.ts';
import { ListGuard, nextAddress, type Position } from './guard.ts';
import type { ListOptions } from './options.ts';
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
  /** Adds the filters and the order to `list`. */
  prepare(): Promise<unknown>;
  /** Logs one message for each topic. */
  warnOnce(topic: string, message: string): void;
  request<R>(
    page: () => PageRequest,
    options: RequestOptions,
    decode: (answer: PageAnswer<T>) => R | Promise<R>,
  ): APIPromise<R>;
}

export type CursorOptions = Pick<ListOptions, 'concurrency' | 'onIncomplete' | keyof RequestOptions>;

export function positionAfter({ page, pageSize, size, total, ids, read, growth, moving }: Checkpoint): Position {
  return { number: page + 1, pageSize, page, ids, size, total, read, growth, moving };
}

/** Reads the pages of a list one after the other and gives each record once. */
export class Cursor<T extends { id: string }> {
  readonly #source: ListSource<T>;
  readonly #options: CursorOptions;
  readonly #start: () => Position;
  /** Ids of records that the consumer has. */
  readonly #given: ReadonlySet<string>;
  readonly #ahead = new Map<number, Promise<PageAnswer<T>>>();
  #reading = new AbortController();
  #started: ListGuard | undefined;
  /** The last page of the first reading. */
  #end: Checkpoint | undefined;

  /** @param start called with the first request, which rejects with the error that `start` throws. */
  constructor(source: ListSource<T>, options: CursorOptions, start: () => Position, given: readonly string[] = []) {
    this.#given = new Set(given);
    this.#source = source;
    this.#options = options;
    this.#start = start;
  }

  /** The first page, as a call of its own. It requests no pages ahead, which nobody would read. */
  first(priority?: Priority): APIPromise<Page<T>> {
    const options = { ...this.#options, priority: this.#options.priority ?? priority };
    return this.#source.request(
      () => this.#request(this.#guard.number),
      options,
      async answer => {
        const page = await this.#settle(answer, true);
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

  /** @throws {ResponseFormatError} if records are missing and nobody is to be told. */
  #finish(): undefined {
    const { missing, total } = this.#guard;
    if (missing === 0) return;
    if (!this.#options.onIncomplete) throw this.#guard.incomplete();
    this.#options.onIncomplete({ missing, total: total ?? 0 });
  }

  /** What decides about the next request. */
  get #guard(): ListGuard {
    this.#started ??= new ListGuard(this.#start(), this.#source.list);
    return this.#started;
  }

  /** Aborts the requests for pages ahead. */
  stop(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#ahead.clear();
  }

  /** @param alone for one page: no other is requested ahead, and the list is not read again. */
  async #settle(answer: PageAnswer<T>, alone = false): Promise<Page<T>> {
    for (let latest = answer; ; latest = await this.#read(alone ? 1 : this.#options.concurrency)) {
      const page = this.#accept(latest, alone);
      if (!page) this.stop();
      else if (page.data.length > 0 || this.#guard.atEnd || (alone && this.#readsAgain)) return page;
    }
  }

  /** `undefined` if pages that were read already are to be read again. */
  #accept({ records, document, exchange }: PageAnswer<T>, alone: boolean): Page<T> | undefined {
    const guard = this.#guard;
    const { readings } = guard;
    const ids = records.map(record => record.id);
    const at = Date.parse(exchange.response.headers.get('date') ?? '');
    const fresh = guard.take(document, ids, at, this.#named(document, exchange));
    if (!fresh) return undefined;
    const data = records.filter(({ id }) => fresh.delete(id) && !this.#given.has(id));
    // Behind a last page with records, another reader reports how many are missing.
    const isLast = this.#readsAgain || (guard.atEnd && (guard.missing === 0 || data.length === 0));
    const checkpoint = readings > 0 && this.#end ? this.#end : this.#checkpoint(readings);
    if (this.#readsAgain) this.#end = checkpoint;
    // What was requested ahead is older than a reading that begins now.
    if (guard.readings !== readings) this.stop();
    const earlier = alone ? [...guard.came.ids] : [];
    const again = () =>
      new Cursor(
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
        : () => new Cursor(this.#source, this.#options, () => ({ ...positionAfter(checkpoint), earlier })),
      again: alone && this.#readsAgain ? again : undefined,
    });
  }

  /** Whether pages are read again from the first one on: positions are those of the first reading. */
  get #readsAgain(): boolean {
    return this.#guard.readings > 0 && !this.#guard.isMoving;
  }

  /** @param readings those before the one that the position belongs to. */
  #checkpoint(readings: number): Checkpoint {
    const { pageSize, size, total, page, ids, read, growth, moving, isDoubted } = this.#guard;
    // There is nothing after a position that has no place in the list.
    const isPossible = ids.length === 0 || (page - 1) * size < (total ?? 0);
    return {
      list: this.#source.list,
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

  /** The number that the address of the next page tells. */
  #named({ links }: WireDocument, exchange: Exchange): number | undefined {
    const address = links && nextAddress(links);
    const next = address === undefined ? undefined : readPageAddress(this.#source.baseUrl, address);
    if (next?.elsewhere) this.#source.warnOnce('foreign links', foreignLinks(exchange.redactor.text(next.elsewhere)));
    return next?.number;
  }

  /** Reads the page at the position, which may have been requested ahead. Requests more pages ahead if they exist. */
  #read(concurrency = 1): Promise<PageAnswer<T>> {
    const { number, last } = this.#guard;
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
    return { number, size: this.#guard.pageSize };
  }
}

function foreignLinks(address: string): string {
  return `Lists link to ${address}, which is not below the base URL. The next pages are requested from the base URL. The cause may be a gateway that does not rewrite links.`;
}
