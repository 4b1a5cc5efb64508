import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { person, servedSandbox, signedIn } from '../../support/mcp.ts';

/** The status of a request whose path is sent unchanged. */
function status(origin: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = get({ hostname, port, path, agent: false }, response => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
}

/** Signs in while another program sends requests to the callback server. Returns the responses. */
async function meanwhile(ask: (callback: URL) => Promise<unknown>): Promise<unknown> {
  const { server } = await servedSandbox();
  let told: unknown;
  const openBrowser = async (url: URL) => {
    told = await ask(new URL(url.searchParams.get('redirect_uri') ?? ''));
    await person()(url);
  };
  const mcp = await signedIn(server, { openBrowser });
  expect(await mcp.listTools()).toHaveLength(10);
  return told;
}

describe('during a sign-in, the callback server', () => {
  test.each(['//', '//:x', '/favicon.ico', '/callback/'])(
    'responds 404 to a request for %s and continues to wait',
    async path => {
      expect(await meanwhile(({ origin }) => status(origin, path))).toBe(404);
    },
  );

  test.each(['', '?code=c', '?code=c&state=of-a-tab-of-yesterday', '?error=access_denied&state='])(
    'responds 400 to a callback of another sign-in (%s) and continues to wait',
    async query => {
      expect(await meanwhile(({ origin, pathname }) => status(origin, `${pathname}${query}`))).toBe(400);
    },
  );
});
