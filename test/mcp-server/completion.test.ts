import { expect, onTestFinished, test, vi } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, plainResult } from '../../support/mcp-peer.ts';
import { createSandbox } from '../../support/sandbox.ts';

function setUp() {
  const sandbox = createSandbox({ rateLimit: false });
  const [{ containers } = { containers: [] }] = sandbox.seedShipments(1, { containers: 2 });
  const client = { baseUrl: 'https://service.example/v2', logger: false, retry: false, fetch: sandbox.fetch } as const;
  const peer = httpPeer(createMcpHandler({ client }).fetch);
  const complete = async (name: string, value: string, ref: object = { type: 'ref/prompt', name: 'track-shipment' }) =>
    (await peer.request('completion/complete', { ref, argument: { name, value } })).completion.values;
  const asked = () =>
    sandbox.requests.filter(({ path, query }) => path === '/shipping_lines' && query['page[size]'] === '100');
  return { sandbox, containers, peer, complete, asked };
}

test('parallel completions and the tool that lists carriers share one request for the carriers', async () => {
  const { complete, peer, asked } = setUp();
  const [byCode, byName] = await Promise.all([complete('carrier', 'mae'), complete('carrier', 'Maersk')]);
  expect(byCode).toEqual(['MAEU']);
  expect(byName).toEqual(['MAEU']);
  expect(plainResult(await peer.call('get_supported_shipping_lines')).total_lines).toBeGreaterThan(10);
  expect(asked()).toHaveLength(1);
});

test('the carriers are read again after ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { complete, asked } = setUp();
  await complete('carrier', 'mae');
  vi.setSystemTime(Date.now() + 601_000);
  await complete('carrier', 'mae');
  expect(asked()).toHaveLength(2);
});

test('if the service fails, a completion is empty, and the next completion sends a new request', async () => {
  const { sandbox, complete } = setUp();
  // The first request is the check of the key.
  await complete('container_number', '');
  sandbox.fail({ match: { path: '/shipping_lines' }, status: 500 });
  expect(await complete('carrier', 'mae')).toEqual([]);
  expect(await complete('carrier', 'mae')).toEqual(['MAEU']);
});

test('containers of earlier results are suggested with their numbers, are found by number and by id, and the latest container comes first', async () => {
  const { containers, peer, complete } = setUp();
  const [first, second] = containers;
  await peer.call('get_container', { id: first?.id });
  await peer.call('get_container', { id: second?.id });
  expect(await complete('container_number', '')).toEqual([second?.number, first?.number]);
  const template = { type: 'ref/resource', uri: 'tracking://container/{id}' };
  expect(await complete('id', first?.number.toLowerCase() ?? '', template)).toEqual([first?.number]);
  const prompt = { type: 'ref/prompt', name: 'check-demurrage' };
  expect(await complete('container_id', second?.id.slice(0, 8) ?? '', prompt)).toEqual([second?.number]);
});

test('the carrier for tests is not suggested', async () => {
  const { peer } = setUp();
  const { shipping_lines } = plainResult(await peer.call('get_supported_shipping_lines', { search: 'test' }));
  expect(shipping_lines).toEqual([]);
});

test.each(['container_number', 'container_id', 'id'])(
  'without an earlier result, %s is completed with the containers that changed last, which are read once a minute',
  async name => {
    const { sandbox, containers, complete, peer } = setUp();
    const numbers = containers.map(({ number }) => number);
    expect((await complete(name, '')).toSorted()).toEqual(numbers.toSorted());
    expect(await complete(name, 'no such number')).toEqual([]);
    expect(sandbox.requests.filter(({ path }) => path === '/containers')).toHaveLength(1);
    const prompt = { name: 'check-demurrage', arguments: { container_id: numbers[0] } };
    expect((await peer.request('prompts/get', prompt)).messages[0].content.text).toContain(numbers[0]);
    const uri = `tracking://container/${numbers[0]}`;
    expect((await peer.request('resources/read', { uri })).contents[0].text).toContain(`# Container ${numbers[0]}`);
  },
);
