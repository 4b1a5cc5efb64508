import { expect, onTestFinished, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox, track } from '../../support/sandbox.ts';

function started(seed = 3) {
  const sandbox = stillSandbox({ seed, features: { routing: true } });
  const client = { baseUrl: 'https://service.example/v2', logger: false, fetch: sandbox.fetch } as const;
  const handler = createMcpHandler({ client });
  onTestFinished(() => handler.close());
  return { sandbox, peer: httpPeer(handler.fetch) };
}

test.each(['get_container', 'get_container_transport_events', 'get_container_route'])(
  '%s accepts the number or the id of a container',
  async name => {
    const { sandbox, peer } = started();
    const [shipment] = sandbox.seedShipments(1, { containers: 2 });
    const { id, number = '' } = shipment?.containers[0] ?? {};
    const byId = plainResult(await peer.call(name, { id }));
    for (const written of [number, ` ${number.toLowerCase().replace(/^(....)(......)/, '$1 $2-')}`])
      expect(plainResult(await peer.call(name, { id: written }))).toEqual(byId);
  },
);

test('get_container reads a container by its number with one request', async () => {
  const { sandbox, peer } = started();
  const [shipment] = sandbox.seedShipments(1, { containers: 2 });
  await peer.call('get_container', { id: shipment?.containers[0]?.id });
  const before = sandbox.requests.length;
  await peer.call('get_container', { id: shipment?.containers[1]?.number });
  expect(sandbox.requests.slice(before).map(({ path }) => path)).toEqual(['/containers']);
});

test.each([
  ['ignores the filter', (data: object[]) => Response.json({ data: data.slice(0, 2) })],
  ['ignores the filter and has one other container', (data: object[]) => Response.json({ data: data.slice(0, 1) })],
  ['refuses the filter', () => Response.json({ errors: [{ title: 'Unknown filter' }] }, { status: 400 })],
])('get_container finds a number with the search if an older service %s', async (_, listed) => {
  const sandbox = stillSandbox({ seed: 3 });
  sandbox.seedShipments(2, { containers: 1 });
  const [shipment] = sandbox.seedShipments(1, { containers: 1 });
  const fetch = async (input: unknown, init?: RequestInit) => {
    const url = new URL(String(input));
    if (!url.pathname.endsWith('/containers')) return sandbox.fetch(String(input), init);
    const all = await (await sandbox.fetch('https://service.example/v2/containers?sort=created_at', init)).json();
    return listed(all.data);
  };
  const handler = createMcpHandler({ client: { baseUrl: 'https://service.example/v2', logger: false, fetch } });
  onTestFinished(() => handler.close());
  const [container] = shipment?.containers ?? [];
  expect(plainResult(await httpPeer(handler.fetch).call('get_container', { id: container?.number }))).toMatchObject({
    id: container?.id,
  });
});

test('a list of containers finds a number in any case, with blanks and a hyphen', async () => {
  const { sandbox, peer } = started();
  const [shipment] = sandbox.seedShipments(1, { containers: 1 });
  const { id, number = '' } = shipment?.containers[0] ?? {};
  const written = number.toLowerCase().replace(/^(....)(......)/, '$1 $2-');
  expect(plainResult(await peer.call('list_containers', { number: written })).items).toMatchObject([{ id, number }]);
});

test('a list of tracking requests accepts the code of a carrier in any case, and refuses the name of a carrier', async () => {
  const { sandbox, peer } = started();
  await track(sandbox, 'MAEU-ATSEA-7');
  expect(plainResult(await peer.call('list_tracking_requests', { scac: 'maeu' })).items).toHaveLength(1);
  expect(failureIn(await peer.call('list_tracking_requests', { scac: 'Maersk Line' }))).toMatchObject({
    error: 'invalid_request',
  });
});

test('a shipment is found by its bill of lading, and by the number of one of its containers', async () => {
  const { sandbox, peer } = started();
  const [shipment] = sandbox.seedShipments(1, { containers: 2 });
  for (const id of [shipment?.number, shipment?.number.toLowerCase(), shipment?.containers[1]?.number])
    expect(plainResult(await peer.call('get_shipment_details', { id }))).toMatchObject({ id: shipment?.id });
});

test('a bill of lading identifies its only container; if it has several containers, it is ambiguous, and the failure has their list', async () => {
  const { sandbox, peer } = started();
  const [single] = sandbox.seedShipments(1, { containers: 1 });
  const [several] = sandbox.seedShipments(1, { containers: 2 });
  expect(plainResult(await peer.call('get_container', { id: single?.number }))).toMatchObject({
    id: single?.containers[0]?.id,
  });
  const { error, message } = failureIn(await peer.call('get_container', { id: several?.number }));
  expect(error).toBe('ambiguous');
  const numbers = several?.containers.map(({ number }) => number) ?? [];
  expect(message).toMatch(
    new RegExp(
      `^2 containers fit ${several?.number}: (${numbers.join('|')}), .*\\. Call again with one of these numbers\\.$`,
    ),
  );
  for (const number of numbers) expect(message).toContain(number);
});

