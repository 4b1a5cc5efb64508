import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { decodeGraph, encodeGraph } from '../../src/sandbox/saved.ts';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';
import {
  attributes,
  call,
  createSandbox,
  get,
  type Sandbox,
  type SandboxOptions,
  type SandboxState,
  stillSandbox,
  track,
} from '../../support/sandbox.ts';

/** The state after it was saved and loaded again. */
const stored = (state: SandboxState): SandboxState => JSON.parse(JSON.stringify(state));

interface Scene {
  options: SandboxOptions;
  sent: string[];
}

/**
 * Options with a receiver of webhooks. The receiver refuses some notifications. Only the id of a notification decides
 * whether it is refused.
 */
function scene(): Scene {
  const sent: string[] = [];
  return {
    sent,
    options: {
      webhooks: { retryGapMs: 600_000 },
      latency: [0, 0],
      async fetch(request) {
        const text = await request.text();
        sent.push(`${request.headers.get('x-svc-webhook-signature')} ${text}`);
        const { id } = JSON.parse(text).data;
        return new Response(null, { status: id.charCodeAt(0) % 3 === 0 && id.charCodeAt(1) % 2 ? 500 : 204 });
      },
    },
  };
}

/** Creates records of every kind. Some of them, such as tracking requests, are still pending. */
async function fill(sandbox: Sandbox): Promise<void> {
  await call(
    sandbox,
    'POST',
    '/webhooks',
    attributes('webhook', { url: 'https://h.example', active: true, events: EVENT_NAMES }),
  );
  const definition = { entity_type: 'Shipment', api_slug: 'note', display_name: 'Note', data_type: 'short_text' };
  const validation = JSON.parse('{"@": 1, "__proto__": {"a": 1}, "id": "x"}');
  await call(
    sandbox,
    'POST',
    '/custom_field_definitions',
    attributes('custom_field_definition', { ...definition, validation }),
  );
  for (const number of ['MAEUATSEA01', 'MAEUMANIFEST1', 'MAEUFLAKY001', 'MAEUUNREACHABLE1', 'MAEUNOTFOUND1'])
    await track(sandbox, number);
  sandbox.advance({ minutes: 2 });
  await track(sandbox, 'MAEUPENDING01');
  sandbox.receiveEmail({
    subject: 'MAEUATSEA01',
    attachments: [{ filename: 'arrival notice.pdf', content: new Uint8Array(70_000).fill(200) }],
  });
  sandbox.fail({ route: 'GET /parties/:id', error: 'duplicate-request', times: 3 });
  sandbox.fail({ match: { path: /^\/vessels/i }, probability: 0.5, status: 503 });
  await call(sandbox, 'GET', '/parties/x');
  const [first] = sandbox.account().shipments();
  await call(sandbox, 'POST', `/shipments/${first?.id}/custom_fields`, {
    data: { attributes: { api_slug: 'note', value: 'x' } },
  });
  const [removed] = sandbox.seedShipments(1, { phase: 'at_sea' });
  sandbox.advance({ days: 1 });
  await sandbox.flush();
  sandbox.removeShipment(removed?.id ?? '');
}

/** Moves the clock by some days. Returns the responses of each day and all notifications, as text. */
async function future(sandbox: Sandbox, sent: string[], days = 12): Promise<string> {
  const before = sent.length;
  const seen: string[] = [];
  for (let day = 0; day < days; day++) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
    if (day === 1) await track(sandbox, 'MAEULATER0001');
    for (const path of [
      '/shipments?include=containers.transport_events',
      '/tracking_requests',
      '/documents',
      '/parties/x',
      '/vessels/x',
    ]) {
      const { status, headers, body } = await get(sandbox, path);
      seen.push(`${status} ${headers.get('x-request-id')} ${JSON.stringify(body)}`);
    }
  }
  const notifications = (await get(sandbox, '/webhook_notifications?page[size]=100&include=reference_object')).body;
  seen.push(JSON.stringify(notifications), ...sent.slice(before).toSorted());
  return seen.join('\n');
}

test('two runs with the same seed are identical, byte for byte', async () => {
  const run = async (seed: number) => {
    const { options, sent } = scene();
    const sandbox = stillSandbox({ ...options, seed, shipments: 6 });
    await fill(sandbox);
    return future(sandbox, sent, 5);
  };
  const [one, other, different] = [await run(3), await run(3), await run(4)];
  expect(one === other).toBe(true);
  expect(one === different).toBe(false);
});

test('a loaded sandbox continues exactly as the saved sandbox does, including notifications and retries', async () => {
  const { options, sent } = scene();
  const sandbox = stillSandbox({ ...options, shipments: 6 });
  await fill(sandbox);
  const state = stored(sandbox.save());
  const expected = await future(sandbox, sent);
  expect(sent.length).toBeGreaterThan(30);

  const other = scene();
  const loaded = stillSandbox({ ...other.options, state });
  expect(stored(loaded.save())).toEqual(state);
  expect((await future(loaded, other.sent)) === expected).toBe(true);
});

