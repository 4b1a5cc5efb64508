import { TrackingError } from '../errors.ts';
import { streamOf } from './pieces.ts';
import type { Sending } from './put.ts';

/** Sends with `XMLHttpRequest`: only that tells a page how far it has come. The browser adds the `Content-Length`. */
export async function putByXhr({ url, headers, source, pieces, signal, onLoaded }: Sending): Promise<Response> {
  // Bytes that are only collected are not sent yet, but something moves.
  const collected = () => streamOf(pieces({ transient: false }), () => onLoaded(0));
  const bytes = source.whole ?? (await new Response(collected()).blob());
  // A Blob would add its own type to the headers.
  const body = bytes instanceof Blob ? bytes.slice(0, bytes.size, '') : bytes;
  const xhr = new XMLHttpRequest();
  try {
    return await new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      xhr.upload.onprogress = ({ loaded }) => onLoaded(loaded);
      xhr.onerror = () => reject(new TypeError('The browser says no more than that the request failed.'));
      // Nothing stops a browser from following a redirect, but what came of it must not count.
      xhr.onload = () => (isElsewhere(xhr, url) ? reject(redirected()) : resolve(responseOf(xhr)));
      xhr.open('PUT', url);
      for (const [name, value] of Object.entries(headers)) {
        if (name.toLowerCase() !== 'content-length') xhr.setRequestHeader(name, value);
      }
      xhr.send(body);
    });
  } finally {
    xhr.abort();
  }
}

function isElsewhere({ responseURL }: XMLHttpRequest, url: string): boolean {
  return responseURL !== '' && new URL(responseURL).origin !== new URL(url).origin;
}

function redirected(): TrackingError {
  return new TrackingError('PUT (storage): a redirect led to another origin', { code: 'redirected' });
}

function responseOf(xhr: XMLHttpRequest): Response {
  const retryAfter = xhr.getResponseHeader('retry-after');
  return new Response(xhr.responseText || null, {
    status: xhr.status,
    statusText: xhr.statusText,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
}
