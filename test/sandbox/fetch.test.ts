import { afterEach, describe, expect, test, vi } from 'vitest';
import { attributes, createSandbox, stillSandbox } from '../../support/sandbox.ts';

const ADDRESS = 'https://service.example/v2/parties';
const headers = { authorization: 'Token sandbox' };

afterEach(() => {
  vi.useRealTimers();
});

describe('sandbox.fetch takes the arguments of the global fetch', () => {
  test.each<[string, () => Parameters<typeof fetch>]>([
    ['a Request', () => [new Request(ADDRESS, { headers })]],
    ['an address', () => [ADDRESS, { headers }]],
    ['a URL', () => [new URL(ADDRESS), { headers }]],
    [
      'a Request whose init overrides it',
      () => [new Request(ADDRESS, { method: 'DELETE' }), { method: 'GET', headers }],
    ],
  ])('as %s', async (_, args) => {
    const standIn: typeof fetch = createSandbox().fetch;
    const response = await standIn(...args());
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: [] });
  });

  test('such as a method and a body', async () => {
    const sandbox = stillSandbox();
    const body = JSON.stringify(attributes('party', { company_name: 'Sample Imports' }));
    const { status } = await sandbox.fetch(ADDRESS, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    expect(status).toBe(201);
    expect(sandbox.requests).toMatchObject([{ method: 'POST', path: '/parties', status: 201 }]);
  });

  test('such as a body that is a stream', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(attributes('party', { company_name: 'A' })));
    const body = new Blob([bytes]).stream();
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await stillSandbox().fetch(ADDRESS, init)).status).toBe(201);
  });

  test.each(['no address', ''])(
    'but for the address %j, it rejects and does not throw, as fetch does',
    async address => {
      const pending = createSandbox().fetch(address);
      await expect(pending).rejects.toThrow(TypeError);
    },
  );
});

describe('sandbox.fetch, if its signal aborts', () => {
  const cases: [string, (signal: AbortSignal) => Parameters<typeof fetch>][] = [
    ['in init', signal => [ADDRESS, { headers, signal }]],
    ['of a Request', signal => [new Request(ADDRESS, { headers, signal })]],
    ['in init beside a Request', signal => [new Request(ADDRESS, { headers }), { signal }]],
  ];

  test.each(cases)('before the call: rejects with the reason, and no request arrives (signal %s)', async (_, args) => {
    const sandbox = createSandbox();
    await expect(sandbox.fetch(...args(AbortSignal.abort('no')))).rejects.toBe('no');
    expect(sandbox.requests).toHaveLength(0);
  });

  test.each(cases)(
    'in the first half of the latency: rejects, and the service has not acted (signal %s)',
    async (_, args) => {
      vi.useFakeTimers();
      const sandbox = createSandbox({ latency: 60_000 });
      const stopping = new AbortController();
      const pending = sandbox.fetch(...args(stopping.signal));
      await vi.advanceTimersByTimeAsync(29_999);
      stopping.abort('enough');
      await expect(pending).rejects.toBe('enough');
      expect(sandbox.requests).toMatchObject([{ path: '/parties', status: null }]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test.each(cases)(
    'in the second half of the latency: rejects, but the service has acted (signal %s)',
    async (_, args) => {
      vi.useFakeTimers();
      const sandbox = createSandbox({ faults: [{ delayMs: 60_000 }] });
      const stopping = new AbortController();
      const pending = sandbox.fetch(...args(stopping.signal));
      await vi.advanceTimersByTimeAsync(30_001);
      stopping.abort('enough');
      await expect(pending).rejects.toBe('enough');
      expect(sandbox.requests).toMatchObject([{ path: '/parties', status: 200 }]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('rejects with an AbortError if the caller gives no reason', async () => {
    const stopping = new AbortController();
    const pending = createSandbox({ latency: 60_000 }).fetch(ADDRESS, { headers, signal: stopping.signal });
    stopping.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('after the response: nothing happens, because no listener stays on the signal', async () => {
    const request = new Request(ADDRESS, { headers });
    const added = vi.spyOn(request.signal, 'addEventListener');
    const removed = vi.spyOn(request.signal, 'removeEventListener');
    await createSandbox({ latency: 2 }).fetch(request);
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls).toEqual(added.mock.calls.map(([type, listener]) => [type, listener]));
  });

  test.each(cases)('during a stalled body: the read rejects, as in the real fetch (signal %s)', async (_, args) => {
    const sandbox = createSandbox({ faults: [{ stall: 'mid-body' }] });
    const stopping = new AbortController();
    const response = await sandbox.fetch(...args(stopping.signal));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    const rest = reader?.read();
    stopping.abort('enough');
    await expect(rest).rejects.toBe('enough');
  });

  test('after a stalled body was cancelled: nothing happens', async () => {
    const sandbox = createSandbox({ faults: [{ stall: 'mid-body' }] });
    const stopping = new AbortController();
    const removed = vi.spyOn(stopping.signal, 'removeEventListener');
    const response = await sandbox.fetch(ADDRESS, { headers, signal: stopping.signal });
    await response.body?.cancel();
    expect(removed).toHaveBeenCalledOnce();
    stopping.abort('enough');
  });
});
