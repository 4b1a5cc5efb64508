import { describe, expect, test } from 'vitest';
import { ConfigurationError, type SchemaMismatchEvent } from '../../src/index.ts';
import type { McpClient } from '../../src/mcp/index.ts';
import type { McpEdition } from '../../src/sandbox/index.ts';
import { rejection } from '../../support/client.ts';
import { connected, servedSandbox } from '../../support/mcp.ts';

const EDITIONS: McpEdition[] = ['early-2026', '2026-08', '2026-10', '2026-11'];

/** The ten methods, each at least once, in the order in which a program calls them. */
async function everyMethod(mcp: McpClient) {
  const { items } = await mcp.listContainers();
  const id = items[0]?.id ?? '';
  const { containers } = await mcp.searchContainer({ query: items[0]?.number ?? '' });
  const { items: shipments } = await mcp.listShipments({ include_containers: true });
  return {
    found: containers.map(container => container.id),
    box: await mcp.getContainer({ id }),
    withEvents: await mcp.getContainer({ id, include: ['transport_events'] }),
    details: await mcp.getShipmentDetails({ id: shipments[0]?.id ?? '' }),
    timeline: await mcp.getContainerTransportEvents({ id }),
    route: await mcp.getContainerRoute({ id }),
    lines: await mcp.getSupportedShippingLines({ search: 'MAEU' }),
    started: await mcp.trackContainer({ number: 'MAEU-ATSEA-7', scac: 'MAEU' }),
    existing: await mcp.trackContainer({ number: items[0]?.number ?? '' }),
    requests: await mcp.listTrackingRequests({ status: 'pending' }),
    id,
  };
}

describe.each(EDITIONS)('the hosted endpoint of %s', mcpEdition => {
  test('is read by every method without a mismatch, with validation strict', async () => {
    const { server } = await servedSandbox({ mcpEdition, shipments: 4 });
    const mismatches: SchemaMismatchEvent[] = [];
    const hooks = { onSchemaMismatch: (event: SchemaMismatchEvent) => mismatches.push(event) };
    const mcp = await connected(server, { validation: 'strict', hooks });
    const { id, ...results } = await everyMethod(mcp);
    expect(results).toMatchObject({
      found: [id],
      box: { id },
      withEvents: { events: { count: expect.any(Number) } },
      lines: { total_lines: 1 },
      started: { tracking_request_created: true },
      existing: { id, tracking_request_created: false, infer_result: { source: 'search_match' } },
      requests: { items: [{ requestNumber: 'MAEU-ATSEA-7' }] },
    });
    expect(mismatches).toEqual([]);
    const { total_events, timeline } = results.timeline;
    expect(timeline).toHaveLength(total_events);
  });

  test('either accepts an unknown argument, or causes an error before the tool is called', async () => {
    const { server } = await servedSandbox({ mcpEdition, shipments: 4 });
    const mcp = await connected(server);
    const call = mcp.call('list_containers', { current_status: 'on_ship' });
    if (mcpEdition === '2026-11') {
      expect((await call).result).toMatchObject({ _metadata: { applied_filters: { current_status: 'on_ship' } } });
    } else {
      expect(await rejection(call)).toBeInstanceOf(ConfigurationError);
    }
    const many = mcp.listShipments({ page_size: 26 });
    if (mcpEdition < '2026-10' || mcpEdition === 'early-2026') expect((await many).items).toHaveLength(4);
    else expect(await rejection(many)).toMatchObject({ code: 'mcp_protocol', rpcCode: -32602 });
  });
});
