import type { Fetch } from '../../options.ts';
import { IdleScope, idleTimeout } from '../idle-scope.ts';
import { requestError, storageAt } from '../storage/errors.ts';
import { okResponse } from '../storage/response.ts';
import { bodyStream } from './body-stream.ts';

export interface OpenOptions {
  fetch: Fetch;
  /** The signal of the caller. It can abort the download until the stream has ended. */
  signal: AbortSignal | undefined;
  /** How long to wait for the next bytes, in ms. */
  timeout: number;
}

/** One attempt. It ends with the headers of the response: the stream itself is not opened again after a failure. */
export async function openStream(
  url: string,
  init: RequestInit,
  options: OpenOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { fetch, timeout } = options;
  const scope = new IdleScope(options.signal, timeout, idleTimeout(`GET ${storageAt(url)}: no bytes arrived`));
  const { signal } = scope;
  const request = { method: 'GET', url, signal };
  const toError = (error: unknown) => requestError(error, request);
  try {
    scope.startTimer();
    const response = await okResponse(fetch(url, { ...init, signal }), request);
    scope.stopTimer();
    return bodyStream(response, scope, toError);
  } catch (error) {
    const reason = toError(error);
    scope.end();
    throw reason;
  }
}
