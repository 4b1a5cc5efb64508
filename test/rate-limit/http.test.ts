import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRollingWindowLimiter } from '../../src/rate-limit/rolling-window.ts';
import { startIdleClock } from '../../support/idle-clock.ts';

const LIMIT = 50;
const WINDOW = 500;
const LIMITS = { default: LIMIT, createTrackingRequest: LIMIT, inferNumber: LIMIT, refreshContainer: LIMIT };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A strict rolling window. The time of `latency` may pass before or after the request is counted. */
async function serve(latency: (n: number) => { before: number; after: number }) {
  const counted: number[] = [];
  const seen = { total: 0, limited: 0 };
  const sleep = (ms: number) => (ms > 0 ? new Promise(resolve => setTimeout(resolve, ms)) : undefined);
  server = createServer(async (_request, response) => {
    const { before, after } = latency(seen.total++);
    await sleep(before);
    const now = performance.now();
    while ((counted[0] ?? now) <= now - WINDOW) counted.shift();
    if (counted.length >= LIMIT) {
      seen.limited += 1;
      const retryAfter = ((counted[0] ?? now) + WINDOW - now) / 1000;
      response.writeHead(429, { 'retry-after': String(retryAfter) }).end();
      return;
    }
    counted.push(now);
    await sleep(after);
    response.end('ok');
  });
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}` };
}

async function burst(url: string, count: number) {
  const limiter = createRollingWindowLimiter({ windowMs: WINDOW, limits: LIMITS });
  const roundTrips: number[] = [];
  const statuses: number[] = [];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const slot = await limiter.acquire({ bucket: 'default', priority: 'interactive' });
      const sent = performance.now();
      const response = await fetch(url);
      await response.text();
      roundTrips.push(performance.now() - sent);
      slot.release({ limited: response.status === 429 });
      statuses.push(response.status);
    }),
  );
  roundTrips.sort((a, b) => a - b);
  return { ms: performance.now() - start, p99: roundTrips[Math.floor(count * 0.99)] ?? 0, statuses };
}

describe('the limiter against a real server with a strict rolling window', () => {
  beforeEach(() => void startIdleClock());

  test('sends a burst that needs five windows without a 429, and uses the full budget', async () => {
    const { url, seen } = await serve(() => ({ before: 0, after: 0 }));
    const { ms, p99, statuses } = await burst(url, 5 * LIMIT);
    expect(statuses.every(status => status === 200)).toBe(true);
    expect(seen).toEqual({ total: 5 * LIMIT, limited: 0 });
    expect(ms).toBeLessThanOrEqual(1.02 * 4 * WINDOW + 5 * p99);
  });

  test('avoids every 429 if 5 % of the requests are slow, and takes at most 1.35 times the shortest possible time', async () => {
    const { url, seen } = await serve(n => {
      const latency = n % 20 === 19 ? (WINDOW * 2) / 3 : 4 * (n % 3);
      return n % 2 === 0 ? { before: latency, after: 0 } : { before: 0, after: latency };
    });
    const { ms, p99 } = await burst(url, 5 * LIMIT);
    expect(seen).toEqual({ total: 5 * LIMIT, limited: 0 });
    expect(ms).toBeLessThanOrEqual(1.35 * 4 * WINDOW + p99);
  });
});