test('accounts, features, keys, windows of the rate limit and sign-ins are saved', async () => {
  const sandbox = stillSandbox({
    accounts: { acme: { apiKeys: ['a'], features: { rail: false } }, globex: { apiKeys: ['g'], shipments: 3 } },
    rateLimit: { limits: { default: 2 } },
  });
  sandbox.account('globex').features.routing = false;
  const status = async (box: Sandbox, key: string) =>
    (await box.fetch('https://x/v2/parties', { headers: { authorization: `Token ${key}` } })).status;
  expect([await status(sandbox, 'a'), await status(sandbox, 'a')]).toEqual([200, 200]);
  const loaded = stillSandbox({ state: stored(sandbox.save()), rateLimit: { limits: { default: 2 } } });
  expect([await status(loaded, 'a'), await status(loaded, 'g'), await status(loaded, 'sandbox')]).toEqual([
    429, 200, 401,
  ]);
  expect(loaded.accounts.map(({ name, features }) => [name, features.rail, features.routing])).toEqual([
    ['acme', false, true],
    ['globex', true, false],
  ]);
  expect(loaded.account('globex').shipments()).toEqual(sandbox.account('globex').shipments());
  loaded.reset();
  expect(loaded.account('globex').counts().shipments).toBe(3);
});

describe('a saved state is refused', () => {
  const state = () => stored(stillSandbox({ shipments: 2 }).save());
  test.each<[string, (state: SandboxState) => unknown, string]>([
    [
      'that is newer',
      s => ({ ...s, version: 2 }),
      'state has the format 2, and this version of the package reads formats up to 1',
    ],
    ['that is another object', () => ({ data: [] }), 'that sandbox.save() did not return'],
    ['that is a text', s => JSON.stringify(s), 'that sandbox.save() did not return'],
    ['without its records', s => ({ ...s, records: [] }), 'state is damaged: a reference has no target'],
    ['without a seed', s => ({ ...s, seed: 'x' }), 'state is damaged'],
    [
      'with an unknown carrier',
      s => JSON.parse(JSON.stringify(s).replaceAll(/"@name":"\w+"/g, '"@name":"NONE"')),
      'damaged',
    ],
    ['without accounts', s => ({ ...s, root: {} }), 'state is damaged'],
    ['with wrong accounts', s => JSON.parse(JSON.stringify(s).replace('"agenda":[', '"agendas":[')), 'damaged'],
    ['with wrong keys', s => JSON.parse(JSON.stringify(s).replace(/"apiKeys":\[[^\]]*\]/, '"apiKeys":5')), 'damaged'],
  ])('%s', (_, change, message) => {
    expect(() => createSandbox({ state: change(state()) as SandboxState })).toThrow(message);
  });

  test.each([
    ['shipments', 'createdAt', '2026-01-01'],
    ['shipments', 'inPhaseAt', null],
    ['containers', 'refreshedAt', 'yesterday'],
    ['trackingRequests', 'updatedAt', 1e300],
    ['documents', 'createdAt', undefined],
    ['uploads', 'createdAt', {}],
    ['agenda', 'at', 'soon'],
    ['clock', 'now', 'x'],
  ])('if a time is invalid: %s with the %s %j', async (collection, field, value) => {
    const sandbox = stillSandbox({ shipments: 2 });
    await track(sandbox, 'MAEUPENDING01');
    const given = stored(sandbox.save());
    const { clock, accounts } = given.root as unknown as SavedRoot;
    const [account] = accounts;
    const reference = account.records[collection]?.[0]?.['@'] ?? -1;
    const named: Record<string, SavedObject> = { clock, agenda: account.agenda[0] };
    const target = named[collection] ?? (given.records as unknown as SavedObject[])[reference] ?? {};
    expect(target).toHaveProperty(field);
    if (value === undefined) delete target[field];
    else target[field] = value;
    expect(() => createSandbox({ state: given })).toThrow(ConfigurationError);
    expect(() => createSandbox({ state: given })).toThrow(/^state is damaged: .*which is not a time/);
  });

  test.each(['seed', 'now', 'apiKeys', 'accounts', 'features', 'shipments', 'faults'])('with the option %s', name => {
    const value = { seed: 1, now: 0, apiKeys: ['k'], accounts: { a: {} }, features: {}, shipments: 1, faults: [] }[
      name
    ];
    expect(() => createSandbox({ state: state(), [name]: value })).toThrow(`${name} cannot be set together with state`);
  });
});

test('save() throws if a fault has a function in its body', () => {
  const sandbox = stillSandbox();
  sandbox.fail({ body: { toJSON: () => 1 } });
  expect(() => sandbox.save()).toThrow('The sandbox cannot be saved: function cannot be saved.');
});

