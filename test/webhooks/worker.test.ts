import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import type { EventName } from '../../src/model/index.ts';
import {
  createReceiver,
  createRouter,
  createWorker,
  type DeadNotification,
  fakeDelivery,
  fakeNotification,
  type Inbox,
  memoryInbox,
  type Notification,
  type ReceiverOptions,
  signWebhook,
  stream,
  type Worker,
  type WorkerOptions,
} from '../../src/webhooks/index.ts';
import { gate } from '../../support/gate.ts';
import { startIdleClock } from '../../support/idle-clock.ts';

const SECRET = 'sample-signing-secret';

interface Delivered {
  id?: string;
  container?: string;
  /** The time of the event. */
  timestamp?: string;
  created_at?: string;
}

/** Puts a delivery into an inbox through a receiver, as the service does. */
async function deliver(inbox: Inbox, event: EventName, over: Delivered = {}, options: Partial<ReceiverOptions> = {}) {
  const { id, container, timestamp, created_at } = over;
  const document = fakeDelivery(event);
  if (id !== undefined) document.data.id = id;
  for (const resource of document.included ?? []) {
    if (resource.type.endsWith('_event')) {
      Object.assign(resource.attributes ?? {}, timestamp && { timestamp }, created_at && { created_at });
      if (container) Object.assign(resource.relationships?.container?.data ?? {}, { id: container });
    }
    if (resource.type === 'container' && container) resource.id = container;
  }
  const body = JSON.stringify(document);
  const receiver = createReceiver({ secrets: SECRET, inbox, logger: false, ...options });
  const headers = { 'x-svc-webhook-signature': await signWebhook({ body, secret: SECRET }) };
  const response = await receiver.fetch(new Request('https://a.example', { method: 'POST', headers, body }));
  expect(response.status).toBe(202);
  return document.data.id;
}

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()));
});

function work(
  inbox: Inbox,
  handle: (n: Notification, attempt: number) => unknown,
  options: Partial<WorkerOptions> = {},
) {
  const router = createRouter().otherwise((n, { attempt }) => handle(n, attempt));
  const worker = createWorker({ inbox, router, pollMs: 5, minDelay: 1, logger: false, ...options });
  workers.push(worker);
  return worker.start();
}

/** An entry whose body cannot be parsed. */
const ENTRY = { id: 'x', event: 'container.updated', group: 'g', order: '', body: new Uint8Array(), receivedAt: 0 };

/** The methods of an inbox that a worker needs, as an object, so that a test can override some of them. */
function bound(inbox: Inbox): WorkerOptions['inbox'] {
  return {
    claim: inbox.claim.bind(inbox),
    renew: inbox.renew.bind(inbox),
    done: inbox.done.bind(inbox),
    fail: inbox.fail.bind(inbox),
  };
}

/** An inbox with slow claims. `claimed` is called when the inbox receives the claim. */
function slow(inbox: Inbox, claimed = () => {}): Inbox {
  const claim: Inbox['claim'] = async options => {
    const claims = await inbox.claim(options);
    claimed();
    await sleep(15);
    return claims;
  };
  return Object.assign(Object.create(inbox), {
    claim,
    renew: inbox.renew.bind(inbox),
    done: inbox.done.bind(inbox),
    fail: inbox.fail.bind(inbox),
  });
}

const memory = () => memoryInbox({ ephemeral: true });

