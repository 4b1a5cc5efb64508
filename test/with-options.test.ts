import { expect, test, vi } from 'vitest';
import { TrackingClient } from '../src/index.ts';
import { clientFor, KEY, PARTY, rejection } from '../support/client.ts';
import { serve } from '../support/server.ts';

test('withOptions() replaces the options in its argument and keeps all other options', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server, { headers: { 'x-a': 'first' }, timeout: 1_000 });
  const other = client.withOptions({ headers: { 'x-a': 'second' } });
  await other.parties.get('1');
  await client.parties.get('1');
  expect(server.requests.map(request => request.headers['x-a'])).toEqual(['second', 'first']);
  expect(server.requests[0]?.headers.authorization).toBe(`Token ${KEY}`);
});

test('a new credential replaces the first credential, even if the two are of different kinds', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server);
  await client.withOptions({ accessToken: 'token-1' }).parties.get('1');
  await client.withOptions({ accessToken: 'token-1' }).withOptions({ apiKey: 'key-2' }).parties.get('1');
  expect(server.requests.map(request => request.headers.authorization)).toEqual(['Bearer token-1', 'Token key-2']);
});

test('a new client shares the budget of the same key, and not the budget of another key', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server, { rateLimit: { limits: { default: 5 } } });
  const same = client.withOptions({ timeout: 1_000 });
  const another = client.withOptions({ apiKey: 'key-2' });
  await client.parties.get('1');
  const used = [client, same, another].map(each => each.rateLimit.snapshot()?.default.used);
  expect(used).toEqual([1, 1, 0]);
});

test('a limit that withOptions() does not name keeps its value, also for clients that share the budget', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server, { rateLimit: { limits: { default: 1000 } } });
  const other = client.withOptions({ rateLimit: { maxQueue: 10, limits: { inferNumber: 300 } } });
  const limits = [client, other].map(each => each.rateLimit.snapshot()?.default.limit);
  expect(limits).toEqual([1000, 1000]);
});

test('withOptions() does not change its argument, which may be frozen', async () => {
  const server = await serve({ body: PARTY });
  const limits = Object.freeze({ default: 1000 });
  const client = clientFor(server, { rateLimit: Object.freeze({ limits }) });
  const overrides = Object.freeze({ rateLimit: Object.freeze({ maxQueue: 10 }) });
  for (const other of [client.withOptions({ timeout: 1_000 }), client.withOptions(overrides)])
    expect(other.rateLimit.snapshot()?.default.limit).toBe(1000);
});

test('a missing or undefined field of `retry` keeps its value', async () => {
  const server = await serve({ status: 503 });
  const client = clientFor(server, { retry: { limit: 2, minDelay: 0 } });
  await rejection(client.withOptions({ retry: { limit: undefined, maxRetryAfter: 5 } }).parties.get('1'));
  expect(server.requests).toHaveLength(3);
  await rejection(client.withOptions({ retry: false }).parties.get('1'));
  expect(server.requests).toHaveLength(4);
  await rejection(
    client
      .withOptions({ retry: false })
      .withOptions({ retry: { limit: 1, minDelay: 0 } })
      .parties.get('1'),
  );
  expect(server.requests).toHaveLength(6);
});

test('withOptions() refuses the same options as the constructor', async () => {
  const server = await serve({ body: PARTY });
  expect(() => clientFor(server).withOptions({ timeout: 0 })).toThrow(/timeout/);
  const both = { apiKey: 'a', accessToken: 'b' } as object;
  expect(() => clientFor(server).withOptions(both)).toThrow(/Both/);
});

test('a new client stays open when the client from which it was made is closed', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server);
  const other = client.withOptions({});
  client.close();
  expect(await other.parties.get('1')).toMatchObject({ id: '1' });
  expect(await rejection(client.parties.get('1'))).toMatchObject({ name: 'ConfigurationError' });
});

test('a new client uses the address and the key that the environment had when the first client was made', async () => {
  const server = await serve({ body: PARTY });
  vi.stubEnv('TRACKING_BASE_URL', server.baseUrl);
  vi.stubEnv('TRACKING_API_KEY', 'first-key');
  const client = new TrackingClient({ rateLimit: false });
  vi.stubEnv('TRACKING_BASE_URL', 'https://elsewhere.example/v2');
  vi.stubEnv('TRACKING_API_KEY', 'second-key');
  await client.withOptions({ timeout: 5_000 }).parties.get('1');
  vi.unstubAllEnvs();
  expect(server.requests[0]?.headers.authorization).toBe('Token first-key');
});
