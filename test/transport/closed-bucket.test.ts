import { describe, expect, test } from 'vitest';
import type { ClientOptions, Logger, QueuedEvent } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

function recorder() {
  const warnings: string[] = [];
  const quiet = () => {};
  const logger: Logger = { debug: quiet, info: quiet, error: quiet, warn: message => warnings.push(message) };
  return { warnings, logger };
}

describe.each<[string, ClientOptions['rateLimit']]>([
  ['with a budget', { limits: { default: 100 } }],
  ['with rateLimit: false', false],
])('after a 429 with a wait of two hours, %s,', (_, rateLimit) => {
  test('later calls are refused before they are sent, the error has the end of the wait, and the log has one warning', async () => {
    const server = await serve({ status: 429, headers: { 'retry-after': '7200' } }, { body: PARTY });
    const { warnings, logger } = recorder();
    const apiKey = `key-${Math.random()}`;
    const client = clientFor(server, { apiKey, rateLimit, logger });
    expect(await rejection(client.parties.get('1'))).toMatchObject({ name: 'RateLimitError', retryAfterMs: 7_200_000 });
    const refused = await Promise.all([rejection(client.parties.get('2')), rejection(client.parties.get('3'))]);
    for (const error of refused) {
      expect(error).toMatchObject({ name: 'RateLimitError', status: 429, attempts: 0 });
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(7_100_000);
      expect((error as Error).message).toMatch(/before \d{4}-\d\d-\d\dT/);
    }
    expect(server.requests).toHaveLength(1);
    expect(warnings.filter(line => line.includes('accepts no request'))).toHaveLength(1);
  });

  test('a call with a longer maxRetryAfter waits', async () => {
    const server = await serve({ status: 429, headers: { 'retry-after': '0.3' } }, { body: PARTY });
    const client = clientFor(server, { apiKey: `key-${Math.random()}`, rateLimit, retry: { maxRetryAfter: 100 } });
    await rejection(client.parties.get('1'));
    expect(await rejection(client.parties.get('2'))).toMatchObject({ name: 'RateLimitError', attempts: 0 });
    expect(await client.parties.get('3', { retry: { maxRetryAfter: 60_000 } })).toMatchObject({ id: '1' });
    expect(server.requests).toHaveLength(2);
  });
});

test('onQueued is called when an attempt must wait for its slot, and receives the estimated wait', async () => {
  const server = await serve({ body: PARTY });
  const events: QueuedEvent[] = [];
  const hooks = { onQueued: (event: QueuedEvent) => events.push(event) };
  const client = clientFor(server, {
    apiKey: `key-${Math.random()}`,
    hooks,
    rateLimit: { windowMs: 300, limits: { default: 2 } },
  });
  await Promise.all(['1', '2', '3'].map(id => client.parties.get(id)));
  expect(events).toMatchObject([
    { operation: 'parties.get', route: '/parties/{id}', path: '/parties/3', attempt: 1, bucket: 'default' },
  ]);
  expect(events[0]?.estimatedWaitMs).toBeGreaterThan(200);
});

test('a wait of more than a few seconds is logged once', async () => {
  const server = await serve({ body: PARTY });
  const { warnings, logger } = recorder();
  const apiKey = `key-${Math.random()}`;
  const client = clientFor(server, { apiKey, logger, rateLimit: { windowMs: 60_000, limits: { default: 1 } } });
  await client.parties.get('1');
  const waiting = ['2', '3'].map(id => rejection(client.parties.get(id)));
  await expect
    .poll(() => warnings)
    .toEqual([expect.stringMatching(/^Calls wait for the rate limit .*default.* \d+ s/)]);
  client.close();
  await Promise.all(waiting);
  expect(warnings).toHaveLength(1);
});
