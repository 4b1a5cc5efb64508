import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, plainResult } from '../../support/mcp-peer.ts';

const ID = '11111111-1111-4111-8111-111111111111';

test('the containers of get_shipment_details have holds, fees, and local times with the time zone', async () => {
  const zone = 'America/Los_Angeles';
  const container = {
    type: 'container',
    id: '22222222-2222-4222-8222-222222222222',
    attributes: {
      number: 'MSCU1234566',
      current_status: 'not_available',
      available_for_pickup: false,
      pod_arrived_at: '2026-03-05T10:00:00Z',
      pod_discharged_at: '2026-03-06T10:00:00Z',
      pod_timezone: zone,
      holds_at_pod_terminal: [{ name: 'customs', status: 'hold', description: null }],
      fees_at_pod_terminal: [{ type: 'demurrage', amount: 300, currency_code: 'USD' }],
    },
    relationships: {},
  };
  const shipment = {
    type: 'shipment',
    id: ID,
    attributes: { bill_of_lading_number: 'MEDU1', pod_ata_at: '2026-03-05T10:00:00Z', pod_timezone: zone },
    relationships: { containers: { data: [{ type: 'container', id: container.id }] } },
  };
  const fetch = async () => Response.json({ data: shipment, included: [container] });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const result = await httpPeer(createMcpHandler({ client }).fetch).call('get_shipment_details', { id: ID });
  expect(plainResult(result).containers.containers[0]).toMatchObject({
    held_by: ['customs'],
    fees_due: 'demurrage:300USD',
    pod_arrived_at: '2026-03-05T02:00:00-08:00',
  });
  const text = result.content[0]?.text ?? '';
  expect(text).toContain('arrived 2026-03-05 02:00 -08:00');
  expect(text).toMatch(/^MSCU1234566\|.*2026-03-05 02:00 -08:00\|2026-03-06 02:00 -08:00\|/m);
  expect(text).not.toMatch(/\d\dT\d\d:/);
});
