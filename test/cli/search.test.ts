import { describe, expect, test } from 'vitest';
import { sandboxed, terminal } from './command-line.ts';

const { sandbox, client, ct } = sandboxed({ shipments: 25 });

describe('a search on a terminal', () => {
  test('shows the status of a container in words, its bill of lading, and the command that opens the container', async () => {
    const [container] = (await client.containers.list({ filter: { current_status: 'on_ship' }, include: ['shipment'] }))
      .data;
    const number = container?.number ?? '';
    terminal(80);
    const { out, err } = await ct('search', number);
    expect(out).toMatch(
      new RegExp(`^container +${number} +on ship +of ${container?.shipment?.bill_of_lading_number}`, 'm'),
    );
    expect(err).toContain(`To open it: container-tracking containers get ${number}\n`);
  });

  test('shows the route and the arrival of a shipment', async () => {
    const [shipment] = (await client.shipments.list({ filter: { voyage_status: 'on_ship' } })).data;
    terminal(120);
    const { out, err } = await ct('search', shipment?.bill_of_lading_number ?? '');
    expect(out).toMatch(/^shipment +\S+ +expected \d{4}-\d\d-\d\d +\S.* to \S.*, \d+ containers?/m);
    expect(err).toContain(`To open it: container-tracking shipments get ${shipment?.bill_of_lading_number}\n`);
  });

  test('leaves out a column without a value', async () => {
    const [container] = (await client.containers.list({ pageSize: 1 })).data;
    terminal(200);
    const [head = '', row = ''] = (await ct('search', container?.number ?? '')).out.split('\n');
    expect(head).toMatch(/^KIND +NUMBER +STATUS +ABOUT +CARRIER/);
    expect(row).not.toMatch(/ - /);
  });
});

test('a search in a pipe needs only one request', async () => {
  const before = sandbox.requests.length;
  expect((await ct('search', 'PO-')).json().length).toBeGreaterThan(1);
  expect(sandbox.requests.length - before).toBe(1);
});
