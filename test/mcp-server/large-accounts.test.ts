import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const CLIENT = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, retry: false } as const;

/** A server for about 300 containers, which counts its requests and has a separate clock. */
function countingPeer() {
  const sandbox = stillSandbox({ shipments: 145, seed: 5 });
  const counted = { requests: 0, now: sandbox.now().getTime(), pageMs: 0 };
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => {
    counted.requests += 1;
    counted.now += counted.pageMs;
    return sandbox.fetch(input as Request, init);
  };
  const handler = createMcpHandler({ client: { ...CLIENT, fetch } as never, now: () => new Date(counted.now) });
  onTestFinished(() => handler.close());
  const peer = httpPeer(handler.fetch);
  const isReady = peer.request('ping');
  /** The number of requests of a call, and its result. */
  const call = async (args: object, tool = 'worklist') => {
    // The first request of a caller checks its key.
    await isReady;
    const before = counted.requests;
    const result = await peer.call(tool, args);
    return { requests: counted.requests - before, result, firstLine: result.content[0]?.text.split('\n')[0] };
  };
  return { sandbox, counted, call };
}

/** A list of ten pages, each with one container. `answer` may replace the response of a page. */
function tenPages(answer: (page: number, read: number) => Promise<Response | undefined> = async () => undefined) {
  const read: number[] = [];
  const fetch = async (input: unknown) => {
    const url = new URL(String(input));
    if (!url.pathname.endsWith('/containers')) return Response.json({ data: [] });
    const page = Number(url.searchParams.get('page[number]') ?? 1);
    read.push(page);
    const other = await answer(page, read.length);
    if (other) return other;
    const next = new URL(url);
    next.searchParams.set('page[number]', String(page + 1));
    const attributes = { number: `N${page}`, holds_at_pod_terminal: [{ name: 'customs', status: 'hold' }] };
    return Response.json({
      data: [{ type: 'container', id: `c${page}`, attributes, relationships: {} }],
      links: page < 10 ? { next: String(next) } : {},
      meta: { total: 10 },
    });
  };
  return { read, fetch };
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe('a reading of the worklist', () => {
  test('serves all lists and all filters for a minute, and the text says when it was read', async () => {
    const { counted, call } = countingPeer();
    const first = await call({ lists: ['ready'] });
    expect(first.requests).toBeGreaterThan(5);
    expect(first.firstLine).not.toContain(' ago');
    const others = [{}, { lists: ['held', 'late'] }, { lists: ['held'] }, { lists: ['last_free_day'], port: 'USLAX' }];
    for (const args of others) {
      const { requests, result } = await call(args);
      expect([args, requests, plainResult(result).total > 0]).toEqual([args, 0, true]);
    }
    counted.now += 60_000;
    const last = await call({ lists: ['ready'] });
    expect([last.requests, last.firstLine]).toEqual([0, expect.stringContaining(' containers, read 60 s ago; ')]);
    counted.now += 1;
    const anew = await call({ lists: ['ready'] });
    expect(anew.requests).toBe(first.requests);
    expect(anew.firstLine).not.toContain(' ago');
  });

  test('has the same containers on each list as a separate reading of that list', async () => {
    const alone = await countingPeer().call({ lists: ['held'] });
    const { call } = countingPeer();
    await call({ lists: ['ready'] });
    expect(plainResult((await call({ lists: ['held'] })).result)).toEqual(plainResult(alone.result));
  });

  test('of one list does not serve another list', async () => {
    const { call } = countingPeer();
    await call({ lists: ['held'] });
    const { requests, result } = await call({ lists: ['last_free_day'] });
    expect(requests).toBeGreaterThan(0);
    const alone = await countingPeer().call({ lists: ['last_free_day'] });
    expect(plainResult(result)).toEqual(plainResult(alone.result));
  });

  test('that took two minutes is used for two minutes', async () => {
    const { counted, call } = countingPeer();
    const { requests } = await call({ lists: ['late'] });
    counted.now += 60_001;
    counted.pageMs = 120_000 / requests;
    await call({ lists: ['ready'] });
    counted.pageMs = 0;
    counted.now += 119_000;
    expect((await call({ lists: ['late'] })).requests).toBe(0);
    counted.now += 1_001;
    expect((await call({ lists: ['late'] })).requests).toBe(requests);
  });

  test('serves parallel calls', async () => {
    const { counted, call } = countingPeer();
    const { requests } = await call({ lists: ['ready'] });
    counted.now += 60_001;
    counted.requests = 0;
    const calls = [{ lists: ['ready'] }, {}, { lists: ['late'] }];
    const totals = await Promise.all(calls.map(async args => plainResult((await call(args)).result).total));
    expect(counted.requests).toBe(requests);
    expect(totals.every(total => total > 0)).toBe(true);
  });

  test('is no longer used after a new tracking request, but is still used after a request for a number that is already tracked', async () => {
    const { sandbox, call } = countingPeer();
    const { requests } = await call({ lists: ['ready'] });
    const number = sandbox.seedShipments(1)[0]?.containers[0]?.number;
    const known = await call({ number }, 'track_container');
    expect(plainResult(known.result).outcome).toBe('already_tracked');
    expect((await call({ lists: ['late'] })).requests).toBe(0);
    const created = await call(
      { number: 'MAEU123456789', number_type: 'bill_of_lading', scac: 'MAEU' },
      'track_container',
    );
    expect(plainResult(created.result).outcome).toBe('requested');
    expect((await call({ lists: ['late'] })).requests).toBeGreaterThanOrEqual(requests);
  });
});

test('the containers of a caller that is idle for five minutes are no longer stored', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { call } = countingPeer();
  const { requests } = await call({ lists: ['late'] });
  // The clock of the server stands still.
  await vi.advanceTimersByTimeAsync(299_000);
  expect((await call({ lists: ['late'] })).requests).toBe(0);
  await vi.advanceTimersByTimeAsync(300_000);
  expect((await call({ lists: ['late'] })).requests).toBe(requests);
});

