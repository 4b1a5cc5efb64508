import { describe, expect, test } from 'vitest';
import { sandboxed } from './command-line.ts';

const { sandbox, client, ct } = sandboxed({ shipments: 25 });

/** Shipments whose number of containers passes the test `count`, the newest first. */
async function shipmentsOf(count: (containers: number) => boolean) {
  const { data } = await client.shipments.list({ include: ['containers'], pageSize: 100 });
  return data.filter(({ containers }) => count(containers.length));
}

/** A shipment with a reference that no other shipment has. */
async function withReference(reference: string, count: (containers: number) => boolean) {
  const [shipment] = await shipmentsOf(count);
  if (!shipment) throw new Error('The sandbox has no such shipment.');
  await client.shipments.update(shipment.id, { ref_numbers: [reference] });
  return shipment;
}

describe('a record', () => {
  test('is found by a reference of the shipment, with one search', async () => {
    const { id } = await withReference('PO 4711/A', () => true);
    const before = sandbox.requests.length;
    expect((await ct('shipments', 'get', 'PO 4711/A')).json()).toMatchObject([{ id }]);
    expect(sandbox.requests.length - before).toBe(3);
  });

  test('is found as the shipment of a container', async () => {
    const [shipment] = await shipmentsOf(() => true);
    const number = shipment?.containers[0]?.number ?? '';
    expect((await ct('shipments', 'get', number)).json()).toMatchObject([{ id: shipment?.id }]);
    const blanks = number.replace(/^(.{4})(.{6})/, '$1 $2-').toLowerCase();
    expect((await ct('shipments', 'get', blanks)).json()).toMatchObject([{ id: shipment?.id }]);
  });

  test('is found as the only container of a bill of lading', async () => {
    const [shipment] = await shipmentsOf(count => count === 1);
    const number = shipment?.bill_of_lading_number ?? '';
    for (const command of ['get', 'route', 'map']) expect((await ct('containers', command, number)).code).toBe(0);
    expect((await ct('containers', 'get', number)).json()).toMatchObject([{ id: shipment?.containers[0]?.id }]);
  });
});

describe('several records that a text may mean', () => {
  test('are listed with the commands that open them', async () => {
    const [shipment] = await shipmentsOf(count => count > 1);
    const number = shipment?.bill_of_lading_number ?? '';
    const { code, err } = await ct('containers', 'get', number);
    const commands = shipment?.containers.map(each => `container-tracking containers get ${each.number}`);
    const failure = JSON.parse((await ct('containers', 'get', number, '--json')).last);
    expect(failure).toMatchObject({ code: 'ambiguous', retryable: false });
    expect(failure.candidates).toEqual(
      shipment?.containers.map(each => ({ type: 'container', id: each.id, number: each.number })),
    );
    expect(code).toBe(2);
    expect(err.trimEnd().split('\n')).toEqual([
      `${number} names several records. Use the number or the id:`,
      ...(commands ?? []),
    ]);
  });
});

test('a command that changes a record does not accept a record that only a search finds', async () => {
  const [shipment] = await shipmentsOf(() => true);
  const number = shipment?.containers[0]?.number ?? '';
  const before = sandbox.requests.length;
  const { code, err } = await ct('shipments', 'stop', number, '--yes');
  expect(code).toBe(2);
  expect(err).toBe(
    `${number} names another record. Use the number or the id:\ncontainer-tracking shipments get ${shipment?.id}\n`,
  );
  expect(sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
});

test('the beginning of a number is not found, and the message names some numbers and the command search', async () => {
  const [{ number = '' } = {}] = (await client.containers.list()).data;
  const beginning = number?.slice(0, 6) ?? '';
  const { code, last } = await ct('containers', 'get', beginning);
  expect(code).toBe(4);
  expect(last).toContain(`or reference ${beginning}. Numbers that begin with it: ${number}`);
  expect(last).toMatch(new RegExp(` To look for it: container-tracking search ${beginning}$`));
});