describe('the router', () => {
  const route = async (event: EventName | 'container.transport.lifted_by_crane') => {
    const called: string[] = [];
    const router = createRouter()
      .on('container.*', n => called.push(`container.* ${n.event}`))
      .on('container.transport.vessel_arrived', n => called.push(`vessel_arrived ${n.event}`))
      .on('container.transport.*', n => called.push(`container.transport.* ${n.event}`))
      .otherwise(n => called.push(`otherwise ${n.event}`));
    const known = fakeNotification(event === 'container.transport.lifted_by_crane' ? 'container.created' : event);
    await router.handle(Object.assign(known, { event }) as Notification);
    return called;
  };

  test.each([
    ['container.transport.vessel_arrived', 'vessel_arrived'],
    ['container.transport.full_in', 'container.transport.*'],
    ['container.transport.estimated.vessel_arrived', 'container.transport.*'],
    ['container.updated', 'container.*'],
    ['container.pickup_lfd.changed', 'container.*'],
    ['document.extracted', 'otherwise'],
    ['container.transport.lifted_by_crane', 'otherwise'],
  ] as const)('sends %s only to the handler %s', async (event, handler) => {
    expect(await route(event)).toEqual([`${handler} ${event}`]);
  });

  test.each(['constructor', '__proto__', 'toString', ''])(
    'treats an event named %j like any other event',
    async event => {
      const called: string[] = [];
      const router = createRouter()
        .on('container.*', () => called.push('container.*'))
        .otherwise(n => called.push(n.event));
      await router.handle({ ...fakeNotification('container.created'), event } as unknown as Notification);
      expect(called).toEqual([event]);
    },
  );

  test('waits for the handler, and rejects with its error', async () => {
    const router = createRouter().on('container.updated', async () => {
      await sleep(1);
      throw new Error('no');
    });
    await expect(router.handle(fakeNotification('container.updated'))).rejects.toThrow('no');
    await expect(router.handle(fakeNotification('container.created'))).resolves.toBeUndefined();
  });

  test('refuses a handler that can never be called', () => {
    const router = createRouter()
      .on('container.*', () => {})
      .otherwise(() => {});
    expect(() => router.on('container.*', () => {})).toThrow(ConfigurationError);
    expect(() => router.otherwise(() => {})).toThrow(ConfigurationError);
    for (const handler of [undefined, null, {}]) {
      expect(() => createRouter().on('container.*', handler as () => void)).toThrow(ConfigurationError);
      expect(() => createRouter().otherwise(handler as () => void)).toThrow(ConfigurationError);
    }
    for (const pattern of ['', '*', 'container*', 'container.*.x']) {
      expect(() => router.on(pattern as 'container.*', () => {})).toThrow(ConfigurationError);
    }
  });
});

