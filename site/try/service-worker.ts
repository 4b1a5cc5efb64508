/**
 * Responds with the code of a snippet at an address of the site, so that the browser loads it as a normal module. The
 * code is sent only once.
 */

export const CACHE = 'snippets';
/** The folder of these addresses. */
export const CODE = 'code/';

interface FetchEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

if ('clients' in globalThis) {
  const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
  addEventListener('fetch', event => {
    const { request, respondWith } = event as FetchEvent;
    if (request.url.startsWith(registration.scope + CODE)) respondWith.call(event, take(request.url));
  });
}

async function take(url: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  const response = await cache.match(url);
  await cache.delete(url);
  return response ?? new Response('This snippet is over.', { status: 404 });
}
