import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { sandboxed, terminal } from './command-line.ts';

const { sandbox, client, ct } = sandboxed({ shipments: 12, fetch: async () => new Response(null, { status: 500 }) });

async function inactiveWebhook(): Promise<void> {
  const { id } = await client.webhooks.create({
    ...{ url: 'https://app.example/hook', events: ['container.updated'], active: false },
  });
  onTestFinished(() => client.webhooks.delete(id));
}

const RECOVER = ['webhooks', 'recover', '--since', '2026-01-01T00:00:00Z', '--repair'];

test('recover says how many notifications are not missed yet, because the service still tries to deliver them', async () => {
  const recover = ['webhooks', 'recover', '--since', '2026-01-01T00:00:00Z'];
  terminal(120);
  expect(await ct(...recover)).toMatchObject({ out: 'None found.\n', err: '' });
  const url = 'https://down.example/hook';
  const { id } = await client.webhooks.create({ url, events: ['tracking_request.succeeded'], active: true });
  onTestFinished(() => client.webhooks.delete(id));
  await client.track({ number: 'MAEU10101010', scac: 'MAEU', type: 'bill_of_lading' });
  await sandbox.flush();
  expect(await ct(...recover)).toMatchObject({
    out: 'None found.\n',
    err: 'The service still tries to deliver 1 notification, which is not missed yet. After a failure it makes at most 12 more attempts.\nTo list them: container-tracking notifications list --delivery pending\n',
  });
});

test('if no webhook is inactive, recover with --repair makes the same requests as without --repair, and has the same result', async () => {
  const since = ['webhooks', 'recover', '--since', '2026-01-01T00:00:00Z'];
  const observed = async (...args: string[]) => {
    const before = sandbox.requests.length;
    const { out, err } = await ct(...args);
    return { out, err, requests: sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`) };
  };
  expect(await observed(...since, '--repair')).toEqual(await observed(...since));
});

test('recover reads the records of an inactive webhook once, and again only with --sweep', async () => {
  await inactiveWebhook();
  const first = (await ct(...RECOVER, '--json')).json();
  expect(first.length).toBeGreaterThan(12);
  expect((await ct(...RECOVER, '--json')).json()).toEqual([]);
  expect((await ct(...RECOVER, '--json', '--sweep')).json()).toHaveLength(first.length - 1);
});

test('if recover is interrupted after it has activated a webhook, its message names --sweep', async () => {
  await inactiveWebhook();
  sandbox.fail({ match: { path: '/shipments' }, status: 500 });
  const { code, err } = await ct(...RECOVER, '--retries', '0');
  expect(code).toBe(6);
  expect(err).toContain('not all read: run the command again with --sweep.');
});

test('recover names the option that activates an inactive webhook', async () => {
  const url = 'https://down.example/inactive';
  const { id } = await client.webhooks.create({ url, events: ['tracking_request.succeeded'], active: false });
  onTestFinished(() => client.webhooks.delete(id));
  const { err } = await ct('webhooks', 'recover', '--since', '2026-01-01T00:00:00Z');
  expect(err).toContain(`Webhook ${id} is inactive. Use --repair to activate it.`);
});

test('with --requeue, recover says how many notifications were put into the inbox, and shows the progress after each 50 records', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'recover-')), 'inbox.db');
  sqliteInbox(path).close();
  const { id } = await client.webhooks.create({
    url: 'https://down.example/many',
    events: ['tracking_request.succeeded'],
    active: true,
  });
  onTestFinished(() => client.webhooks.delete(id));
  for (let index = 0; index < 50; index += 1) {
    await client.trackingRequests.create({
      request_number: `MAEU202020${index + 10}`,
      scac: 'MAEU',
      request_type: 'bill_of_lading',
    });
  }
  await sandbox.flush();
  terminal(120);
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  onTestFinished(() => void Object.defineProperty(process.stderr, 'isTTY', { value: undefined, configurable: true }));
  const { err } = await ct('webhooks', 'recover', '--since', '2026-01-01T00:00:00Z', '--sqlite', path, '--requeue');
  expect(err).toMatch(/^50 records are done …$/m);
  const [, notifications, records] = /^Put into the inbox: (\d+) notifications of (\d+) records\.$/m.exec(err) ?? [];
  expect(Number(notifications)).toBeGreaterThanOrEqual(50);
  expect(Number(records)).toBeGreaterThanOrEqual(50);
});

test('on a terminal, recover prints the records of each reason and the first rows, and prints every row with --all', async () => {
  await inactiveWebhook();
  terminal(120);
  const { out, err } = await ct(...RECOVER);
  const [, summary = '', table = ''] = /^(.*?)\n\n(.*)$/s.exec(out) ?? [];
  expect(summary).toMatch(/^RECORDS +REASON\n\d+ +may have changed while a webhook was inactive\n1 +was inactive$/);
  expect(table).toMatch(/^TYPE +NUMBER +WHY/);
  expect(table.trimEnd().split('\n')).toHaveLength(11);
  expect(err).toMatch(/These are the first 10 of \d+\. For all, use --all or --json\./);
  const all = await ct(...RECOVER, '--all', '--sweep');
  expect(all.out.trimEnd().split('\n').length).toBeGreaterThan(20);
});

test('in a pipe, recover prints each record with its reason, and the CSV has number and reason', async () => {
  await inactiveWebhook();
  const { out } = await ct(...RECOVER, '--csv');
  const [head, ...rows] = out.trimEnd().split('\n');
  expect(head).toBe('type,id,number,reason,missed,age,error');
  expect(rows.some(row => /^container,[\da-f-]{36},[A-Z]{4}\d{7},may have changed/.test(row))).toBe(true);
});
