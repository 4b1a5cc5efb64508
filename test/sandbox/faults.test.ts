import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { createLatency } from '../../src/sandbox/http/latency.ts';
import {
  attributes,
  call,
  createSandbox,
  type Fault,
  get,
  type Latency,
  type Sandbox,
  type SandboxOptions,
  stillSandbox,
} from '../../support/sandbox.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a fault applies to matching requests as often as `times` allows, and earlier faults apply first', async () => {
  const sandbox = stillSandbox({
    faults: [
      { match: { path: '/parties' }, status: 500, times: 2 },
      { match: { method: 'get', path: /^\/ship/ }, status: 503 },
      { match: { path: '/parties' }, status: 502 },
    ],
  });
  const statuses: number[] = [];
  for (const path of ['/parties', '/shipments', '/parties', '/parties', '/parties', '/shipments']) {
    statuses.push((await get(sandbox, path)).status);
  }
  expect(statuses).toEqual([500, 503, 500, 502, 200, 200]);
});

test('a fault responds with an error document, or with its own body and headers', async () => {
  const sandbox = stillSandbox();
  sandbox.fail({ status: 500 });
  expect((await get(sandbox, '/parties')).body).toEqual({
    errors: [{ status: '500', title: 'Internal Server Error' }],
  });
  sandbox.fail({ retryAfter: 7 });
  const limited = await get(sandbox, '/parties');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  sandbox.fail({ body: { data: 'nonsense' } });
  expect(await get(sandbox, '/parties')).toMatchObject({ status: 200, body: { data: 'nonsense' } });
  sandbox.fail({ status: 404, body: '<html>', headers: { 'content-type': 'text/html' } });
  expect(await get(sandbox, '/parties')).toMatchObject({ status: 404, body: '<html>' });
});

test('a request changes nothing if a fault responds, but is handled if a fault only drops the body of its response', async () => {
  const sandbox = stillSandbox();
  const create = (name: string) => call(sandbox, 'POST', '/parties', attributes('party', { company_name: name }));
  sandbox.fail({ status: 503 });
  sandbox.fail({ drop: 'before' });
  sandbox.fail({ drop: 'mid-body' });
  expect((await create('A')).status).toBe(503);
  await expect(create('B')).rejects.toThrow('fetch failed');
  await expect(create('C')).rejects.toThrow();
  const { data } = (await get(sandbox, '/parties')).body;
  expect(data.map((party: { attributes: object }) => party.attributes)).toEqual([{ company_name: 'C' }]);
  expect(sandbox.requests.map(({ status }) => status)).toEqual([503, null, 201, 200]);
});

test('a fault with a body can be for a path that the sandbox does not have', async () => {
  const sandbox = stillSandbox({ faults: [{ match: { path: '/new' }, body: { data: [] } }] });
  expect((await get(sandbox, '/new')).status).toBe(200);
  expect((await get(sandbox, '/new')).status).toBe(404);
});

test('a fault function decides about each request', async () => {
  const sandbox = stillSandbox({ faults: ({ path }) => (path === '/parties' ? { status: 500 } : undefined) });
  expect((await get(sandbox, '/parties')).status).toBe(500);
  expect((await get(sandbox, '/parties')).status).toBe(500);
  expect((await get(sandbox, '/shipments')).status).toBe(200);
});

