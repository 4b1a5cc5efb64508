import { requiredText } from '../internal/arguments.ts';
import { abortable } from '../internal/signal.ts';
import { isIdentifier } from '../jsonapi/document.ts';
import type { DateTime, Document } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { Poller } from '../tracking/poller.ts';
import { path, resolveEndpoint } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import { ExtractionFailedError, ExtractionMismatchError, ExtractionPendingError } from './document-errors.ts';
import { type CheckedWait, checkedWait, type ExtractedDocument, type SchemaIssue } from './extraction-options.ts';

type ReadDocument = Document<['last_document_representation']>;
interface Include {
  include: ['last_document_representation'];
}

/** The methods that read documents. */
export interface DocumentReader {
  get(id: string, options: RequestOptions & Include): PromiseLike<ReadDocument>;
  list(options: ListOptions & Include & { sort: '-created_at' }): List<ReadDocument>;
}

/** Waits for the data that is extracted from documents. All calls of the same waiter share their polls. */
export type DocumentWaiter = (id: string, options: object) => Promise<ExtractedDocument<unknown>>;

/** A document and, if a notification reported a failed extraction, the time of that notification. */
interface State {
  id: string;
  document: ReadDocument;
  failedAt: DateTime | null;
}

const INCLUDE: Include['include'] = ['last_document_representation'];

export function documentWaiter(documents: DocumentReader, transport: Transport): DocumentWaiter {
  const failures = new Failures(transport);
  const stateOf = (document: ReadDocument): State => ({
    id: document.id,
    document,
    failedAt: failures.at(document.id),
  });
  const poller = new Poller<State>(
    {
      name: 'Document',
      get: async (id, options) => stateOf(await documents.get(id, { ...options, include: INCLUDE })),
      async *pages(_, options) {
        const pages = documents.list({ ...options, include: INCLUDE, sort: '-created_at' }).pages();
        for await (const { data } of pages) yield { data: data.map(stateOf) };
      },
      changed,
      async prepare(known, options) {
        // `known` contains the documents that were read before. A caller waits for a newer state of each of them.
        const waiting = known.filter(state => state !== undefined);
        if (waiting.length === 0) return 0;
        const since = Math.min(...waiting.map(({ document }) => lastReadAt(document)));
        return failures.update(new Set(waiting.map(({ id }) => id)), since, options);
      },
    },
    transport.pace,
  );
  return async (id, options) => {
    requiredText('The id of the document', id);
    const how = checkedWait(options);
    const { waitTimeout, signal, onProgress } = how;
    const { document } = await poller.wait(id, undefined, {
      waitTimeout,
      signal,
      onProgress: ({ document }, elapsedMs) => onProgress?.({ document, elapsedMs }),
      isDone: state => isDone(state, how),
      pending: ({ document }, cause) => pending(document, waitTimeout, cause),
    });
    const checked = checkedPayload(document, how);
    // The check by the user's schema may take very long, or never end. So the signal also ends the wait for the check.
    return signal ? abortable(checked, signal) : checked;
  };
}

function isDone({ document, failedAt }: State, { after }: CheckedWait): boolean {
  const extraction = extractionOf(document);
  const extractedAt = extraction ? Date.parse(extraction.created_at) : Number.NaN;
  if (extractedAt > after) return true;
  if (failedAt !== null && Date.parse(failedAt) > after) throw failed(document, failedAt);
  return false;
}

async function checkedPayload(document: ReadDocument, { schema }: CheckedWait): Promise<ExtractedDocument<unknown>> {
  const extraction = extractionOf(document);
  if (!extraction) throw new TypeError(`Document ${document.id} was not read.`);
  if (!schema) return { ...document, last_document_representation: extraction };
  const result = await schema['~standard'].validate(extraction.payload);
  if (result.issues) throw mismatch(document, result.issues);
  return { ...document, last_document_representation: { ...extraction, payload: result.value } };
}

/** The last extraction of the document; `undefined` if the service sent only a reference to the extraction. */
function extractionOf({ last_document_representation: extraction }: ReadDocument) {
  return extraction && 'payload' in extraction ? extraction : undefined;
}

/**
 * The time of the last extraction, otherwise the time of the creation. Failures before this time are no longer
 * relevant.
 */
function lastReadAt(document: ReadDocument): number {
  return Date.parse((extractionOf(document) ?? document).created_at);
}

function changed({ document: before, failedAt }: State, { document: after, failedAt: later }: State): boolean {
  return (
    before.updated_at !== after.updated_at || failedAt !== later || extractionOf(before)?.id !== extractionOf(after)?.id
  );
}

function failed(document: ReadDocument, failedAt: DateTime): ExtractionFailedError {
  const notes = document.classification_notes ? `: ${document.classification_notes}` : '';
  return new ExtractionFailedError(`Nothing could be read from ${nameOf(document)}${notes}`, document, failedAt);
}

function pending(document: ReadDocument, waitTimeout: number, cause: unknown): ExtractionPendingError {
  const step = document.document_type === null ? 'classified' : 'read';
  const message = `After ${waitTimeout} ms, ${nameOf(document)} is not ${step} yet; only a webhook with document.extraction_failed shows a failure`;
  return new ExtractionPendingError(message, document, cause);
}

function mismatch(document: ReadDocument, issues: readonly SchemaIssue[]): ExtractionMismatchError {
  const found = issues.map(({ message, path = [] }) => [path.map(keyOf).join('.'), message].filter(Boolean).join(': '));
  const message = `The data from ${nameOf(document)} does not fit the schema: ${found.join('; ')}`;
  return new ExtractionMismatchError(message, document, issues);
}

function nameOf({ name, id }: ReadDocument): string {
  return `the document ${name} (${id})`;
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}

/** The part of a notification that shows a failure. */
interface NotificationOfDocument {
  event: string;
  created_at: DateTime;
  document?: unknown;
  reference_object?: unknown;
}

/**
 * The service uses two names for this event, and two properties for its document: docs/service/webhooks.md, "Events".
 */
const FAILED: readonly string[] = ['document.extraction_failed', 'document_representation.failed'];

const PAGE_SIZE = 100;
/** Upper bound for the pages of notifications that are read in one update. */
const MAX_PAGES = 5;

/**
 * Reads the failed extractions. A document does not show that its extraction failed. Only a notification shows the
 * failure, and the service creates a notification only if a webhook of the account has subscribed to the event.
 */
export class Failures {
  readonly #transport: Transport;
  /** Time at which the last extraction of a document failed. */
  readonly #failedAt = new Map<string, DateTime>();
  /** Time of the newest notification that was read. */
  #until = -Infinity;
  #ids: ReadonlySet<string> = new Set();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  at(id: string): DateTime | null {
    return this.#failedAt.get(id) ?? null;
  }

  /**
   * Reads the notifications that are newer than the last call. For new documents, it reads the notifications since
   * `since`. Resolves to the number of requests that were sent.
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
      // The documents can be read without the notifications. If reading the documents also fails, the wait handles that
      // error.
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
