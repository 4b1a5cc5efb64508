import { ConnectionError } from '../../errors.ts';
import { Scope } from '../../internal/signal.ts';
import { silence, Watchdog } from '../idle-timer.ts';
import { pieces } from '../source/pieces.ts';
import type { Reading, Source } from '../source/source.ts';
import { answerOf, textOf } from '../storage/response.ts';
import { failure, refusal, type Slot } from '../storage/storage.ts';

/** In bytes a millisecond. What is slower is given up where nobody tells how far it has come. */
const SLOWEST = 100;

export interface PutSettings {
  signal: AbortSignal;
  /** How long nothing may move, in ms. */
  timeout: number;
  /** How long to wait for a refusal before the first byte, in ms. @default 0 */
  refusalMs?: number | undefined;
  onLoaded: (loaded: number) => void;
}

/**
 * What a way of sending works with. It resolves at the answer, whatever its status, and has told by then how many bytes
 * were taken.
 */
export interface Sending {
  url: string;
  headers: Record<string, string>;
  source: Source;
  pieces: (reading: Pick<Reading, 'transient'>) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
  signal: AbortSignal;
  refusalMs: number;
  onLoaded: (loaded: number) => void;
  /** To be called where nobody tells how far the sending has come: the answer may then take as long as the file is large. */
  unobserved: () => void;
}

/** One of the ways to send. */
export type Send = (sending: Sending) => Promise<Response>;

/**
 * One attempt to send the bytes to the storage. That is not the service: no credential may go there. Resolves to the
 * answer, which has been read.
 */
export async function put(slot: Slot, source: Source, send: Send, settings: PutSettings): Promise<Response> {
  const { timeout, refusalMs = 0, onLoaded } = settings;
  const { url, headers } = slot.direct_upload;
  const scope = new Scope().follow(settings.signal);
  const { signal } = scope;
  const watchdog = new Watchdog(scope, timeout, silence('PUT (storage): no bytes were taken and no answer came'));
  let taken = 0;
  let reading: AsyncGenerator<Uint8Array<ArrayBuffer>> | undefined;
  let unreadable: unknown;

  async function* read({ transient }: Pick<Reading, 'transient'>) {
    try {
      // The storage is not to blame for the time that the file takes.
      watchdog.stop();
      for await (const piece of pieces(source, { signal, transient, timeout })) {
        watchdog.restart();
        yield piece;
        watchdog.stop();
      }
    } catch (error) {
      unreadable = error;
      throw error;
    }
    watchdog.restart();
  }

  function moved(loaded: number): void {
    watchdog.restart();
    taken = loaded;
    onLoaded(loaded);
  }

  try {
    moved(0);
    // The listener may have aborted the upload.
    signal.throwIfAborted();
    const sending: Sending = {
      url,
      headers,
      source,
      pieces: how => {
        reading = read(how);
        return reading;
      },
      signal,
      refusalMs,
      onLoaded: moved,
      unobserved: () => watchdog.restart(source.size / SLOWEST),
    };
    const response = await answerOf(send(sending), signal);
    if (!response.ok) throw await refusal('PUT', url, response, signal);
    if (taken < source.size) throw new ConnectionError('PUT (storage): it answered before it had all bytes');
    await textOf(response, signal);
    return response;
  } catch (error) {
    throw signal.aborted ? signal.reason : failure('PUT', url, unreadable ?? error);
  } finally {
    watchdog.stop();
    scope.abort();
    scope.dispose();
    // Who sends may have stopped without a word, and the file would stay open.
    reading?.return(undefined).catch(() => {});
  }
}
