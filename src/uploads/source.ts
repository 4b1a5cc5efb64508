import { ConfigurationError } from '../errors.ts';
import { abortable } from '../transport/signal.ts';
import { fileSource } from './file-source.ts';
import type { UploadFile, UploadStream } from './options.ts';

export interface Reading {
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
  read(reading: Reading): AsyncIterable<Uint8Array>;
  /** Rejects if the bytes are gone, or are certain not to be those that were there at first. */
  recheck(): Promise<unknown>;
}

/** @throws {ConfigurationError} for what is no file. */
export async function sourceOf(file: UploadFile): Promise<Source> {
  if (typeof file === 'string') return fileSource(file);
  if (file instanceof ArrayBuffer) return bytesSource(new Uint8Array(file));
  if (ArrayBuffer.isView(file)) {
    return bytesSource(new Uint8Array(file.buffer as ArrayBuffer, file.byteOffset, file.byteLength));
  }
  if (isBlob(file)) return blobSource(file);
  if (typeof file?.open === 'function') return streamSource(file);
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
    // A file that has changed since the user chose it cannot be read any more.
    recheck: () => blob.slice(0, 1).arrayBuffer(),
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
      const stream = await abortable(Promise.resolve(open()), signal);
      const reader = stream.getReader();
      const stop = () => reader.cancel(signal.reason).catch(() => {});
      signal.addEventListener('abort', stop);
      try {
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
    recheck: async () => {},
  };
}
