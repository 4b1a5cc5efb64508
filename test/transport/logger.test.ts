import { afterEach, expect, test, vi } from 'vitest';
import type { Logger } from '../../src/index.ts';
import { clientFor, PARTY } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function recorder() {
  const lines: unknown[][] = [];
  const note =
    (level: string) =>
    (...line: unknown[]) => {
      lines.push([level, ...line]);
    };
  const logger: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  return { lines, logger };
}

test('a logger receives attempts, retries and 429s', async () => {
  const server = await serve({ status: 503 }, { status: 429, headers: { 'retry-after': '0.001' } }, { body: PARTY });
  const { lines, logger } = recorder();
  await clientFor(server, { logger }).parties.get('1');
  expect(lines).toEqual([
    ['debug', expect.stringMatching(/^GET \/parties\/1 503 in \d+ ms$/)],
    ['info', expect.stringMatching(/^GET \/parties\/1: 503 Service Unavailable; attempt 2 in 0 ms$/)],
    ['debug', expect.stringMatching(/^GET \/parties\/1 429 in \d+ ms$/)],
    ['warn', 'GET /parties/1: the service responded 429', { bucket: 'default', retryAfterMs: 1 }],
    [
      'info',
      expect.stringMatching(/^GET \/parties\/1: 429 Too Many Requests \(retry after 0.001 s\); attempt 3 in 1 ms$/),
    ],
    ['debug', expect.stringMatching(/^GET \/parties\/1 200 in \d+ ms$/)],
  ]);
});

test('a logger is called as a method', async () => {
  const server = await serve({ body: PARTY });
  class Counting {
    count = 0;
    debug() {
      this.count += 1;
    }
    info() {}
    warn() {}
    error() {}
  }
  const logger = new Counting();
  await clientFor(server, { logger }).parties.get('1');
  expect(logger.count).toBe(1);
});

test('the default logger is the console, but only for warnings and errors', async () => {
  const server = await serve({ status: 429, headers: { 'retry-after': '0.001' } }, { body: PARTY });
  const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map(level =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  await clientFor(server, { logger: undefined }).parties.get('1');
  expect(spies.map(spy => spy.mock.calls.length)).toEqual([0, 0, 0, 1, 0]);
  expect(vi.mocked(console.warn).mock.calls[0]?.[0]).toMatch(/^\[container-tracking-sdk\] GET \/parties\/1/);
});

test('logger: false logs nothing', async () => {
  const server = await serve({ status: 429, headers: { 'retry-after': '0.001' } }, { body: PARTY });
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await clientFor(server, { logger: false }).parties.get('1');
  expect(warn).not.toHaveBeenCalled();
});
