import { inBrowser } from '../internal/runtime.ts';
import { Scope } from '../internal/signal.ts';
import type { Transport } from '../transport/transport.ts';
import { openStream } from './download/open-stream.ts';
import type { DownloadOptions } from './options.ts';
import { transferSettings } from './settings.ts';
import { fetchWithKy } from './storage/fetch-with-ky.ts';
import { checkUrl } from './storage/slot.ts';

/** Downloads from a signed URL. Redirects are followed, since the request contains no credential. */
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
