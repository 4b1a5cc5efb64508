import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { call, createSandbox, get, type Sandbox, type SandboxOptions } from '../../support/sandbox.ts';

const samples = JSON.parse(readFileSync(new URL('../../support/samples/errors.json', import.meta.url), 'utf8'));

/** A sandbox with a rate limit, for which the test sets the real time. */
function limited(options: SandboxOptions = {}): { sandbox: Sandbox; time: { ms: number } } {
  const time = { ms: 0 };
  return { sandbox: createSandbox({ monotonic: () => time.ms, ...options }), time };
}

async function statuses(sandbox: Sandbox, count: number, path = '/parties'): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) all.push((await get(sandbox, path)).status);
  return all;
}

test('100 requests per minute are served, and the next request gets a 429 with the wait in whole seconds', async () => {
  const { sandbox, time } = limited();
  expect(new Set(await statuses(sandbox, 100))).toEqual(new Set([200]));
  time.ms = 30_500;
  const { status, headers, body } = await get(sandbox, '/parties');
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toBe('30');
  expect(body.errors[0]).toMatchObject({ status: '429', title: 'Too Many Requests' });
});

test('the window rolls, and refused requests do not count', async () => {
  const { sandbox, time } = limited({ rateLimit: { windowMs: 1000, limits: { default: 2 } } });
  expect(await statuses(sandbox, 1)).toEqual([200]);
  time.ms = 600;
  expect(await statuses(sandbox, 3)).toEqual([200, 429, 429]);
  time.ms = 999;
  expect(await statuses(sandbox, 1)).toEqual([429]);
  time.ms = 1000;
  expect(await statuses(sandbox, 2)).toEqual([200, 429]);
  time.ms = 1600;
  expect(await statuses(sandbox, 2)).toEqual([200, 429]);
});

test('a wait below a second is rounded up', async () => {
  const { sandbox } = limited({ rateLimit: { windowMs: 200, limits: { default: 1 } } });
  await statuses(sandbox, 1);
  expect((await get(sandbox, '/parties')).headers.get('retry-after')).toBe('1');
});

describe('a separate counter with its own limit applies to', () => {
  const id = '00000000-0000-4000-8000-000000000000';

  test.each([
    ['POST', '/tracking_requests', 100, '429 create tracking request bucket'],
    ['POST', '/tracking_requests/infer_number', 200, '429 infer bucket'],
    ['PATCH', `/containers/${id}/refresh`, 10, '429 refresh bucket'],
  ])('%s %s', async (method, path, limit, sample) => {
    const { sandbox } = limited();
    for (let index = 0; index < limit; index++) {
      expect((await call(sandbox, method, path, {})).status).not.toBe(429);
    }
    const { status, body } = await call(sandbox, method, path, {});
    expect(status).toBe(429);
    expect(body).toEqual(samples[sample]);
    expect((await get(sandbox, '/parties')).status).toBe(200);
  });
});

test('each key has its own counters', async () => {
  const { sandbox } = limited({ apiKeys: ['a', 'b'], rateLimit: { limits: { default: 1 } } });
  const ask = async (authorization: string) => {
    const request = new Request('https://service.example/v2/parties', { headers: { authorization } });
    return (await sandbox.fetch(request)).status;
  };
  expect([await ask('Token a'), await ask('Bearer a'), await ask('Token b')]).toEqual([200, 429, 200]);
});

test('the window of the limit follows real time and each advance, at any speed of the clock', async () => {
  const { sandbox, time } = limited({ speed: 3600, rateLimit: { limits: { default: 1 } } });
  await statuses(sandbox, 1);
  time.ms = 30_000;
  expect(await statuses(sandbox, 1)).toEqual([429]);
  sandbox.advance({ seconds: 30 });
  expect(await statuses(sandbox, 1)).toEqual([200]);
});

test('the log has the counter, the status and the time of each request', async () => {
  const { sandbox, time } = limited({ rateLimit: { limits: { default: 1 } } });
  await get(sandbox, '/shipments?page[size]=2&include=containers');
  time.ms = 250;
  await get(sandbox, '/parties');
  await call(sandbox, 'POST', '/tracking_requests/infer_number', { number: 'MAEU123456789' });
  expect(sandbox.requests).toEqual([
    {
      method: 'GET',
      path: '/shipments',
      query: { 'page[size]': '2', include: 'containers' },
      status: 200,
      bucket: 'default',
      at: 0,
      account: 'sandbox',
    },
    { method: 'GET', path: '/parties', query: {}, status: 429, bucket: 'default', at: 250, account: 'sandbox' },
    {
      method: 'POST',
      path: '/tracking_requests/infer_number',
      query: {},
      status: 200,
      bucket: 'inferNumber',
      at: 250,
      account: 'sandbox',
    },
  ]);
});
