import type { Pieces } from '../source/pieces.ts';
import type { PutRequest } from './put.ts';

/**
 * A stream that reads a piece only when one is requested.
 *
 * @param onProgress called with the number of bytes that were read from the stream so far.
 */
export function streamOf(
  pieces: Pieces,
  onProgress?: (bytes: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        // Lets Node.js read the socket: it notices an early response before the next write fails.
        if (typeof setImmediate === 'function') await new Promise<void>(resolve => setImmediate(resolve));
        controller.enqueue(value);
        bytes += value.length;
        onProgress?.(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The whole file, for runtimes that cannot send a stream. */
export async function wholeBody({ source, readPieces }: PutRequest): Promise<Blob | Uint8Array<ArrayBuffer>> {
  return source.body ?? (await new Response(streamOf(readPieces({ reuseMemory: false }))).blob());
}
