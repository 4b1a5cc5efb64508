import { milliseconds, optionalSignal } from '../../internal/arguments.ts';
import { inBrowser } from '../../internal/runtime.ts';
import { Scope } from '../../internal/signal.ts';
import type { Fetch } from '../../options.ts';
import { resolveRetry } from '../../transport/settings.ts';
import type { Transport } from '../../transport/transport.ts';
import { silence, Watchdog } from '../idle-timer.ts';
import type { DownloadOptions } from '../options.ts';
import { sendByKy } from '../storage/fetch-with-ky.ts';
import { answerOf, type Bytes, bodyOf } from '../storage/response.ts';
import { addressOf, failure, refusal } from '../storage/storage.ts';

/** The bytes behind a signed address. Redirects are followed: nothing that is sent is worth protecting. */
export async function download(url: string, options: DownloadOptions, { storage }: Transport): Promise<Bytes> {
  addressOf(url);
  const timeout = milliseconds('timeout', options.timeout ?? storage.timeout);
  const policy = resolveRetry(options.retry, storage.retry);
  const signal = optionalSignal(options.signal);
  const { fetch = globalThis.fetch } = storage;
  const init: RequestInit = inBrowser() ? { credentials: 'omit' } : {};
  const scope = new Scope().follow(signal);
  let bytes!: Bytes;
  try {
    await sendByKy(
      url,
      init,
      async (url, init) => {
        const opened = await open(url, init, fetch, { signal, timeout });
        bytes = opened.bytes;
        return opened.response;
      },
      { policy, signal: scope.signal },
    );
    return bytes;
  } finally {
    scope.dispose();
  }
}

interface Opening {
  /** The caller's, which is followed for as long as the bytes are read. */
  signal: AbortSignal | undefined;
  timeout: number;
}

/** One attempt. */
async function open(
  url: string,
  init: RequestInit,
  fetch: Fetch,
  opening: Opening,
): Promise<{ response: Response; bytes: Bytes }> {
  const scope = new Scope().follow(opening.signal);
  const { signal } = scope;
  const watchdog = new Watchdog(scope, opening.timeout, silence('GET (storage): nothing came'));
  const onEnd = () => scope.dispose();
  const failed = (error: unknown) => (signal.aborted ? signal.reason : failure('GET', url, error));
  try {
    watchdog.restart();
    const response = await answerOf(fetch(url, { ...init, signal }), signal);
    if (!response.ok) throw await refusal('GET', url, response, signal);
    watchdog.stop();
    return { response, bytes: bodyOf(response, { signal, watchdog, onEnd, failure: failed }) };
  } catch (error) {
    watchdog.stop();
    const reason = failed(error);
    scope.abort();
    scope.dispose();
    throw reason;
  }
}
