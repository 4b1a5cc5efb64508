import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Sandbox } from './index.ts';

/** Options of {@link handlers}. */
export interface HandlersOptions {
  /**
   * The base URL that the client under test has.
   * @default every origin, below `/v2`
   */
  baseUrl?: string | undefined;
}

/**
 * The sandbox as request handlers of msw, for programs whose `fetch` is mocked already.
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
        // A fault that drops the connection.
        return HttpResponse.error();
      }
    }),
  ];
}
