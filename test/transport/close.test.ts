import { describe, expect, test } from 'vitest';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { answer, serve } from '../../support/server.ts';

const CLOSED = { name: 'TrackingError', code: 'closed' };

describe('close()', () => {
  test('rejects calls that wait in the queue', async () => {
    const server = await serve({ body: PARTY });
    const client = clientFor(server, { rateLimit: { limits: { default: 1 } } });
    await client.parties.get('1');
    const calls = [1, 2, 3].map(() => rejection(client.parties.get('1')));
    await expect.poll(() => client.rateLimit.snapshot()?.default.queued, { interval: 1 }).toBe(3);
    client.close();
    for (const error of await Promise.all(calls)) expect(error).toMatchObject(CLOSED);
    expect(client.rateLimit.snapshot()?.default.queued).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('rejects a call whose onQueued hook closes the client', async () => {
    const server = await serve({ body: PARTY });
    const client = clientFor(server, {
      rateLimit: { limits: { default: 1 }, windowMs: 300 },
      hooks: { onQueued: () => client.close() },
    });
    await client.parties.get('1');
    expect(await rejection(client.parties.get('1'))).toMatchObject(CLOSED);
    expect(client.rateLimit.snapshot()?.default.queued).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('rejects calls that wait for the next attempt', async () => {
    const server = await serve({ status: 503, headers: { 'retry-after': '60' } });
    const client = clientFor(server, { hooks: { onRetry: () => setTimeout(() => client.close()) } });
    expect(await rejection(client.parties.get('1'))).toMatchObject(CLOSED);
    expect(server.requests).toHaveLength(1);
  });

  test('lets open requests finish', async () => {
    const server = await serve((_, response) => {
      client.close();
      answer(response, { body: PARTY });
    });
    const client = clientFor(server);
    expect(await client.parties.get('1')).toMatchObject({ id: '1' });
  });

  test('does not change the error of an open request that fails', async () => {
    const server = await serve((_, response) => {
      client.close();
      answer(response, { status: 503 });
    });
    const client = clientFor(server);
    expect(await rejection(client.parties.get('1'))).toMatchObject({ name: 'ServerError', attempts: 1 });
  });

  test('refuses later calls, and may be called twice', async () => {
    const server = await serve({ body: PARTY });
    const client = clientFor(server);
    client.close();
    client.close();
    expect(await rejection(client.parties.get('1'))).toMatchObject({ name: 'ConfigurationError' });
    expect(await rejection(client.request({ path: '/x' }))).toMatchObject({ name: 'ConfigurationError' });
    expect(await rejection(client.parties.list().toArray())).toMatchObject({ name: 'ConfigurationError' });
    expect(server.connections).toBe(0);
  });
});