describe('the worker', () => {
  test('handles each notification once', async () => {
    const inbox = memory();
    const handled: string[] = [];
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, n) => deliver(inbox, 'container.updated', { container: `c${n % 7}` })),
    );
    work(inbox, n => handled.push(n.id));
    await vi.waitFor(() => expect(handled).toHaveLength(30));
    await sleep(20);
    expect(handled.sort()).toEqual(ids.sort());
    expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
  });

  test('also handles entries that arrive after its start', async () => {
    const inbox = memory();
    const handled: string[] = [];
    work(inbox, n => handled.push(n.id));
    await sleep(20);
    const id = await deliver(inbox, 'container.updated');
    await vi.waitFor(() => expect(handled).toEqual([id]));
  });

  test('handles at most `concurrency` notifications at a time', async () => {
    const inbox = memory();
    for (let n = 0; n < 12; n++) await deliver(inbox, 'container.updated', { container: `c${n}` });
    let [active, most, handled] = [0, 0, 0];
    work(
      inbox,
      async () => {
        active += 1;
        most = Math.max(most, active);
        await sleep(5);
        active -= 1;
        handled += 1;
      },
      { concurrency: 3 },
    );
    await vi.waitFor(() => expect(handled).toBe(12));
    expect(most).toBe(3);
  });

  test('handles the notifications of one container one after another, in the order of their events', async () => {
    const inbox = memory();
    const events = [
      ['container.transport.vessel_arrived', '2026-03-05T09:00:00Z', '2026-03-05T12:00:00Z'],
      ['container.transport.vessel_departed', '2026-02-01T09:00:00+08:00', '2026-03-06T00:00:00Z'],
      ['container.transport.vessel_loaded', '2026-02-01T01:00:00Z', '2026-02-02T00:00:00Z'],
      // The time stamp of this event is the new deadline, so the time of the report determines the order.
      ['container.pickup_lfd.changed', '2027-01-01T00:00:00Z', '2026-03-01T00:00:00Z'],
      ['container.transport.empty_out', '2026-01-01T00:00:00Z', '2026-03-07T00:00:00Z'],
    ] as const;
    for (const container of ['a', 'b']) {
      for (const [event, timestamp, created_at] of events) {
        await deliver(inbox, event, { container, timestamp, created_at });
      }
    }
    const handled: Record<string, string[]> = { a: [], b: [] };
    const active = new Set<string>();
    let together = 0;
    work(inbox, async n => {
      const container = n.container?.id ?? '';
      expect(active.has(container)).toBe(false);
      active.add(container);
      together = Math.max(together, active.size);
      await sleep(2);
      active.delete(container);
      handled[container]?.push(n.event.split('.').slice(1).join('.'));
    });
    await vi.waitFor(() => expect(handled.a?.concat(handled.b ?? [])).toHaveLength(10));
    const expected = [
      'transport.empty_out',
      // These two events have the same time, so the event that was reported earlier is first.
      'transport.vessel_loaded',
      'transport.vessel_departed',
      'pickup_lfd.changed',
      'transport.vessel_arrived',
    ];
    expect(handled).toEqual({ a: expected, b: expected });
    expect(together).toBe(2);
  });

  test('handles entries with the same value of `orderBy` one after another', async () => {
    const inbox = memory();
    const orderBy = (n: Notification) => n.event.split('.')[0];
    for (const container of ['a', 'b', 'c']) await deliver(inbox, 'container.updated', { container }, { orderBy });
    let [active, handled] = [0, 0];
    work(inbox, async () => {
      active += 1;
      expect(active).toBe(1);
      await sleep(2);
      active -= 1;
      handled += 1;
    });
    await vi.waitFor(() => expect(handled).toBe(3));
  });

  test('retries after waits that grow, and delays only the container of the failed notification', async () => {
    const inbox = memory();
    const failing = await deliver(inbox, 'container.updated', { container: 'a' });
    const next = await deliver(inbox, 'container.updated', { container: 'a' });
    const other = await deliver(inbox, 'container.updated', { container: 'b' });
    const handled: string[] = [];
    const attempts: [number, number][] = [];
    work(
      inbox,
      (n, attempt) => {
        if (n.id === failing) attempts.push([attempt, Date.now()]);
        if (n.id === failing && attempt < 4) throw new Error('not yet');
        handled.push(n.id);
      },
      { minDelay: 20 },
    );
    await vi.waitFor(() => expect(handled).toHaveLength(3));
    expect(handled).toEqual([other, failing, next]);
    expect(attempts.map(([attempt]) => attempt)).toEqual([1, 2, 3, 4]);
    const times = attempts.map(([, time]) => time);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    // Each wait is between 50 % and 100 % of 20, 40 and 80 ms.
    expect(waits[0]).toBeGreaterThanOrEqual(9);
    expect(waits[2]).toBeGreaterThanOrEqual(39);
  });

  test('reports a dead letter after the last attempt, and continues with the container', async () => {
    const inbox = memory();
    const dying = await deliver(inbox, 'container.updated', { container: 'a' });
    const next = await deliver(inbox, 'container.updated', { container: 'a' });
    const [handled, deaths]: [string[], DeadNotification[]] = [[], []];
    const fail = (n: Notification) => {
      if (n.id === dying) throw new Error('never');
      handled.push(n.id);
    };
    work(inbox, fail, { maxAttempts: 3, onDead: death => deaths.push(death) });
    await vi.waitFor(() => expect(handled).toEqual([next]));
    expect(deaths).toEqual([
      {
        id: dying,
        event: 'container.updated',
        notification: expect.objectContaining({ id: dying }),
        attempts: 3,
        error: new Error('never'),
      },
    ]);
    expect(await inbox.deadLetters()).toMatchObject([{ id: dying, attempts: 3, error: 'never' }]);
    expect(await inbox.revive(dying)).toBe(true);
    await vi.waitFor(() => expect(deaths).toHaveLength(2));
  });

  test('immediately turns an unreadable entry into a dead letter', async () => {
    const inbox = memory();
    const deaths: DeadNotification[] = [];
    const entry = { id: 'x', event: 'container.updated', group: 'g', order: '', receivedAt: 0 };
    await inbox.put({ ...entry, body: new TextEncoder().encode('{}') });
    work(inbox, () => {}, { onDead: death => deaths.push(death) });
    await vi.waitFor(() => expect(deaths).toMatchObject([{ id: 'x', attempts: 1, notification: undefined }]));
  });

  test('turns an entry into a dead letter if every attempt of the entry has ended the process', async () => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    for (let attempt = 1; attempt <= 2; attempt++) {
      const [claim] = await inbox.claim({ limit: 1, leaseMs: 1000, begins: true });
      expect(claim && (await inbox.begin?.(claim))).toBe(true);
      expect(claim && (await inbox.renew(claim, { leaseMs: 1 }))).toBe(true);
      await sleep(3);
    }
    const handle = vi.fn();
    const deaths: DeadNotification[] = [];
    work(inbox, handle, { maxAttempts: 2, onDead: death => deaths.push(death) });
    await vi.waitFor(() => expect(deaths).toMatchObject([{ id, attempts: 2 }]));
    expect(handle).not.toHaveBeenCalled();
  });

  test('renews the lease of a slow handler', async () => {
    const clock = startIdleClock();
    const inbox = memory();
    await deliver(inbox, 'container.updated');
    const handle = vi.fn(() => clock.sleep(60));
    work(inbox, handle, { leaseMs: 20 });
    work(inbox, handle, { leaseMs: 20 });
    await clock.sleep(100);
    expect(handle).toHaveBeenCalledTimes(1);
    expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
  });

  test('settles its claimed entries before it stops, and claims nothing more', async () => {
    const inbox = memory();
    for (const container of ['a', 'b', 'c']) await deliver(inbox, 'container.updated', { container });
    const handled: string[] = [];
    const stopped = gate();
    const handle = vi.fn(async (n: Notification) => {
      await stopped.opened;
      handled.push(n.container?.id ?? '');
    });
    const worker = work(inbox, handle, { concurrency: 2 });
    await vi.waitFor(() => expect(handle).toHaveBeenCalledTimes(2), { interval: 1 });
    const stopping = worker.stop();
    stopped.open();
    await stopping;
    expect(handled).toEqual(['a', 'b']);
    await sleep(20);
    expect(await inbox.claim({ limit: 5, leaseMs: 1 })).toMatchObject([{ entry: { group: 'container c' } }]);
  });

  test('stops immediately if it has nothing to do, or was never started', async () => {
    // The clock stands still, so that a wait for a timer never ends.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await createWorker({ inbox: memory(), router: createRouter() }).stop();
    const worker = work(memory(), () => {});
    // After this loop, the worker waits for the time of the next claim.
    do await turn();
    while (vi.getTimerCount() === 0);
    await worker.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not wait for the next poll if an entry settles during a claim', async () => {
    const inbox = memory();
    for (let n = 0; n < 3; n++) await deliver(inbox, 'container.updated', { container: 'a' });
    const handled: string[] = [];
    work(inbox, n => handled.push(n.id), { inbox: slow(inbox), pollMs: 10_000 });
    await vi.waitFor(() => expect(handled).toHaveLength(3));
    const [worker] = workers;
    await worker?.stop();
  });

  test('continues after the inbox has failed for a while', async () => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    let failures = 0;
    const errors: string[] = [];
    const flaky: WorkerOptions['inbox'] = {
      claim: async options => {
        if (failures++ < 3) throw new Error('the disk is full');
        return inbox.claim(options);
      },
      renew: (claim, options) => inbox.renew(claim, options),
      done: async claim => {
        if (failures++ < 6) throw new Error('still full');
        return inbox.done(claim);
      },
      fail: (claim, options) => inbox.fail(claim, options),
    };
    const handled: string[] = [];
    const logger = { warn() {}, error: (message: string) => errors.push(message) };
    work(inbox, n => handled.push(n.id), { inbox: flaky, leaseMs: 10, logger });
    await vi.waitFor(async () => expect(handled.length).toBeGreaterThan(1));
    expect(new Set(handled)).toEqual(new Set([id]));
    expect(errors.join()).toMatch(/the disk is full.*still full/s);
  });

  test('refuses options that cannot work', () => {
    const numbers = ['concurrency', 'leaseMs', 'pollMs', 'handlerTimeoutMs', 'maxAttempts', 'minDelay', 'maxDelay'];
    const options = [
      ...numbers.flatMap(name => [0, -5, Number.NaN, '7', null].map(value => ({ [name]: value }))),
      ...[1.5, Number.POSITIVE_INFINITY, 1e10].flatMap(value => [
        { concurrency: value },
        { leaseMs: value },
        { pollMs: value },
      ]),
      { inbox: undefined },
      { inbox: { put() {} } },
      { router: undefined },
      { router: () => {} },
      { schema: { type: 'object' } },
    ];
    for (const option of options) {
      const all = { inbox: memory(), router: createRouter(), ...option } as unknown as WorkerOptions;
      expect(() => createWorker(all), JSON.stringify(option)).toThrow(ConfigurationError);
    }
    expect(() => createWorker(undefined as unknown as WorkerOptions)).toThrow(ConfigurationError);
  });

  test('does not start again after it was stopped, and reports this', async () => {
    const worker = work(memory(), () => {});
    await worker.stop();
    expect(() => worker.start()).toThrow(ConfigurationError);
  });

  test('passes the error of a failed attempt to the logger, with its stack', async () => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const failed = new TypeError('Cannot read properties of undefined');
    const router = createRouter().otherwise(() => {
      throw failed;
    });
    const [warn, error] = [vi.fn(), vi.fn()];
    work(inbox, () => {}, { router, maxAttempts: 2, minDelay: 1, logger: { warn, error } });
    await vi.waitFor(() => expect(error).toHaveBeenCalled());
    const line = (attempt: number) => `container.updated ${id}: attempt ${attempt} failed: ${failed.message}`;
    const details = { error: failed, id, event: 'container.updated' };
    expect(warn.mock.calls).toEqual([[line(1), { ...details, attempt: 1 }]]);
    expect(error.mock.calls).toEqual([[line(2), { ...details, attempt: 2 }]]);
  });

  test('aborts the signal of a handler that does not end, and then handles the notification again', async () => {
    const inbox = memory();
    const stuck = await deliver(inbox, 'container.updated');
    const signals: (AbortSignal | undefined)[] = [];
    const router = createRouter().otherwise((_, { attempt, signal }) => {
      signals.push(signal);
      return attempt === 1 ? new Promise(() => {}) : undefined;
    });
    const warn = vi.fn();
    work(inbox, () => {}, { router, concurrency: 1, handlerTimeoutMs: 20, logger: { warn, error() {} } });
    await vi.waitFor(() => expect(signals.map(signal => signal?.aborted)).toEqual([true, false]));
    expect(warn.mock.calls[0]?.[0]).toBe(`container.updated ${stuck}: attempt 1 failed: Not done within 20 ms.`);
    await vi.waitFor(async () => expect(await inbox.put({ ...ENTRY, id: stuck })).toBe('duplicate'));
  });

  test('handles other entries even if onDead does not end', async () => {
    const inbox = memory();
    await inbox.put(ENTRY);
    const handled: string[] = [];
    const onDead = () => new Promise(() => {});
    work(inbox, n => handled.push(n.id), { concurrency: 1, handlerTimeoutMs: 20, onDead });
    await vi.waitFor(async () => expect(await inbox.deadLetters()).toHaveLength(1));
    const id = await deliver(inbox, 'container.updated');
    await vi.waitFor(() => expect(handled).toEqual([id]));
  });

  test('stops after the time limit, even if a handler or the inbox does not settle', async () => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const ended = gate();
    const handle = vi.fn(() => ended.opened);
    const worker = createWorker({ inbox, router: { handle }, logger: false }).start();
    await vi.waitFor(() => expect(handle).toHaveBeenCalled());
    await worker.stop({ timeoutMs: 10 });
    expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
    ended.open();
    await worker.stop();
    expect(await inbox.put({ ...ENTRY, id })).toBe('duplicate');

    const away = { ...bound(memory()), claim: () => new Promise<never>(() => {}) };
    await createWorker({ inbox: away, router: createRouter() }).start().stop({ timeoutMs: 10 });
  });

  test.each<[string, unknown]>([
    [
      'throws',
      {
        warn() {
          throw new Error('no log');
        },
        error() {
          throw new Error('no log');
        },
      },
    ],
    ['rejects', { warn: () => Promise.reject(new Error('no log')), error: () => Promise.reject(new Error('no log')) }],
    ['has no methods', {}],
    ['is not an object', true],
  ])('handles notifications as usual if the logger %s', async (_, logger) => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const flaky = bound(inbox);
    const claim = vi.fn(flaky.claim).mockRejectedValueOnce(new Error('the disk is full'));
    const fail = () => {
      throw new Error('never');
    };
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const onDead = vi.fn(() => Promise.reject(new Error('nobody listens')));
    work(inbox, fail, { inbox: { ...flaky, claim }, maxAttempts: 2, onDead, logger: logger as false });
    await vi.waitFor(async () =>
      expect(await inbox.deadLetters()).toMatchObject([{ id, attempts: 2, error: 'never' }]),
    );
    await sleep(1);
    expect(onDead).toHaveBeenCalledTimes(1);
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an object', {}],
    ['a list with null', [null]],
    ['a list without claims', [{}]],
  ])('claims again after a pause if the inbox returns %s', async (_, claims) => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const claim = vi.fn(bound(inbox).claim);
    for (let n = 0; n < 3; n++) claim.mockResolvedValueOnce(claims as []);
    const [handled, errors] = [[] as string[], [] as string[]];
    const logger = { warn() {}, error: (message: string) => errors.push(message) };
    const began = Date.now();
    work(inbox, n => handled.push(n.id), { inbox: { ...bound(inbox), claim }, pollMs: 10, logger });
    await vi.waitFor(() => expect(handled).toEqual([id]));
    expect(Date.now() - began).toBeGreaterThanOrEqual(25);
    expect(errors).toHaveLength(2); // The failures 1 and 2.
  });

  test.each<[string, () => unknown, string]>([
    ['an object without a prototype', () => Object.create(null), 'Unreadable error.'],
    [
      'an error whose message throws',
      () =>
        Object.defineProperty(new Error('x'), 'message', {
          get() {
            throw new Error('y');
          },
        }),
      'Unreadable error.',
    ],
    [
      'an error whose message is not a text',
      () => Object.assign(new Error('x'), { message: { code: 1 } }),
      '[object Object]',
    ],
    ['a symbol', () => Symbol('q'), 'Symbol(q)'],
    ['nothing', () => undefined, 'undefined'],
  ])('counts a failed attempt, with a text, if a handler throws %s', async (_, error, text) => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const fail = () => {
      throw error();
    };
    work(inbox, fail, { maxAttempts: 1 });
    await vi.waitFor(async () => expect(await inbox.deadLetters()).toMatchObject([{ id, error: text }]));
  });
});

