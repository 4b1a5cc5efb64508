import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';
import { attributes, createSandbox, type Sandbox, type SandboxOptions, stillSandbox } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a body
type Body = any;

const ORIGIN = 'https://service.example';
const ACCOUNTS = { acme: { apiKeys: ['acme-1', 'acme-2'], shipments: 6 }, globex: { apiKeys: ['globex-1'] } };

async function ask(sandbox: Sandbox, key: string, method: string, path: string, body?: unknown) {
  const response = await sandbox.fetch(path.startsWith('http') ? path : `${ORIGIN}/v2${path}`, {
    method,
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? (JSON.parse(text) as Body) : undefined };
}

const parsed = (text: string) => JSON.parse(text) as { data: { id: string }[]; meta: { total: number } };

/** Creates a record of every kind in the account of the key. Returns the paths of these records. */
async function fill(sandbox: Sandbox, key: string): Promise<string[]> {
  const bytes = Buffer.from('a file');
  const blob = {
    filename: 'arrival.txt',
    content_type: 'text/plain',
    byte_size: bytes.length,
    checksum: createHash('md5').update(bytes).digest('base64'),
  };
  const create = async (path: string, type: string, values: object) => {
    const { status, body } = await ask(sandbox, key, 'POST', path, attributes(type, values as never));
    expect(status, path).toBe(201);
    return `${path}/${body.data.id}`;
  };
  const request = await create('/tracking_requests', 'tracking_request', {
    request_type: 'bill_of_lading',
    request_number: 'MAEU12345',
    scac: 'MAEU',
  });
  sandbox.advance({ seconds: 2 });
  const { body: shipments } = await ask(sandbox, key, 'GET', '/shipments?include=containers');
  const upload = (await ask(sandbox, key, 'POST', '/rails/active_storage/direct_uploads', { blob })).body;
  const { url, headers } = upload.direct_upload;
  expect((await sandbox.fetch(url, { method: 'PUT', headers, body: bytes })).status).toBe(204);
  const definition = { entity_type: 'Shipment', api_slug: 'po', display_name: 'PO', data_type: 'short_text' };
  const shipment = `/shipments/${shipments.data[0].id}`;
  const paths = [
    request,
    shipment,
    `/containers/${shipments.included[0].id}`,
    await create('/parties', 'party', { company_name: 'Importer' }),
    await create('/webhooks', 'webhook', { url: 'https://h.example', active: true, events: EVENT_NAMES }),
    await create('/custom_field_definitions', 'custom_field_definition', definition),
    await create('/documents', 'document', { name: 'arrival', attached_document: upload.signed_id }),
    `/email_submissions/${sandbox.account(key.split('-')[0]).receiveEmail({ attachments: [{ filename: 'x.pdf' }] }).id}`,
  ];
  const field = await ask(sandbox, key, 'POST', `${shipment}/custom_fields`, {
    data: { attributes: { api_slug: 'po', value: 'PO-1' } },
  });
  return [...paths, `/custom_fields/${field.body.data.id}`];
}

describe('keys of different accounts', () => {
  test('never give records of another account: not in a list, not by id, not in a search', async () => {
    const sandbox = stillSandbox({ accounts: ACCOUNTS });
    const paths = await fill(sandbox, 'acme-1');
    for (const path of paths) {
      expect((await ask(sandbox, 'acme-2', 'GET', path)).status, path).toBe(200);
      const refused = await ask(sandbox, 'globex-1', 'GET', path);
      expect(refused.status, path).toBe(404);
      expect((await ask(sandbox, 'globex-1', 'PATCH', path, {})).status, path).toBe(404);
      const collection = path.slice(0, path.lastIndexOf('/'));
      // The list of all definitions also has the service's templates, so this test reads the list of the account.
      const list = collection.replace('/custom_field_definitions', '/accounts/1/custom_field_definitions');
      expect((await ask(sandbox, 'globex-1', 'GET', list)).body.data, list).toEqual([]);
    }
    expect((await ask(sandbox, 'globex-1', 'GET', '/search?query=MAEU12345')).body.data).toEqual([]);
    expect((await ask(sandbox, 'acme-1', 'GET', '/search?query=MAEU12345')).body.data).toHaveLength(1);
  });

  test('may track the same numbers, but get separate records and ids', async () => {
    const sandbox = stillSandbox({ accounts: { acme: {}, globex: {} } });
    await fill(sandbox, 'acme');
    await fill(sandbox, 'globex');
    const ids = async (key: string) =>
      parsed((await ask(sandbox, key, 'GET', '/containers')).text).data.map(({ id }) => id);
    const [ours, theirs] = [await ids('acme'), await ids('globex')];
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.filter(id => theirs.includes(id))).toEqual([]);
    const places = async (key: string) => (await ask(sandbox, key, 'GET', '/ports/USLAX')).body.data.id;
    expect(await places('acme')).toBe(await places('globex'));
  });

  test('get only the notifications of their own account', async () => {
    const sent: string[] = [];
    const sandbox = stillSandbox({
      accounts: ACCOUNTS,
      async fetch({ url }) {
        sent.push(url);
        return new Response(null, { status: 204 });
      },
    });
    for (const key of ['acme-1', 'globex-1']) {
      const webhook = { url: `https://${key}.example`, active: true, events: EVENT_NAMES };
      await ask(sandbox, key, 'POST', '/webhooks', attributes('webhook', webhook));
    }
    sandbox.advance({ days: 10 });
    await sandbox.flush();
    expect(sent.length).toBeGreaterThan(10);
    expect(new Set(sent)).toEqual(new Set(['https://acme-1.example/']));
    expect((await ask(sandbox, 'globex-1', 'GET', '/webhook_notifications')).body.data).toEqual([]);
    expect(sandbox.account('globex').deliveries()).toEqual([]);
    expect(sandbox.account('acme').deliveries()[0]).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      lastStatus: 204,
    });
  });

  test('have separate rate limits', async () => {
    const sandbox = stillSandbox({ accounts: ACCOUNTS, rateLimit: { limits: { default: 2 } } });
    const statuses = async (key: string) => {
      const answers = [];
      for (let n = 0; n < 3; n++) answers.push((await ask(sandbox, key, 'GET', '/parties')).status);
      return answers;
    };
    for (const key of ['acme-1', 'acme-2', 'globex-1']) expect(await statuses(key), key).toEqual([200, 200, 429]);
    expect(sandbox.rateLimits().map(({ account, apiKey, buckets }) => [account, apiKey, buckets[0]?.used])).toEqual([
      ['acme', 'acme-1', 2],
      ['acme', 'acme-2', 2],
      ['globex', 'globex-1', 2],
    ]);
  });
});

