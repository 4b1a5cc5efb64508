import type { Document } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';

/**
 * A web stream, a Node.js stream (`createReadStream(path)`) or an async generator. Its chunks are bytes: typed
 * arrays, a `DataView` or an `ArrayBuffer`.
 */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A file that is read from a stream. Its size must be known in advance.
 *
 * @example
 * const { size } = await stat(path);
 * await client.documents.upload({ file: { size, open: () => createReadStream(path) }, filename: 'invoice.pdf' });
 */
export interface UploadStream {
  /** Size in bytes. */
  size: number;
  /**
   * Opens a new stream that starts at the first byte. `open` is called once for the checksum and once for each attempt to
   * send the file. Each stream must deliver the same bytes. The stream is always closed at the end.
   */
  open: () => ByteStream | Promise<ByteStream>;
}

/** A file to upload. A string is the path of a file, in Node.js, Bun and Deno. */
export type UploadFile = string | Blob | Uint8Array | ArrayBuffer | UploadStream;

/** The progress of one upload. */
export interface UploadProgress {
  /** The stage is `hash` while the checksum is computed. Then it is `put` while the file is sent. */
  stage: 'hash' | 'put';
  /**
   * Bytes that were processed in this stage. The number never decreases, even if the file is sent again after a
   * failure.
   */
  loaded: number;
  /** Size of the file in bytes. */
  total: number;
}

/** Options of `directUploads.put`. */
export interface PutOptions extends Pick<RequestOptions, 'signal' | 'retry'> {
  /**
   * Upper bound for the time without progress, in ms. An attempt fails when the storage accepts no bytes and sends no response
   * for this time. The upload fails when the file delivers no bytes for this time. The timeout limits the whole attempt
   * only if the progress is unknown: with the client option `fetch` in a browser or in Deno, and in a page with a
   * service worker. In these cases an attempt may take this time plus 10 seconds per megabyte.
   * @default the `timeout` of the client
   */
  timeout?: number | undefined;
  /**
   * Called repeatedly during the upload. An error that it throws is logged, and does not make the upload fail. If it
   * returns a promise, the promise is not awaited. A rejection of the promise does not make the upload fail.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Options of one upload, without its file. */
export interface UploadSettings extends PutOptions, Pick<RequestOptions, 'headers' | 'priority'> {
  /**
   * Limit for the whole upload in ms, including all attempts.
   * @default none
   */
  deadline?: number | undefined;
  /**
   * The result if the account already has a document with the same bytes: `'throw'` rejects with an `UploadError`,
   * `'return'` resolves to that document.
   * @default 'throw'
   */
  onDuplicate?: 'throw' | 'return' | undefined;
}

/** One file and its names. */
export interface UploadItem {
  /** A path (not in browsers), a `Blob` or `File`, bytes, or an {@link UploadStream}. */
  file: UploadFile;
  /** The name of the document. @default `filename` */
  name?: string | undefined;
  /** The name of the file. @default the name of the `File` or path, otherwise `name` */
  filename?: string | undefined;
  /**
   * MIME type.
   * @default the type of the `Blob`, otherwise the type for the extension of `filename`, otherwise
   *   `application/octet-stream`
   */
  contentType?: string | undefined;
}

/** Options of `documents.upload`. */
export interface UploadOptions extends UploadItem, UploadSettings {}

/** Options of `documents.uploadMany`. */
export interface UploadManyOptions extends Omit<UploadSettings, 'onProgress'> {
  /**
   * Number of files that are uploaded at the same time.
   * @default 4
   */
  concurrency?: number | undefined;
  /** It is called like the `onProgress` of `upload`, but also gets the item and its index. */
  onProgress?: ((progress: UploadProgress & { item: UploadItem; index: number }) => void) | undefined;
}

/** The result for one item of `documents.uploadMany`. */
export type UploadResult = {
  /** The item as it was passed. */
  item: UploadItem;
  /** The index of the item, from 0. */
  index: number;
} & (
  | {
      ok: true;
      /** The new document, or the existing document with `onDuplicate: 'return'`. */
      document: Document;
    }
  | {
      ok: false;
      /** Reason why the upload failed: most often an `UploadError`. */
      error: unknown;
    }
);

/** Options of `documents.download`. */
export interface DownloadOptions extends Pick<RequestOptions, 'signal' | 'retry' | 'headers' | 'priority'> {
  /**
   * Upper bound, in ms, for the time until the storage sends the next byte, and for the time until a pipe at the path
   * `to` accepts a byte. The time counts only while your program reads the stream.
   * @default the `timeout` of the client
   */
  timeout?: number | undefined;
}
