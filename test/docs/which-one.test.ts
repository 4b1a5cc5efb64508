import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSync } from '../../src/sync/index.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const page = readFileSync(new URL('../../docs/guides/which-one.md', import.meta.url), 'utf8');

/** The last cell of the row with this name, in the table of requests. */
function figureOf(name: string): string | undefined {
  const table = page.slice(page.indexOf('## What each one costs'));
  const row = table.split('\n').find(line => line.startsWith(`| ${name} |`));
  return row?.split('|').at(-2)?.trim();
}

test('the page has the right number of requests for a list, a worklist, a nightly sync, a function and a recovery', {
  timeout: 60_000,
}, async () => {
  let isUp = true;
  const sandbox = stillSandbox({
    shipments: 500,
    seed: 3,
    fetch: async () => new Response(null, { status: isUp ? 202 : 500 }),
  });
  let requests = 0;
  const client = clientOn(
    (input, init) => {
      requests += 1;
      return sandbox.fetch(input, init);
    },
    { validation: 'off' },
  );
  async function counted<T>(work: () => PromiseLike<T>): Promise<[T, number]> {
    const before = requests;
    return [await work(), requests - before];
  }

  const [containers, listed] = await counted(() => client.containers.list({ pageSize: 100 }).toArray());
  expect(figureOf('list with checkpoint')).toBe(`${listed} for ${containers.length.toLocaleString('en')} containers`);
  const now = sandbox.now();
  const [, worked] = await counted(() => client.worklist({ ready: true, late: { days: 1 }, now }).toArray());
  expect(figureOf('worklist')).toBe(`${worked} for the same containers`);

  const store = sqliteStore(':memory:');
  const [, firstNight] = await counted(() => createSync({ client, store }).once());
  const [, nextNight] = await counted(() => createSync({ client, store }).once());
  expect(figureOf('`sync --once`, each night')).toBe(
    `${firstNight} the first night, then ${nextNight}, for the same containers`,
  );

  const party = await client.parties.list().toArray();
  const [theirs, shown] = await counted(() =>
    client.containers.list({ filter: { customer_id: party[0]?.id ?? '' }, pageSize: 50 }).withResponse(),
  );
  expect(theirs.data.data.length).toBeGreaterThan(0);
  expect(figureOf('a request in a function')).toBe(`${shown}`);

  await client.webhooks.create({ url: 'https://host.example/hook', active: true, events: ['container.updated'] });
  isUp = false;
  const since = sandbox.now();
  sandbox.advance({ days: 3 });
  await sandbox.flush();
  const missed = new Set<string>();
  const [records, recovered] = await counted(async () => {
    let records = 0;
    for await (const item of client.webhookNotifications.recover({ since, inbox: { has: async () => false } })) {
      records += 1;
      for (const { id } of item.notifications) missed.add(id);
    }
    return records;
  });
  expect(figureOf('recover')).toBe(`${recovered} for ${missed.size} notifications about ${records} records`);
});
