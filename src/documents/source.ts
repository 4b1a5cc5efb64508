import { ConfigurationError, TrackingError } from '../errors.ts';
import { wholeNumber } from '../internal/arguments.ts';
import { builtin } from '../internal/runtime.ts';
import { abortable } from '../internal/signal.ts';
import { IdleScope } from './idle-scope.ts';
import type { ByteStream, UploadFile, UploadStream } from './upload-options.ts';

export interface ReadOptions {
  /** Aborts when no more bytes are needed. */
  signal: AbortSignal;
  /** True if the source may overwrite a chunk as soon as the next chunk is requested. */
  reuseMemory: boolean;
}

/** A file that can be read from its start more than once. */
export interface Source {
  /** Size in bytes. */
  readonly size: number;
  /** Name of the file, if it has one. */
  readonly name?: string | undefined;
  /** MIME type, if the file has one. */
  readonly type?: string | undefined;
  /** The file itself, if it can be the body of a request. A browser can send only such a file. */
  readonly body?: Blob | Uint8Array<ArrayBuffer> | undefined;
  read(options: ReadOptions): AsyncIterable<unknown>;
  /**
   * Rejects if the file is known to have changed since it was opened.
   */
  checkUnchanged?(): Promise<void>;
}

/** @throws {ConfigurationError} for a value that is not a file. */
export async function openSource(file: UploadFile): Promise<Source> {
  if (typeof file === 'string') return fileSource(file);
  const bytes = bytesOf(file);
  if (bytes) return bytesSource(bytes);
  const object = file as Blob | UploadStream;
  if (isBlob(object)) return blobSource(object);
  // A file stream of Node has a method `open` too, but no size.
  if (typeof object?.open === 'function' && object.size !== undefined) return streamSource(object);
  throw new ConfigurationError(
    'file must be a path, a Blob or File, an ArrayBuffer or Uint8Array, or { size, open }: open() returns a new stream, since a stream can be read once.',
  );
}

function bytesSource(bytes: Uint8Array<ArrayBuffer>): Source {
  return {
    size: bytes.length,
    body: bytes,
    async *read() {
      yield bytes;
    },
  };
}

/** The check does not use `instanceof`, because the Blob may come from another frame of the page. */
function isBlob(file: Blob | UploadStream): file is Blob {
  return typeof (file as Blob | undefined)?.slice === 'function' && typeof (file as Blob).stream === 'function';
}

/** Size in bytes. Chunks whose memory is reused may be larger. */
const CHUNK_BYTES = 131_072;
const REUSED_CHUNK_BYTES = 1_048_576;

/** A file on disk. */
async function fileSource(path: string): Promise<Source> {
  const fs = fileSystem();
  const before = await fs.promises.stat(path, { bigint: true });
  if (!before.isFile()) throw new TrackingError(`${JSON.stringify(path)} is not a file.`, { code: 'not_a_file' });

  return {
    size: Number(before.size),
    name: builtin('node:path')!.basename(path),
    async *read({ reuseMemory }) {
      const file = await fs.promises.open(path);
      const free = reuseMemory ? [new Uint8Array(REUSED_CHUNK_BYTES), new Uint8Array(REUSED_CHUNK_BYTES)] : [];
      const readNext = async () => {
        const chunk = free.shift() ?? new Uint8Array(CHUNK_BYTES);
        const { bytesRead } = await file.read(chunk, 0, chunk.length);
        if (reuseMemory) free.push(chunk);
        return chunk.subarray(0, bytesRead);
      };
      try {
        let next = readNext();
        for (;;) {
          const chunk = await next;
          if (chunk.length === 0) return;
          // The next chunk is read while this chunk is hashed or sent.
          next = readNext();
          next.catch(() => {});
          yield chunk;
        }
      } finally {
        await file.close();
      }
    },
    async checkUnchanged() {
      const now = await fs.promises.stat(path, { bigint: true });
      const isSame = now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;
      if (!isSame) throw bytesChanged('the file was modified or replaced');
    },
  };
}

/** @throws {ConfigurationError} in a runtime without a file system. */
export function fileSystem() {
  const fs = builtin('node:fs');
  if (fs) return fs;
  throw new ConfigurationError(
    'Only Node.js (20.16, 22.3 or later), Bun and Deno can read and write files by their path.',
  );
}

/**
 * Size of a slice, in bytes. Slices are read, because in some runtimes `blob.stream()` keeps all delivered bytes in
 * memory.
 */
