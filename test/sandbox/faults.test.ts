import { afterEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { attributes, call, get, stillSandbox } from '../../support/sandbox.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('faults befall the requests they match, in order and as often as they say', async () => {
  const sandbox = stillSandbox({
    faults: [
      { match: { path: '/parties' }, status: 500, times: 2 },
      { match: { method: 'get', path: /^\/ship/ }, status: 503 },
      { match: { path: '/parties' }, status: 502 },
    ],
  });
  const statuses: number[] = [];
  for (const path of ['/parties', '/shipments', '/parties', '/parties', '/parties', '/shipments']) {
    statuses.push((await get(sandbox, path)).status);
  }
  expect(statuses).toEqual([500, 503, 500, 502, 200, 200]);
});

test('an answer in place of the service has the error document, or the body and headers that are given', async () => {
  const sandbox = stillSandbox();
  sandbox.fail({ status: 500 });
  expect((await get(sandbox, '/parties')).body).toEqual({
    errors: [{ status: '500', title: 'Internal Server Error' }],
  });
  sandbox.fail({ retryAfter: 7 });
  const limited = await get(sandbox, '/parties');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  sandbox.fail({ body: { data: 'nonsense' } });
  expect(await get(sandbox, '/parties')).toMatchObject({ status: 200, body: { data: 'nonsense' } });
  sandbox.fail({ status: 404, body: '<html>', headers: { 'content-type': 'text/html' } });
  expect(await get(sandbox, '/parties')).toMatchObject({ status: 404, body: '<html>' });
});

test('an answer in place of the service leaves it untouched, a dropped body does not', async () => {
  const sandbox = stillSandbox();
  const create = (name: string) => call(sandbox, 'POST', '/parties', attributes('party', { company_name: name }));
  sandbox.fail({ status: 503 });
  sandbox.fail({ drop: 'before' });
  sandbox.fail({ drop: 'mid-body' });
  expect((await create('A')).status).toBe(503);
  await expect(create('B')).rejects.toThrow('fetch failed');
  await expect(create('C')).rejects.toThrow();
  const { data } = (await get(sandbox, '/parties')).body;
  expect(data.map((party: { attributes: object }) => party.attributes)).toEqual([{ company_name: 'C' }]);
  expect(sandbox.requests.map(({ status }) => status)).toEqual([503, null, 201, 200]);
});

test('a fault can be for a path that the sandbox does not know', async () => {
  const sandbox = stillSandbox({ faults: [{ match: { path: '/new' }, body: { data: [] } }] });
  expect((await get(sandbox, '/new')).status).toBe(200);
  expect((await get(sandbox, '/new')).status).toBe(404);
});

test('a function decides for each request', async () => {
  const sandbox = stillSandbox({ faults: ({ path }) => (path === '/parties' ? { status: 500 } : undefined) });
  expect((await get(sandbox, '/parties')).status).toBe(500);
  expect((await get(sandbox, '/parties')).status).toBe(500);
  expect((await get(sandbox, '/shipments')).status).toBe(200);
});

test('latency and a fault’s delay pass before the answer, half of it before the request is counted', async () => {
  vi.useFakeTimers({ now: 0 });
  const sandbox = createSandbox({ latency: () => 100, faults: [{ delayMs: 300 }] });
  let answered = false;
  const pending = get(sandbox, '/parties').then(() => {
    answered = true;
  });
  await vi.advanceTimersByTimeAsync(199);
  expect(sandbox.requests[0]?.status).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(sandbox.requests[0]?.status).toBe(200);
  await vi.advanceTimersByTimeAsync(199);
  expect(answered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toBe(true);
  await pending;
});

test('reset brings the first faults back and forgets the added ones', async () => {
  const sandbox = stillSandbox({ faults: [{ status: 500 }] });
  expect((await get(sandbox, '/parties')).status).toBe(500);
  sandbox.fail({ status: 502, times: 9 });
  sandbox.reset();
  expect((await get(sandbox, '/parties')).status).toBe(500);
  expect((await get(sandbox, '/parties')).status).toBe(200);
});
