import { streamOf } from '../source/pieces.ts';
import { redirected } from '../storage/storage.ts';
import type { Sending } from './put.ts';

/** Sends with `XMLHttpRequest`: only that tells a page how far it has come. The browser adds the `Content-Length`. */
export async function putByXhr(sending: Sending): Promise<Response> {
  const { url, headers, source, pieces, signal, onLoaded, unobserved } = sending;
  const bytes = source.whole ?? (await new Response(streamOf(pieces({ transient: false }))).blob());
  // A Blob would add its own type to the headers.
  const body = bytes instanceof Blob ? bytes.slice(0, bytes.size, '') : bytes;
  const xhr = new XMLHttpRequest();
  // A page that is not controlled by a service worker is told of every byte; through one, of none.
  const isTold = navigator.serviceWorker?.controller === null;
  if (!isTold) unobserved();
  try {
    return await new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      xhr.upload.onprogress = ({ loaded }) => onLoaded(loaded);
      xhr.onerror = () => reject(new TypeError('The browser says no more than that the request failed.'));
      xhr.onload = () => {
        // Nothing stops a browser from following a redirect, but what came of it must not count.
        if (isElsewhere(xhr, url)) return reject(redirected());
        if (!isTold) onLoaded(source.size);
        resolve(responseOf(xhr));
      };
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
  const asked = new URL(url);
  asked.hash = '';
  return responseURL !== '' && responseURL !== asked.href;
}

function responseOf(xhr: XMLHttpRequest): Response {
  // Asked for by its name, a header that another origin hides would be reported on the console.
  const retryAfter = /^retry-after: *(.*)$/im.exec(xhr.getAllResponseHeaders())?.[1];
  return new Response(xhr.responseText || null, {
    status: xhr.status,
    statusText: xhr.statusText,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });
}
