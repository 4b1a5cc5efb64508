import { ConfigurationError } from '../../errors.ts';
import type { ByteStream, UploadStream } from '../options.ts';
import type { Source } from './source.ts';

export function streamSource({ size, open }: UploadStream): Source {
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new ConfigurationError(`The size of the file is ${String(size)}; it must be a whole number of bytes.`);
  }
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
  /** Ends the stream, also while its next chunk is pending. */
  cancel(): void;
}

/** Safari cannot iterate over a `ReadableStream`. */
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
      // destroy() ends a Node.js stream at once. Its iterator would wait for the next chunk.
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
      Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}
