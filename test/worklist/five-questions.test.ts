import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type Alert,
  changesOf,
  type FeedCheckpoint,
  onlyNew,
  type TrackingClient,
  type WorklistRow,
} from '../../src/index.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { planOf } from '../../support/worklist-truth.ts';

/** The questions of every morning, each in at most five lines. */
const ask = {
  async 'What must be picked up this week?'(client: TrackingClient, now: Date) {
    return client.worklist({ ready: true, lastFreeDay: { within: 6 }, now }).toArray();
  },
  async 'What is late, and by how much?'(client: TrackingClient, now: Date) {
    const rows = await client.worklist({ late: { days: 1 }, now }).toArray();
    return rows.map(({ container, at, since, delay }) => ({ id: container.id, at, since: since.date, delay }));
  },
  async 'What is on demurrage?'(client: TrackingClient, now: Date) {
    const rows = await client.worklist({ demurrage: true, now }).toArray();
    return rows.map(({ container, days, demurrage }) => ({ id: container.id, days, demurrage }));
  },
  async 'What is held, and by whom?'(client: TrackingClient, now: Date) {
    const rows = await client.worklist({ held: true, now }).toArray();
    return rows.map(({ container, by }) => ({ id: container.id, by }));
  },
  async 'What has changed since yesterday?'(client: TrackingClient, options: Watched, { report, keep }: Program) {
    const isNew = onlyNew(new Set());
    const feed = client.containers.watch(options);
    for await (const change of feed) {
      for (const alert of changesOf(change).filter(isNew)) report(alert);
      keep(feed.checkpoint as FeedCheckpoint);
    }
  },
};

type Watched = NonNullable<Parameters<TrackingClient['containers']['watch']>[0]>;

interface Program {
  report(alert: Alert): void;
  keep(checkpoint: FeedCheckpoint): void;
}

const DAY = 86_400_000;
const SHIPMENTS = { shipments: 500, seed: 3 };
const ids = <T extends { id: string }>(rows: readonly T[]) => Object.fromEntries(rows.map(row => [row.id, row]));
/** Number of requests for this number of containers. */
const pagesOf = (count: number) => Math.max(1, Math.ceil(count / 50));
const idsOf = (rows: readonly { container: { id: string } }[]) => rows.map(({ container }) => container.id).sort();

/** Converts an alert to the form of the oracle. */
function worded(alert: Alert): string {
  const dayOf = (at: string | null) =>
    at &&
    new Intl.DateTimeFormat('en-CA', { timeZone: 'timezone' in alert ? (alert.timezone ?? 'UTC') : 'UTC' }).format(
      new Date(at),
    );
  const { kind, id } = alert;
  switch (kind) {
    case 'estimate_moved':
      return `${id} ${kind} ${dayOf(alert.from)} ${dayOf(alert.to)}`;
    case 'hold_added':
    case 'hold_cleared':
      return `${id} ${kind} ${alert.hold}`;
    case 'fee_added':
      return `${id} ${kind} ${alert.fee} ${alert.amount}`;
    case 'fee_changed':
      return `${id} ${kind} ${alert.fee} ${alert.from} ${alert.amount}`;
    case 'last_free_day_moved':
      return `${id} ${kind} ${alert.source} ${alert.to}`;
    default:
      return `${id} ${kind}`;
  }
}

/**
 * Runs the program until `ends` returns true. `ends` is called before each reading of the account. Resolves to the last
 * checkpoint that the program has kept, as it was stored.
 */
async function watchUntil(
  sandbox: ReturnType<typeof stillSandbox>,
  options: Watched,
  report: (line: string) => void,
  ends: (reading: { isWhole: boolean }) => boolean,
): Promise<FeedCheckpoint> {
  const ending = new AbortController();
  const client = clientOn(
    async (input, init) => {
      const { searchParams: query } = new URL(input);
      // A request that only checks the sort order has a smaller page size.
      const isFirst = query.get('page[number]') === '1' && query.get('page[size]') === '100';
      if (isFirst && ends({ isWhole: query.get('sort') !== '-updated_at' })) ending.abort('enough');
      return sandbox.fetch(input, init);
    },
    { validation: 'off' },
  );
  let kept: FeedCheckpoint | undefined;
  const program: Program = { report: alert => report(worded(alert)), keep: checkpoint => (kept = checkpoint) };
  const watched = { every: 1, signal: ending.signal, ...options };
  await expect(ask['What has changed since yesterday?'](client, watched, program)).rejects.toBe('enough');
  return JSON.parse(JSON.stringify(kept));
}

/** The end of the first reading of all containers. */
function onceAllAreRead() {
  let wholes = 0;
  return ({ isWhole }: { isWhole: boolean }) => {
    if (wholes > 0) return true;
    wholes += Number(isWhole);
    return false;
  };
}

