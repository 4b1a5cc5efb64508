import { setTimeout as after } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TimeoutError, TrackingClient } from '../../src/index.ts';
import { Caller } from '../../src/mcp-server/caller.ts';
import { complete } from '../../src/mcp-server/completion.ts';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer } from '../../support/mcp-peer.ts';

const ID = '5b7c9d80-0000-4000-8000-000000000001';
const CLIENT = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, retry: false } as const;
const LINES = { data: [{ type: 'shipping_line', id: '1', attributes: { scac: 'MAEU', name: 'Maersk' } }] };

/** One page of a list with many pages. */
function pageOf(url: URL): Response {
  const number = Number(url.searchParams.get('page[number]') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page[number]', String(number + 1));
  const attributes = { event: 'container.transport.vessel_loaded', timestamp: '2026-03-05T10:00:00Z' };
  const data = [{ type: 'transport_event', id: String(number), attributes, relationships: {} }];
  return Response.json({ data, links: { self: String(url), next: String(next) } });
}

test.each([
  ['get_container_transport_events', { id: ID }],
  ['get_supported_shipping_lines', {}],
])('the requests for all pages of %s share the time limit of one call', async (tool, args) => {
  let read = 0;
  const fetch = async (input: unknown) => {
    const url = new URL(String(input));
    // This request is the check of the key.
    if (url.searchParams.get('page[size]') !== '100') return Response.json({ data: [] });
    // There is time for one page before the deadline, but not for two pages.
    await after(150);
    read += 1;
    if (read === 5) return Response.json({ data: [] });
    return pageOf(url);
  };
  const handler = createMcpHandler({ client: { ...CLIENT, fetch }, deadline: 200 });
  onTestFinished(() => handler.close());
  const failure = failureIn(await httpPeer(handler.fetch).call(tool, args));
  expect(failure).toEqual({ error: 'upstream', message: expect.stringContaining('did not respond in time') });
  expect(read).toBeLessThan(5);
});

/** A caller whose first request for the carriers never gets a response. */
function waitingCaller() {
  let asked = 0;
  const fetch = async () => {
    asked += 1;
    return asked === 1 ? new Promise<Response>(() => {}) : Response.json(LINES);
  };
  const caller = new Caller(new TrackingClient({ ...CLIENT, apiKey: 'sandbox', fetch }));
  const never = new AbortController();
  onTestFinished(() => never.abort());
  return { caller, signal: never.signal, asked: () => asked };
}

test('a call that shares a request for the carriers can be aborted while the other calls still wait', async () => {
  const { caller, signal, asked } = waitingCaller();
  const [first, second] = [new AbortController(), new AbortController()];
  const outcomes = [first, second].map(({ signal }) => caller.shippingLines({ deadline: 60_000, signal }));
  const third = vi.fn();
  void caller.shippingLines({ deadline: 60_000, signal }).catch(third);
  second.abort(new Error('the second'));
  await expect(outcomes[1]).rejects.toThrow('the second');
  first.abort(new Error('the first'));
  await expect(outcomes[0]).rejects.toThrow('the first');
  expect(third).not.toHaveBeenCalled();
  await expect.poll(asked).toBe(1);
});

test('a call that shares a request for the carriers keeps its own deadline after the deadline of another call has passed', async () => {
  const { caller, signal, asked } = waitingCaller();
  const short = caller.shippingLines({ deadline: 20, signal });
  const others = [1, 2].map(() => caller.shippingLines({ deadline: 60_000, signal }));
  await expect(short).rejects.toThrow(TimeoutError);
  for (const lines of await Promise.all(others)) expect(lines).toMatchObject([{ scac: 'MAEU' }]);
  expect(asked()).toBe(2);
});

test('a completion ends after five seconds, even if it shares the request of a tool', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { caller, signal } = waitingCaller();
  const tool = vi.fn();
  caller.shippingLines({ deadline: 45_000, signal }).then(tool, tool);
  const completed = vi.fn();
  void complete({ argument: { name: 'carrier', value: 'mae' } }, caller, signal).then(completed);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(completed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(completed).toHaveBeenCalledWith({ completion: { values: [], total: 0, hasMore: false } });
  expect(tool).not.toHaveBeenCalled();
});

test.each(['2026-07-28', '2025-11-25'])(
  'with %s, a waiting call reports its progress every three seconds if the host requests it',
  async revision => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting: ((response: Response) => void)[] = [];
    const fetch = async (input: unknown) =>
      String(input).includes('/search')
        ? new Promise<Response>(resolve => waiting.push(resolve))
        : Response.json({ data: [] });
    const handler = createMcpHandler({ client: { ...CLIENT, fetch }, deadline: 20_000 });
    onTestFinished(() => handler.close());
    const isModern = revision === '2026-07-28';
    const meta = {
      progressToken: 'p',
      ...(isModern && {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }),
    };
    const params = { name: 'search_container', arguments: { query: 'X1' }, _meta: meta };
    const headers = {
      authorization: 'Token sandbox',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': 'search_container' }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const answer = handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    await expect.poll(() => waiting.length).toBe(1);
    await vi.advanceTimersByTimeAsync(6_500);
    waiting[0]?.(Response.json({ data: [] }));
    const events = (await (await answer).text()).split('\n').filter(line => line.startsWith('data: '));
    const messages = events.map(line => JSON.parse(line.slice('data: '.length)));
    expect(
      messages.map(({ method, params }) => method && [params.progressToken, params.progress, params.total]),
    ).toEqual([['p', 3, 20], ['p', 6, 20], undefined]);
    expect(messages[2].result.structuredContent.total_results).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('a worklist that would wait too long for the rate limit fails immediately, and says how long to wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let number = 0;
  const fetch = async (input: unknown) => {
    const next = new URL(String(input));
    number += 1;
    next.searchParams.set('page[number]', String(number + 1));
    const data = [{ type: 'container', id: String(number), attributes: { number: `N${number}` }, relationships: {} }];
    return Response.json({ data, links: { next: String(next) }, meta: { total: 1_000 } });
  };
  const client = { ...CLIENT, baseUrl: 'https://limited.example/v2', rateLimit: { limits: { default: 5 } }, fetch };
  const handler = createMcpHandler({ client, deadline: 20_000 });
  onTestFinished(() => handler.close());
  const failure = failureIn(await httpPeer(handler.fetch).call('worklist', { lists: ['ready'] }));
  expect(number).toBe(5);
  expect(failure).toMatchObject({ error: 'rate_limited', retry_after_seconds: expect.any(Number) });
  expect(failure.retry_after_seconds).toBeGreaterThan(30);
  // The length of the window, with a margin.
  expect(failure.retry_after_seconds).toBeLessThanOrEqual(61);
});