describe('the stream', () => {
  const options = { pollMs: 5, minDelay: 1, logger: false } as const;

  test('yields each notification once, and rejects when its signal aborts', async () => {
    const inbox = memory();
    const ids: string[] = [];
    for (const container of ['a', 'b', 'c']) ids.push(await deliver(inbox, 'container.updated', { container }));
    const abort = new AbortController();
    const seen: string[] = [];
    const loop = async () => {
      for await (const n of inbox.stream({ ...options, signal: abort.signal })) {
        seen.push(n.id);
        if (seen.length === ids.length) setTimeout(() => abort.abort('enough'), 20);
      }
    };
    await expect(loop()).rejects.toBe('enough');
    expect(seen).toEqual(ids);
    expect(await inbox.claim({ limit: 5, leaseMs: 1 })).toEqual([]);
  });

  test('counts a notification as handled only when the next notification is requested', async () => {
    const inbox = memory();
    const [first, second] = [
      await deliver(inbox, 'container.updated', { container: 'a' }),
      await deliver(inbox, 'container.updated', { container: 'a' }),
    ];
    const stream = inbox.stream(options);
    expect((await stream.next()).value?.id).toBe(first);
    await sleep(20);
    expect((await stream.next()).value?.id).toBe(second);
    await stream.return();
    await sleep(5);
    expect(await inbox.claim({ limit: 5, leaseMs: 1000 })).toMatchObject([{ attempt: 2, entry: { id: second } }]);
  });

  test.each([
    ['break', false],
    ['an error', true],
  ])('gives the current notification back after an exit by %s', async (_, fails) => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const loop = async () => {
      for await (const n of inbox.stream(options)) {
        expect(n.id).toBe(id);
        if (fails) throw new Error('no');
        break;
      }
    };
    if (fails) await expect(loop()).rejects.toThrow('no');
    else await loop();
    await sleep(5);
    expect(await inbox.claim({ limit: 5, leaseMs: 1000 })).toMatchObject([{ attempt: 2, entry: { id } }]);
  });

  test('makes a notification a dead letter after repeated exits from the loop', async () => {
    const inbox = memory();
    const deaths: DeadNotification[] = [];
    await deliver(inbox, 'container.updated');
    for (let attempt = 1; attempt <= 2; attempt++) {
      for await (const _ of inbox.stream({ ...options, maxAttempts: 2, onDead: death => deaths.push(death) })) break;
    }
    expect(deaths).toHaveLength(1);
  });

  test('rejects immediately if its signal is already aborted, and claims nothing', async () => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    await expect(inbox.stream({ ...options, signal: AbortSignal.abort('before') }).next()).rejects.toBe('before');
    await sleep(5);
    expect(await inbox.claim({ limit: 5, leaseMs: 1 })).toMatchObject([{ entry: { id } }]);
  });

  test('gives back entries that arrive after its signal has aborted', async () => {
    const inbox = memory();
    const id = await deliver(inbox, 'container.updated');
    const abort = new AbortController();
    const source = slow(inbox, () => abort.abort('enough'));
    await expect(stream(source, { ...options, signal: abort.signal }).next()).rejects.toBe('enough');
    await sleep(5);
    expect(await inbox.claim({ limit: 5, leaseMs: 1 })).toMatchObject([{ attempt: 2, entry: { id } }]);
  });

  test('is ended by return() while it waits for a notification', async () => {
    const stream = memory().stream(options);
    const waiting = stream.next();
    await sleep(10);
    expect(await stream.return()).toEqual({ value: undefined, done: true });
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  test('finishes its current iteration after an abort', async () => {
    const inbox = memory();
    await deliver(inbox, 'container.updated', { container: 'a' });
    await deliver(inbox, 'container.updated', { container: 'b' });
    const abort = new AbortController();
    let turns = 0;
    const loop = async () => {
      for await (const _ of inbox.stream({ ...options, signal: abort.signal })) {
        turns += 1;
        abort.abort('enough');
        await sleep(10);
      }
    };
    await expect(loop()).rejects.toBe('enough');
    expect(turns).toBe(1);
    await sleep(5);
    expect(await inbox.claim({ limit: 5, leaseMs: 1 })).toMatchObject([{ entry: { group: 'container b' } }]);
  });
});
