import type { DocumentWaitOptions, ExtractedDocument } from '../documents/extraction-options.ts';
import type {
  DownloadOptions,
  UploadItem,
  UploadManyOptions,
  UploadOptions,
  UploadResult,
} from '../documents/upload-options.ts';
import type { DocumentReader, DocumentWaiter } from '../documents/wait-for-document.ts';
import { objectArgument, plainCopy, requiredText } from '../internal/arguments.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type {
  Accepted,
  Document,
  DocumentCreate,
  DocumentFilter,
  DocumentInclude,
  DocumentRotate,
  DocumentSort,
  DocumentTypeDetail,
  DocumentTypes,
  DocumentUpdate,
  DownloadUrl,
} from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { type Endpoint, path } from '../transport/endpoint.ts';
import { ADDRESSES } from '../transport/redact.ts';
import type { Transport } from '../transport/transport.ts';
import { DirectUploads } from './direct-uploads.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type ListParameters,
  type PossibleIncludes,
  Resource,
  type WithInclude,
  type WithOptionalInclude,
} from './resource.ts';

type CreateCall = Pick<Endpoint, 'options' | 'repeatable' | 'secrets'>;

/** Options of `documents.list`. */
export interface DocumentListOptions extends ListOptions {
  /**
   * The sort key. A minus sign in front of the value reverses the sort order. While documents are added and removed,
   * only an iteration with `-created_at` reads every document: new documents come first, so they cannot move an unread
   * document to a page that was already read. To get all documents in another sort order, read with `-created_at` and
   * sort the array.
   * @default the order of the service: newest first
   */
  sort?: DocumentSort | null | undefined;
  /** Only documents that match all of these filters. */
  filter?: DocumentFilter | undefined;
}

/** The request parameters of these options. */
const DOCUMENT_LIST: ListParameters<DocumentListOptions & AnyInclude> = {
  filter: true,
  sort: true,
  include: true,
};