describe('the MCP endpoint', () => {
  const tool = (sandbox: Sandbox, authorization: string) =>
    sandbox.fetch(`${ORIGIN}/mcp`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_shipments', arguments: {} },
      }),
    });

  test('gives only the records of the key’s account, and the log names the account', async () => {
    const sandbox = stillSandbox({ accounts: ACCOUNTS });
    const number = sandbox.account('acme').shipments()[0]?.number ?? '';
    expect(await (await tool(sandbox, 'Token acme-2')).text()).toContain(number);
    expect(await (await tool(sandbox, 'Token globex-1')).text()).not.toContain(number);
    expect((await tool(sandbox, 'Token nobody')).status).toBe(401);
    expect(sandbox.requests.map(({ account }) => account)).toEqual(['acme', 'globex', null]);
  });

  test('after a sign-in, gives the records of the account that the person chose', async () => {
    const sandbox = stillSandbox({ accounts: ACCOUNTS });
    const number = sandbox.account('acme').shipments()[0]?.number ?? '';
    const redirect = 'http://127.0.0.1/callback';
    const verifier = 'a-verifier-that-is-long-enough-to-be-one-0123456789';
    const registration = { client_name: 'Program', redirect_uris: [redirect] };
    const registered = await sandbox.fetch(`${ORIGIN}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(registration),
    });
    const { client_id } = await registered.json();
    const question = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(await (await sandbox.fetch(`${ORIGIN}/oauth/authorize?${question}`)).text()).toContain(
      '<option>globex</option>',
    );
    const tokenFor = async (account: string) => {
      const form = new URLSearchParams([...question, ['decision', 'allow'], ['account', account]]);
      const decided = await sandbox.fetch(`${ORIGIN}/oauth/authorize`, { method: 'POST', body: form });
      const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? '';
      const exchange = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirect };
      const body = new URLSearchParams({ ...exchange, code_verifier: verifier });
      return (await (await sandbox.fetch(`${ORIGIN}/oauth/token`, { method: 'POST', body })).json()).access_token;
    };
    expect(await (await tool(sandbox, `Bearer ${await tokenFor('acme')}`)).text()).toContain(number);
    expect(await (await tool(sandbox, `Bearer ${await tokenFor('globex')}`)).text()).not.toContain(number);
  });
});

describe('the features of an account', () => {
  const sandboxWith = (features = {}) =>
    stillSandbox({ accounts: { acme: { shipments: 4, features }, globex: { shipments: 4 } } });
  const idOf = (sandbox: Sandbox, name: string) => sandbox.account(name).shipments()[0]?.containers[0]?.id;
  const text = async (sandbox: Sandbox, key: string, method: string, path: string) => {
    const { status, body } = await ask(sandbox, key, method, path);
    return `${status} ${body.errors?.[0].title} ${body.errors?.[0].detail}`;
  };

  test('can be switched on or off at any time for a single account, and a call whose feature is off gets the error of the service', async () => {
    const sandbox = sandboxWith();
    const map = (key: string) => text(sandbox, key, 'GET', `/containers/${idOf(sandbox, key)}/map_geojson`);
    const refresh = (key: string) => text(sandbox, key, 'PATCH', `/containers/${idOf(sandbox, key)}/refresh`);
    expect([await map('acme'), await refresh('acme')]).toEqual(['200 undefined undefined', '200 undefined undefined']);
    const { features } = sandbox.account('acme');
    features.routing = false;
    features.refresh = false;
    expect(await map('acme')).toBe('403 Forbidden Routing data feature is not enabled for this account');
    expect(await refresh('acme')).toMatch(
      /^403 API access not enabled This API endpoint is not enabled for your account\. Please contact /,
    );
    expect(await map('globex')).toContain('200');
    features.routing = true;
    expect(await map('acme')).toContain('200');
  });

  test('that only add data cause no error when they are off: rail deadlines are null, and their events are not listed', async () => {
    const sandbox = stillSandbox({ accounts: { acme: {} } });
    const acme = sandbox.account('acme');
    const [box] = acme.seedContainers(1, { phase: 'on_rail' });
    sandbox.advance({ days: 6 });
    const deadline = async () =>
      (await ask(sandbox, 'acme', 'GET', `/containers/${box?.id}`)).body.data.attributes.import_deadlines
        .pickup_lfd_rail;
    const events = async () => (await ask(sandbox, 'acme', 'GET', '/webhooks/events')).text;
    expect(await deadline()).not.toBeNull();
    expect(await events()).toContain('pickup_lfd_rail');
    acme.features.rail = false;
    acme.features.documents = false;
    expect(await deadline()).toBeNull();
    expect(await events()).not.toContain('pickup_lfd_rail');
    expect(await events()).not.toContain('document.extracted');
  });

  test('accept only booleans as values, and only known names', () => {
    const { features } = sandboxWith({ rail: false }).account('acme');
    expect({ ...features }).toEqual({
      routing: true,
      refresh: true,
      rail: false,
      documents: true,
      customFields: true,
    });
    expect(() => Object.assign(features, { routing: 'no' })).toThrow('features.routing is "no"');
    expect(() => Object.assign(features, { routeing: false })).toThrow(TypeError);
    expect(features.routing).toBe(true);
  });
});

test.each<[string, SandboxOptions, string]>([
  ['no account', { accounts: {} }, 'accounts is empty'],
  [
    'a key that two accounts have',
    { accounts: { a: { apiKeys: ['k'] }, b: { apiKeys: ['k'] } } },
    'The accounts a and b',
  ],
  ['a key that is the name of another account', { accounts: { a: { apiKeys: ['b'] }, b: {} } }, 'the same API key'],
  ['a misspelt option', { accounts: { a: { shipment: 3 } as never } }, 'accounts.a has no shipment'],
  ['apiKeys beside accounts', { accounts: { a: {} }, apiKeys: ['k'] }, 'With accounts, set apiKeys in each account'],
  ['an array', { accounts: [] as never }, 'accounts is an array'],
])('%s is refused', (_, options, message) => {
  expect(() => createSandbox(options)).toThrow(message);
});

test('the error for an unknown account names the existing accounts', () => {
  expect(() => stillSandbox({ accounts: ACCOUNTS }).account('initech')).toThrow('there are: acme, globex');
});

test('all accounts are served at one address, and the key of a request selects the account', async () => {
  const sandbox = stillSandbox({ accounts: ACCOUNTS });
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  const total = async (key: string) => {
    const response = await fetch(`${server.baseUrl}/shipments`, { headers: { authorization: `Token ${key}` } });
    return (await response.json()).meta?.total;
  };
  expect(await Promise.all(['acme-1', 'acme-2', 'globex-1', 'nobody'].map(total))).toEqual([6, 6, 0, undefined]);
});
