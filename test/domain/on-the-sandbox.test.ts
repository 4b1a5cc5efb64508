import { expect, onTestFinished, test } from 'vitest';
import {
  correlate,
  demurrageDays,
  detentionDays,
  labelledMilestones,
  rollUpHoldsAndFees,
  statusHistory,
  TrackingClient,
} from '../../src/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';

test('the helpers read a complete voyage from the service', async () => {
  const sandbox = stillSandbox();
  const server = await sandbox.listen({ port: 0 });
  onTestFinished(() => server.close());
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    rateLimit: false,
    validation: 'strict',
  });
  const { id } = await client.trackingRequests.create({
    request_type: 'bill_of_lading',
    request_number: 'MAEU123456780',
    scac: 'MAEU',
    ref_numbers: ['PO-1'],
  });
  sandbox.advance({ days: 90 });
  const { tracked_object } = await client.trackingRequests.get(id, { include: ['tracked_object.containers'] });
  const container = await client.containers.get(tracked_object?.containers[0]?.id ?? '', {
    include: ['shipment', 'transport_events.location'],
  });

  const milestones = labelledMilestones(container);
  expect(milestones.length).toBeGreaterThan(5);
  expect(milestones.filter(({ label, place }) => label === '' || place === null)).toEqual([]);

  const history = statusHistory('container', [
    ...container.transport_events,
    { status: container.current_status, at: sandbox.now() },
  ]);
  expect(history.at(-1)).toMatchObject({ status: 'empty_returned', exact: true });
  expect(history.filter(({ jump }) => jump !== null)).toEqual([]);

  expect(demurrageDays(container)).toMatchObject({ state: 'ended', days: expect.any(Number) });
  expect(detentionDays(container, { freeDays: 0 })).toMatchObject({ state: 'ended', days: expect.any(Number) });

  const { containers, totals } = rollUpHoldsAndFees(tracked_object ?? []);
  expect(containers).toHaveLength(tracked_object?.containers.length ?? 0);
  expect(totals.every(({ amount }) => amount > 0)).toBe(true);

  const found = correlate(container, ({ kind, value }) => (kind === 'ref_number' ? `order of ${value}` : undefined));
  expect(found.match).toBe('order of PO-1');
});
