/**
 * Responds with the code of a snippet at an address of the site, so that the browser loads it as a normal module. The
 * code is sent only once. When the first snippet runs, all modules are stored, so that every snippet also runs offline.
 */

export const CACHE = 'snippets';
/** The folder of these addresses. */
export const CODE = 'code/';

const MODULES = 'modules';
/** The paths of all modules in this folder. The build replaces this name. */
declare const MODULE_PATHS: string[];

interface FetchEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

if ('clients' in globalThis) {
  const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
  let stored: Promise<void> | undefined;
  addEventListener('fetch', event => {
    const { request } = event as FetchEvent;
    if (request.url.startsWith(registration.scope + CODE)) {
      (event as FetchEvent).respondWith(take(request.url));
      stored ??= storeModules().catch(() => {
        stored = undefined;
      });
      (event as FetchEvent).waitUntil(stored);
    } else if (request.url.startsWith(registration.scope)) {
      (event as FetchEvent).respondWith(load(request));
    }
  });
}

async function take(url: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  const response = await cache.match(url);
  await cache.delete(url);
  return response ?? new Response('This snippet is over.', { status: 404 });
}

async function storeModules(): Promise<void> {
  const cache = await caches.open(MODULES);
  await cache.addAll(MODULE_PATHS);
  const kept = new Set(MODULE_PATHS.map(path => new URL(path, location.href).href));
  // The modules of an earlier build.
  for (const { url } of await cache.keys()) if (!kept.has(url)) await cache.delete(url);
}

async function load(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const response = await caches.match(request, { cacheName: MODULES });
    if (response) return response;
    throw error;
  }
}
