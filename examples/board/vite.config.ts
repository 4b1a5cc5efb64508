import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';

const WORKER = 'mockServiceWorker.js';

export default defineConfig({
  base: './',
  plugins: [serviceWorker()],
  // The package is linked, so without this option it could import another copy of msw.
  resolve: { dedupe: ['msw'] },
  build: { target: 'es2023', modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1000 },
  server: { fs: { allow: ['.', '../..'] }, proxy: proxies() },
});

/** Serves the service worker of the installed msw beside the page, since a worker controls only its own folder. */
function serviceWorker(): Plugin {
  const read = () => readFileSync(createRequire(import.meta.url).resolve(`msw/${WORKER}`), 'utf8');
  return {
    name: 'service-worker-of-msw',
    configureServer({ middlewares }) {
      middlewares.use(`/${WORKER}`, (_, response) => {
        response.setHeader('content-type', 'text/javascript').end(read());
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: WORKER, source: read() });
    },
  };
}

/** For `npm run live`: forwards `/v2` to the service and adds the key, so that the page never gets the key. */
function proxies(): Record<string, ProxyOptions> {
  const { TRACKING_BASE_URL, TRACKING_API_KEY } = process.env;
  if (!TRACKING_BASE_URL || !TRACKING_API_KEY) return {};
  const { origin, pathname } = new URL(TRACKING_BASE_URL);
  return {
    '/v2': {
      target: origin,
      changeOrigin: true,
      rewrite: path => path.replace(/^\/v2/, pathname.replace(/\/$/, '')),
      headers: { authorization: `Token ${TRACKING_API_KEY}` },
    },
  };
}
