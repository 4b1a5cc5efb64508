import { redirectError } from '../storage/errors.ts';
import { wholeBody } from './body.ts';
import type { PutRequest } from './put.ts';

/** Sends with `XMLHttpRequest`: a page learns of the progress from nothing else. The browser adds `Content-Length`. */
export async function putByXhr(request: PutRequest): Promise<Response> {
  const { url, headers, source, signal, onProgress, onUnknownProgress } = request;
  const whole = await wholeBody(request);
  // The type of a Blob would be added to the headers.
  const body = whole instanceof Blob ? whole.slice(0, whole.size, '') : whole;
  const xhr = new XMLHttpRequest();
  // A service worker hides the progress from the page.
  const reportsProgress = navigator.serviceWorker?.controller === null;
  if (!reportsProgress) onUnknownProgress();
  try {
    return await new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
      xhr.onerror = () => reject(new TypeError('The browser does not say why the request failed.'));
      xhr.onload = () => {
        // A browser always follows redirects, but the response of another URL must not count.
        if (wasRedirected(xhr, url)) return reject(redirectError(url));
        if (!reportsProgress) onProgress(source.size);
        resolve(toResponse(xhr));
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

function wasRedirected({ responseURL }: XMLHttpRequest, url: string): boolean {
  const requested = new URL(url);
  requested.hash = '';
  return responseURL !== '' && responseURL !== requested.href;
}

function toResponse(xhr: XMLHttpRequest): Response {
  const { responseText, status, statusText } = xhr;
  // getResponseHeader() would log an error on the console if another origin does not expose the header.
  const retryAfter = /^retry-after: *(.*)$/im.exec(xhr.getAllResponseHeaders())?.[1];
  return new Response(responseText || null, { status, statusText, headers: { 'retry-after': retryAfter ?? '' } });
}
