import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { container, pageOf } from './paged-server.ts';

export interface MovingListOptions {
  length: number;
  /** Number of containers that are refreshed before each response except the first. */
  refreshes: number;
  /** True if the service obeys `sort`. */
  obeys: boolean;
  /** Upper bound of the records on a page. @default 100 */
  cap?: number;
}

/**
 * Containers that are refreshed while a client reads them. The container that was refreshed last is the first, unless
 * `sort` changes the order.
 */
export class MovingList {
  readonly created: readonly WireResource[];
  requests = 0;
  readonly #options: MovingListOptions;
  #refreshed: WireResource[];
  #random = 1;

  constructor(options: MovingListOptions) {
    this.#options = options;
    this.created = Array.from({ length: options.length }, (_, index) => {
      const record = container(index + 1);
      const createdAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
      return { ...record, attributes: { ...record.attributes, created_at: createdAt } };
    });
    this.#refreshed = this.created.toReversed();
  }

  /** A page of the list, or one container by its id. */
  answer(url: URL): WireDocument {
    const { obeys, cap = 100, refreshes } = this.#options;
    if (this.requests > 0) for (let times = 0; times < refreshes; times += 1) this.#refresh();
    this.requests += 1;
    const one = this.created.find(({ id }) => url.pathname.endsWith(`/${id}`));
    if (one) return { data: one };
    const requested = Number(url.searchParams.get('page[size]') ?? 30);
    const capped = new URL(url);
    capped.searchParams.set('page[size]', String(Math.min(requested, cap)));
    const sort = obeys ? url.searchParams.get('sort') : null;
    if (sort === 'created_at') return pageOf(this.created, capped);
    return pageOf(sort === '-created_at' ? this.created.toReversed() : this.#refreshed, capped);
  }

  #refresh(): void {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    const [record] = this.#refreshed.splice(this.#random % this.#refreshed.length, 1);
    if (record) this.#refreshed.unshift(record);
  }
}
