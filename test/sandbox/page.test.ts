import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { containerState } from '../../src/domain/index.ts';
import { DOCUMENT, SCRIPT } from '../../src/sandbox/page/generated/texts.ts';
import { FILES } from '../../src/sandbox/page/sandbox-page.ts';
import { legsOf } from '../../src/sandbox/page/snapshot.ts';
import { attributes, call, createSandbox, get, type Sandbox, stillSandbox } from '../../support/sandbox.ts';
import { sandboxPageFiles } from '../../support/sandbox-page.ts';

const HERE = 'http://127.0.0.1:4010';
const HOOK = 'https://app.example/hooks/s3cret?key=s3cret';
const QUIET = { fetch: async () => new Response() };

type Headers = Record<string, string>;

/** Sends a request to the page, with the token of the page by default. */
async function ask(
  sandbox: Sandbox,
  path: string,
  { headers = {}, ...init }: RequestInit & { headers?: Headers } = {},
) {
  const response = await sandbox.fetch(`${HERE}${path}`, {
    ...init,
    headers: { 'x-sandbox-token': sandbox.pageToken, ...headers },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

const act = (sandbox: Sandbox, name: string, body: unknown, headers?: Headers) =>
  ask(sandbox, `/page/actions/${name}`, { method: 'POST', body: JSON.stringify(body), ...(headers && { headers }) });

describe('the files of the page', () => {
  test.each([...FILES])(
    '%s is served, loads nothing from another origin, and cannot be read by another origin',
    async path => {
      const { status, headers, text } = await ask(stillSandbox(), path);
      expect(status).toBe(200);
      expect(text.length).toBeGreaterThan(100);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
    },
  );

  test('the document refers only to files of the page, and has no inline scripts or styles', () => {
    const targets = Array.from(DOCUMENT.matchAll(/(?:src|href)="([^"#]+)"/g), ([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(3);
    expect(targets.filter(target => !FILES.has(target))).toEqual([]);
    expect(DOCUMENT).not.toMatch(/style=|<style|<script(?! type="module" src=)|\son\w+=/);
  });

  test('the script never interprets text as HTML', () => {
    expect(SCRIPT).toContain('textContent');
    expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc/);
  });

  test.each(Object.entries(sandboxPageFiles()))('%s is the output of `npm run generate`', (path, text) => {
    expect(readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')).toBe(text);
  });
});

describe('access to the page', () => {
  test.each(['127.0.0.1', 'localhost', 'sub.localhost', '[::1]', '192.168.1.5'])(
    'is allowed if the host is %s',
    async host => {
      const response = await stillSandbox().fetch(`http://${host}:4010/page/data`);
      expect(response.status).toBe(200);
    },
  );

  test.each(['host.example', '127.0.0.1.host.example', 'localhost.example', '1.2.3.host'])(
    'is refused if the host is %s, a name that others can point to this machine (DNS rebinding)',
    async host => {
      const sandbox = stillSandbox();
      const before = sandbox.now();
      for (const path of ['/', '/page/data', '/page/main.js', '/page/actions/advance']) {
        const response = await sandbox.fetch(`http://${host}:4010${path}`, {
          method: path.includes('actions') ? 'POST' : 'GET',
          headers: { 'x-sandbox-token': sandbox.pageToken },
          ...(path.includes('actions') && { body: '{"days":1}' }),
        });
        expect([path, response.status]).toEqual([path, 403]);
      }
      expect(sandbox.now()).toEqual(before);
    },
  );

  test('depends on the Host header over a socket', async () => {
    const sandbox = stillSandbox();
    const server = await sandbox.listen();
    onTestFinished(() => server.close());
    const { port } = new URL(server.baseUrl);
    expect(await statusOver(port, { host: `127.0.0.1:${port}` })).toBe(200);
    expect(await statusOver(port, { host: `rebound.example:${port}` })).toBe(403);
    expect(await statusOver(port, { host: `127.0.0.1:${port}`, origin: 'http://rebound.example' })).toBe(403);
  });

  test.each([
    ['a foreign origin', { origin: 'https://app.example' }],
    ['an origin of another port', { origin: 'http://127.0.0.1:4011' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ])('is refused for %s, even with the right token', async (_, headers) => {
    const sandbox = stillSandbox();
    const before = sandbox.now();
    expect((await ask(sandbox, '/page/data', { headers })).status).toBe(403);
    expect((await act(sandbox, 'advance', { days: 1 }, headers)).status).toBe(403);
    expect(sandbox.now()).toEqual(before);
  });

  test('is allowed for a browser that follows a link on another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask(stillSandbox(), '/', { headers })).status).toBe(200);
  });

  test.each(['/', '/page/data', '/page/actions/advance'])('is refused in a preflight for %s', async path => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-sandbox-token',
      'access-control-request-private-network': 'true',
    };
    const answer = await ask(stillSandbox(), path, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(403);
    expect([...answer.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
  });

  test.each([
    ['no', undefined],
    ['an empty', ''],
    ['a wrong', 'f'.repeat(32)],
    ['half of the', 'half'],
  ])('with %s token cannot change anything', async (_, given) => {
    const sandbox = stillSandbox({ shipments: 2 });
    const token = given === 'half' ? sandbox.pageToken.slice(0, 16) : given;
    const changes = { advance: { days: 1 }, 'add-fault': { status: 500 }, scenario: { name: 'rolled' }, track: {} };
    const before = JSON.stringify(sandbox.save());
    for (const [name, body] of Object.entries(changes)) {
      const response = await sandbox.fetch(`${HERE}/page/actions/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: token === undefined ? {} : { 'x-sandbox-token': token },
      });
      expect([name, response.status]).toEqual([name, 403]);
    }
    expect(JSON.stringify(sandbox.save())).toBe(before);
  });

  test('needs a token that differs for each sandbox, and pageUrl has this token after the #', async () => {
    const sandbox = stillSandbox();
    const server = await sandbox.listen();
    onTestFinished(() => server.close());
    expect(server.pageUrl).toBe(`${new URL(server.baseUrl).origin}/#token=${sandbox.pageToken}`);
    expect(sandbox.pageToken).toMatch(/^[0-9a-f]{32}$/);
    expect(sandbox.pageToken).not.toBe(stillSandbox().pageToken);
    const token = sandbox.pageToken;
    sandbox.reset();
    expect(sandbox.pageToken).toBe(token);
  });
});

describe('the data for the page', () => {
  async function withHook() {
    const sandbox = stillSandbox({ ...QUIET, rateLimit: {}, accounts: { acme: { apiKeys: ['acme-k3y'] }, other: {} } });
    const events = ['tracking_request.succeeded'];
    const headers = { authorization: 'Token acme-k3y', 'content-type': 'application/json' };
    const post = (path: string, body: unknown) =>
      sandbox.fetch(`${HERE}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await post('/webhooks', attributes('webhook', { url: HOOK, active: true, events }));
    const request = { request_type: 'bill_of_lading', request_number: 'MAEUATSEA1', scac: 'MAEU' };
    await post('/tracking_requests', attributes('tracking_request', request));
    sandbox.advance({ seconds: 5 });
    await sandbox.flush();
    return sandbox;
  }

  test('has keys, windows, deliveries and requests if the token is right', async () => {
    const sandbox = await withHook();
    const { json } = await ask(sandbox, '/page/data');
    expect(json).toMatchObject({
      mayChange: true,
      account: 'acme',
      accounts: [{ name: 'acme', keys: ['acme-k3y'], counts: { shipments: 1 } }, { name: 'other' }],
      shipments: [{ number: 'MAEUATSEA1', from: expect.any(String), legs: expect.any(Array) }],
      trackingRequests: [{ number: 'MAEUATSEA1', scac: 'MAEU', status: 'created', failedReason: null }],
      deliveries: [{ event: 'tracking_request.succeeded', url: HOOK, status: 'succeeded', attempts: 1 }],
      requests: [{ method: 'POST', path: '/tracking_requests', status: 201 }, { path: '/webhooks' }],
    });
    expect(json.limits[0]).toMatchObject({ account: 'acme', apiKey: 'acme-k3y' });
    expect((await ask(sandbox, '/page/data?account=other')).json).toMatchObject({ account: 'other', shipments: [] });
  });

  test('has the bodies of the opened request and of its response', async () => {
    const sandbox = await withHook();
    const [newest] = (await ask(sandbox, '/page/data')).json.requests;
    const { opened } = (await ask(sandbox, `/page/data?request=${newest.number}`)).json;
    expect(JSON.parse(opened.request)).toMatchObject({ data: { attributes: { request_number: 'MAEUATSEA1' } } });
    expect(JSON.parse(opened.response)).toMatchObject({ data: { type: 'tracking_request', id: expect.any(String) } });
    expect((await ask(sandbox, '/page/data?request=99')).json.opened).toBeNull();
  });

  test('keeps the number of each request when the log drops older requests', async () => {
    const sandbox = createSandbox({ keepRequests: 2 });
    for (const n of [1, 2, 3]) await call(sandbox, 'GET', `/ports?n=${n}`);
    const { requests, opened } = (await ask(sandbox, '/page/data?request=3')).json;
    expect(requests.map(({ number, query }: { number: number; query: string }) => [number, query])).toEqual([
      [3, 'n=3'],
      [2, 'n=2'],
    ]);
    expect(opened.request).toBeNull();
  });

  test('contains no credential if the token is missing', async () => {
    const sandbox = await withHook();
    const text = await (await sandbox.fetch(`${HERE}/page/data`)).text();
    expect(JSON.parse(text)).toMatchObject({ mayChange: false, deliveries: [{ url: 'https://app.example' }] });
    expect(text).not.toMatch(/k3y|s3cret/);
  });

  test('is refused with a wrong token', async () => {
    const answer = await ask(await withHook(), '/page/data', { headers: { 'x-sandbox-token': 'f'.repeat(32) } });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.json)).toEqual(['error']);
  });

  test('does not contain the signature in the address of a file', async () => {
    const sandbox = stillSandbox();
    await get(sandbox, '/rails/active_storage/disk/1?signature=s1gned&x=1');
    const { text } = await ask(sandbox, '/page/data');
    expect(text).toContain('signature=***&x=1');
    expect(text).not.toContain('s1gned');
  });

  test('has the timelines of the opened shipment, without outdated estimates', async () => {
    const sandbox = stillSandbox();
    const [seeded] = sandbox.seedShipments(1, { phase: 'returned', containers: 2 });
    const { json } = await ask(sandbox, `/page/data?open=${seeded?.id}`);
    expect(json.open).toMatchObject({ id: seeded?.id, containers: [{ number: seeded?.containers[0]?.number }, {}] });
    const events = json.open.containers[0].entries.map(({ event }: { event: string }) => event);
    expect(events).toContain('container.transport.vessel_arrived');
    expect(events).not.toContain('container.transport.estimated.vessel_arrived');
  });

  test.each(['held', 'available', 'on_rail', 'picked_up'] as const)(
    'shows, like containerState(), whether a container in the phase %s can be picked up',
    async phase => {
      const sandbox = stillSandbox();
      const [seeded] = sandbox.seedShipments(1, { phase });
      const { json } = await ask(sandbox, `/page/data?open=${seeded?.id}`);
      const { data } = (await get(sandbox, `/containers/${seeded?.containers[0]?.id}`)).body;
      expect(json.open.containers[0].state).toEqual(containerState(data.attributes));
      expect(json.open.containers[0].state.pickup).toBe(phase === 'available' ? 'yes' : 'no');
    },
  );

  test('has no timelines for a shipment that does not exist', async () => {
    expect((await ask(stillSandbox(), '/page/data?open=unknown')).json.open).toBeNull();
  });

  test('can be requested without an entry in the log, and neither the rate limit nor faults apply', async () => {
    const sandbox = stillSandbox({ rateLimit: { limits: { default: 1 } }, faults: [{ status: 500, times: Infinity }] });
    for (const path of ['/', '/page/data', '/page/main.js', '/page/data']) {
      expect((await ask(sandbox, path)).status).toBe(200);
    }
    expect(sandbox.requests).toEqual([]);
    expect(sandbox.rateLimits()[0]?.buckets[0]?.used).toBe(0);
  });

  test('is not sent when the caller has aborted the request', async () => {
    const reason = new Error('given up');
    const asked = stillSandbox().fetch(`${HERE}/`, { signal: AbortSignal.abort(reason) });
    await expect(asked).rejects.toBe(reason);
  });

  test.each(['/v2', '/v2/', '/pages', '/page', '//', '/oauth/authorize', '/index.html'])(
    'is not at the path %s',
    async path => {
      const response = await stillSandbox().fetch(`${HERE}${path}`);
      // The policy of the page allows scripts. The sign-in page also has a policy, but allows no scripts.
      expect(response.headers.get('content-security-policy') ?? '').not.toContain('script-src');
    },
  );
});

describe('the page', () => {
  test('moves the clock', async () => {
    const sandbox = stillSandbox({ now: '2026-05-01T00:00:00Z' });
    const { status, json } = await act(sandbox, 'advance', { days: 1, hours: 6 });
    expect([status, json.done]).toEqual([200, 'The clock shows 2026-05-02 06:00 UTC.']);
    expect(sandbox.now()).toEqual(new Date('2026-05-02T06:00:00Z'));
  });

  test('adds, shows and ends faults', async () => {
    const sandbox = stillSandbox();
    await act(sandbox, 'add-fault', { route: 'GET /parties', probability: 1, status: 503 });
    await act(sandbox, 'add-fault', { times: 2, delayMs: 0, drop: 'before' });
    expect((await get(sandbox, '/parties')).status).toBe(503);
    const { faults } = (await ask(sandbox, '/page/data')).json;
    expect(faults).toEqual([
      { index: 0, left: null, where: 'GET /parties, 100 %', what: '503' },
      { index: 1, left: 2, where: 'every request', what: '0 ms late, connection dropped before the response' },
    ]);
    for (const { index } of faults) await act(sandbox, 'end-fault', { index });
    expect((await get(sandbox, '/parties')).status).toBe(200);
    expect((await ask(sandbox, '/page/data')).json.faults).toEqual([]);
  });

  test('tracks a number and a scenario as a program would, with a key of the account', async () => {
    const sandbox = createSandbox({ speed: 0, accounts: { acme: { apiKeys: ['acme-k3y'] } } });
    const tracked = { account: 'acme', number: 'MAEUATSEA1', type: 'bill_of_lading', scac: 'MAEU' };
    expect((await act(sandbox, 'track', tracked)).json).toEqual({ done: 'MAEUATSEA1 is being tracked.' });
    await act(sandbox, 'scenario', { account: 'acme', name: 'rolled' });
    expect(sandbox.requests.map(({ path, account }) => [path, account])).toEqual(
      Array(2).fill(['/tracking_requests', 'acme']),
    );
    sandbox.advance({ seconds: 5 });
    expect(sandbox.account().shipments()).toHaveLength(2);
    expect(sandbox.rateLimits()[0]?.buckets).toContainEqual(
      expect.objectContaining({ bucket: 'createTrackingRequest', used: 2 }),
    );
  });

  test.each([
    ['advance', { years: 1 }, /years/],
    ['advance', { days: -1 }, /at least 0/],
    ['add-fault', { status: 99 }, /from 200 to 599/],
    ['scenario', { account: 'sandbox', name: 'unknown' }, /direct-on-time/],
    ['track', { account: 'nobody', number: 'x' }, /no account nobody/],
    ['track', { account: 'sandbox', number: '', type: 'bill_of_lading', scac: 'MAEU' }, /responded 422/],
  ])('gets the reason when the action %s with %j is refused', async (name, body, problem) => {
    const { status, json } = await act(stillSandbox(), name, body);
    expect(status).toBe(422);
    expect(json.error).toMatch(problem);
  });

  test('gets a message when a fault drops its tracking request', async () => {
    const sandbox = stillSandbox({ faults: [{ drop: 'before' }] });
    const { status, json } = await act(sandbox, 'track', { account: 'sandbox', number: 'MAEUATSEA1' });
    expect([status, json.error]).toEqual([422, 'The connection was dropped by a fault.']);
  });

  test.each([
    ['GET', '/page/actions/advance', 405],
    ['POST', '/page/data', 405],
    ['POST', '/', 405],
    ['GET', '/page/unknown', 404],
    ['POST', '/page/actions/constructor', 405],
  ])('does not support %s %s: the response is %i', async (method, path, status) => {
    expect((await ask(stillSandbox(), path, { method })).status).toBe(status);
  });

  test.each(['', '[]', '"x"', '{'])('cannot send the body %j, which is not a JSON object', async body => {
    const { status } = await ask(stillSandbox(), '/page/actions/advance', { method: 'POST', body });
    expect(status).toBe(400);
  });

  test('gives the same response to HEAD as to GET, but without a body', async () => {
    const { status, text, headers } = await ask(stillSandbox(), '/', { method: 'HEAD' });
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8']);
  });
});

test('the page shows the parts of a journey in order, from the pickup of the empty container to its return', async () => {
  const sandbox = stillSandbox();
  for (const name of ['rail-on-time', 'feeder', 'direct-on-time'] as const) {
    const { number, scac, requestType } = sandbox.scenario(name);
    const request = { request_type: requestType, request_number: number, scac };
    await call(sandbox, 'POST', '/tracking_requests', attributes('tracking_request', request));
  }
  sandbox.advance({ minutes: 1 });
  const kinds = sandbox
    .account()
    .shipments()
    .map(({ id }) => {
      const [timeline] = sandbox.account().timelines(id) ?? [];
      const legs = timeline === undefined ? [] : legsOf(timeline);
      for (const [index, { to }] of legs.slice(0, -1).entries()) expect(legs[index + 1]?.from).toEqual(to);
      return legs.map(({ kind }) => kind).join(' ');
    });
  expect(new Set(kinds)).toEqual(
    new Set([
      'origin sea terminal road',
      'origin sea terminal sea terminal sea terminal road',
      'origin sea terminal rail terminal road',
    ]),
  );
});

/** Sends the request without `fetch`, since `fetch` does not let a program choose the host. */
function statusOver(port: string, headers: Headers): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send({ port, host: '127.0.0.1', path: '/page/data', headers }, response => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
