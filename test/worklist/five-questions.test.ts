import { describe, expect, test } from 'vitest';
import type { FeedCheckpoint, TrackingClient, WorklistRow } from '../../src/index.ts';
import { clientOn } from '../../support/client.ts';
import { call, stillSandbox } from '../../support/sandbox.ts';
import { planOf } from '../../support/worklist-truth.ts';

/** The questions that people ask every morning, each in at most five lines. */
const ask = {
  async 'What must be picked up this week?'(client: TrackingClient, now: Date) {
    return client.worklist({ ready: true, lastFreeDay: { within: 6 }, now }).toArray();
  },
  async 'What is late, and since when?'(client: TrackingClient, now: Date) {
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
  async 'What has changed since yesterday?'(client: TrackingClient, from: FeedCheckpoint, { tell, ...ending }: Ending) {
    const feed = client.containers.watch({ from, fields: FACTS, ...ending });
    for await (const change of feed) if (change.kind === 'changed') tell(change.id, change.field);
  },
};

/** The feed never ends by itself: a program leaves it when it likes. */
interface Ending {
  tell(id: string, field: string): void;
  every: number;
  signal: AbortSignal;
}

const FACTS = ['current_status', 'pickup_lfd', 'holds_at_pod_terminal', 'fees_at_pod_terminal'] as const;
const DAY = 86_400_000;
const SHIPMENTS = { shipments: 500, seed: 3 };
const ids = <T extends { id: string }>(rows: readonly T[]) => Object.fromEntries(rows.map(row => [row.id, row]));
const idsOf = (rows: readonly { container: { id: string } }[]) => rows.map(({ container }) => container.id).sort();

/** The records as they are on the wire, without the package. */
async function wire(sandbox: ReturnType<typeof stillSandbox>) {
  const found = new Map<string, Record<string, unknown>>();
  for (let page = 1; ; page += 1) {
    const { body } = await call(sandbox, 'GET', `/containers?sort=created_at&page[size]=50&page[number]=${page}`);
    for (const { id, attributes } of body.data) found.set(id, attributes);
    if (body.data.length < 50) return found;
  }
}

/** A checkpoint after every container was read once. */
async function readAll(client: TrackingClient, count: number) {
  const feed = client.containers.watch({ fields: FACTS, every: DAY });
  for (let told = 0; told < count; told += 1) await feed.next();
  const { checkpoint } = feed;
  await feed.return();
  return checkpoint as FeedCheckpoint;
}

describe.each([
  // What an older account is asked for takes longer: it sends every record each time.
  ['current', 10],
  ['older', 20],
] as const)('500 shipments over 60 days, of an account whose lists are %s', (lists, step) => {
  test('four questions have the responses of one who knows the plan', { timeout: 120_000 }, async () => {
    const sandbox = stillSandbox({ ...SHIPMENTS, lists });
    const plan = planOf(SHIPMENTS);
    const client = clientOn(sandbox.fetch, { validation: 'off' });
    const seen = { ready: 0, lastFreeDay: 0, demurrage: 0, held: 0, late: 0 };
    for (let day = 0; day <= 60; day += step) {
      const now = sandbox.now();
      const truth = plan.truth();
      for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += Object.keys(truth[name]).length;

      const count = lists === 'older' ? plan.backend.store.containers.size : truth.tracked;
      const pages = Math.max(1, Math.ceil(count / 50));
      const requests = () => sandbox.requests.length;

      const before = requests();
      const pickups = await ask['What must be picked up this week?'](client, now);
      const week = Object.entries(truth.lastFreeDay).filter(([, { daysLeft }]) => daysLeft <= 6);
      expect(idsOf(pickups.filter(({ list }) => list === 'ready'))).toEqual(Object.keys(truth.ready).sort());
      const near = pickups.filter(({ list }) => list === 'lastFreeDay');
      expect(Object.fromEntries(near.map(deadlineOf))).toEqual(Object.fromEntries(week));

      expect(requests() - before).toBe(pages);
      const late = await ask['What is late, and since when?'](client, now);
      const known = Object.entries(truth.late).filter(([, { by }]) => by >= DAY);
      expect(ids(late)).toEqual(
        Object.fromEntries(
          known.map(([id, { at, by, isActual, since }]) => [
            id,
            { id, at, since, delay: expect.objectContaining({ isActual, days: Math.round(by / (DAY / 10)) / 10 }) },
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

      // Six filters, one of which may show that to read all takes fewer requests.
      expect(requests() - before).toBeLessThanOrEqual(3 * pages + 6);
      const begun = requests();
      const held = await ask['What is held, and by whom?'](client, now);
      const holders = held.map(({ id, by }) => [id, { by: by.toSorted() }]);
      expect(Object.fromEntries(holders)).toEqual(truth.held);
      const holdPages = lists === 'older' ? pages : Math.max(1, Math.ceil(held.length / 50));
      expect(requests() - begun).toBeLessThanOrEqual(holdPages + 2);

      sandbox.advance({ days: step });
      plan.advance(step * DAY);
    }
    // Each list had something to get wrong.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(8);
  });

  test('what has changed since yesterday is what differs on the wire', { timeout: 60_000 }, async () => {
    const sandbox = stillSandbox({ ...SHIPMENTS, shipments: 100, lists });
    const client = clientOn(sandbox.fetch, { rateLimit: { windowMs: 50, limits: { default: 1000 } } });
    const before = await wire(sandbox);
    const yesterday = await readAll(client, before.size);
    sandbox.advance({ days: 1 });

    const differences = [...(await wire(sandbox))].flatMap(([id, attributes]) =>
      FACTS.filter(fact => JSON.stringify(attributes[fact]) !== JSON.stringify(before.get(id)?.[fact])).map(
        fact => `${id} ${fact}`,
      ),
    );
    expect(differences.length).toBeGreaterThan(30);
    const told: string[] = [];
    const ending = new AbortController();
    function tell(id: string, field: string): void {
      told.push(`${id} ${field}`);
      if (told.length === differences.length) ending.abort('all');
    }
    const asked = ask['What has changed since yesterday?'](client, yesterday, {
      tell,
      every: 1,
      signal: ending.signal,
    });
    await expect(asked).rejects.toBe('all');
    // One that is invented would be in the place of one that is missing.
    expect(told.sort()).toEqual(differences.sort());
  });
});

function deadlineOf({ container, deadline }: WorklistRow): [string, object] {
  return [container.id, { date: deadline?.date, daysLeft: deadline?.daysLeft }];
}
