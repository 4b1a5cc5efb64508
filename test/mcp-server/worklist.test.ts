import { beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient, type WorklistOptions } from '../../src/index.ts';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { httpPeer, type Json, type McpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let peer: McpPeer;
let client: TrackingClient;

beforeAll(() => {
  // About 300 containers.
  sandbox = stillSandbox({ shipments: 145, seed: 5 });
  const { fetch } = sandbox;
  const options = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  client = new TrackingClient({ ...options, apiKey: 'sandbox' });
  peer = httpPeer(createMcpHandler({ client: options, now: () => sandbox.now() } as never).fetch);
});

/** An account of which nothing was heard for ten days. */
function silentPeer(): McpPeer {
  const later = () => new Date(sandbox.now().getTime() + 10 * 86_400_000);
  const { fetch } = sandbox;
  const options = { baseUrl: 'https://silent.example/v2', logger: false, rateLimit: false, fetch } as const;
  return httpPeer(createMcpHandler({ client: options, now: later }).fetch);
}

const LISTS = {
  demurrage: { demurrage: true },
  last_free_day: { lastFreeDay: { within: 7 } },
  held: { held: true },
  ready: { ready: true },
  late: { late: { days: 1 } },
  silent: { silent: { days: 5 } },
} as const;

/** The containers of a result, each with what it has in common with its group. */
const listed = ({ groups }: Json): Json[] =>
  groups.flatMap(({ containers, ...group }: Json) => containers.map((container: Json) => ({ ...group, ...container })));

function tally(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe('worklist', () => {
  test.each(Object.keys(LISTS) as (keyof typeof LISTS)[])(
    '%s has the containers of the library, on pages that the results propose',
    async name => {
      const options: WorklistOptions = { ...LISTS[name], now: sandbox.now() };
      const rows = await client.worklist(options).toArray();
      const seen: Json[] = [];
      let next: object | null = { lists: [name], late_by: 1 };
      while (next) {
        const result: Json = plainResult(await peer.call('worklist', next));
        expect(result).toMatchObject({ total: rows.length, counts: { [name]: rows.length } });
        seen.push(...listed(result));
        next = result.next;
      }
      expect(seen.map(({ id }) => id).toSorted()).toEqual(rows.map(({ container }) => container.id).toSorted());
      expect(seen.every(({ lists, next_step }) => lists[0] === name && next_step)).toBe(true);
    },
  );

  test('puts the most urgent first, and a container once, with all its lists', async () => {
    const items = listed(plainResult(await peer.call('worklist', { lists: Object.keys(LISTS) })));
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    const ranks = items.map(({ lists, days_left = 999 }) => Object.keys(LISTS).indexOf(lists[0]) * 1_000 + days_left);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(items.some(({ lists }) => lists.length > 1)).toBe(true);
  });

  test('counts the containers of all pages by list and by days left', async () => {
    const options = { demurrage: true, lastFreeDay: { within: 7 }, held: true, ready: true, now: sandbox.now() };
    const rows = await client.worklist(options).toArray();
    const { counts, days_left } = plainResult(await peer.call('worklist', { skip: 3 }));
    const names = { demurrage: 'demurrage', lastFreeDay: 'last_free_day', held: 'held', ready: 'ready' };
    expect(counts).toEqual(tally(rows.map(({ list }) => names[list])));
    const near = rows.flatMap(row => (row.list === 'lastFreeDay' ? row.deadline.daysLeft : []));
    expect(days_left).toEqual(tally(near));
  });

  test('says in the text and in the data the same, and neither is twice the other', async () => {
    const { content, structuredContent } = await peer.call('worklist', {
      lists: ['demurrage', 'last_free_day', 'late'],
    });
    const text = content[0]?.text ?? '';
    const data = JSON.stringify(structuredContent);
    for (const { next_step, last_free_day, set_by, days_left, days_late, number, id } of listed(structuredContent)) {
      const line = text.split('\n').find(part => part.endsWith(id)) ?? '';
      expect(line).toContain(number);
      if (days_late) expect(line).toContain(`|${days_late}|`);
      const heading = text
        .slice(0, text.indexOf(line))
        .split('\n')
        .findLast(part => part.startsWith('## '));
      expect(heading).toContain(next_step);
      if (last_free_day)
        expect(heading).toContain(`last free day ${last_free_day} (${set_by}), days left: ${days_left}`);
    }
    expect(text).toContain(`; next: worklist ${JSON.stringify(structuredContent.next)}\n`);
    expect(data.length).toBeLessThan(2 * text.length);
    expect(text.length).toBeLessThan(data.length);
  });

  test('takes 0 days for today, and 0 to skip', async () => {
    const { days_left } = plainResult(await peer.call('worklist', { lists: ['last_free_day'], within: 0, skip: 0 }));
    expect(Object.keys(days_left)).toEqual(['0']);
  });

  test('names no method of the library as a next step', async () => {
    const { content } = await silentPeer().call('worklist', { lists: ['silent'] });
    expect(content[0]?.text).toContain('«Ask the shipping line.»\nnumber|');
    expect(content[0]?.text).toContain('days_silent');
  });

  test('near deadlines of 300 containers are one result of at most 5,000 tokens, as text and as data', async () => {
    const total = (await client.containers.list({ pageSize: 1 })).meta.total ?? 0;
    expect(total).toBeGreaterThanOrEqual(290);
    const { content, structuredContent } = await peer.call('worklist', { lists: ['demurrage', 'last_free_day'] });
    expect(listed(structuredContent).length).toBe(85);
    expect(structuredContent.next).toBeNull();
    // A token of these has 2.6 characters at least: bench/mcp-tokens.ts counts them.
    expect(content[0]?.text.length).toBeLessThan(10_000);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(13_200);
  });

  test('refuses a list that does not exist', async () => {
    const { isError, content } = await peer.call('worklist', { lists: ['urgent'] });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/must be one of: demurrage, last_free_day/);
  });
});
