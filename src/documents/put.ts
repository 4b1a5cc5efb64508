import { ConnectionError } from '../errors.ts';
import { readErrorText } from '../transport/body.ts';
import { IdleScope, idleTimeout } from './idle-scope.ts';
import { type Pieces, type ReadOptions, readPieces, type Source } from './source.ts';
import { okResponse, requestError, type Slot, storageAt } from './storage.ts';

/** In bytes per ms. Where progress is unknown, an attempt that is slower than this times out. */
const MIN_SPEED = 100;

export interface AttemptOptions {
  signal: AbortSignal;
  /** How long to wait for progress, in ms. */
  timeout: number;
  /** How long to wait for an early response before the first byte is sent, in ms. @default 0 */
  earlyResponseMs?: number | undefined;
  /** Called with the number of bytes sent so far. */
  onProgress: (bytes: number) => void;
}

/** What a {@link Sender} sends. */
export interface PutRequest {
  url: string;
  headers: Record<string, string>;
  source: Source;
  /** Reads the source. Called at most once. */
  readPieces: (options: Pick<ReadOptions, 'reuseMemory'>) => Pieces;
  signal: AbortSignal;
  earlyResponseMs: number;
  onProgress: (bytes: number) => void;
  /** To be called where the runtime does not report progress: the timeout then depends on the size of the file. */
  onUnknownProgress: () => void;
}

/** Sends a file. Resolves to the response, whatever its status is; all progress has been reported by then. */
export type Sender = (request: PutRequest) => Promise<Response>;

/** One attempt to send a file to the storage. The storage is another server: no credential may be sent to it. */
export async function put(slot: Slot, source: Source, send: Sender, options: AttemptOptions): Promise<void> {
  const { timeout, earlyResponseMs = 0 } = options;
  const { url, headers } = slot.direct_upload;
  const where = `PUT ${storageAt(url)}`;
  const silence = idleTimeout(`${where}: no bytes were accepted and no response came`);
  const scope = new IdleScope(options.signal, timeout, silence);
  const { signal } = scope;
  const request = { method: 'PUT', url, signal };
  let bytesSent = 0;
  let pieces: Pieces | undefined;
  let sourceError: unknown;

  async function* read(reuseMemory: boolean): Pieces {
    try {
      // While the next piece is read, only the timeout of the source applies.
      scope.stopTimer();
      for await (const piece of readPieces(source, { signal, reuseMemory, timeout })) {
        scope.startTimer();
        yield piece;
        scope.stopTimer();
      }
    } catch (error) {
      sourceError = error;
      throw error;
    }
    scope.startTimer();
  }

  function onProgress(bytes: number): void {
    scope.startTimer();
    bytesSent = bytes;
    options.onProgress(bytes);
  }

  try {
    onProgress(0);
    // The listener may have aborted the upload.
    signal.throwIfAborted();
    const response = send({
      url,
      headers,
      source,
      readPieces: ({ reuseMemory }) => {
        pieces = read(reuseMemory);
        return pieces;
      },
      signal,
      earlyResponseMs,
      onProgress,
      onUnknownProgress: () => scope.startTimer(source.size / MIN_SPEED),
    });
    const ok = await okResponse(response, request);
    if (bytesSent < source.size) throw new ConnectionError(`${where}: response before all bytes were sent`);
    await readErrorText(ok, signal);
  } catch (error) {
    throw requestError(sourceError ?? error, request);
  } finally {
    scope.end();
    // The sender may have stopped without a word; the file must not stay open.
    pieces?.return(undefined).catch(() => {});
  }
}
