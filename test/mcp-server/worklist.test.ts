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

const LISTS = {
  demurrage: { demurrage: true },
  last_free_day: { lastFreeDay: { within: 7 } },
  held: { held: true },
  ready: { ready: true },
  late: { late: { days: 1 } },
  silent: { silent: { days: 5 } },
} as const;

describe('worklist', () => {
  test.each(Object.keys(LISTS) as (keyof typeof LISTS)[])(
    '%s has the containers of the library, in one call',
    async name => {
      const options: WorklistOptions = { ...LISTS[name], now: sandbox.now() };
      const rows = await client.worklist(options).toArray();
      const seen: Json = [];
      let next: { skip: number } | null = { skip: 0 };
      while (next) {
        const result: Json = plainResult(await peer.call('worklist', { lists: [name], ...(next.skip > 0 && next) }));
        seen.push(...result.items);
        next = result.next;
        expect(result.total).toBe(rows.length);
      }
      expect(seen.map(({ id }: Json) => id).toSorted()).toEqual(rows.map(({ container }) => container.id).toSorted());
      expect(seen.every(({ lists, reason, next: step }: Json) => lists[0] === name && reason && step)).toBe(true);
    },
  );

  test('puts the most urgent first, and a container once, with all its lists', async () => {
    const { items } = plainResult(await peer.call('worklist', { lists: Object.keys(LISTS) }));
    expect(new Set(items.map(({ id }: Json) => id)).size).toBe(items.length);
    const ranks = items.map(({ lists }: Json) => Object.keys(LISTS).indexOf(lists[0]));
    expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => a - b));
    expect(items.some(({ lists }: Json) => lists.length > 1)).toBe(true);
  });

  test('says in the text and in the data the same, and neither is twice the other', async () => {
    const { content, structuredContent } = await peer.call('worklist', { lists: ['last_free_day'], within: 7 });
    const text = content[0]?.text ?? '';
    const data = JSON.stringify(structuredContent);
    for (const { number, reason } of structuredContent.items) {
      expect(text).toContain(number);
      expect(text).toContain(reason.slice(0, 20));
    }
    expect(data.length).toBeLessThan(2 * text.length);
    expect(text.length).toBeLessThan(data.length);
  });

  test('near deadlines of 300 containers are at most 5,000 tokens, as text and as data', async () => {
    const total = (await client.containers.list({ pageSize: 1 })).meta.total ?? 0;
    expect(total).toBeGreaterThanOrEqual(290);
    const { content, structuredContent } = await peer.call('worklist', { lists: ['demurrage', 'last_free_day'] });
    expect(structuredContent.items.length).toBeGreaterThan(5);
    // A token of English and JSON has at least 3 characters on the average: bench/mcp-tokens.ts counts them.
    for (const text of [content[0]?.text ?? '', JSON.stringify(structuredContent)])
      expect(text.length).toBeLessThan(15_000);
  });

  test('refuses a list that does not exist', async () => {
    const { isError, content } = await peer.call('worklist', { lists: ['urgent'] });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/must be one of: demurrage, last_free_day/);
  });
});