test('every value of a record stays the same when it is saved as JSON and loaded', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('@', '@@', '@bytes', '@name', '__proto__', 'constructor', 'id'));
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('any')),
    object: fc.dictionary(key, tie('any'), { noNullPrototype: true }),
  })).any;
  fc.assert(
    fc.property(value, given => {
      const there = JSON.parse(JSON.stringify(encodeGraph({ given }, () => undefined)));
      expect(normal((decodeGraph(there, () => undefined) as { given: unknown }).given)).toEqual(normal(given));
    }),
  );
});

/** The value with 0 instead of -0, because JSON does not have -0. */
function normal(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, item]) => [key, normal(item)]);
}

test('circular references and shared references between records are restored', () => {
  const shared = { id: 's' };
  const [a, b]: Record<string, unknown>[] = [
    { id: 'a', shared },
    { id: 'b', shared },
  ];
  Object.assign(a as object, { other: b });
  Object.assign(b as object, { other: a });
  const back = decodeGraph(
    encodeGraph([a, b], () => undefined),
    () => undefined,
  ) as Record<string, never>[];
  expect(back[0]?.other).toBe(back[1]);
  expect(back[1]?.other).toBe(back[0]);
  expect(back[0]?.shared).toBe(back[1]?.shared);
});

const run = promisify(execFile);

/** The path of Node in this major version, if it is installed on this machine. */
async function findNode(major: number): Promise<string | undefined> {
  const candidates = (process.env.PATH ?? '').split(':').map(directory => join(directory, 'node'));
  for (const path of [...candidates, '/usr/bin/node']) {
    const version = await run(path, ['-p', 'process.versions.node']).then(
      ({ stdout }) => stdout,
      () => '',
    );
    if (version.startsWith(`${major}.`)) return path;
  }
  console.warn(`Node ${major} is not installed: the test that needs it is skipped.`);
  return undefined;
}

test('a sandbox that was saved on Node 20 continues identically on the Node of this test', async context => {
  const old = await findNode(20);
  if (old === undefined) return context.skip();
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const bundle = join(directory, 'sandbox.mjs');
  const root = resolve(import.meta.dirname, '../..');
  await build({
    entryPoints: [join(root, 'src/sandbox/index.ts')],
    bundle: true,
    format: 'esm',
    outfile: bundle,
    platform: 'neutral',
  });
  const program = join(directory, 'program.mjs');
  await writeFile(program, PROGRAM.replace('BUNDLE', pathToFileURL(bundle).href));
  const [state, expected, actual] = ['state.json', 'expected.txt', 'actual.txt'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await run(old, [program, 'save', state, expected]);
  await run(process.execPath, [program, 'load', state, actual]);
  const text = await readFile(expected, 'utf8');
  expect(text.length).toBeGreaterThan(100_000);
  expect((await readFile(actual, 'utf8')) === text).toBe(true);
});

/** Creates and saves a sandbox, or loads it. Then moves its clock by 20 days, and writes its responses to a file. */
const PROGRAM = `
import { createSandbox } from 'BUNDLE';
import { readFileSync, writeFileSync } from 'node:fs';
const [, , mode, stateFile, textFile] = process.argv;
const sent = [];
const common = { speed: 0, monotonic: () => 0, rateLimit: false, fetch: async r => (sent.push(await r.text()), new Response(null, { status: 204 })) };
const sandbox = mode === 'save' ? createSandbox({ ...common, shipments: 25 }) : createSandbox({ ...common, state: JSON.parse(readFileSync(stateFile, 'utf8')) });
async function ask(method, path, data) {
  const headers = { authorization: 'Token sandbox', 'content-type': 'application/json' };
  return (await sandbox.fetch('https://x/v2' + path, { method, headers, ...(data && { body: JSON.stringify({ data: { attributes: data } }) }) })).text();
}
if (mode === 'save') {
  const events = JSON.parse(await ask('GET', '/webhooks/events')).data.flatMap(({ attributes }) => attributes.events.map(({ name }) => name));
  await ask('POST', '/webhooks', { url: 'https://h.example', active: true, events });
  await ask('POST', '/tracking_requests', { request_type: 'bill_of_lading', request_number: 'MAEUMANIFEST1', scac: 'MAEU' });
  sandbox.advance({ hours: 30 });
  await sandbox.flush();
  sent.length = 0;
  writeFileSync(stateFile, JSON.stringify(sandbox.save()));
}
const seen = [];
for (let day = 0; day < 20; day++) {
  sandbox.advance({ days: 1 });
  await sandbox.flush();
  for (const path of ['/shipments?include=containers.transport_events,port_of_lading,destination', '/tracking_requests', '/documents']) seen.push(await ask('GET', path));
}
const [box] = JSON.parse(await ask('GET', '/containers')).data;
seen.push(await ask('GET', '/containers/' + box.id + '/map_geojson'), await ask('GET', '/containers/' + box.id + '/route'));
writeFileSync(textFile, [...seen, ...sent.sort()].join('\\n'));
`;

type SavedObject = Record<string, unknown>;

/** The parts of a saved state that the test changes; they are not public. */
interface SavedRoot {
  clock: SavedObject;
  accounts: [{ records: Record<string, { '@': number }[]>; agenda: [SavedObject] }];
}