test('a reference of several shipments lists the containers of all of them', async () => {
  const idOf = (digit: string) => `5b7c9d80-0000-4000-8000-00000000000${digit}`;
  const hits = ['1', '2'].map(digit => ({
    type: 'search_result',
    id: idOf(digit),
    attributes: { entity_type: 'shipment', number: `MAEU${digit}`, ref_numbers: ['PO-7'] },
  }));
  const fetch = async (input: string | URL | Request) => {
    const [, shipment] = /shipments\/[^?]*(\d)\?/.exec(String(input)) ?? [];
    if (shipment === undefined) return Response.json({ data: hits, links: {} });
    const container = { type: 'container', id: idOf(`${Number(shipment) + 2}`) };
    const relationships = { containers: { data: [container] } };
    const data = { type: 'shipment', id: idOf(shipment), attributes: {}, relationships };
    return Response.json({ data, included: [{ ...container, attributes: { number: 'MSCU1234566' } }] });
  };
  const handler = createMcpHandler({ client: { baseUrl: 'https://service.example/v2', logger: false, fetch } });
  onTestFinished(() => handler.close());
  const { error, message } = failureIn(await httpPeer(handler.fetch).call('get_container', { id: 'PO-7' }));
  expect(error).toBe('ambiguous');
  for (const digit of ['3', '4']) expect(message).toContain(idOf(digit));
});

test('two journeys with the same container number are ambiguous, and both are listed', async () => {
  const hits = ['11', '22'].map(part => ({
    type: 'search_result',
    id: `5b7c9d80-0000-4000-8000-0000000000${part}`,
    attributes: { entity_type: 'cargo', number: 'MSCU1234566', created_at: `2026-03-${part}T00:00:00Z` },
  }));
  const fetch = async () => Response.json({ data: hits, links: {} });
  const handler = createMcpHandler({ client: { baseUrl: 'https://service.example/v2', logger: false, fetch } });
  onTestFinished(() => handler.close());
  const { error, message } = failureIn(await httpPeer(handler.fetch).call('get_container', { id: 'MSCU1234566' }));
  expect(error).toBe('ambiguous');
  for (const { id } of hits) expect(message).toContain(id);
  expect(message).toContain('of 2026-03-22');
});

test('a number that has only a tracking request is not found, and the failure has the reason', async () => {
  const { sandbox, peer } = started();
  await track(sandbox, 'MAEU-NOTFOUND-1');
  const failure = async (id: string) => failureIn(await peer.call('get_shipment_details', { id }));
  expect(await failure('MAEU-NOTFOUND-1')).toMatchObject({
    error: 'not_found',
    message: expect.stringMatching(/^MAEU-NOTFOUND-1 is only a tracking request.*list_tracking_requests/),
  });
  // A part of a number finds nothing, because it may be part of several numbers.
  expect(await failure('MAEU-NOTFOUND')).toMatchObject({
    error: 'not_found',
    message: expect.stringMatching(/^The account has nothing of the number MAEU-NOTFOUND\..*search_container/),
  });
});

test('an unknown number with a wrong check digit is not found, and the failure has the expected number', async () => {
  const { peer } = started();
  expect(failureIn(await peer.call('get_container', { id: 'MSCU1234565' }))).toEqual({
    error: 'not_found',
    message: expect.stringContaining('wrong check digit: perhaps it is MSCU1234566.'),
    expected_number: 'MSCU1234566',
  });
  expect(failureIn(await peer.call('get_container', { id: 'MSCU1234566' }))).not.toHaveProperty('expected_number');
});

test.each(['list_containers', 'list_shipments', 'summarize_containers'])(
  '%s accepts the name of a port, a part of the name, or the initials',
  async name => {
    const { sandbox, peer } = started();
    sandbox.seedShipments(60);
    const group = name === 'summarize_containers' ? { group_by: 'current_status' } : {};
    const shown = async (port: string) => {
      const { items, groups } = plainResult(await peer.call(name, { ...group, port }));
      return items ?? groups;
    };
    const byCode = await shown('USLAX');
    expect(byCode.length).toBeGreaterThan(0);
    for (const port of ['Los Angeles', 'los ang', 'LA']) expect(await shown(port)).toEqual(byCode);
    expect(failureIn(await peer.call(name, { ...group, port: 'Atlantis' }))).toEqual({
      error: 'invalid_request',
      message: expect.stringMatching(
        /^port must be a UN\/LOCODE.*not Atlantis\. Containers of the account go to .*USLAX/,
      ),
    });
  },
);
