import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { matchesOf } from '../../src/mcp-server/tools/names.ts';
import { failureIn, httpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const sandbox = stillSandbox({ seed: 3, shipments: 30, rateLimit: false });
const client = { baseUrl: 'https://service.example/v2', logger: false, retry: false, fetch: sandbox.fetch } as const;
const newPeer = () => httpPeer(createMcpHandler({ client, now: () => sandbox.now() }).fetch);
const peer = newPeer();

const CALLS = [
  ['list_containers', 'carrier', {}],
  ['summarize_containers', 'carrier', { group_by: 'current_status' }],
  ['list_tracking_requests', 'scac', {}],
] as const;

const filtersOf = async (name: string, args: object) => plainResult(await peer.call(name, args)).applied_filters;

test.each(CALLS)('%s accepts a code, a name or a part of the name as %s', async (name, argument, args) => {
  for (const [written, code] of [
    ['maersk', 'MAEU'],
    ['hapag', 'HLCU'],
    ['MSC', 'MSCU'],
    ['oocl', 'OOLU'],
    ['maeu', 'MAEU'],
    ['Maersk, hapag', 'MAEU,HLCU'],
  ])
    expect(await filtersOf(name, { ...args, [argument]: written })).toEqual({ [argument]: code });
});

test.each(CALLS)(
  '%s refuses a %s that no carrier has, and names the most similar value',
  async (name, argument, args) => {
    expect(failureIn(await peer.call(name, { ...args, [argument]: 'Maersck' }))).toEqual({
      error: 'invalid_request',
      message: `${argument}: no carrier has the code or the name Maersck. Did you mean «MAEU Maersk»? get_supported_shipping_lines has all.`,
    });
  },
);

test('a part of several names selects all these names, and the text and next have the codes of these names', async () => {
  const { content, structuredContent } = await peer.call('list_containers', { carrier: 'lines', page_size: 1 });
  const { carrier } = structuredContent.applied_filters;
  expect(carrier.split(',').length).toBeGreaterThan(1);
  expect(content[0]?.text).toContain(`by carrier ${carrier.replaceAll(',', ' or ')};`);
  expect(structuredContent.next.carrier).toBe(carrier);
});

test('a code has precedence over a whole name, and a whole name has precedence over a part of a name', () => {
  const [sea, seaLine, code] = [
    { code: 'SEAU', names: ['Sea'] },
    { code: 'SLNU', names: ['Sea Line'] },
    { code: 'SEA', names: ['Other'] },
  ] as const;
  expect(matchesOf('sea', [sea, seaLine, code])).toEqual([code]);
  expect(matchesOf('sea', [seaLine, sea])).toEqual([sea]);
  expect(matchesOf('se', [seaLine, sea])).toEqual([seaLine, sea]);
});

test('list_shipments takes the name of a port of lading', async () => {
  const { items } = plainResult(await peer.call('list_shipments', { page_size: 1, include_containers: true }));
  const [{ port_of_lading: code, containers }] = items;
  const { port_of_lading_name: name } = plainResult(
    await peer.call('get_container', { id: containers[0].id }),
  ).shipment;
  expect(name).toMatch(/[a-z]/);
  expect(await filtersOf('list_shipments', { pol_code: name.toLowerCase() })).toEqual({ pol_code: code });
  expect(failureIn(await peer.call('list_shipments', { pol_code: 'Atlantis' })).message).toMatch(
    /^pol_code must be a UN\/LOCODE.*not Atlantis\. Containers of the account come from /,
  );
});

test('codes are still accepted if the carriers cannot be read', async () => {
  const other = newPeer();
  await other.request('ping');
  sandbox.fail({ match: { path: '/shipping_lines' }, status: 500 });
  expect(plainResult(await other.call('list_containers', { carrier: 'maeu' })).applied_filters).toEqual({
    carrier: 'MAEU',
  });
});
