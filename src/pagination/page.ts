import type { DocumentLinks, DocumentMeta } from '../jsonapi/document.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Reads the pages that follow. */
export interface PageReader<T extends { id: string }> {
  /** The next page, with no pages requested ahead. */
  first(): PromiseLike<Page<T>>;
  /** The next page of an iteration, which may request pages ahead. `undefined` after the last page. */
  next(): Promise<Page<T> | undefined>;
  /** Aborts the requests for pages ahead. */
  stop(): void;
}

interface PageContent<T extends { id: string }> {
  data: T[];
  meta: DocumentMeta;
  links: DocumentLinks;
  checkpoint: Checkpoint;
  /** The signal of the call. It ends the iteration. */
  signal: AbortSignal | undefined;
  /** Makes a reader of the pages that follow; `undefined` on the last page. */
  rest: (() => PageReader<T>) | undefined;
  /** Makes a reader that proves that nothing was missed before the last page; `undefined` where that is certain. */
  again: (() => PageReader<T>) | undefined;
}

/** One page of a list. Iterate over it to get its records and the records of all pages after it. */
export class Page<T extends { id: string }> implements AsyncIterable<T> {
  /** The records of this page that did not come on an earlier page. */
  readonly data: T[];
  /** Counters of the list. The service does not send all of them for each list. */
  readonly meta: DocumentMeta;
  /** Page addresses. The service does not send all of them for each list. */
  readonly links: DocumentLinks;
  /** A JSON value. `list({ …, from: page.checkpoint })` continues after this page. */
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

  /** Whether there is a page after this one. */
  hasNextPage(): boolean {
    return this.#rest !== undefined;
  }

  /** The next page, or `undefined` after the last one. */
  async nextPage(): Promise<Page<T> | undefined> {
    const page = await this.#rest?.().first();
    return page && page.data.length > 0 ? page : undefined;
  }

  /** This page and all pages after it, each without the records that came before. */
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

/** The records of some pages. Gives no record after an abort. */
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
