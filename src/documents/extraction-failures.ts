import { isIdentifier } from '../jsonapi/document.ts';
import type { DateTime } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import { resolveEndpoint } from '../transport/endpoint.ts';
import { path } from '../transport/path.ts';
import type { Transport } from '../transport/transport.ts';

/** A notification as far as it tells of a failure. */
interface NotificationOfDocument {
  event: string;
  created_at: DateTime;
  document?: unknown;
  reference_object?: unknown;
}

/** The same event has two names, and the document two places. See docs/service/webhooks.md, "Events". */
const FAILED: readonly string[] = ['document.extraction_failed', 'document_representation.failed'];

const PAGE_SIZE = 100;
/** Notifications that are older than so many pages are not looked for. */
const MAX_PAGES = 5;

/**
 * A document does not tell that it could not be read. Only a notification does, which the service makes if a webhook of the
 * account has subscribed to the event.
 */
export class Failures {
  readonly #transport: Transport;
  /** When the last extraction of a document failed. */
  readonly #failedAt = new Map<string, DateTime>();
  /** The newest notification that was read. */
  #until = Number.NEGATIVE_INFINITY;
  #ids: ReadonlySet<string> = new Set();

  constructor(transport: Transport) {
    this.#transport = transport;
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
    let page = 1;
    try {
      for (; page <= MAX_PAGES; page += 1) {
        const notifications = await this.#read(page, options);
        this.#learn(notifications);
        const isOld = notifications.some(({ created_at }) => Date.parse(created_at) < start);
        if (isOld || notifications.length < PAGE_SIZE) break;
      }
      this.#ids = ids;
      for (const id of this.#failedAt.keys()) if (!ids.has(id)) this.#failedAt.delete(id);
    } catch {
      // The documents can be read nevertheless. An error that concerns them too comes from there.
    }
    return Math.min(page, MAX_PAGES);
  }

  /** A page of notifications, newest first. */
  #read(number: number, options: RequestOptions): Promise<NotificationOfDocument[]> {
    const endpoint = resolveEndpoint({
      operation: 'webhookNotifications.list',
      type: 'webhook_notification',
      path: path`/webhook_notifications`,
      query: () => ({ page: { number, size: PAGE_SIZE } }),
      options,
    });
    return this.#transport.call(
      endpoint,
      async (exchange, decoder) => (await decoder.many(exchange)).records as unknown as NotificationOfDocument[],
    );
  }

  #learn(notifications: readonly NotificationOfDocument[]): void {
    for (const { event, created_at, document: named, reference_object: about } of notifications) {
      this.#until = Math.max(this.#until, Date.parse(created_at));
      const document = named ?? about;
      if (!FAILED.includes(event) || !isIdentifier(document)) continue;
      const known = this.#failedAt.get(document.id);
      if (known === undefined || Date.parse(known) < Date.parse(created_at))
        this.#failedAt.set(document.id, created_at);
    }
  }
}
