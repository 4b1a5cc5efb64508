import { expect, test } from 'vitest';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

test('no row says that a container which continues by rail must be collected at the port', async () => {
  const sandbox = stillSandbox();
  const client = clientOn(sandbox.fetch);
  const { number, scac, requestType } = sandbox.scenario('rail-with-customs-hold');
  await client.trackingRequests.create({ request_type: requestType, request_number: number, scac });
  const seen = new Set<string>();
  for (let day = 0; day < 40; day++) {
    sandbox.advance({ days: 1 });
    const list = client.worklist({ held: true, lastFreeDay: { within: 30 }, now: sandbox.now() });
    for (const { shipmentNumber, state, next } of await list.toArray()) {
      if (shipmentNumber === number) seen.add(`${state.stage}: ${next.replace(/\d{4}-\d\d-\d\d/, 'DAY')}`);
    }
  }
  expect([...seen]).toEqual([
    'at_port: Have the customs hold released, then it goes on by rail to Elwood.',
    'on_rail: Wait for its train, then collect it by DAY.',
    'arrived_inland: Wait until it is unloaded, then collect it by DAY.',
    'at_inland: Collect it by DAY.',
  ]);
});
