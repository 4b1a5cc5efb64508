import { afterEach, expect, test } from 'vitest';
import { TrackingClient } from '../src/index.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../support/sandbox.ts';

let server: SandboxServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function connect(sandbox: Sandbox, windowMs: number): Promise<TrackingClient> {
  server = await sandbox.listen({ port: 0 });
  return new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    validation: 'strict',
    rateLimit: { windowMs },
  });
}

test('500 bills are tracked within the limits: all calls resolve, no request is refused, and polls are shared', async () => {
  const windowMs = 1000;
  const sandbox = createSandbox({ rateLimit: { windowMs }, trackingDelayMs: 500 });
  const client = await connect(sandbox, windowMs);
  const bills = Array.from({ length: 500 }, (_, i) => ({
    number: `MAEU${300_000_000 + i}`,
    scac: 'MAEU',
    type: 'bill_of_lading' as const,
  }));

  const failed: unknown[] = [];
  let tracked = 0;
  for await (const result of client.trackMany(bills)) {
    if (result.ok) tracked += 1;
    else failed.push(result.error);
  }

  expect({ tracked, failed }).toEqual({ tracked: 500, failed: [] });
  expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
  const others = sandbox.requests.filter(({ method }) => method !== 'POST');
  expect(sandbox.requests.length - others.length).toBe(500);
  expect(others.length).toBeLessThan(150);
});

test('a bill is tracked from its number to the last free day of its containers', async () => {
  const sandbox = createSandbox({ trackingDelayMs: 300 });
  const client = await connect(sandbox, 1000);
  const seen: string[] = [];

  const { shipment, trackingRequest } = await client.track({
    number: 'COSU241167638',
    onProgress: progress => seen.push(progress.trackingRequest.status),
  });

  expect(seen).toEqual(['pending', 'created']);
  expect(trackingRequest.tracked_object?.id).toBe(shipment.id);
  const { containers } = await client.shipments.get(shipment.id, { include: ['containers.transport_events.location'] });
  expect(containers.length).toBeGreaterThan(0);
  for (const container of containers) {
    expect(container.transport_events?.length).toBeGreaterThan(0);
    expect(container.transport_events?.every(event => event.location === null || 'name' in event.location)).toBe(true);
  }
});
