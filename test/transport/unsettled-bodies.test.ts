import { afterEach, describe, expect, test, vi } from 'vitest';
import { rejection } from '../../support/client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Loads the package in a runtime whose own `fetch` never settles the read of a compressed body, as Node 20 may do. */
async function clientWithUnsettled(status: number, encoding: string) {
  let cancelled = 0;
  vi.stubGlobal('fetch', async () => {
    // The body reacts neither to the abort of a signal nor to the end of the connection.
    const body = new ReadableStream({
      cancel() {
        cancelled += 1;
      },
    });
    return new Response(body, { status, headers: { 'content-encoding': encoding } });
  });
  vi.resetModules();
  const { TrackingClient } = await import('../../src/index.ts');
  const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key', retry: false });
  return { client, cancelled: () => cancelled };
}

describe.each(['br', 'gzip'])('a body in %s that the fetch of the runtime never reads to its end', encoding => {
  test.each([200, 404, 500])(
    'is cancelled at the timeout, at the deadline and after an abort (status %i)',
    async status => {
      const { client, cancelled } = await clientWithUnsettled(status, encoding);
      expect(await rejection(client.parties.get('1', { timeout: 20 }))).toMatchObject({ code: 'timeout' });
      expect(await rejection(client.parties.get('1', { deadline: 20 }))).toMatchObject({ code: 'deadline' });
      const controller = new AbortController();
      const call = rejection(client.parties.get('1', { signal: controller.signal }));
      setTimeout(() => controller.abort('enough'), 5);
      expect(await call).toBe('enough');
      expect(cancelled()).toBe(3);
    },
  );
});
