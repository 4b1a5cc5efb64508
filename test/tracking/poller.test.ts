import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  AuthenticationError,
  type ClientOptions,
  ConfigurationError,
  type TrackedRequest,
  TrackingClient,
  TrackingFailedError,
  TrackingPendingError,
  type TrackingProgress,
  type WaitOptions,
} from '../../src/index.ts';
import type { WireResource } from '../../src/jsonapi/document.ts';
import { withRequest } from '../../support/client.ts';
import { gate } from '../../support/gate.ts';
import { startIdleClock } from '../../support/idle-clock.ts';
import { clientOf, type Received, type Script, serveScript } from '../../support/paged-server.ts';
import type { Answer } from '../../support/server.ts';
import { created, notFound, pending, readTrackingRequests, trackingRequest } from '../../support/tracking-requests.ts';
import { unhandledRejections } from '../../support/unhandled-rejections.ts';

/** A short window makes short intervals: from 10 to 75 ms. */
const WINDOW = { windowMs: 300 };

/** A service with tracking requests that the test can change. */
async function setUp(records: WireResource[], script?: Script, options: ClientOptions = {}) {
  const server = await serveScript(
    async request => (await script?.(request)) ?? readTrackingRequests(records, request),
  );
  const client = clientOf(server, { rateLimit: WINDOW, ...options });
  const waitFor = (request: string | TrackedRequest, wait?: WaitOptions) =>
    client.trackingRequests.waitFor(request, wait);
  return { server, client, waitFor, records };
}

/** The same service, with a clock that stands still during a request. */
async function setUpIdle(records: WireResource[], script?: Script, options: ClientOptions = {}) {
  const clock = startIdleClock();
  const own = { fetch: (...args: Parameters<typeof fetch>) => clock.during(fetch(...args)) };
  return { clock, ...(await setUp(records, script, { ...own, ...options })) };
}

function raise(message: string): never {
  throw new Error(message);
}

function replace(records: WireResource[], changed: WireResource): void {
  records[records.findIndex(({ id }) => id === changed.id)] = changed;
}

const ids = Array.from({ length: 500 }, (_, n) => `r${n}`);
const ignore: Script = () => undefined as never;
const isList = ({ url }: Received) => url.pathname === '/v2/tracking_requests';

