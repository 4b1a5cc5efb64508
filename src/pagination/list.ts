import type { Priority } from '../rate-limit/limiter.ts';
import type { APIPromise, WithResponse } from '../transport/api-promise.ts';
import type { ListOptions } from './options.ts';
import type { ListSource, Page } from './pages.ts';

type Open = typeof import('./pages.ts').open;

/**
 * A list of records. Await it to get the first page. Iterate over it to get the records of all pages. No request is
 * sent before you do one of these. `deadline` and `timeout` apply to each page separately.
 *
 * Records may be added and removed during an iteration. Repeated records are dropped. When `total` falls, earlier pages
 * are read again, because a removal may move other records to these pages. No record is missed if new records come
 * first, or last, and if the sort order and the filters use only values that never change. With another `sort`, or a
 * filter such as `status`, a record may be missed. An iteration reads a list of several pages again if `total` is
 * missing or contradicts the pages. It throws a `ResponseFormatError` if further readings do not prove that the list is
 * complete.
 *
 * @example
 * for await (const container of client.containers.list({ pageSize: 100 })) console.log(container.number);
 *
 * @example
 * const page = await client.containers.list({ filter: { number: 'MSCU1234565' } });
 * console.log(page.data.length, page.meta.total);
 */
export class List<T extends { id: string }> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #source: ListSource;
  readonly #options: ListOptions;
  #open: Open | undefined;
  #first: APIPromise<Page<T>> | undefined;

  constructor(source: ListSource, options: ListOptions) {
    this.#source = source;
    this.#options = options;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what this class is for.
  then<Fulfilled = Page<T>, Rejected = never>(
    onFulfilled?: ((page: Page<T>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#firstPage().then(onFulfilled, onRejected);
  }

  /** Like `catch` of a promise of the first page. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<T> | Rejected> {
    return this.#firstPage().catch(onRejected);
  }

  /** Like `finally` of a promise of the first page. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.#firstPage().finally(onFinally);
  }

  /** The first page, together with the response that contained it. */
  async withResponse(): Promise<WithResponse<Page<T>>> {
    await this.#load();
    return this.#request().withResponse();
  }

  /** The response with the first page. The body of this response was not read. */
  async asResponse(): Promise<Response> {
    await this.#load();
    return this.#request().asResponse();
  }

  /** All pages, each without the records of earlier pages. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    yield* (await this.#firstPage('bulk')).pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { recordsOf } = await import('./pages.ts');
    yield* recordsOf(this.pages(), this.#options.signal);
  }

  /** All records, or the first `limit` of them. */
  async toArray(options: { limit?: number | undefined } = {}): Promise<T[]> {
    const { collect } = await import('./pages.ts');
    return collect(this, options);
  }

  async #firstPage(priority?: Priority): Promise<Page<T>> {
    await this.#load();
    return this.#request(priority);
  }

  /** The code that reads lists is loaded when the first list is read. */
  async #load(): Promise<void> {
    if (this.#open) return;
    const { endpoint } = this.#source;
    // An invalid call does not have a `select`. Errors are ignored here, because the first request rejects with the
    // same error.
    if ('select' in endpoint) await endpoint.select?.().catch(() => {});
    this.#open = (await import('./pages.ts')).open;
  }

  /** Requests the first page, once. */
  #request(priority?: Priority): APIPromise<Page<T>> {
    this.#first ??= (this.#open as Open)<T>(this.#source, this.#options).first(priority);
    return this.#first;
  }
}
