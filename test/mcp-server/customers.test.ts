import { expect, onTestFinished, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const sandbox = stillSandbox({ seed: 3, shipments: 12 });

function started() {
  const client = { baseUrl: 'https://service.example/v2', logger: false, fetch: sandbox.fetch } as const;
  const handler = createMcpHandler({ client });
  onTestFinished(() => handler.close());
  return httpPeer(handler.fetch);
}

/** A customer with the ids of its shipments. */
async function customerWithShipments() {
  const peer = started();
  const { items } = plainResult(await peer.call('list_shipments', { page_size: 50 }));
  const { customer_name: name } = items.find(({ customer_name }: Json) => customer_name);
  const shipments = items.filter(({ customer_name }: Json) => customer_name === name);
  const { parties } = plainResult(await peer.call('list_parties', { search: name }));
  return { peer, name, id: parties[0].id as string, ids: shipments.map(({ id }: Json) => id).sort() as string[] };
}

test('the name of a customer in any case, a part of the name, and the id all select the same shipments and containers', async () => {
  const { peer, name, id, ids } = await customerWithShipments();
  expect(ids.length).toBeGreaterThan(0);
  for (const customer of [name, name.toUpperCase(), name.slice(0, 4), id]) {
    const { items, applied_filters } = plainResult(await peer.call('list_shipments', { customer, page_size: 50 }));
    expect(items.map((item: Json) => item.id).sort()).toEqual(ids);
    expect(applied_filters).toEqual({ customer });
    const { items: containers, total } = plainResult(await peer.call('list_containers', { customer, page_size: 50 }));
    expect(containers.length).toBeGreaterThan(0);
    for (const container of containers) expect(container).toMatchObject({ customer_name: name });
    const counts = plainResult(await peer.call('summarize_containers', { customer, group_by: 'current_status' }));
    expect(counts.total).toBe(total);
  }
});

test('the results for a container and its shipment have the name of the customer', async () => {
  const { peer, name, ids } = await customerWithShipments();
  const shipment = await peer.call('get_shipment_details', { id: ids[0] });
  expect(plainResult(shipment)).toMatchObject({ customer_name: name });
  const [{ id }] = plainResult(shipment).containers.containers;
  const container = await peer.call('get_container', { id });
  expect(plainResult(container).shipment).toMatchObject({ customer_name: name });
  expect(container.content[0]?.text).toContain(`- Customer: «${name}»`);
});

test('an unknown name is not found, a part of several names is ambiguous, and only the customers are read', async () => {
  const peer = started();
  await peer.request('ping');
  const before = sandbox.requests.length;
  expect(failureIn(await peer.call('list_shipments', { customer: 'Nobody' }))).toMatchObject({
    error: 'not_found',
    message: expect.stringMatching(/^No customer has Nobody in the name: see list_parties/),
  });
  const { error, message } = failureIn(await peer.call('list_containers', { customer: 'e' }));
  expect(error).toBe('ambiguous');
  expect(message).toMatch(/^\d customers have e in the name, such as «.*»/);
  expect(new Set(sandbox.requests.slice(before).map(({ path }) => path))).toEqual(new Set(['/parties']));
});

test('the list of customers names the tools that accept a customer', async () => {
  const { content } = await started().call('list_parties', { limit: 1 });
  expect(content[0]?.text).toMatch(/^1 of \d customers\. list_containers, list_shipments .* as customer\. Search for/);
});
