import type { DocumentLinks, DocumentMeta } from '../jsonapi/document.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Cursor } from './cursor.ts';

interface PageContent<T extends { id: string }> {
  data: T[];
  meta: DocumentMeta;
  links: DocumentLinks;
  checkpoint: Checkpoint;
  /** Reads what follows; `undefined` on the last page. */
  rest: (() => Cursor<T>) | undefined;
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
  readonly #rest: (() => Cursor<T>) | undefined;

  constructor({ data, meta, links, checkpoint, rest }: PageContent<T>) {
    this.data = data;
    this.meta = meta;
    this.links = links;
    this.checkpoint = checkpoint;
    this.#rest = rest;
  }

  hasNextPage(): boolean {
    return this.#rest !== undefined;
  }

  /** The next page, or `undefined` after the last one. */
  async nextPage(): Promise<Page<T> | undefined> {
    const page = await this.#rest?.().first();
    return page && page.data.length > 0 ? page : undefined;
  }

  /** This page and those after it, each without the records that came before it. */
  async *pages(): AsyncGenerator<Page<T>> {
    yield this;
    const cursor = this.#rest?.();
    try {
      for (let page = await cursor?.next(); page; page = await cursor?.next()) yield page;
    } finally {
      cursor?.stop();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const page of this.pages()) yield* page.data;
  }
}
