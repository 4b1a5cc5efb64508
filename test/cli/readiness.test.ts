import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { probeOf } from '../../src/cli/sync/readiness.ts';
import { AuthenticationError } from '../../src/index.ts';

test('the probe gets a 503 while the key is refused, although the data in the database is recent', async () => {
  const listeners = new Map<string, (event: { error: unknown }) => void>();
  const on = (type: string, listener: never) => void listeners.set(type, listener);
  const refused = new AuthenticationError({ message: '401', status: 401, method: 'GET', path: '/' } as never);
  const probe = probeOf({ readAt: async () => Date.now(), on: on as never }, 60_000);
  const server = createServer((_, response) => void probe(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const status = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).status;
  expect(await status()).toBe(200);
  listeners.get('error')?.({ error: refused });
  expect(await status()).toBe(503);
  listeners.get('continued')?.({ error: undefined });
  expect(await status()).toBe(200);
});
