import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError, ServerError, TrackingClient } from '../../src/index.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { rejection } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

async function connect(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; client: TrackingClient }> {
  const sandbox = stillSandbox(options);
  const server = await sandbox.listen({ port: 0 });
  onTestFinished(() => server.close());
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    rateLimit: false,
    validation: 'strict',
    logger: false,
    retry: false,
  });
  return { sandbox, client };
}

test('a carrier is found by main and alternative codes and by names, with one request for all lookups', async () => {
  const { sandbox, client } = await connect();
  const { find, byScac } = {
    find: async (text: string) => (await client.shippingLines.find(text)).line?.scac,
    byScac: async (code: string) => (await client.shippingLines.byScac(code))?.scac,
  };
  const found = await Promise.all([
    find('maeu'),
    find('Hapag Lloyd'),
    byScac('MEDU'),
    byScac('mscu'),
    byScac('Maersk'),
  ]);
  expect(found).toEqual(['MAEU', 'HLCU', 'MSCU', 'MSCU', undefined]);
  expect(await find('MSC')).toBe('MSCU');
  const { line, candidates } = await client.shippingLines.find('sealand');
  expect(line).toBeUndefined();
  expect(candidates.map(({ scac }) => scac).toSorted()).toEqual(['SEAU', 'SEJJ']);
  expect(sandbox.requests.map(({ path }) => path)).toEqual(['/shipping_lines']);
});

test('the carriers are read again after an hour', async () => {
  const { sandbox, client } = await connect();
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const start = performance.now();
  now.mockImplementation(() => start);
  await client.shippingLines.byScac('MAEU');
  now.mockImplementation(() => start + 3_599_999);
  await client.shippingLines.byScac('MAEU');
  expect(sandbox.requests).toHaveLength(1);
  now.mockImplementation(() => start + 3_600_000);
  await client.shippingLines.byScac('MAEU');
  expect(sandbox.requests).toHaveLength(2);
});

test('a change of the result by one caller does not affect other callers', async () => {
  const { client } = await connect();
  const line = await client.shippingLines.byScac('MSCU');
  line?.alternative_scacs.push('MAEU');
  expect((await client.shippingLines.byScac('MSCU'))?.alternative_scacs).not.toContain('MAEU');
});

test('a failed request is not cached', async () => {
  let failures = 1;
  const { client } = await connect({ faults: () => (failures-- > 0 ? { status: 503 } : undefined) });
  expect(await rejection(client.shippingLines.byScac('MAEU'))).toBeInstanceOf(ServerError);
  expect((await client.shippingLines.byScac('MAEU'))?.scac).toBe('MAEU');
});

test('a blank code or name is refused before a request, and a call rejects with the reason of an abort', async () => {
  const { sandbox, client } = await connect();
  expect(await rejection(client.shippingLines.find(' '))).toBeInstanceOf(ConfigurationError);
  expect(await rejection(client.shippingLines.byScac(undefined as never))).toBeInstanceOf(ConfigurationError);
  expect(sandbox.requests).toEqual([]);
  const reason = new Error('enough');
  expect(await rejection(client.shippingLines.find('MAEU', { signal: AbortSignal.abort(reason) }))).toBe(reason);
});
