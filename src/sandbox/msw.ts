import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Sandbox } from './index.ts';

/** The options of `handlers`. */
export interface HandlersOptions {
  /**
   * The base URL of the client under test.
   * @default the path `/v2` of every host
   */
  baseUrl?: string | undefined;
}

/**
 * The sandbox as request handlers of msw, for tests that already use msw.
 *
 * @example
 * const sandbox = createSandbox();
 * const server = setupServer(...handlers(sandbox, { baseUrl: 'https://host.example/v2' }));
 */
export function handlers(sandbox: Sandbox, { baseUrl = '*/v2' }: HandlersOptions = {}): HttpHandler[] {
  return [
    http.all(`${baseUrl.replace(/\/+$/, '')}/*`, async ({ request }) => {
      try {
        return await sandbox.fetch(request);
      } catch {
        // A fault has dropped the connection.
        return HttpResponse.error();
      }
    }),
  ];
}
