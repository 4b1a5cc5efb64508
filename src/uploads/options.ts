import type { RequestOptions } from '../options.ts';
import type { Document } from '../records/document.ts';

/** A web stream, a stream of Node (`createReadStream(path)`), a generator. Buffers and views of every kind are bytes. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes that are made on demand, of a size that is known before. */
export interface UploadStream {
  /** In bytes. */
  size: number;
  /**
   * Gives the bytes from their start, the same each time. It is called once for the checksum, and again for each attempt
   * to send them. What it gives is cancelled, destroyed or returned at the end.
   */
  open: () => ByteStream | Promise<ByteStream>;
}

/** What can be uploaded. A string is the path of a file, in Node, Bun and Deno. */
export type UploadFile = string | Blob | Uint8Array | ArrayBuffer | UploadStream;

/** How far an upload has come. */
export interface UploadProgress {
  /** `hash` while the checksum is computed, then `put` while the bytes are sent. */
  stage: 'hash' | 'put';
  /** Bytes done in this stage. It never falls, not even when an attempt to send starts anew. */
  loaded: number;
  /** Size of the file in bytes. */
  total: number;
}

/** Options of sending bytes to a slot. */
export interface PutOptions extends Pick<RequestOptions, 'signal' | 'retry'> {
  /**
   * How long nothing may move, in ms. The attempt counts as failed when the storage takes no bytes and gives no answer for
   * so long; the upload, when the file gives none. Unlike that of other calls it does not limit the whole attempt, which
   * takes as long as the file is large: only where a `fetch` of the client's options does not show what it has sent, in a
   * page and in Deno, the attempt may take this long and 10 seconds for each megabyte.
   * @default the client's
   */
  timeout?: number | undefined;
  /** Called as bytes are sent. What it throws is logged and never fails the upload. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Options of one upload beside its file. */
export interface UploadSettings extends PutOptions, Pick<RequestOptions, 'headers' | 'priority'> {
  /** Limit for the whole upload in ms. @default none */
  deadline?: number | undefined;
  /**
   * What to do where the account has a document of the same bytes: reject with an `UploadError`, or give that document.
   * @default 'throw'
   */
  onDuplicate?: 'throw' | 'return' | undefined;
}

/** One file and what it is called. */
export interface UploadItem {
  /** A path (not in browsers), a `Blob` or `File`, bytes, or an {@link UploadStream}. */
  file: UploadFile;
  /** Of the document. @default `filename` */
  name?: string | undefined;
  /** Of the file. @default the name that the file has itself, else `name` */
  filename?: string | undefined;
  /** MIME type. @default the type of a `Blob`, else by the ending of `filename`, else `application/octet-stream` */
  contentType?: string | undefined;
}

/** Options of `documents.upload`. */
export interface UploadOptions extends UploadItem, UploadSettings {}

/** Options of `documents.uploadMany`. */
export interface UploadManyOptions extends Omit<UploadSettings, 'onProgress'> {
  /**
   * Files that are uploaded at a time.
   * @default 4
   */
  concurrency?: number | undefined;
  /** As in `upload`, with the file that it is about. */
  onProgress?: ((progress: UploadProgress & { item: UploadItem; index: number }) => void) | undefined;
}

/** The outcome for one file. */
export type UploadResult = {
  /** What was to be uploaded. */
  item: UploadItem;
  /** Its place among the items, from 0. */
  index: number;
} & (
  | {
      ok: true;
      /** The document that it has become. */
      document: Document;
    }
  | {
      ok: false;
      /** Why it was not uploaded. */
      error: unknown;
    }
);

/** Options of `documents.download`. */
export interface DownloadOptions extends Pick<RequestOptions, 'signal' | 'retry' | 'headers' | 'priority'> {
  /**
   * How long the storage may send nothing, in ms.
   * @default the client's
   */
  timeout?: number | undefined;
}