describe.each([
  // A request to an older account takes longer, because it always sends every record.
  ['current', 10],
  ['older', 20],
] as const)('500 shipments over 60 days, of an account whose lists are %s', (lists, step) => {
  test('four questions have the expected results of the plan', { timeout: 120_000 }, async () => {
    const sandbox = stillSandbox({ ...SHIPMENTS, lists });
    const plan = planOf(SHIPMENTS);
    const client = clientOn(sandbox.fetch, { validation: 'off' });
    const seen = { ready: 0, lastFreeDay: 0, demurrage: 0, held: 0, late: 0 };
    for (let day = 0; day <= 60; day += step) {
      const now = sandbox.now();
      const truth = plan.truth();
      for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += Object.keys(truth[name]).length;

      const count = lists === 'older' ? plan.backend.store.containers.size : truth.tracked;
      const pages = pagesOf(count);
      const requests = () => sandbox.requests.length;

      const before = requests();
      const pickups = await ask['What must be picked up this week?'](client, now);
      const week = Object.entries(truth.lastFreeDay).filter(([, { daysLeft }]) => daysLeft <= 6);
      expect(idsOf(pickups.filter(({ list }) => list === 'ready'))).toEqual(Object.keys(truth.ready).sort());
      const near = pickups.filter(({ list }) => list === 'lastFreeDay');
      expect(Object.fromEntries(near.map(deadlineOf))).toEqual(Object.fromEntries(week));

      expect(requests() - before).toBe(pages);
      const late = await ask['What is late, and by how much?'](client, now);
      const daysOf = (by: number) => Math.round(by / (DAY / 10)) / 10;
      const known = Object.entries(truth.late).filter(([, { by }]) => daysOf(by) >= 1);
      expect(ids(late)).toEqual(
        Object.fromEntries(
          known.map(([id, { at, by, isActual, since }]) => [
            id,
            { id, at, since, delay: expect.objectContaining({ isActual, days: daysOf(by) }) },
          ]),
        ),
      );

      expect(requests() - before).toBe(2 * pages);
      const demurrage = await ask['What is on demurrage?'](client, now);
      expect(ids(demurrage)).toEqual(
        Object.fromEntries(
          Object.entries(truth.demurrage).map(([id, { days, amounts }]) => [
            id,
            { id, days, demurrage: amounts.map(amount => ({ currency: 'USD', amount })) },
          ]),
        ),
      );

      // Line and terminal have two filters each. If an account ignores filters, the first response shows that.
      const { chosen, line, terminal, rail } = truth.due;
      const filters = [chosen, line, line, terminal, terminal, rail].map(pagesOf);
      const selected = 1 + filters.reduce((sum, count) => sum + count, 0);
      const forDemurrage = requests() - before - 2 * pages;
      if (pages <= 12) expect(forDemurrage).toBe(pages);
      else if (lists === 'older') expect(forDemurrage).toBe(pages + 1);
      else if (selected - 6 < pages) expect(forDemurrage).toBe(selected);
      else expect(forDemurrage).toBeLessThanOrEqual(pages + 6);
      const begun = requests();
      const held = await ask['What is held, and by whom?'](client, now);
      const holders = held.map(({ id, by }) => [id, { by: by.toSorted() }]);
      expect(Object.fromEntries(holders)).toEqual(truth.held);
      expect(requests() - begun).toBe(lists === 'older' ? pages : pagesOf(truth.holding));

      sandbox.advance({ days: step });
      plan.advance(step * DAY);
    }
    // Each list had at least one difficult row.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(8);
  });

  test('a program that continues from its checkpoint gets the planned changes since yesterday', {
    timeout: 120_000,
  }, async () => {
    const sandbox = stillSandbox({ ...SHIPMENTS, lists });
    const plan = planOf(SHIPMENTS);
    const pages = pagesOf(plan.backend.store.containers.size);
    onTestFinished(() => void vi.useRealTimers());
    for (const days of [0, 9, 19]) {
      sandbox.advance({ days });
      plan.advance(days * DAY);
      const from = await watchUntil(sandbox, {}, () => {}, onceAllAreRead());
      sandbox.advance({ days: 1 });
      plan.advance(DAY);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY });
      const before = sandbox.requests.length;
      const found: string[] = [];
      await watchUntil(sandbox, { from }, line => found.push(line), onceAllAreRead());
      vi.useRealTimers();
      expect(found.sort()).toEqual(plan.changesSince(DAY).sort());
      expect(found.length).toBeGreaterThan(40);
      // Two more requests: the last page of yesterday, and the check of the sort order. If the service sorts, the feed
      // also reads the front of the list for its next reading.
      expect(sandbox.requests.length - before).toBeLessThanOrEqual(pages + (lists === 'older' ? 2 : 6));
    }
  });

  test('a program that keeps running gets the planned changes since yesterday', {
    timeout: 120_000,
  }, async () => {
    const sandbox = stillSandbox({ ...SHIPMENTS, lists });
    const plan = planOf(SHIPMENTS);
    const pages = pagesOf(plan.backend.store.containers.size);
    // If the service sorts, the feed knows after its third reading which containers changed last.
    const [settled, days] = lists === 'older' ? [1, 3] : [3, 10];
    const found: string[][] = [];
    const truth: string[][] = [];
    const requests: number[] = [];
    let readings = 0;
    function nextDay(): boolean {
      readings += 1;
      if (readings <= settled) return false;
      requests.push(sandbox.requests.length);
      found.push([]);
      if (found.length > days) return true;
      sandbox.advance({ days: 1 });
      plan.advance(DAY);
      truth.push(plan.changesSince(DAY).sort());
      return false;
    }
    await watchUntil(sandbox, { reconcile: 7 * DAY }, line => found.at(-1)?.push(line), nextDay);
    expect(found.slice(0, days).map(lines => lines.sort())).toEqual(truth);
    const costs = requests.slice(1).map((count, day) => count - (requests[day] ?? 0));
    expect(costs).toHaveLength(days);
    // At first, the feed knows too few of the containers that changed last.
    const [first, ...others] = costs as [number, ...number[]];
    expect(first).toBeLessThanOrEqual(pages + 1);
    expect(Math.max(...others)).toBeLessThanOrEqual(lists === 'older' ? pages : 9);
  });
});

function deadlineOf({ container, deadline }: WorklistRow): [string, object] {
  return [container.id, { date: deadline?.date, daysLeft: deadline?.daysLeft }];
}