describe('waiting', () => {
  test('ends when the shipment is linked, and not before', async () => {
    const { records, waitFor } = await setUp([pending('a')]);
    const statuses: string[] = [];
    const outcome = waitFor('a', { onProgress: ({ trackingRequest: { status } }) => statuses.push(status) });
    await expect.poll(() => statuses).toEqual(['pending']);
    replace(records, trackingRequest('a', { status: 'created' }));
    await expect.poll(() => statuses).toEqual(['pending', 'created']);
    replace(records, created('a'));
    const { status, tracked_object } = await outcome;
    expect(status).toBe('created');
    expect(tracked_object).toEqual({ type: 'shipment', id: 's-a' });
    expect(statuses).toEqual(['pending', 'created']);
  });

  describe.each([
    ['throws', () => raise('of the listener')],
    ['rejects', async () => raise('of the listener')],
  ])('with a listener that %s', (_, onProgress) => {
    test.each([
      ['at the first state', pending('a')],
      ['at the last state', created('a')],
    ])('%s rejects with the error of the listener', async (_, record) => {
      const unhandled = unhandledRejections();
      const { waitFor } = await setUp([record]);
      await expect(waitFor('a', { onProgress })).rejects.toThrow('of the listener');
      expect(await unhandled.settle()).toEqual([]);
    });
  });

  test('ends after an abort or after waitTimeout even if a listener never settles, and ignores a later rejection', async () => {
    const unhandled = unhandledRejections();
    const { client, waitFor } = await setUp([pending('a')]);
    const known = await client.trackingRequests.get('a');
    const controller = new AbortController();
    let fail = (_: Error) => {};
    const never = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const aborting = () => {
      controller.abort('stop');
      return never;
    };
    await expect(waitFor(known, { signal: controller.signal, onProgress: aborting })).rejects.toBe('stop');
    await expect(waitFor(known, { waitTimeout: 20, onProgress: () => never })).rejects.toThrow(TrackingPendingError);
    fail(new Error('late'));
    expect(await unhandled.settle()).toEqual([]);
  });

  test('calls a listener with the next state only after the listener has ended for the previous state', async () => {
    const { records, waitFor } = await setUp([pending('a')]);
    const saved = gate();
    const told: string[] = [];
    const outcome = waitFor('a', {
      onProgress: async ({ trackingRequest: { status } }) => {
        told.push(`${status} …`);
        replace(records, created('a'));
        await saved.opened;
        told.push(status);
      },
    });
    await expect.poll(() => told, { interval: 1 }).toEqual(['pending …']);
    // A second waiter for the same request receives the next state of the request from the same poll.
    await waitFor('a');
    saved.open();
    await outcome;
    expect(told).toEqual(['pending …', 'pending', 'created …', 'created']);
  });

  test('continues if the relationship to the shipment is missing', async () => {
    const unlinked = { ...created('a'), relationships: {} };
    const { waitFor } = await setUpIdle([unlinked]);
    await expect(waitFor('a', { waitTimeout: 300 })).rejects.toThrow(TrackingPendingError);
  });

  test('polls soon at first and then less often, so that an early result arrives early', async () => {
    const polls: number[] = [];
    const noted: Script = request => {
      polls.push(performance.now());
      return ignore(request);
    };
    const { client } = await setUpIdle([pending('a')], noted, { rateLimit: {} });
    const known = await client.trackingRequests.get('a');
    const startedAt = performance.now();
    await expect(client.trackingRequests.waitFor(known, { waitTimeout: 10_000 })).rejects.toThrow(TrackingPendingError);
    const afterMs = polls.slice(1).map(at => Math.round((at - startedAt) / 100) * 100);
    // Together, the polls take at most a quarter of 100 requests per minute.
    expect(afterMs).toEqual([500, 2900, 5300, 7700]);
  });

  test('ends for a shipment whose updates have stopped', async () => {
    const { waitFor } = await setUp([trackingRequest('a', { status: 'tracking_stopped', shipment: 's1' })]);
    expect((await waitFor('a')).status).toBe('tracking_stopped');
  });

  test('sends nothing for a request that is known to be done', async () => {
    const { server, client, waitFor } = await setUp([created('a')]);
    const known = await client.trackingRequests.get('a');
    expect(await waitFor(known)).toBe(known);
    expect(server.requests).toHaveLength(1);
  });

  test('rejects with the reason when tracking fails', async () => {
    const { records, waitFor } = await setUp([pending('a')]);
    const outcome = waitFor('a');
    await sleep(20);
    replace(records, trackingRequest('a', { status: 'failed', failed_reason: 'not_found' }));
    const error = await outcome.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrackingFailedError);
    expect(error).toMatchObject({ failedReason: 'not_found', code: 'tracking_failed', trackingRequest: { id: 'a' } });
  });

  test('reports its progress only at the start and at each change', async () => {
    const { records, client, waitFor } = await setUp([pending('a')]);
    const told: TrackingProgress[] = [];
    const outcome = waitFor(await client.trackingRequests.get('a'), { onProgress: progress => told.push(progress) });
    const next = [
      trackingRequest('a', { status: 'pending', retry_count: 1, failed_reason: 'shipping_line_unreachable' }),
      trackingRequest('a', { status: 'awaiting_manifest' }),
      created('a'),
    ];
    for (const [index, state] of next.entries()) {
      await expect.poll(() => told).toHaveLength(index + 1);
      // Some more polls without a change.
      await sleep(50);
      replace(records, state);
    }
    await outcome;
    expect(told.map(({ trackingRequest: { status, retry_count } }) => [status, retry_count])).toEqual([
      ['pending', undefined],
      ['pending', 1],
      ['awaiting_manifest', undefined],
      ['created', undefined],
    ]);
    const times = told.map(({ elapsedMs }) => elapsedMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test.each([0, -1, Number.NaN, '5'])('rejects a waitTimeout of %j, and nothing is sent', async waitTimeout => {
    const { server, waitFor } = await setUp([pending('a')]);
    await expect(waitFor('a', { waitTimeout: waitTimeout as number })).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test('rejects a blank id, and nothing is sent', async () => {
    const { server, waitFor } = await setUp([]);
    await expect(waitFor('')).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });
});

describe('many waiters', () => {
  test('share their polls, so that 500 waiters need only a few pages per round', async () => {
    const { clock, server, client, records, waitFor } = await setUpIdle(ids.map(pending));
    const known = await client.trackingRequests.list({ pageSize: 100 }).toArray();
    const before = server.requests.length;
    const outcomes = known.map(request => waitFor(request));
    await clock.sleep(400);
    for (const id of ids) replace(records, created(id));
    const done = await Promise.all(outcomes);
    expect(done.map(({ id, status }) => `${id} ${status}`)).toEqual(ids.map(id => `${id} created`));
    const polls = server.requests.slice(before);
    expect(polls.length).toBeGreaterThan(5);
    expect(polls.length).toBeLessThan(60);
    expect(polls.every(isList)).toBe(true);
  });

  test('take at most a quarter of the budget', async () => {
    const rateLimit = { windowMs: 200, limits: { default: 40 } };
    const { server, waitFor } = await setUpIdle(ids.slice(0, 150).map(pending), undefined, { rateLimit });
    const startedAt = performance.now();
    const outcomes = ids.slice(0, 150).map(id => waitFor(id, { waitTimeout: 900 }));
    await Promise.allSettled(outcomes);
    const windows = (performance.now() - startedAt) / 200;
    // The running poll may be added.
    expect(server.requests.length).toBeLessThanOrEqual(10 * windows + 2);
    expect(server.requests.length).toBeGreaterThan(10);
  });

  test('read only the part of the list in which their requests were created, if the times are known', async () => {
    const times = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'];
    const wanted = times.map((created_at, n) => trackingRequest(`w${n}`, { status: 'pending', created_at }));
    const others = ids.map(id => trackingRequest(id, { status: 'pending', created_at: '2026-04-01T00:00:00Z' }));
    const { server, client, records, waitFor } = await setUp([...others, ...wanted]);
    const known = await Promise.all(wanted.map(({ id }) => client.trackingRequests.get(id)));
    const outcomes = known.map(request => waitFor(request));
    for (const { id } of wanted) replace(records, created(id));
    await Promise.all(outcomes);
    const polls = server.requests.slice(3);
    expect(polls.filter(isList).length).toBeGreaterThan(0);
    const query = polls.find(isList)?.url.searchParams;
    expect(Date.parse(query?.get('filter[created_at][start]') ?? '')).toBeLessThan(Date.parse(times[0] ?? ''));
    expect(Date.parse(query?.get('filter[created_at][end]') ?? '')).toBeGreaterThan(Date.parse(times[2] ?? ''));
  });

  test('read each request separately if there are few waiters', async () => {
    const { server, waitFor } = await setUp([created('a'), created('b')]);
    await Promise.all([waitFor('a'), waitFor('b'), waitFor('a')]);
    expect(server.requests.map(({ url }) => url.pathname).sort()).toEqual([
      '/v2/tracking_requests/a',
      '/v2/tracking_requests/b',
    ]);
  });

  test('read each request separately if the list would take more calls', async () => {
    const { server, waitFor } = await setUp([...ids.map(pending), ...['x', 'y', 'z'].map(created)]);
    await Promise.all(['x', 'y', 'z'].map(id => waitFor(id)));
    expect(server.requests.length).toBeLessThan(10);
  });

  test.each([1, 4])('fail separately if one request, among %i others, gets a 404', async count => {
    const others = ids.slice(0, count);
    const { records, waitFor } = await setUp(others.map(pending));
    const outcomes = others.map(id => waitFor(id));
    await expect(waitFor('gone')).rejects.toMatchObject({ name: 'NotFoundError' });
    for (const id of others) replace(records, created(id));
    expect((await Promise.all(outcomes)).map(({ id }) => id)).toEqual(others);
  });

  test('may join during a poll, and are in the next poll', async () => {
    let slow: Promise<void> | undefined = sleep(60);
    const { waitFor } = await setUp([created('a'), created('b')], async () => {
      await slow;
      return undefined as never;
    });
    const first = waitFor('a');
    await sleep(20);
    const second = waitFor('b');
    slow = undefined;
    expect((await first).id).toBe('a');
    expect((await second).id).toBe('b');
  });
});

/** Responses about one tracking request. A later poll cannot repair them. */
const UNREADABLE: Record<string, Answer> = {
  'a 400': { status: 400 },
  'a 401': { status: 401 },
  'a 403': { status: 403 },
  'a 422': { status: 422 },
  'a record of the wrong format': { body: { data: 'nonsense' } },
};

/** Responses of a proxy, which do not describe a tracking request. */
const FOREIGN: Record<string, Answer> = {
  'a page with 404': { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404 Not Found</h1>' },
  'a 404 in the JSON of a gateway': { status: 404, body: { message: 'no Route matched with those values' } },
  'a 404 with a text under error': { status: 404, body: { timestamp: 1, status: 404, error: 'Not Found', path: '/' } },
  'a 404 without a body': { status: 404 },
  'a page about maintenance with 200': { headers: { 'content-type': 'text/html' }, body: '<h1>Back soon</h1>' },
  'JSON about maintenance with 200': { body: { status: 'maintenance' } },
  'a 200 without a body': { body: '' },
  'a redirect to a page about maintenance': { status: 302, headers: { location: 'https://status.example/' } },
};

describe.each(Object.entries(UNREADABLE))('%s for one request', (_, failure) => {
  const isUnreadable = ({ url }: Received) => url.pathname.endsWith('/unreadable');
  const name = failure.status === undefined ? 'ResponseFormatError' : expect.stringMatching(/Error$/);
  const details = { name, status: failure.status ?? 200 };

  test.each([1, 4])('causes only this request to fail, and %i others continue', async count => {
    const others = ids.slice(0, count);
    const { records, waitFor } = await setUp(others.map(pending), request =>
      isUnreadable(request) ? failure : ignore(request),
    );
    const outcomes = others.map(id => waitFor(id));
    await expect(waitFor('unreadable')).rejects.toMatchObject(details);
    for (const id of others) replace(records, created(id));
    expect((await Promise.all(outcomes)).map(({ id }) => id)).toEqual(others);
  });

  test('causes an immediate failure, and neither cancels nor repeats the read of another request', async () => {
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const { server, waitFor } = await setUp([created('slow')], async request => {
      if (isUnreadable(request)) return failure;
      await held;
      return ignore(request);
    });
    const other = waitFor('slow');
    await expect(waitFor('unreadable')).rejects.toMatchObject(details);
    const reads = () => server.requests.filter(({ url }) => url.pathname.endsWith('/slow')).length;
    expect(reads()).toBe(1);
    release();
    expect((await other).id).toBe('slow');
    expect(reads()).toBe(1);
  });
});

test('an invalid record in the list does not affect other waiters', async () => {
  const { id: _, ...broken } = created('broken');
  const { waitFor } = await setUp([...['a', 'b', 'c', 'd'].map(created), broken as WireResource]);
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(id => waitFor(id)));
  expect(outcomes.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

describe('errors during the wait', () => {
  test.each<[string, Script]>([
    ['a 503', () => ({ status: 503 })],
    ['a 408', () => ({ status: 408 })],
    ['a 429', () => ({ status: 429, headers: { 'retry-after': '0' } })],
    ['a broken connection', () => 'broken'],
    ...Object.entries(FOREIGN).map(([name, answer]): [string, Script] => [name, () => answer]),
  ])('do not end the wait: %s', async (_, failure) => {
    let failures = 0;
    const { waitFor } = await setUp([created('a')], request => {
      failures += 1;
      return failures <= 2 ? failure(request) : ignore(request);
    });
    expect((await waitFor('a')).status).toBe('created');
    expect(failures).toBe(3);
  });

  test.each(Object.entries(FOREIGN))('do not reject any of many waiters: %s', async (_, answer) => {
    const many = ids.slice(0, 100);
    let isDeploying = true;
    const { server, waitFor } = await setUp(many.map(created), request => (isDeploying ? answer : ignore(request)));
    const outcomes = Promise.all(many.map(id => waitFor(id)));
    await Promise.race([outcomes, expect.poll(() => server.requests.length).toBeGreaterThan(8)]);
    isDeploying = false;
    expect((await outcomes).map(({ id }) => id)).toEqual(many);
  });

  test.each([1, 5])('of an unavailable service do not make the polls faster (%i waiting)', async count => {
    const { server, waitFor } = await setUpIdle([], () => ({ status: 503 }));
    const startedAt = performance.now();
    const outcomes = Array.from({ length: count }, (_, n) => waitFor(`r${n}`, { waitTimeout: 300 }));
    for (const { reason } of (await Promise.allSettled(outcomes)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ name: 'ServerError', status: 503 });
    }
    // A quarter of 100 requests in 300 ms, and the requests of the first poll.
    const windows = (performance.now() - startedAt) / 300;
    expect(server.requests.length).toBeLessThanOrEqual(25 * windows + count);
  });

  test('that are permanent reject every waiter', async () => {
    const { waitFor } = await setUp([], () => ({ status: 401 }));
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(id => waitFor(id)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(AuthenticationError) });
  });

  test('of the list do not reject a waiter if each request can be read', async () => {
    const failures = [...Object.values(UNREADABLE), ...Object.values(FOREIGN)];
    for (const failure of failures.filter(({ status }) => status !== 401)) {
      const { waitFor } = await setUp(['a', 'b', 'c', 'd'].map(created), request =>
        isList(request) ? failure : ignore(request),
      );
      const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(id => waitFor(id)));
      expect(outcomes.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  test('of the list never make the polls exceed their share', async () => {
    const rateLimit = { windowMs: 400, limits: { default: 40 } };
    const failing = { status: 403 };
    const { server, waitFor } = await setUpIdle(
      ids.slice(0, 60).map(pending),
      request => (isList(request) ? failing : ignore(request)),
      { rateLimit },
    );
    const startedAt = performance.now();
    await Promise.allSettled(ids.slice(0, 60).map(id => waitFor(id, { waitTimeout: 1500 })));
    const windows = (performance.now() - startedAt) / 400;
    // A quarter of 40 requests in each window; one poll may be added.
    expect(server.requests.length).toBeLessThanOrEqual(10 * windows + 10);
    // The request with the longest wait is next, so that every request is read.
    const asked = server.requests.filter(request => !isList(request)).map(({ url }) => url.pathname);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(10);
  });

  test('are the cause of the timeout error', async () => {
    let down = false;
    const { client, waitFor } = await setUpIdle([pending('a')], request => (down ? { status: 503 } : ignore(request)));
    const known = await client.trackingRequests.get('a');
    down = true;
    const error = await waitFor(known, { waitTimeout: 400 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrackingPendingError);
    expect(error).toMatchObject({ cause: { status: 503 } });
  });

  test('reject the wait after the client is closed', async () => {
    const { client, waitFor } = await setUp([pending('a')]);
    const outcome = waitFor('a');
    await sleep(30);
    client.close();
    await expect(outcome).rejects.toMatchObject({ name: expect.stringMatching(/ConfigurationError|TrackingError/) });
  });
});

describe('the end of a wait', () => {
  test('comes at waitTimeout with the last state, and waitFor can continue', async () => {
    const { records, waitFor } = await setUpIdle([trackingRequest('a', { status: 'awaiting_manifest' })]);
    const error = await waitFor('a', { waitTimeout: 300 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrackingPendingError);
    const { trackingRequest: last } = error as TrackingPendingError;
    expect(last.status).toBe('awaiting_manifest');
    replace(records, created('a'));
    expect((await waitFor(last)).status).toBe('created');
  });

  test('is not caused by waitTimeout if another wait has read the outcome in the meantime', async () => {
    const { clock, records, waitFor, server } = await setUpIdle([pending('a')]);
    // After a while, the first wait polls rarely.
    const early = waitFor('a', { waitTimeout: 10_000 });
    await clock.sleep(5_000);
    replace(records, created('a'));
    expect((await waitFor('a')).status).toBe('created');
    const sent = server.requests.length;
    expect((await early).status).toBe('created');
    expect(server.requests).toHaveLength(sent);
  });

  test.each([900, 930, 960, 990])('comes with the outcome that another wait has read after %i of 1000 ms', async ms => {
    const { clock, records, waitFor } = await setUpIdle([pending('a')]);
    const early = waitFor('a', { waitTimeout: 1_000 });
    await clock.sleep(ms);
    replace(records, created('a'));
    expect((await waitFor('a')).status).toBe('created');
    expect((await early).status).toBe('created');
  });

  test('comes in time even if a poll hangs', async () => {
    let hanging = false;
    const { client, waitFor } = await setUp([pending('a')], async request => {
      if (hanging) await new Promise(() => {});
      return ignore(request);
    });
    const known = await client.trackingRequests.get('a');
    hanging = true;
    await expect(waitFor(known, { waitTimeout: 120 })).rejects.toThrow(TrackingPendingError);
    await expect(waitFor('b', { waitTimeout: 30 })).rejects.toMatchObject({ name: 'TimeoutError', limitMs: 30 });
  });

  test('comes in time even if the last polls have spent the share of the budget', async () => {
    const records = Array.from({ length: 150 }, (_, n) => pending(`r${n}`));
    // The next poll is due in minutes, so that only waitTimeout can end the wait in this test.
    const rateLimit = { windowMs: 600_000, limits: { default: 10 } };
    const { waitFor } = await setUp(records, undefined, { rateLimit });
    const outcomes = await Promise.allSettled(records.map(({ id }) => waitFor(id, { waitTimeout: 200 })));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  });

  test('comes with the reason of the signal, and does not affect other waiters', async () => {
    const { records, waitFor } = await setUp(['a', 'b', 'c'].map(pending));
    const stopping = new AbortController();
    const [first, second, third] = [
      waitFor('a', { signal: stopping.signal }),
      waitFor('a'),
      waitFor('b', { signal: new AbortController().signal }),
    ];
    await sleep(30);
    stopping.abort('enough');
    await expect(first).rejects.toBe('enough');
    for (const id of ['a', 'b']) replace(records, created(id));
    expect((await second)?.status).toBe('created');
    expect((await third)?.status).toBe('created');
  });

  test('comes immediately if the signal has already aborted, and nothing is sent', async () => {
    const { server, waitFor } = await setUp([created('a')]);
    await expect(waitFor('a', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    expect(server.requests).toHaveLength(0);
  });

  test('of the last wait aborts the poll, and does not affect a caller that begins to wait right after that', async () => {
    const aborted: string[] = [];
    let slow = true;
    const { server, waitFor } = await setUp(
      [created('a'), created('b')],
      async request => {
        if (slow) await new Promise(() => {});
        return ignore(request);
      },
      {
        fetch: withRequest(request => {
          request.signal.addEventListener('abort', () => aborted.push(new URL(request.url).pathname));
          return fetch(request);
        }),
      },
    );
    const stopping = new AbortController();
    const first = waitFor('a', { signal: stopping.signal });
    await expect.poll(() => server.requests).toHaveLength(1);
    slow = false;
    stopping.abort('enough');
    const again = first.catch(() => [waitFor('a'), waitFor('b')]);
    await expect(first).rejects.toBe('enough');
    const outcomes = await Promise.all((await again) as Promise<TrackedRequest>[]);
    expect(outcomes.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(aborted).toEqual(['/v2/tracking_requests/a']);
  });

  test('of one of several waits for the same request does not abort the poll', async () => {
    const { opened, open } = gate();
    const { server, waitFor } = await setUp([created('a')], async request => {
      await opened;
      return ignore(request);
    });
    const stopping = new AbortController();
    const first = waitFor('a', { signal: stopping.signal });
    await expect.poll(() => server.requests).toHaveLength(1);
    const second = waitFor('a');
    stopping.abort('enough');
    await expect(first).rejects.toBe('enough');
    open();
    expect((await second).status).toBe('created');
    expect(server.requests).toHaveLength(1);
  });

  test('leaves no timer and no listener behind', async () => {
    const records = [created('a'), pending('b'), trackingRequest('c', { status: 'failed' }), pending('d')];
    const client = new TrackingClient({
      baseUrl: 'https://host.example/v2',
      apiKey: 'key',
      logger: false,
      validation: 'off',
      retry: false,
      rateLimit: { windowMs: 300 },
      fetch: withRequest(async ({ url }) => {
        const { status = 200, body } = readTrackingRequests(records, { url: new URL(url) });
        return Response.json(body, { status });
      }),
    });
    const running = new Set<unknown>();
    const { setTimeout: start, clearTimeout: stop } = globalThis;
    vi.stubGlobal('setTimeout', (callback: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => {
      const timer = start(() => {
        running.delete(timer);
        callback(...args);
      }, ms);
      running.add(timer);
      return timer;
    });
    vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
      running.delete(timer);
      stop(timer);
    });
    onTestFinished(() => void vi.unstubAllGlobals());

    const { signal } = new AbortController();
    const stopping = new AbortController();
    const waits = {
      a: { signal },
      b: { signal, waitTimeout: 60 },
      c: { signal },
      d: { signal: stopping.signal },
      gone: {},
    };
    const outcomes = Promise.allSettled(
      Object.entries(waits).map(([id, options]) => client.trackingRequests.waitFor(id, options)),
    );
    await sleep(40);
    expect(running.size).toBeGreaterThan(0);
    stopping.abort();
    const statuses = (await outcomes).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected']);
    await sleep(1);
    expect(running.size).toBe(0);
    for (const waited of [signal, stopping.signal]) expect(getEventListeners(waited, 'abort')).toHaveLength(0);
  });
});

test('waitFor rejects with a 404 if the service responds to everything with 404', async () => {
  const { waitFor } = await setUp([], notFound);
  await expect(waitFor('a')).rejects.toMatchObject({ name: 'NotFoundError' });
});
