import { inBrowser } from '../internal/runtime.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { Fetch } from '../options.ts';
import { piecesOf } from '../transport/response.ts';
import type { Transport } from '../transport/transport.ts';
import { IdleScope, idleTimeout } from './idle-scope.ts';
import { checkUrl, fetchWithKy, okResponse, requestError, storageAt, transferSettings } from './storage.ts';
import type { DownloadOptions } from './upload-options.ts';

/** Downloads from a signed URL. Redirects are followed, because the request contains no credential. */
export async function download(
  url: string | undefined,
  options: DownloadOptions,
  transport: Transport,
): Promise<ReadableStream<Uint8Array>> {
  checkUrl(url);
  const { signal, timeout, policy, fetch = globalThis.fetch } = transferSettings(options, transport);
  const init: RequestInit = inBrowser() ? { credentials: 'omit' } : {};
  const scope = new Scope().follow(signal);
  try {
    return await fetchWithKy(url, init, (url, init) => openStream(url, init, { fetch, signal, timeout }), {
      policy,
      signal: scope.signal,
    });
  } finally {
    scope.dispose();
  }
}

interface OpenOptions {
  fetch: Fetch;
  /** The signal of the caller. It can abort the download until the end of the stream. */
  signal: AbortSignal | undefined;
  /** Upper bound for the time without a byte, in ms. */
  timeout: number;
}

/** Makes one attempt. The attempt ends when the headers arrive: a stream that fails later is not opened again. */
async function openStream(url: string, init: RequestInit, options: OpenOptions): Promise<ReadableStream<Uint8Array>> {
  const { fetch, timeout } = options;
  const scope = new IdleScope(options.signal, timeout, idleTimeout(`GET ${storageAt(url)}: no bytes arrived`));
  const { signal } = scope;
  const request = { method: 'GET', url, signal };
  try {
    scope.startTimer();
    const response = await okResponse(fetch(url, { ...init, signal }), request);
    scope.stopTimer();
    return bodyStream(response, scope, error => requestError(error, request, true));
  } catch (error) {
    const reason = await requestError(error, request);
    scope.end();
    throw reason;
  }
}

/**
 * Cancels streams that the program no longer uses although they have not ended, because such a stream would keep its
 * connection open. Some versions of workerd do not have `FinalizationRegistry`. These versions close all connections of
 * a request when the request ends.
 */
const droppedStreams =
  typeof FinalizationRegistry === 'function' ? new FinalizationRegistry<() => void>(close => close()) : undefined;

/**
 * The body of a response, read on demand. The timer of the scope runs only while the next chunk is pending, so that a slow
 * reader causes no timeout.
 *
 * @param scope closes the stream when the scope is aborted, even if nobody reads the stream. Ends when the stream ends.
 * @param toError makes the error of the stream from the thrown value.
 */
function bodyStream(
  { body }: Response,
  scope: IdleScope,
  toError: (error: unknown) => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const { signal } = scope;
  const pieces = piecesOf({ body });
  // Ending the scope also aborts its signal. This cancels the rest of the body that was not read.
  const close = () => scope.end();
  const cancel = () => pieces?.end();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          scope.startTimer();
          const piece = pieces && (await abortable(pieces.next(), signal));
          scope.stopTimer();
          if (piece && !piece.done) return controller.enqueue(piece.value);
          close();
          controller.close();
        } catch (error) {
          const reason = await toError(error);
          close();
          throw reason;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  droppedStreams?.register(stream, close);
  return stream;
}
