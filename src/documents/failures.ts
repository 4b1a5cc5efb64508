import { isIdentifier } from '../jsonapi/document.ts';
import type { RequestOptions } from '../options.ts';
import type { Page } from '../pagination/page.ts';
import type { DateTime } from '../records/model.ts';

/** A notification as far as it tells of a failure. */
export interface NotificationOfDocument {
  id: string;
  event: string;
  created_at: DateTime;
  document?: unknown;
}

export type ReadNotifications = (options: RequestOptions) => PromiseLike<Page<NotificationOfDocument>>;

/** Notifications that are older than so many pages are not looked for. */
const MAX_PAGES = 5;

/**
 * A document does not tell that it could not be read. Only a notification does, which the service makes if a webhook of the
 * account has subscribed to the event.
 */
export class Failures {
  readonly #read: ReadNotifications;
  /** When the last extraction of a document failed. */
  readonly #failedAt = new Map<string, DateTime>();
  /** The newest notification that was read. */
  #until = Number.NEGATIVE_INFINITY;
  #ids: ReadonlySet<string> = new Set();

  constructor(read: ReadNotifications) {
    this.#read = read;
  }

  at(id: string): DateTime | null {
    return this.#failedAt.get(id) ?? null;
  }

  /**
   * Reads what was notified since the last time, or since a time for documents that are new here. Resolves to the number of
   * requests that this took.
   */
  async update(ids: ReadonlySet<string>, since: number, options: RequestOptions): Promise<number> {
    const isKnown = [...ids].every(id => this.#ids.has(id));
    const start = isKnown ? Math.max(since, this.#until) : since;
    let sent = 0;
    try {
      let page: Page<NotificationOfDocument> | undefined = await this.#read(options);
      for (sent = 1; page; sent += 1) {
        this.#learn(page.data);
        const isOld = page.data.some(({ created_at }) => Date.parse(created_at) < start);
        if (isOld || sent === MAX_PAGES || !page.hasNextPage()) break;
        page = await page.nextPage();
      }
      this.#ids = ids;
      for (const id of this.#failedAt.keys()) if (!ids.has(id)) this.#failedAt.delete(id);
      return sent;
    } catch {
      // The documents can be read nevertheless. An error that concerns them too comes from there.
      return sent + 1;
    }
  }

  #learn(notifications: readonly NotificationOfDocument[]): void {
    for (const { event, created_at, document } of notifications) {
      this.#until = Math.max(this.#until, Date.parse(created_at));
      if (event !== 'document.extraction_failed' || !isIdentifier(document)) continue;
      const known = this.#failedAt.get(document.id);
      if (known === undefined || Date.parse(known) < Date.parse(created_at))
        this.#failedAt.set(document.id, created_at);
    }
  }
}
