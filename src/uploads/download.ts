import { milliseconds } from '../arguments.ts';
import { inBrowser, resolveRetry } from '../options.ts';
import { retry } from '../transport/retry.ts';
import { abortable, Scope } from '../transport/signal.ts';
import type { Transport } from '../transport/transport.ts';
import type { DownloadOptions } from './options.ts';
import { addressOf, failure, mayTryAgain, refusal } from './storage.ts';
import { silence, Watchdog } from './watchdog.ts';

type Bytes = ReadableStream<Uint8Array>;

/** The bytes behind a signed address. Redirects are followed: nothing that is sent is worth protecting. */
export async function download(url: string, options: DownloadOptions, { storage }: Transport): Promise<Bytes> {
  addressOf(url);
  const timeout = milliseconds('timeout', options.timeout ?? storage.timeout);
  const policy = resolveRetry(options.retry, storage.retry);
  const scope = new Scope().follow(options.signal);
  try {
    return await retry(
      () => open(url, timeout, options.signal, storage.fetch),
      async (error, attempt) => !scope.signal.aborted && mayTryAgain(error, attempt, policy, scope.signal),
    );
  } finally {
    scope.dispose();
  }
}

async function open(
  url: string,
  timeout: number,
  caller: AbortSignal | undefined,
  customFetch: Transport['storage']['fetch'],
): Promise<Bytes> {
  // Follows the caller's signal for as long as the stream is read.
  const scope = new Scope().follow(caller);
  const { signal } = scope;
  const watchdog = new Watchdog(scope, timeout, silence('GET (storage): nothing came'));
  const failed = (error: unknown) => {
    end();
    return signal.aborted ? signal.reason : failure('GET', url, error);
  };

  function end(): void {
    watchdog.stop();
    scope.dispose();
  }

  try {
    watchdog.restart();
    const init: RequestInit = { signal, ...(inBrowser() && { credentials: 'omit' }) };
    const response = await abortable(customFetch ? customFetch(new Request(url, init)) : fetch(url, init), signal);
    if (!response.ok) throw await refusal('GET', url, response, signal);
    watchdog.stop();
    const reader = (response.body ?? new Blob().stream()).getReader();
    return new ReadableStream(
      {
        async pull(controller) {
          try {
            watchdog.restart();
            const { done, value } = await abortable(reader.read(), signal);
            watchdog.stop();
            if (!done) return controller.enqueue(value);
            end();
            controller.close();
          } catch (error) {
            throw failed(error);
          }
        },
        cancel(reason) {
          end();
          return reader.cancel(reason);
        },
      },
      // Reads nothing ahead: time that its reader takes must not count as silence.
      { highWaterMark: 0 },
    );
  } catch (error) {
    throw failed(error);
  }
}
