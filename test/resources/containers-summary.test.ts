import { expect, onTestFinished, test } from 'vitest';
import { clientFor, rejection } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

async function setUp() {
  const sandbox = stillSandbox();
  for (const phase of ['booked', 'at_sea', 'held', 'on_rail', 'returned'] as const) sandbox.seedShipments(3, { phase });
  const server = await sandbox.listen();
  onTestFinished(server.close);
  return { sandbox, client: clientFor(server, { apiKey: 'sandbox', validation: 'strict' }) };
}

const count = (values: readonly (string | null)[]) =>
  [...new Set(values)].map(key => [key, values.filter(value => value === key).length] as const);
const byKey = (groups: readonly (readonly [string | null, number])[]) =>
  groups.toSorted(([a], [b]) => String(a).localeCompare(String(b)));

test('the counts of each column equal the counts in the list', async () => {
  const { client } = await setUp();
  const containers = await client.containers.list({ include: ['shipment', 'pod_terminal'] }).toArray();
  const columns = {
    current_status: containers.map(box => box.current_status ?? null),
    pod_terminal: containers.map(box => box.pod_terminal?.id ?? null),
    shipping_line: containers.map(box => box.shipment?.shipping_line_scac ?? null),
    port_of_discharge: containers.map(box => box.shipment?.port_of_discharge_locode ?? null),
  };
  for (const [group_by, values] of Object.entries(columns)) {
    const { data, meta } = await client.containers.summary({ group_by });
    expect(byKey(data.map(({ key, count }) => [key, count]))).toEqual(byKey(count(values)));
    expect(data.map(({ count }) => count)).toEqual(data.map(({ count }) => count).toSorted((a, b) => b - a));
    expect(data.filter(({ key, label }) => (key === null) !== (label === null))).toEqual([]);
    expect(meta).toEqual({ total: containers.length, group_by, truncated: false });
  }
});

test('the counts include only containers that match the filter', async () => {
  const { client } = await setUp();
  const [box] = (await client.containers.list()).data;
  const { data, meta } = await client.containers.summary({
    group_by: 'current_status',
    filter: { number: box?.number },
  });
  expect(data).toEqual([{ key: box?.current_status, label: box?.current_status, count: 1 }]);
  expect(meta.total).toBe(1);
});

test('a missing column is refused before a request, and an unknown column causes a 400 of the service', async () => {
  const { client, sandbox } = await setUp();
  const error = await rejection(client.containers.summary({ group_by: ' ' }));
  expect(error).toMatchObject({ name: 'ConfigurationError', message: 'group_by is blank.' });
  // @ts-expect-error: the column is missing
  expect(await rejection(client.containers.summary())).toMatchObject({ message: 'group_by is missing.' });
  expect(sandbox.requests).toEqual([]);
  expect(await rejection(client.containers.summary({ group_by: 'weight' }))).toMatchObject({ name: 'BadRequestError' });
});