/** Shipping documents, which the service classifies and reads. Beta. */
export class Documents extends Resource {
  readonly #transport: Transport;
  readonly #directUploads: DirectUploads;
  #wait: DocumentWaiter | undefined;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
    this.#directUploads = new DirectUploads(transport);
  }

  /**
   * All documents, in the order of `sort`. Each page is one request.
   *
   * @example
   * const invoices = client.documents.list({ filter: { document_types: ['commercial_invoice'] }, sort: '-created_at' });
   */
  list<const P extends IncludePaths<DocumentInclude>>(options: DocumentListOptions & WithInclude<P>): List<Document<P>>;
  list<const P extends IncludePaths<DocumentInclude> | undefined = undefined>(
    options?: DocumentListOptions & WithOptionalInclude<P>,
  ): List<Document<PossibleIncludes<P>>>;
  list(options?: DocumentListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'documents.list',
      type: 'document',
      path: path`/documents`,
      parameters: DOCUMENT_LIST,
      options,
    });
  }

  /**
   * One document. Include `last_document_representation` to get the data that was extracted from it.
   *
   * @throws {NotFoundError} if the document does not exist.
   * @example
   * const document = await client.documents.get(id, { include: ['last_document_representation'] });
   * console.log(document.document_type, document.last_document_representation?.payload);
   */
  get<const P extends IncludePaths<DocumentInclude>>(
    id: string,
    options: RequestOptions & WithInclude<P>,
  ): APIPromise<Document<P>>;
  get<const P extends IncludePaths<DocumentInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & WithOptionalInclude<P>,
  ): APIPromise<Document<PossibleIncludes<P>>>;
  get(id: string, options?: RequestOptions & AnyInclude): APIPromise<never> {
    return this.fetchOne({
      operation: 'documents.get',
      type: 'document',
      path: path`/documents/${id}`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * Creates a document from a file that is already in the storage. `upload` sends the file first, and then creates the
   * document.
   *
   * @throws {ConflictError} if the account has a document with the same bytes. The error has the id and the name of
   * this document.
   */
  create(attributes: DocumentCreate, options?: RequestOptions): APIPromise<Document> {
    return this.#create(attributes, { options });
  }

  /**
   * Sets the type or the extracted data, in place of the values that the service has found.
   *
   * @throws {NotFoundError} if the document does not exist.
   */
  update(id: string, attributes: DocumentUpdate, options?: RequestOptions): APIPromise<Document> {
    return this.fetchOne({
      operation: 'documents.update',
      type: 'document',
      method: 'PATCH',
      path: path`/documents/${id}`,
      body: () => requestDocument('document', attributes, { id }),
      options,
    });
  }

  /**
   * Deletes a document.
   *
   * @throws {NotFoundError} if the document does not exist.
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({ operation: 'documents.delete', method: 'DELETE', path: path`/documents/${id}`, options });
  }

  /** The types of documents that the account can have. */
  types(options?: RequestOptions): APIPromise<DocumentTypes> {
    return this.fetchJson({ operation: 'documents.types', path: path`/documents/types`, options });
  }

  /**
   * One document type, with the structure of the data that is extracted. Only types whose entry in `types` has a `schema`
   * have a structure. A service from before November 2026 does not have this endpoint, and responds with 404.
   *
   * @param code code of the type.
   * @throws {NotFoundError} if the type does not exist or does not have a structure, or if the service does not have the endpoint.
   */
  type(code: string, options?: RequestOptions): APIPromise<DocumentTypeDetail> {
    return this.fetchJson({ operation: 'documents.type', path: path`/documents/types/${code}`, options });
  }

  /**
   * A signed address of the file. The address expires soon. To read the file, use `download`.
   *
   * @param document id of the document, or the document.
   * @throws {NotFoundError} if the document does not exist.
   */
  downloadUrl(document: string | { id: string }, options?: RequestOptions): APIPromise<DownloadUrl> {
    return this.fetchJson({
      operation: 'documents.downloadUrl',
      path: path`/documents/${idOf(document)}/download_url`,
      secrets: [ADDRESSES],
      options,
    });
  }

  /**
   * Makes the service extract the data again. The result comes later: in a notification `document.extracted` or
   * `document.extraction_failed`, and on the document.
   *
   * @param document id of the document, or the document.
   * @throws {NotFoundError} if the document does not exist.
   */
  reextract(document: string | { id: string }, options?: RequestOptions): APIPromise<Accepted> {
    return this.fetchJson({
      operation: 'documents.reextract',
      method: 'POST',
      path: path`/documents/${idOf(document)}/reextract`,
      options,
    });
  }

  /**
   * Makes the service classify the document again. The result comes later, on the document.
   *
   * @param document id of the document, or the document.
   * @returns the body of the response, or `undefined` if it is empty.
   * @throws {NotFoundError} if the document does not exist.
   */
  reclassify(document: string | { id: string }, options?: RequestOptions): APIPromise<Accepted | undefined> {
    return this.#process({
      operation: 'documents.reclassify',
      path: path`/documents/${idOf(document)}/reclassify`,
      options,
    });
  }

  /**
   * Makes the service find the shipments and containers of the document again. The result comes later, on the document.
   *
   * @param document id of the document, or the document.
   * @returns the body of the response, or `undefined` if it is empty.
   * @throws {NotFoundError} if the document does not exist.
   */
  relink(document: string | { id: string }, options?: RequestOptions): APIPromise<Accepted | undefined> {
    return this.#process({ operation: 'documents.relink', path: path`/documents/${idOf(document)}/relink`, options });
  }

  /**
   * Rotates an image. The result comes later, at a new `downloadUrl`.
   *
   * @param document id of the document, or the document.
   * @returns the body of the response, or `undefined` if it is empty.
   * @throws {NotFoundError} if the document does not exist.
   * @throws {ValidationError} if the document is not an image.
   * @example
   * await client.documents.rotate(id, { degrees: 90 });
   */
  rotate(
    document: string | { id: string },
    rotation: DocumentRotate,
    options?: RequestOptions,
  ): APIPromise<Accepted | undefined> {
    const body = () => objectArgument('The rotation', rotation, '{ degrees: 90 }');
    return this.#process({
      operation: 'documents.rotate',
      path: path`/documents/${idOf(document)}/rotate`,
      body,
      options,
    });
  }

  /**
   * Uploads a file of any size and creates a document from it. The file is read twice, in pieces: for the checksum, and
   * for sending. The bytes go to a storage outside the service. This request has neither the credential nor the
   * `headers` of the client, and does not count in the rate limit. Node's own HTTP client or `XMLHttpRequest` sends the
   * bytes. To send them differently, for example through a proxy, pass the option `fetch` to the client. With this
   * option, the progress of the sending is not reported in a web page.
   *
   * @throws {UploadError} whose `stage` is the step that failed. The `existingDocumentId` of the error is the id of the
   *   document with the same bytes, if there is one. No document was created, with one exception: in the stage `create`
   *   with a `ConnectionError` as its `cause`, the document may exist. With `onDuplicate: 'return'`, repeating the
   *   upload is safe: it returns the document of the first upload.
   * @throws {ConfigurationError} for a value that is not a file, and for a file without a name.
   * @example
   * const document = await client.documents.upload({ file: 'invoices/INV-30118.pdf' });
   *
   * @example
   * await client.documents.upload({
   *   file: input.files[0],
   *   onProgress: ({ stage, loaded, total }) => console.log(stage, loaded / total),
   *   onDuplicate: 'return',
   * });
   */
  async upload(options: UploadOptions): Promise<Document> {
    const given = plainCopy(options);
    const { upload } = await import('../documents/files-chunk.ts');
    return upload(
      given,
      {
        createSlot: (blob, options) => this.#directUploads.create(blob, options),
        createDocument: (attributes, call) => this.#create(attributes, call),
        getDocument: (id, options) => this.get(id, options),
      },
      this.#transport,
    );
  }

  /**
   * Uploads many files, several at a time. Results come in the order in which they are ready. If one upload fails, the
   * other uploads continue. Each upload that was started has one result. After an abort, and after an error of `items`,
   * the results of the running uploads come first. Then the iteration rejects with the reason of the signal, or with
   * the error of `items`.
   *
   * @example
   * for await (const result of client.documents.uploadMany(paths.map(file => ({ file })))) {
   *   if (result.ok) console.log(result.document.id);
   *   else console.error(result.item.file, result.error);
   * }
   */
  uploadMany(
    items: Iterable<UploadItem> | AsyncIterable<UploadItem>,
    options?: UploadManyOptions,
  ): AsyncGenerator<UploadResult, void, undefined> {
    const given = plainCopy(options ?? {});
    const uploadOne = (one: UploadOptions) => this.upload(one);
    async function* results() {
      const { uploadMany } = await import('../documents/files-chunk.ts');
      yield* uploadMany(items, given, uploadOne);
    }
    return results();
  }

  /**
   * Downloads the file of a document: as a stream, or to a path in Node, Bun and Deno. An existing file at that path
   * keeps its mode. The file is replaced when the last byte has arrived. If the file is a mount point, it cannot be replaced,
   * so it is overwritten in place. If the connection breaks in the middle, a download to a path starts again, under the
   * rules of `retry`. A stream, or a download into a pipe, cannot start again after its first byte.
   *
   * @param document id of the document, or the document.
   * @throws {NotFoundError} if the document does not exist.
   * @throws {ConnectionError} if the storage cannot be reached. If the connection breaks later, the stream fails with
   * this error.
   * @throws {TrackingError} `not_written` if the file cannot be written; the `cause` is the reason. `TimeoutError` if the
   * path is a pipe without a reader.
   * @example
   * await client.documents.download(document, { to: 'invoice.pdf' });
   *
   * @example
   * const bytes = await new Response(await client.documents.download(id)).arrayBuffer();
   */
  download(document: string | { id: string }, options: DownloadOptions & { to: string }): Promise<void>;
  download(
    document: string | { id: string },
    options?: DownloadOptions & { to?: undefined },
  ): Promise<ReadableStream<Uint8Array>>;
  download(
    document: string | { id: string },
    options?: DownloadOptions & { to?: string | undefined },
  ): Promise<ReadableStream<Uint8Array> | undefined>;
  async download(
    document: string | { id: string },
    options?: DownloadOptions & { to?: string | undefined },
  ): Promise<unknown> {
    const { to, ...others } = plainCopy(options) ?? {};
    const { download, saveAs } = await import('../documents/files-chunk.ts');
    const start = async (options = others) => {
      const address: Partial<DownloadUrl> | null = await this.downloadUrl(document, options);
      return download(address?.download_url, options, this.#transport);
    };
    return to === undefined ? start() : saveAs(to, start, others, this.#transport);
  }

  /**
   * Waits until the service has extracted the data of a document. All waiting calls of a client share their polls, which use
   * at most a quarter of the request budget. The service reports a failure only in a notification. After a failure, the
   * call waits until `waitTimeout`, unless a webhook has subscribed to `document.extraction_failed`.
   *
   * @param document id of the document, or the document.
   * @throws {ExtractionFailedError} if the service could not extract the data.
   * @throws {ExtractionPendingError} if there is no outcome within `waitTimeout`. You can wait again later.
   * @throws {ExtractionMismatchError} if the extracted data does not match `schema`.
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
    // A shallow copy: the schema is an object of a library, and must not be copied.
    const given = plainCopy(options ?? {}, 1);
    if (!this.#wait) {
      const { documentWaiter } = await import('../workflows.ts');
      this.#wait ??= documentWaiter(this as unknown as DocumentReader, this.#transport);
    }
    return (await this.#wait(idOf(document) as string, given)) as ExtractedDocument<Payload>;
  }

  /** Makes the service process a document. The service does this later. */
  #process(
    endpoint: Pick<Endpoint, 'path' | 'body'> & {
      operation: 'documents.reclassify' | 'documents.relink' | 'documents.rotate';
      options: RequestOptions | undefined;
    },
  ) {
    return this.fetchJsonIfAny<Accepted, RequestOptions, typeof endpoint.operation>({ method: 'POST', ...endpoint });
  }

  #create(attributes: DocumentCreate, call: CreateCall): APIPromise<Document> {
    return this.fetchOne({
      operation: 'documents.create',
      type: 'document',
      method: 'POST',
      path: path`/documents`,
      body: () => {
        const document = requestDocument('document', attributes);
        requiredText('name', attributes.name);
        requiredText('attached_document', attributes.attached_document);
        return document;
      },
      ...call,
    });
  }
}

/** The id itself, or the id of a document. */
function idOf(document: string | { id: string }): unknown {
  return (Object(document) as Partial<Document>).id ?? document;
}
