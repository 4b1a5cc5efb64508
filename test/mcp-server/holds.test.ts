import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';

/** Containers at the port with these holds. */
function peerOf(...holds: string[][]) {
  const data = holds.map((names, index) => ({
    type: 'container',
    id: String(index),
    attributes: {
      number: `TEST000000${index}`,
      current_status: 'not_available',
      availability_known: true,
      available_for_pickup: false,
      pod_discharged_at: '2026-03-05T00:00:00Z',
      holds_at_pod_terminal: names.map(name => ({ name, status: 'hold', description: null })),
    },
    relationships: {},
  }));
  const fetch = async () => Response.json({ data, links: {}, meta: { total: data.length } });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  return httpPeer(createMcpHandler({ client, now: () => new Date('2026-03-06T00:00:00Z') }).fetch);
}

test.each([
  ['customs', ['0', '2']],
  ['Customs', ['0', '2']],
  ['freight', ['1', '2']],
  ['customs, freight', ['0', '1', '2']],
  ['USDA Exam', ['3']],
])('the argument hold of worklist finds the containers with a hold of %s', async (hold, expected) => {
  const peer = peerOf(['customs'], ['freight'], ['freight', 'customs'], ['usda_exam']);
  const { counts, groups } = plainResult(await peer.call('worklist', { lists: ['held'], hold }));
  const numbers = groups.flatMap(({ containers }: Json) => containers.map(({ number }: Json) => number.slice(-1)));
  expect(numbers.toSorted()).toEqual(expected);
  expect(counts.held).toBe(expected.length);
});

test('a hold that no container has is refused with the existing holds', async () => {
  const { error, message } = failureIn(await peerOf(['customs'], ['freight']).call('worklist', { hold: 'frieght' }));
  expect(error).toBe('invalid_request');
  expect(message).toMatch(/^hold: nothing in these lists matches frieght\..* The lists have: freight, customs\.$/);
});

test('the list of held containers is empty if no container is held', async () => {
  const { total } = plainResult(await peerOf().call('worklist', { lists: ['held'], hold: 'customs' }));
  expect(total).toBe(0);
});

test('worklist does not make another page for only one or two containers', async () => {
  const shownOf = async (count: number) => {
    const peer = peerOf(...Array.from({ length: count }, () => ['customs']));
    const { groups } = plainResult(await peer.call('worklist', { lists: ['held'] }));
    return groups.flatMap(({ containers }: Json) => containers).length;
  };
  const fits = await shownOf(500);
  expect(fits).toBeLessThan(500);
  expect(await shownOf(fits + 2)).toBe(fits + 2);
  expect(await shownOf(fits + 3)).toBe(fits);
});
