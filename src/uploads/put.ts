import type { DirectUpload } from '../records/bodies.ts';
import type { Fetch } from '../transport/send.ts';
import { abortable, Scope } from '../transport/signal.ts';
import { pieces } from './pieces.ts';
import { fixedLengthStream, putByFetch } from './put-by-fetch.ts';
import { putByNode } from './put-by-node.ts';
import { putByXhr } from './put-by-xhr.ts';
import type { Reading, Source } from './source.ts';
import { failure, refusal } from './storage.ts';
import { Watchdog } from './watchdog.ts';

/** The only address and the only headers that the storage accepts. */
export type Slot = Pick<DirectUpload, 'direct_upload'>;

export interface PutSettings {
  signal: AbortSignal;
  /** How long nothing may move, in ms. */
  timeout: number;
  fetch: Fetch | undefined;
  /** How long to wait for a refusal before the first byte, in ms. @default 0 */
  refusalMs?: number | undefined;
  onLoaded: (loaded: number) => void;
}

/** What a way of sending works with. It resolves at the answer, whatever its status. */
export interface Sending {
  url: string;
  headers: Record<string, string>;
  source: Source;
  pieces: (reading: Pick<Reading, 'transient'>) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
  signal: AbortSignal;
  refusalMs: number;
  onLoaded: (loaded: number) => void;
  /** Ends the attempt when `onLoaded` is not called for too long: to be stopped where it cannot be called. */
  watchdog: Watchdog;
}

/** One attempt to send the bytes to the storage. That is not the service: no credential may go there. */
export async function put(slot: Slot, source: Source, settings: PutSettings): Promise<void> {
  const { fetch, timeout, refusalMs = 0, onLoaded } = settings;
  const { url, headers } = slot.direct_upload;
  const scope = new Scope().follow(settings.signal);
  const { signal } = scope;
  const watchdog = new Watchdog(scope, timeout, 'PUT (storage): no bytes were taken and no answer came');
  let unreadable: unknown;

  async function* read({ transient }: Pick<Reading, 'transient'>) {
    try {
      yield* pieces(source, { signal, transient });
    } catch (error) {
      unreadable = error;
      throw error;
    }
  }

  function moved(loaded: number): void {
    watchdog.restart();
    onLoaded(loaded);
  }

  try {
    moved(0);
    const sending = { url, headers, source, pieces: read, signal, refusalMs, onLoaded: moved, watchdog };
    const response = await abortable(send(sending, fetch), signal);
    if (!response.ok) throw await refusal('PUT', url, response, signal);
    await abortable(response.text(), signal);
    onLoaded(source.size);
  } catch (error) {
    throw signal.aborted ? signal.reason : failure('PUT', url, unreadable ?? error);
  } finally {
    watchdog.stop();
    // The storage may have answered before it had all bytes: nobody reads the rest of the file then.
    scope.abort();
    scope.dispose();
  }
}

function send(sending: Sending, fetch: Fetch | undefined): Promise<Response> {
  if (fetch || fixedLengthStream()) return putByFetch(sending, fetch);
  if (globalThis.process?.getBuiltinModule?.('node:http')) return putByNode(sending);
  return typeof XMLHttpRequest === 'function' ? putByXhr(sending) : putByFetch(sending, fetch);
}