const SLICE_BYTES = 1_048_576;

function blobSource(blob: Blob): Source {
  return {
    size: blob.size,
    name: 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined,
    type: blob.type || undefined,
    body: blob,
    async *read() {
      for (let start = 0; start < blob.size; start += SLICE_BYTES) {
        yield new Uint8Array(await blob.slice(start, start + SLICE_BYTES).arrayBuffer());
      }
    },
    async checkUnchanged() {
      try {
        await blob.slice(0, 1).arrayBuffer();
      } catch (cause) {
        // A browser cannot read a file that has changed since the user selected it.
        throw bytesChanged('the file was modified, moved or deleted', cause);
      }
    },
  };
}

function streamSource({ size, open }: UploadStream): Source {
  wholeNumber('size', size, 0);
  return {
    size,
    async *read({ signal }) {
      const { next, cancel } = readerOf(await open());
      signal.addEventListener('abort', cancel);
      try {
        if (signal.aborted) return;
        for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value;
      } finally {
        signal.removeEventListener('abort', cancel);
        cancel();
      }
    },
  };
}

interface Reader {
  next(): Promise<{ done?: boolean; value?: unknown }>;
  /** Ends the stream, even while its next chunk is pending. */
  cancel(): void;
}

/** Returns a reader for any kind of stream, because Safari cannot iterate over a `ReadableStream`. */
function readerOf(stream: ByteStream): Reader {
  if (typeof stream === 'object' && 'getReader' in stream) {
    const reader = stream.getReader();
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(() => {}) };
  }
  if (typeof stream?.[Symbol.asyncIterator] !== 'function') {
    throw new ConfigurationError('open() must return a ReadableStream, a Node.js stream or another async iterable.');
  }
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    cancel() {
      // `destroy()` ends a Node.js stream immediately. The `return()` of the iterator alone would wait for the next chunk.
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
      Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}

export type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** Upper bound in bytes. Longer pieces would block other work, and progress would be reported less often. */
const MAX_PIECE_BYTES = 262_144;

interface PiecesOptions extends ReadOptions {
  /** Upper bound for the wait for the next chunk of the source, in ms. */
  timeout: number;
}

/**
 * Reads a source in pieces of at most 256 KiB. Closes the source at the end, after a failure and when the reader stops.
 *
 * @throws {TrackingError} if the source cannot be read, or does not have exactly `size` bytes. After an abort, the
 * reason of the signal is thrown.
 */
export async function* readPieces(source: Source, { signal, reuseMemory, timeout }: PiecesOptions): Pieces {
  const scope = new IdleScope(signal, timeout, sourceTimeout);
  const chunks = source.read({ signal: scope.signal, reuseMemory })[Symbol.asyncIterator]();
  let bytesRead = 0;
  try {
    for (;;) {
      scope.startTimer();
      const { done, value } = await abortable(chunks.next(), scope.signal);
      scope.stopTimer();
      if (done) break;
      const chunk = bytesOf(value);
      if (!chunk) throw new ConfigurationError('open() must return a stream of bytes, such as Uint8Array.');
      bytesRead += chunk.length;
      if (bytesRead > source.size) throw bytesChanged(`it is longer than ${source.size} bytes`);
      for (let start = 0; start < chunk.length; start += MAX_PIECE_BYTES) {
        signal.throwIfAborted();
        yield chunk.subarray(start, start + MAX_PIECE_BYTES);
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof TrackingError) throw cause;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be read${detail}.`, { code: 'unreadable', cause });
  } finally {
    scope.end();
    // The call is not awaited, because a source that hangs would never return.
    Promise.resolve(chunks.return?.()).catch(() => {});
  }
  signal.throwIfAborted();
  if (bytesRead < source.size) throw bytesChanged(`it ended after ${bytesRead} of ${source.size} bytes`);
}

/**
 * The error is not a `TimeoutError`, because a `TimeoutError` would cause another attempt although the storage is not
 * the cause.
 */
function sourceTimeout(ms: number): TrackingError {
  return new TrackingError(`The file gave no bytes for ${ms} ms.`, { code: 'unreadable' });
}

/** The bytes of any view or buffer, without a copy; `undefined` for other values. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }
  // The check does not use `instanceof`, because the buffer may come from another realm.
  const isBuffer = Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

export function bytesChanged(how: string, cause?: unknown): TrackingError {
  return new TrackingError(`The file changed during the upload: ${how}.`, { code: 'bytes_changed', cause });
}
