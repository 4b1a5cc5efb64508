import type { PutOptions, UploadFile } from '../documents/upload-options.ts';
import { objectArgument, plainCopy } from '../internal/arguments.ts';
import type { DirectUpload, DirectUploadCreate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { ADDRESSES } from '../transport/redact.ts';
import type { Transport } from '../transport/transport.ts';
import { Resource } from './resource.ts';

/** The separate steps of an upload. `documents.upload` performs all of them, including the checksum. */
export class DirectUploads extends Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  /**
   * Creates an upload slot: a signed URL of the storage, and the headers to send with the file. The slot expires after
   * some minutes. An unused slot has no effect.
   */
  create(blob: DirectUploadCreate, options?: RequestOptions): APIPromise<DirectUpload> {
    return this.fetchJson({
      operation: 'directUploads.create',
      method: 'POST',
      path: path`/rails/active_storage/direct_uploads`,
      body: () => ({ blob: objectArgument('The blob', blob, '{ filename, byte_size, checksum, content_type }') }),
      repeatable: true,
      secrets: [ADDRESSES],
      options,
    });
  }

  /**
   * Sends the bytes of a file to its upload slot. The request has only the headers of the slot. After a broken
   * connection or a transient status (408, 429, 500, 502, 503, 504), the bytes are sent again. The request does not
   * count in the rate limit.
   *
   * @throws {UploadError} of the stage `put`. If the storage refused the bytes, the `cause` has the `status`.
   * @example
   * const slot = await client.directUploads.create({ filename, content_type, byte_size, checksum });
   * await client.directUploads.put(slot, file);
   * await client.documents.create({ name, attached_document: slot.signed_id });
   */
  async put(slot: DirectUpload, file: UploadFile, options?: PutOptions): Promise<void> {
    const given = [plainCopy(slot), file, plainCopy(options) ?? {}] as const;
    const { putFile } = await import('../documents/files-chunk.ts');
    return putFile(...given, this.#transport);
  }
}
