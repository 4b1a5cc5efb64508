import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createMcpHandler, type FailedCall } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, stdioPeer } from '../../support/mcp-peer.ts';
import { createSandbox } from '../../support/sandbox.ts';

const ID = '5b7c9d80-0000-4000-8000-000000000001';
const USER = 'the user must check the address of the service (TRACKING_BASE_URL)';
const html = (status: number) => new Response('<html>x', { status, headers: { 'content-type': 'text/html' } });
const broken = (code: string) => () =>
  Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));

function peerOf(fetch: () => Promise<Response>) {
  const failed: FailedCall[] = [];
  const client = { baseUrl: 'https://host.example/v2', logger: false, retry: false, rateLimit: false, fetch } as const;
  const handler = createMcpHandler({ client, onFailure: (_, call) => failed.push(call) });
  onTestFinished(() => handler.close());
  return { peer: httpPeer(handler.fetch), failed };
}

describe('if the address is wrong, the failure names the cause, says that the user must act, and advises no retry', () => {
  test.each<[string, () => Promise<Response>, string]>([
    ['nothing listens', broken('ECONNREFUSED'), `Nothing listens at host.example: ${USER} and the server.`],
    ['there is no such host', broken('ENOTFOUND'), `There is no host host.example: ${USER}.`],
    [
      'the server has no TLS',
      broken('ERR_SSL_WRONG_VERSION_NUMBER'),
      `host.example does not use TLS: ${USER}, which may need http:`,
    ],
    [
      'the certificate is another',
      broken('CERT_HAS_EXPIRED'),
      `The certificate of host.example is not valid here: ${USER}`,
    ],
    ['a page comes', async () => html(200), `host.example does not look like the service: ${USER}.`],
    ['a page comes with a 404', async () => html(404), `host.example does not look like the service: ${USER}.`],
    [
      'a redirect comes',
      async () => new Response('', { status: 301, headers: { location: '/x' } }),
      `redirect (301): ${USER}.`,
    ],
  ])('%s', async (_, fetch, message) => {
    const { peer, failed } = peerOf(fetch);
    for (const [tool, args] of [
      ['list_containers', {}],
      ['get_container', { id: 'MSCU1234566' }],
      ['whoami', {}],
      ['get_container', { id: ID }],
    ] as const) {
      const failure = failureIn(await peer.call(tool, args));
      expect(failure).toEqual({ error: 'upstream', message: expect.stringContaining(message) });
      expect(failure.message).toMatch(/ Calling again does not help before that\.$/);
      expect(failure.message).not.toContain('/v2');
      expect(failed.at(-1)).toEqual({ tool, kind: 'upstream', message: failure.message });
    }
  });
});

test.each([
  [
    'a connection that breaks',
    broken('ECONNRESET'),
    'The connection to the service broke (ECONNRESET). One more try is sensible',
  ],
  [
    'a name that cannot be looked up now',
    broken('EAI_AGAIN'),
    'the user must check the network and its DNS. One more try is',
  ],
  ['a 502', async () => html(502), 'The service has failed with the status 502. One more try is sensible'],
])('after %s, one more try is advised', async (_, fetch, message) => {
  const { peer } = peerOf(fetch);
  expect(failureIn(await peer.call('list_containers')).message).toContain(message);
});

test('a mistake in the arguments and a missing record are not reported to onFailure', async () => {
  const { peer, failed } = peerOf(async () => Response.json({ errors: [{ title: 'x' }] }, { status: 404 }));
  await peer.call('get_container', { id: ID });
  await peer.call('get_container');
  expect(failed).toEqual([]);
});

test('the command prints each cause once on stderr, with the place of the setting', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const peer = await stdioPeer(`http://127.0.0.1:${port}/v2`, { key: 'secret-key' });
  for (const tool of ['whoami', 'worklist']) await peer.call(tool);
  await peer.close();
  expect(peer.stderr()).toMatch(
    new RegExp(`^whoami: There was no response .*nothing listens at 127.0.0.1:${port}.*TRACKING_BASE_URL.*\n$`),
  );
  expect(peer.stderr()).not.toContain('secret-key');
});

test('the command prints on stderr that a key is refused, that the service has failed, and that the rate limit is reached', async () => {
  const sandbox = createSandbox({ rateLimit: false });
  const service = await sandbox.listen();
  const peer = await stdioPeer(service.baseUrl);
  sandbox.fail({ match: { path: '/me' }, status: 401 });
  await peer.call('whoami');
  sandbox.fail({ match: { path: '/me' }, status: 409 });
  await peer.call('whoami');
  sandbox.fail({ match: { path: '/search' }, retryAfter: 90 });
  for (const query of ['a', 'b']) await peer.call('search_container', { query });
  await peer.close();
  await service.close();
  expect(peer.stderr().trim().split('\n')).toEqual([
    expect.stringMatching(/^whoami: The service refuses the API key\. .*TRACKING_API_KEY/),
    expect.stringMatching(/^whoami: .*409/),
    expect.stringMatching(/^search_container: The request budget is used up\. Wait \d+ seconds/),
  ]);
});

test.each([{ drop: 'mid-body' }, { stall: 'mid-body' }, { status: 502 }] as const)(
  'after %j of a write, the failure says that the write may have happened, and that the same call is safe',
  async fault => {
    const sandbox = createSandbox({ rateLimit: false });
    const service = await sandbox.listen();
    onTestFinished(() => service.close());
    const { baseUrl } = service;
    const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', retry: false, timeout: 200, rateLimit: false });
    const handler = createMcpHandler({ client });
    onTestFinished(() => handler.close());
    const peer = httpPeer(handler.fetch);
    const wanted = { number: 'MAEUATSEA1', scac: 'MAEU', number_type: 'bill_of_lading' };
    sandbox.fail({ route: 'POST /tracking_requests', ...fault });
    const { error, message } = failureIn(await peer.call('track_container', wanted));
    expect({ error, message }).toEqual({
      error: 'upstream',
      message: expect.stringMatching(/ The number may have been requested\. The same call again is safe: /),
    });
    await peer.call('track_container', wanted);
    expect((await client.trackingRequests.list()).data).toHaveLength(1);
  },
);

test('the command prints the source of the address after a redirect', async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: 'https://other.example/' }).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const peer = await stdioPeer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`);
  await peer.call('whoami');
  await peer.close();
  server.close();
  expect(peer.stderr()).toMatch(/^whoami: .*redirect.* comes from the variable TRACKING_BASE_URL\./);
});

test('no retry is advised for a port that fetch does not use', async () => {
  const { peer } = peerOf(async () => {
    throw new TypeError('fetch failed', { cause: new Error('bad port') });
  });
  expect(failureIn(await peer.call('whoami')).message).toMatch(
    /^Programs may not use the port of \S+: the user must check the address .*Calling again does not help before that\.$/,
  );
});

test('only a tool that reads whole lists advises about cheaper tools if the budget is used up', async () => {
  const { peer } = peerOf(async () => new Response('{}', { status: 429, headers: { 'retry-after': '90' } }));
  expect(failureIn(await peer.call('whoami')).message).toBe(
    'The request budget is used up. Wait 90 seconds, then make the same call again.',
  );
  expect(failureIn(await peer.call('worklist')).message).toMatch(/The next call continues this reading\./);
});
