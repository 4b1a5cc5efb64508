import type { DocumentLinks, DocumentMeta } from '../jsonapi/document.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Reads the pages that follow. */
export interface PageReader<T extends { id: string }> {
  /** The next page: asked for once, and with nothing read ahead. */
  first(): PromiseLike<Page<T>>;
  /** The next page while an iteration runs, with others read ahead. `undefined` after the last. */
  next(): Promise<Page<T> | undefined>;
  /** Ends what is read ahead. */
  stop(): void;
}

interface PageContent<T extends { id: string }> {
  data: T[];
  meta: DocumentMeta;
  links: DocumentLinks;
  checkpoint: Checkpoint;
  /** Of the call; ends the iteration. */
  signal: AbortSignal | undefined;
  /** Reads what follows; `undefined` on the last page. */
  rest: (() => PageReader<T>) | undefined;
}

/** One page of a list. Iterating over it gives its records and then those of all pages after it. */
export class Page<T extends { id: string }> implements AsyncIterable<T> {
  /** The records that are new on this page. */
  readonly data: T[];
  /** Counters, as far as the service sends them. */
  readonly meta: DocumentMeta;
  /** Page addresses, as far as the service sends them. */
  readonly links: DocumentLinks;
  /** A JSON value: `list({ …, from: page.checkpoint })` goes on after this page. */
  readonly checkpoint: Checkpoint;
  readonly #signal: AbortSignal | undefined;
  readonly #rest: (() => PageReader<T>) | undefined;

  constructor({ data, meta, links, checkpoint, signal, rest }: PageContent<T>) {
    this.data = data;
    this.meta = meta;
    this.links = links;
    this.checkpoint = checkpoint;
    this.#signal = signal;
    this.#rest = rest;
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

  /** This page and those after it, each without the records that came before it. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    this.#signal?.throwIfAborted();
    yield this;
    const cursor = this.#rest?.();
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

/** Every record of some pages, none of them after an abort. */
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
