import type { DocumentReader, DocumentWaiter } from '../documents/wait-for-document.ts';
import type { DocumentWaitOptions, ExtractedDocument } from '../documents/wait-options.ts';
import { plainCopy } from '../internal/arguments.ts';
import type { Transport } from '../transport/transport.ts';
import { Resource } from './resource.ts';

/** The part of the documents that waits for what the service reads from them. */
export abstract class ExtractionResource extends Resource {
  readonly #transport: Transport;
  #wait: DocumentWaiter | undefined;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  /**
   * Waits until the service has read a document. All waiting calls of a client share their polls, which use at most a quarter
   * of the request budget. The service tells of a failure only in a notification: without a webhook that has subscribed to
   * `document.extraction_failed`, the waiting then lasts until `waitTimeout`.
   *
   * @param document id of the document, or the document.
   * @throws {ExtractionFailedError} if nothing could be read.
   * @throws {ExtractionPendingError} if there is no outcome within `waitTimeout`. You can wait again later.
   * @throws {ExtractionMismatchError} if what was read does not fit `schema`.
   * @throws {TimeoutError} if the document could not be read at all within `waitTimeout`.
   * @example
   * const schema = z.object({ invoice_number: z.string(), total_amount: z.string() });
   * const document = await client.documents.waitFor(await client.documents.upload({ file }), { schema });
   * console.log(document.last_document_representation.payload.invoice_number);
   */
  async waitFor<Payload = Record<string, unknown>>(
    document: string | { id: string },
    options?: DocumentWaitOptions<Payload>,
  ): Promise<ExtractedDocument<Payload>> {
    // A shallow copy: the schema is an object of a library.
    const given = plainCopy(options ?? {}, 1);
    if (!this.#wait) {
      const { documentWaiter } = await import('../documents/wait-for-document.ts');
      this.#wait ??= documentWaiter(this as unknown as DocumentReader, this.#transport);
    }
    return (await this.#wait(document, given)) as ExtractedDocument<Payload>;
  }
}
