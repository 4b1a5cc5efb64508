import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { person, servedSandbox, signedIn } from '../../support/mcp.ts';

/** The status of a request whose path goes out as it is. */
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

/** Signs in while another program sends requests to the server that waits for the browser; gives the responses. */
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

describe('while a person signs in, the server that waits for the browser', () => {
  test.each(['//', '//:x', '/favicon.ico', '/callback/'])(
    'answers a request for %s with 404 and goes on waiting',
    async path => {
      expect(await meanwhile(({ origin }) => status(origin, path))).toBe(404);
    },
  );

  test.each(['', '?code=c', '?code=c&state=of-a-tab-of-yesterday', '?error=access_denied&state='])(
    'answers a page of another sign-in (%s) with 400 and goes on waiting',
    async query => {
      expect(await meanwhile(({ origin, pathname }) => status(origin, `${pathname}${query}`))).toBe(400);
    },
  );
});
