import { expect, test } from 'vitest';
import { sandboxed, terminal } from './command-line.ts';

const { client, ct } = sandboxed({ shipments: 12 });

async function inactiveWebhook(): Promise<void> {
  await client.webhooks.create({ url: 'https://app.example/hook', events: ['container.updated'], active: false });
}

const RECOVER = ['webhooks', 'recover', '--since', '2026-01-01T00:00:00Z', '--repair'];

test('if nothing was missed, recover says that the service may still deliver notifications', async () => {
  terminal(120);
  const { out, err } = await ct('webhooks', 'recover', '--since', '2026-01-01T00:00:00Z');
  expect(out).toBe('None found.\n');
  expect(err).toBe(
    'A notification that the service still tries to deliver is not missed yet: see the statuses of notifications list.\n',
  );
});

test('on a terminal, recover prints the records of each reason and the first rows, and with --all every row', async () => {
  await inactiveWebhook();
  terminal(120);
  const { out, err } = await ct(...RECOVER);
  const [, summary = '', table = ''] = /^(.*?)\n\n(.*)$/s.exec(out) ?? [];
  expect(summary).toMatch(/^RECORDS +REASON\n\d+ +may have changed while a webhook was inactive\n1 +was inactive$/);
  expect(table).toMatch(/^TYPE +NUMBER +WHY/);
  expect(table.trimEnd().split('\n')).toHaveLength(11);
  expect(err).toMatch(/These are the first 10 of \d+\. For all, use --all or --json\./);
  await inactiveWebhook();
  const all = await ct(...RECOVER, '--all');
  expect(all.out.trimEnd().split('\n').length).toBeGreaterThan(20);
});

test('in a pipe, recover prints each record with its reason, and the CSV has number and reason', async () => {
  await inactiveWebhook();
  const { out } = await ct(...RECOVER, '--csv');
  const [head, ...rows] = out.trimEnd().split('\n');
  expect(head).toBe('type,id,number,reason,missed,age,error');
  expect(rows.some(row => /^container,[\da-f-]{36},[A-Z]{4}\d{7},may have changed/.test(row))).toBe(true);
});