describe('an interrupted reading of the worklist', () => {
  test('continues after the pages that were read before the rate limit was reached', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { read, fetch } = tenPages();
    // Clients for the same host share one rate limit.
    const client = { ...CLIENT, baseUrl: 'https://seven.example/v2', rateLimit: { limits: { default: 7 } }, fetch };
    const handler = createMcpHandler({ client, deadline: 20_000 });
    onTestFinished(() => handler.close());
    const peer = httpPeer(handler.fetch);
    const failure = failureIn(await peer.call('worklist', { lists: ['held', 'ready'] }));
    expect(failure).toMatchObject({ error: 'rate_limited', retry_after_seconds: expect.any(Number) });
    expect(failure.message).toMatch(/^The request budget is used up\. Wait \d+ seconds, then make the same call again/);
    await vi.advanceTimersByTimeAsync(failure.retry_after_seconds * 1_000);
    const result = await peer.call('worklist', { lists: ['held', 'ready'] });
    expect(plainResult(result).total).toBe(10);
    expect(read).toEqual(ALL);
    expect(result.content[0]?.text.split('\n')[0]).toContain(`, read ${failure.retry_after_seconds} s ago`);
  });

  test('continues after a failed page', async () => {
    const { read, fetch } = tenPages(async (_, read) => (read === 4 ? new Response(null, { status: 500 }) : undefined));
    const handler = createMcpHandler({ client: { ...CLIENT, fetch } });
    onTestFinished(() => handler.close());
    const peer = httpPeer(handler.fetch);
    expect(failureIn(await peer.call('worklist', { lists: ['ready'] })).error).toBe('upstream');
    expect(plainResult(await peer.call('worklist', { lists: ['held', 'ready'] })).total).toBe(10);
    expect(read).toEqual([1, 2, 3, 4, ...ALL.slice(3)]);
  });

  test('is continued by a parallel call if the call that began it has been cancelled', async () => {
    let reach = () => {};
    const reached = new Promise<void>(resolve => {
      reach = resolve;
    });
    const { read, fetch } = tenPages(async (page, read) => {
      if (page !== 4 || read > 4) return undefined;
      reach();
      return new Promise<Response>(() => {});
    });
    const handler = createMcpHandler({ client: { ...CLIENT, fetch } });
    onTestFinished(() => handler.close());
    const peer = httpPeer((request, init) => handler.fetch(new Request(request, init)));
    const cancel = new AbortController();
    const first = peer
      .request('tools/call', { name: 'worklist', arguments: { lists: ['ready'] } }, cancel)
      .catch(() => {});
    await reached;
    const second = peer.call('worklist', { lists: ['held', 'ready'] });
    await new Promise(setImmediate);
    cancel.abort();
    await first;
    expect(plainResult(await second).total).toBe(10);
    expect(read).toEqual([1, 2, 3, 4, ...ALL.slice(3)]);
  });
});

test.each(['worklist', 'list_changes'])(
  'a call of %s that used its time to wait for slots of the rate limit reports rate_limited, although the service responds',
  async tool => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // A request is in progress at the end of the deadline.
    const { read, fetch } = tenPages(async (_, read) => {
      await new Promise(done => setTimeout(done, read === 7 ? 20_000 : 10));
      return undefined;
    });
    const limited = { limits: { default: 2 }, windowMs: 10_000 };
    const baseUrl = `https://${tool.replace('_', '-')}.example/v2`;
    const client = { ...CLIENT, baseUrl, rateLimit: limited, fetch };
    const handler = createMcpHandler({ client, deadline: 35_000 });
    onTestFinished(() => handler.close());
    const peer = httpPeer(handler.fetch);
    const ended = async (name: string, args: object) => {
      const call = peer.call(name, args);
      let isDone = false;
      void call.finally(() => {
        isDone = true;
      });
      while (!isDone) await vi.advanceTimersByTimeAsync(100);
      return call;
    };
    // Loads the code that reads lists.
    await ended('list_containers', {});
    await vi.advanceTimersByTimeAsync(60_000);
    const failure: Json = failureIn(await ended(tool, tool === 'worklist' ? { lists: ['ready'] } : {}));
    expect(read).toHaveLength(7);
    expect(failure).toMatchObject({ error: 'rate_limited', retry_after_seconds: expect.any(Number) });
  },
);
