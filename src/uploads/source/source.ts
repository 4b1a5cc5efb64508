import { ConfigurationError } from '../../errors.ts';
import type { ByteStream, UploadFile, UploadStream } from '../options.ts';
import { bytesOf } from './bytes.ts';
import { fileSource } from './file-source.ts';
import { changed } from './pieces.ts';

export interface Reading {
  /** Aborts when nobody wants more. */
  signal: AbortSignal;
  /** Whether a chunk is done with when the next one is asked for, so that its memory can be used again. */
  transient: boolean;
}

/** Bytes that can be read from their start more than once. */
export interface Source {
  /** In bytes. */
  readonly size: number;
  /** What the file is called by itself. */
  readonly name: string | undefined;
  /** MIME type, where the file knows it. */
  readonly type: string | undefined;
  /** The bytes as they were given, where no stream has to make them: a browser can send nothing else. */
  readonly whole: Blob | Uint8Array<ArrayBuffer> | undefined;
  read(reading: Reading): AsyncIterable<unknown>;
  /** Rejects if the bytes are gone, or are certain not to be those that were there at first. */
  recheck(): Promise<void>;
}

/** @throws {ConfigurationError} for what is no file. */
export async function sourceOf(file: UploadFile): Promise<Source> {
  if (typeof file === 'string') return fileSource(file);
  const bytes = bytesOf(file);
  if (bytes) return bytesSource(bytes);
  const other = file as Blob | UploadStream;
  if (isBlob(other)) return blobSource(other);
  if (typeof other?.open === 'function') return streamSource(other);
  throw new ConfigurationError(
    'file must be a path, a Blob or File, an ArrayBuffer or Uint8Array, or { size, open } whose open() gives a stream.',
  );
}

/** By its shape: a page may pass one that was made in another frame. */
function isBlob(file: Blob | UploadStream): file is Blob {
  return typeof (file as Blob | undefined)?.slice === 'function' && typeof (file as Blob).stream === 'function';
}

/** Read in slices, since some runtimes hold all that they have given out of `blob.stream()`. */
const SLICE = 1_048_576;

function blobSource(blob: Blob): Source {
  return {
    size: blob.size,
    name: 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined,
    type: blob.type || undefined,
    whole: blob,
    async *read() {
      for (let start = 0; start < blob.size; start += SLICE) {
        yield new Uint8Array(await blob.slice(start, start + SLICE).arrayBuffer());
      }
    },
    async recheck() {
      try {
        await blob.slice(0, 1).arrayBuffer();
      } catch (cause) {
        // A file that has changed since the user chose it cannot be read any more.
        throw changed('the file was written to, moved or deleted', cause);
      }
    },
  };
}

function bytesSource(bytes: Uint8Array<ArrayBuffer>): Source {
  return {
    size: bytes.length,
    name: undefined,
    type: undefined,
    whole: bytes,
    async *read() {
      yield bytes;
    },
    recheck: async () => {},
  };
}

function streamSource({ size, open }: UploadStream): Source {
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new ConfigurationError(`The size of the file is ${String(size)}; it must be a whole number of bytes.`);
  }
  return {
    size,
    name: undefined,
    type: undefined,
    whole: undefined,
    async *read({ signal }) {
      const reader = readerOf(await open());
      signal.addEventListener('abort', reader.cancel);
      try {
        if (signal.aborted) return;
        for (let chunk = await reader.next(); !chunk.done; chunk = await reader.next()) yield chunk.value;
      } finally {
        signal.removeEventListener('abort', reader.cancel);
        reader.cancel();
      }
    },
    recheck: async () => {},
  };
}

interface Reader {
  next(): Promise<{ done?: boolean; value?: unknown }>;
  /** Ends the stream, also while its next chunk is waited for. */
  cancel(): void;
}

/** Not every runtime can iterate over a `ReadableStream`. */
function readerOf(stream: ByteStream): Reader {
  if (typeof stream === 'object' && 'getReader' in stream) {
    const reader = stream.getReader();
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(() => {}) };
  }
  if (typeof stream?.[Symbol.asyncIterator] !== 'function') {
    throw new ConfigurationError('open() must give a ReadableStream, a stream of Node or another async iterable.');
  }
  const chunks = stream[Symbol.asyncIterator]();
  return {
    next: () => chunks.next(),
    cancel() {
      // A stream of Node ends at once when it is destroyed; its iterator would wait for the next chunk.
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
      Promise.resolve(chunks.return?.()).catch(() => {});
    },
  };
}
