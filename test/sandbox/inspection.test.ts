import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/sandbox/index.ts';
import { attributes, call, get, stillSandbox, track } from '../../support/sandbox.ts';

describe('the visible state of an account', () => {
  test('has the shipments of the API, with the same statuses and arrivals', async () => {
    const sandbox = stillSandbox({ shipments: 12 });
    const { data, included } = (await get(sandbox, '/shipments?page[size]=100&include=containers')).body;
    type Box = { id: string; attributes: { current_status: string } };
    const statuses = new Map(included.map(({ id, attributes }: Box) => [id, attributes.current_status]));
    const summaries = sandbox.account().shipments();
    expect(summaries.map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id));
    for (const [index, summary] of summaries.entries()) {
      const { pod_eta_at, pod_ata_at, bill_of_lading_number } = data[index].attributes;
      expect(summary.number).toBe(bill_of_lading_number);
      for (const { id, status } of summary.containers) expect(status).toBe(statuses.get(id));
      if (pod_ata_at !== null) expect(summary.hasArrived).toBe(true);
      if (pod_eta_at !== null && !summary.hasArrived) expect(summary.arrivesAt).toEqual(new Date(pod_eta_at));
    }
    expect(sandbox.account().shipments({ limit: 2, offset: 3 })).toEqual(summaries.slice(3, 5));
    expect(sandbox.account().counts()).toMatchObject({ shipments: 12, webhooks: 0 });
  });

  test('has timelines with known and future entries, and future entries become known later', async () => {
    const sandbox = stillSandbox();
    const [seeded] = sandbox.seedShipments(1, { phase: 'at_sea', containers: 2 });
    const known = () =>
      sandbox
        .account()
        .timelines(seeded?.id ?? '')?.[0]
        ?.entries.filter(({ isKnown }) => isKnown).length ?? 0;
    const timelines = sandbox.account().timelines(seeded?.id ?? '') ?? [];
    expect(timelines).toHaveLength(2);
    expect(timelines[0]?.entries.map(({ event }) => event)).toContain('container.transport.empty_in');
    const before = known();
    expect(before).toBeGreaterThan(2);
    const { body } = await get(sandbox, `/containers/${seeded?.containers[0]?.id}/transport_events`);
    expect(body.data).toHaveLength(before);
    sandbox.advance({ days: 40 });
    expect(known()).toBeGreaterThan(before);
    expect(sandbox.account().timelines('unknown')).toBeUndefined();
  });

  test.each([{ limit: -1 }, { offset: 1.5 }, { size: 3 }])('cannot be read with the wrong range %j', range => {
    expect(() =>
      stillSandbox()
        .account()
        .shipments(range as never),
    ).toThrow(/limit|offset|size/);
  });
});

test('rateLimits() shows the slots in use and the time at which the next slot becomes free', async () => {
  const time = { ms: 0 };
  const sandbox = stillSandbox({ rateLimit: {}, monotonic: () => time.ms });
  const fill = (bucket: string) => sandbox.rateLimits()[0]?.buckets.find(each => each.bucket === bucket);
  expect(fill('default')).toEqual({ bucket: 'default', used: 0, limit: 100, freesInMs: null });
  await get(sandbox, '/parties');
  time.ms = 20_000;
  await get(sandbox, '/parties');
  await track(sandbox, 'MAEU12345');
  expect(fill('default')).toEqual({ bucket: 'default', used: 2, limit: 100, freesInMs: 40_000 });
  expect(fill('createTrackingRequest')).toMatchObject({ used: 1 });
  time.ms = 60_000;
  expect(fill('default')).toMatchObject({ used: 1 });
  expect(stillSandbox({ rateLimit: false }).rateLimits()).toEqual([]);
});

test('the clock shows its start, its speed and the effect of advance', () => {
  const sandbox = stillSandbox({ now: '2026-05-01T00:00:00Z' });
  sandbox.advance({ days: 2 });
  expect(sandbox.clock).toEqual({
    now: new Date('2026-05-03T00:00:00Z'),
    startedAt: new Date('2026-05-01T00:00:00Z'),
    speed: 0,
  });
});

test('the log keeps only the latest requests, and new request ids stay unique', async () => {
  const sandbox = stillSandbox({ keepRequests: 3 });
  const ids = new Set<string | null>();
  for (let n = 0; n < 5; n++) ids.add((await get(sandbox, `/parties?n=${n}`)).headers.get('x-request-id'));
  expect(ids.size).toBe(5);
  expect(sandbox.requests.map(({ query }) => query.n)).toEqual(['2', '3', '4']);
});

describe('a listener', () => {
  test('gets requests, deliveries, milestones and changes of the clock, until it is unsubscribed', async () => {
    const sandbox = stillSandbox({ fetch: async () => new Response(null, { status: 204 }) });
    const heard: Change[] = [];
    const stop = sandbox.subscribe(change => heard.push({ ...change }));
    const webhook = { url: 'https://h.example', active: true, events: ['tracking_request.succeeded'] };
    await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
    await track(sandbox, 'MAEU12345');
    sandbox.advance({ seconds: 2 });
    await sandbox.flush();
    expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['request', 'account', 'delivery', 'clock']));
    expect(heard.filter(({ type }) => type === 'delivery')).toHaveLength(2);
    const before = heard.length;
    sandbox.reset();
    expect(heard.length).toBeGreaterThan(before);
    stop();
    await get(sandbox, '/parties');
    expect(heard.at(-1)).toEqual({ type: 'clock' });
  });

  test('must be a function', () => {
    expect(() => stillSandbox().subscribe('log' as never)).toThrow('must be a function');
  });
});
