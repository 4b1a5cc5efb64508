import type { Priority } from '../rate-limit/limiter.ts';
import type { APIPromise, WithResponse } from '../transport/api-promise.ts';
import type { ListSource } from './cursor.ts';
import type { ListOptions } from './options.ts';
import type { Page } from './page.ts';

type Open = typeof import('./open.ts').open;

/**
 * A list of records. Nothing is sent until it is awaited, which gives its first page, or iterated, which gives every
 * record of every page. `deadline` and `timeout` count for each page by itself.
 *
 * Records may come and go while an iteration runs: one that a shift brings up again is dropped, and when records have
 * disappeared, the pages are read again as far back as another could have slipped through.
 *
 * @example
 * for await (const container of client.containers.list({ pageSize: 100 })) console.log(container.number);
 *
 * @example
 * const page = await client.containers.list({ filter: { number: 'MSCU1234565' } });
 * console.log(page.data.length, page.meta.total);
 */
export class List<T extends { id: string }> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #source: ListSource<T>;
  readonly #options: ListOptions;
  #open: Open | undefined;
  #first: APIPromise<Page<T>> | undefined;

  constructor(source: ListSource<T>, options: ListOptions) {
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

  /** As of a promise of the first page. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<T> | Rejected> {
    return this.#firstPage().catch(onRejected);
  }

  /** As of a promise of the first page. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.#firstPage().finally(onFinally);
  }

  /** The first page together with the response it came in. */
  async withResponse(): Promise<WithResponse<Page<T>>> {
    await this.#load();
    return this.#request().withResponse();
  }

  /** The response of the first page with its body unread. */
  async asResponse(): Promise<Response> {
    await this.#load();
    return this.#request().asResponse();
  }

  /** Page after page, each without the records that came before it. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    yield* (await this.#firstPage('bulk')).pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { recordsOf } = await import('./open.ts');
    yield* recordsOf(this.pages(), this.#options.signal);
  }

  /** All records, or the first `limit` of them. */
  async toArray(options: { limit?: number | undefined } = {}): Promise<T[]> {
    const { collect } = await import('./open.ts');
    return collect(this, options);
  }

  async #firstPage(priority?: Priority): Promise<Page<T>> {
    await this.#load();
    return this.#request(priority);
  }

  /** What reads lists is loaded with the first of them. */
  async #load(): Promise<void> {
    this.#open ??= (await import('./open.ts')).open;
  }

  /** Asks for the first page, once. */
  #request(priority?: Priority): APIPromise<Page<T>> {
    this.#first ??= (this.#open as Open)(this.#source, this.#options).first(priority);
    return this.#first;
  }
}