test('half of the latency and of a fault’s delay passes before the request is counted, and the other half passes after that', async () => {
  vi.useFakeTimers({ now: 0 });
  const sandbox = createSandbox({ latency: () => 100, faults: [{ delayMs: 300 }] });
  let answered = false;
  const pending = get(sandbox, '/parties').then(() => {
    answered = true;
  });
  await vi.advanceTimersByTimeAsync(199);
  expect(sandbox.requests[0]?.status).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(sandbox.requests[0]?.status).toBe(200);
  await vi.advanceTimersByTimeAsync(199);
  expect(answered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toBe(true);
  await pending;
});

test('reset restores the faults of the options and removes all added faults', async () => {
  const sandbox = stillSandbox({ faults: [{ status: 500 }] });
  expect((await get(sandbox, '/parties')).status).toBe(500);
  sandbox.fail({ status: 502, times: 9 });
  sandbox.reset();
  expect((await get(sandbox, '/parties')).status).toBe(500);
  expect((await get(sandbox, '/parties')).status).toBe(200);
});

describe('faults as data', () => {
  const statuses = async (sandbox: Sandbox, paths: string[]) => {
    const answers = [];
    for (const path of paths) answers.push((await get(sandbox, path)).status);
    return answers;
  };

  test('apply to the endpoint of their route, and the route may include a method', async () => {
    const faults: Fault[] = JSON.parse(
      '[{"route":"GET /shipments/:id","status":503,"times":9},{"route":"/parties","status":502,"times":9},{"route":"POST /webhooks","status":500},{"route":"/documents/*","status":501,"times":9}]',
    );
    const sandbox = stillSandbox({ faults });
    const paths = ['/shipments', '/shipments/x', '/shipments/x/custom_fields', '/parties', '/webhooks'];
    expect(await statuses(sandbox, paths)).toEqual([200, 503, 404, 502, 200]);
    expect(await statuses(sandbox, ['/documents', '/documents/x', '/documents/x/download_url'])).toEqual([
      501, 501, 501,
    ]);
  });

  test('have a probability, and the seed decides which requests fail', async () => {
    const failing = async (seed: number) => {
      const sandbox = stillSandbox({ seed, faults: [{ probability: 0.2, status: 503 }] });
      return statuses(
        sandbox,
        Array.from({ length: 500 }, () => '/ports/USLAX'),
      );
    };
    const [one, same, other] = [await failing(1), await failing(1), await failing(2)];
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    const share = one.filter(status => status === 503).length / one.length;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.25);
  });

  test.each<[string, Fault, number]>([
    ['never', { probability: 0, status: 503 }, 0],
    ['always', { probability: 1, status: 503 }, 5],
    ['as often as times says', { probability: 1, times: 2, status: 503 }, 2],
  ])('that have a probability can apply %s', async (_, fault, count) => {
    const answers = await statuses(stillSandbox({ faults: [fault] }), Array(5).fill('/parties'));
    expect(answers.filter(status => status === 503)).toHaveLength(count);
  });

  test('keep the connection open if they stall: before the request is handled, or in the middle of the body', async () => {
    const sandbox = stillSandbox({ faults: [{ stall: 'before' }, { stall: 'mid-body' }] });
    const server = await sandbox.listen();
    onTestFinished(() => server.close());
    const headers = { authorization: 'Token sandbox', 'content-type': 'application/json' };
    const create = (signal: AbortSignal) =>
      fetch(`${server.baseUrl}/parties`, {
        method: 'POST',
        headers,
        signal,
        body: JSON.stringify(attributes('party', { company_name: 'A' })),
      });
    const first = new AbortController();
    const waiting = create(first.signal);
    while (sandbox.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    first.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');

    const second = new AbortController();
    const response = await create(second.signal);
    expect(response.status).toBe(201);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(20);
    const rest = reader?.read();
    second.abort(new Error('enough'));
    await expect(rest).rejects.toThrow('enough');
    expect(sandbox.account().counts()).toMatchObject({ shipments: 0 });
    expect((await get(sandbox, '/parties')).body.data).toHaveLength(1);
  });

  test('end a stalled call of sandbox.fetch when the signal of the call aborts', async () => {
    const controller = new AbortController();
    const sandbox = stillSandbox({ faults: [{ stall: 'before' }] });
    const waiting = sandbox.fetch('https://x/v2/parties', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test.each<[Fault, string]>([
    [{ probability: 2, status: 503 }, 'probability is 2'],
    [{ probability: -0.1, status: 503 }, 'probability'],
    [{ route: 'shipments', status: 503 }, "it must be like 'GET /shipments/:id'"],
    [{ route: 'GET /shipment/:id', status: 503 }, "did you mean 'GET /shipments/:id'?"],
    [{ route: 'GET /v2/shipments/:id', status: 503 }, "did you mean 'GET /shipments/:id'?"],
    [{ route: 'POST /shipments/:id', status: 503 }, 'matches no request to the sandbox'],
    [{ route: '/v2/shipments/:id', status: 503 }, "did you mean 'GET /shipments/:id'?"],
    [{ route: '/nothing/*', status: 503 }, 'match: { path }'],
    [{ error: 'teapot' as never }, 'duplicate-request'],
    [{ stall: 'after' as never }, 'stall is "after"'],
    [{ route: 'POST /direct_uploads', status: 500 }, "did you mean 'POST /rails/active_storage/direct_uploads'?"],
    [{ match: { path: '/shipment' }, status: 503 }, "did you mean '/shipments'?"],
    [{ match: { path: '/v2/shipments' }, status: 503 }, "did you mean '/shipments'?"],
    [{ match: { path: '/direct_uploads' }, status: 503 }, "did you mean '/rails/active_storage/direct_uploads'?"],
    [{ match: { path: '/shipments/:id' }, status: 503 }, 'for a path with :names or *, use route'],
    [{ match: { path: '/nonsense' }, status: 503 }, 'For a path that the sandbox does not have, set body'],
    [{ match: { path: 'shipments' }, status: 503 }, "did you mean '/shipments'?"],
    [{ match: { path: '/rails/nonsense' }, drop: 'mid-body' }, "did you mean '/rails/active_storage/direct_uploads'?"],
    [
      { match: { path: '/rails/active_storage/disk' }, stall: 'before' },
      "did you mean route: '/rails/active_storage/disk/:id'?",
    ],
    [{ match: { path: '/rails/active_storage/disk/*' }, delayMs: 1 }, 'for a path with :names or *, use route'],
    [{ match: { path: '/shipments/1/nothing' }, status: 503 }, "did you mean route: '/shipments/:id'?"],
    [{ times: 0, status: 503 }, 'times is 0'],
    [{ match: { method: 'GTE' }, status: 503 }, 'match.method is "GTE"'],
    [{}, 'A fault needs at least one of: error, status, body'],
    [{ route: 'GET /shipments/:id', times: 2 }, 'A fault needs at least one of: error, status, body'],
  ])('are refused if they are wrong: %j', (fault, message) => {
    expect(() => stillSandbox({ faults: [fault] })).toThrow(message);
    expect(() => stillSandbox().fail(fault)).toThrow(message);
  });
});

test.each(['/*', '/shipments/*', 'PATCH /shipments/abc', 'post /mcp', '/webhooks/:id', '/webhooks/ips'])(
  'a fault for the route %s is accepted, because a request can have it',
  route => {
    expect(() => stillSandbox().fail({ route, status: 503 })).not.toThrow();
  },
);

describe('a latency', () => {
  const draws = (latency: Latency, count = 4000, seed = 1) =>
    Array.from({ length: count }, (_, number) => createLatency(latency, seed)(number)).sort((a, b) => a - b);

  test.each<[string, Latency, [number, number, number]]>([
    ['quantiles', { p50: 120, p95: 400, p99: 1500 }, [120, 400, 1500]],
    ['a name', 'slow', [800, 2500, 6000]],
    ['only a median', { p50: 100 }, [100, 100, 100]],
  ])('given by %s is distributed by these quantiles', (_, latency, quantiles) => {
    const sorted = draws(latency);
    for (const [index, share] of [0.5, 0.95, 0.99].entries()) {
      const drawn = sorted[Math.floor(sorted.length * share)] ?? 0;
      expect(Math.abs(drawn / (quantiles[index] ?? 1) - 1), `${share}`).toBeLessThan(0.12);
    }
    expect(sorted[0]).toBeGreaterThanOrEqual(quantiles[0] / 2);
    expect(sorted.at(-1)).toBeLessThanOrEqual(quantiles[2] * 1.5);
  });

  test('depends only on the seed and on the number of the request', () => {
    expect(draws('typical', 50, 3)).toEqual(draws('typical', 50, 3));
    expect(draws('typical', 50, 3)).not.toEqual(draws('typical', 50, 4));
  });

  test.each<[unknown, string]>([
    ['quick', 'latency is "quick"'],
    [{ p50: 10, p95: 5 }, 'latency.p95 is 5; it must be a number of at least 10'],
    [{ p50: Number.POSITIVE_INFINITY }, 'latency.p50 must be finite'],
    [Number.POSITIVE_INFINITY, 'latency must be finite'],
    [[0, Number.POSITIVE_INFINITY], 'latency must be finite'],
    [Number.NaN, 'latency is NaN'],
    [{ p90: 1 }, 'latency has no p90'],
    [[1, 2, 3], 'it must be a number'],
    [[2, 1], 'latency is 1'],
  ])('%j is refused', (latency, message) => {
    expect(() => createSandbox({ latency: latency as Latency })).toThrow(message);
  });
});

describe('a delay that is too long for a timer', () => {
  const MONTH_MS = 30 * 86_400_000;

  test.each([
    ['latency', { latency: 2 * MONTH_MS }],
    ['latency from a function', { latency: () => 2 * MONTH_MS }],
    ['delayMs', { faults: [{ delayMs: 2 * MONTH_MS }] }],
  ] satisfies [string, SandboxOptions][])('passes before the response if it is 60 days: %s', async (_, options) => {
    vi.useFakeTimers();
    const sandbox = createSandbox(options);
    let status: number | undefined;
    const pending = get(sandbox, '/parties').then(answer => {
      status = answer.status;
    });
    await vi.advanceTimersByTimeAsync(2 * MONTH_MS - 1);
    expect(status).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await pending;
    expect(status).toBe(200);
  });

  test('is refused if it is infinite, whether delayMs or a latency function sets it', async () => {
    const delay = { delayMs: Number.POSITIVE_INFINITY };
    expect(() => createSandbox({ faults: [delay] })).toThrow('delayMs must be finite');
    expect(() => createSandbox().fail(delay)).toThrow(ConfigurationError);
    for (const wrong of [Number.POSITIVE_INFINITY, Number.NaN, -1, '5']) {
      const pending = get(createSandbox({ latency: () => wrong as number }), '/parties');
      await expect(pending).rejects.toThrow(ConfigurationError);
    }
  });

  test.each([
    [() => ({ delayMs: Number.POSITIVE_INFINITY }), 'delayMs must be finite'],
    [() => ({ stauts: 503 }), 'A fault has no stauts'],
    [() => 503, 'must be an object'],
    [() => ({ status: 42 }), 'status is 42'],
    [() => ({ error: 'no-such-error' }), 'error is "no-such-error"'],
    [async () => undefined, 'must be an object'],
  ])(
    'makes the request reject if a fault function returns it, like any other wrong value: %s',
    async (faults, message) => {
      const pending = get(createSandbox({ faults: faults as never }), '/parties');
      await expect(pending).rejects.toThrow(message);
      await expect(get(createSandbox({ faults: faults as never }), '/parties')).rejects.toThrow(ConfigurationError);
    },
  );
});

test.each([204, 205, 304])('a fault with the status %i has no body', async status => {
  const response = await get(stillSandbox({ faults: [{ status, body: 'not sent' }] }), '/parties');
  expect([response.status, response.body]).toEqual([status, '']);
});

test.each<Fault>([
  { headers: { 'X-A\r\nX-B': 'v' } },
  { headers: { 'X-A': 'v\nX-B: w' } },
  { headers: { '': 'v' } },
  { retryAfter: '5\r\nX-B: w' },
])('a fault with a header that HTTP cannot send is a ConfigurationError: %j', fault => {
  expect(() => stillSandbox().fail(fault)).toThrow(ConfigurationError);
});
