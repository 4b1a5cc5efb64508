import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { clientFor, KEY, PARTY } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

const NAMES = ['onRequest', 'onResponse', 'onRetry', 'onRateLimited', 'onSettled'] as const;

test('a subscriber of the channels receives the events of each call even without a hook, but never receives the API key', async () => {
  const server = await serve({ status: 503 }, { headers: { 'x-echo': KEY }, body: PARTY });
  const seen: [string, unknown][] = [];
  const listeners = NAMES.map(name => {
    const listener = (event: unknown) => void seen.push([name, event]);
    subscribe(`container-tracking-sdk:${name}`, listener);
    return () => unsubscribe(`container-tracking-sdk:${name}`, listener);
  });
  try {
    await clientFor(server).parties.get('1');
  } finally {
    for (const stop of listeners) stop();
  }
  expect(seen.map(([name]) => name)).toEqual([
    'onRequest',
    'onResponse',
    'onRetry',
    'onRequest',
    'onResponse',
    'onSettled',
  ]);
  expect(seen.at(-1)?.[1]).toMatchObject({ operation: 'parties.get', route: '/parties/{id}', attempts: 2 });
  const headers = seen.flatMap(([, event]) => [...((event as { headers?: Headers }).headers ?? [])]).flat();
  expect(headers.length).toBeGreaterThan(5);
  expect(headers.filter(text => text.includes(KEY))).toEqual([]);
});

test('a hook and a subscriber get the same event object', async () => {
  const server = await serve({ body: PARTY });
  const seen: unknown[] = [];
  const listener = (event: unknown) => void seen.push(event);
  subscribe('container-tracking-sdk:onSettled', listener);
  try {
    await clientFor(server, { hooks: { onSettled: event => void seen.push(event) } }).parties.get('1');
  } finally {
    unsubscribe('container-tracking-sdk:onSettled', listener);
  }
  expect(seen).toHaveLength(2);
  expect(seen[0]).toBe(seen[1]);
});
