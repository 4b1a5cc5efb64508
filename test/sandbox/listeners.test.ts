import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';
import {
  attributes,
  type Change,
  call,
  createSandbox,
  get,
  type Sandbox,
  stillSandbox,
} from '../../support/sandbox.ts';

/** Runs two scenarios for 60 days. Returns the bodies of all notifications, and the documents at the end. */
async function month(listen: (sandbox: Sandbox) => (change: Change) => void) {
  const bodies: string[] = [];
  const sandbox: Sandbox = stillSandbox({
    shipments: 4,
    async fetch(request) {
      bodies.push(await request.text());
      return new Response(null, { status: 202 });
    },
  });
  const webhook = { url: 'https://hooks.example/', active: true, events: EVENT_NAMES };
  await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
  for (const name of ['rail-with-customs-hold', 'rolled'] as const) {
    const { number, scac, requestType } = sandbox.scenario(name);
    const request = { request_type: requestType, request_number: number, scac };
    await call(sandbox, 'POST', '/tracking_requests', attributes('tracking_request', request));
  }
  sandbox.subscribe(listen(sandbox));
  sandbox.advance({ days: 60 });
  const tracked = (await get(sandbox, '/shipments?filter[tracking_stopped]=false')).body.data[0]?.id;
  if (tracked !== undefined) await call(sandbox, 'PATCH', `/shipments/${tracked}/stop_tracking`);
  await sandbox.flush();
  return { bodies: bodies.sort(), documents: (await get(sandbox, '/documents')).body };
}

describe('a listener', () => {
  test('that reads the account does not change any event', async () => {
    const silent = await month(() => () => {});
    expect(silent.bodies.filter(body => body.includes('"container.updated"')).length).toBeGreaterThan(5);
    for (const read of [
      (sandbox: Sandbox) => sandbox.account().deliveries(),
      (sandbox: Sandbox) => sandbox.account().counts(),
      (sandbox: Sandbox) => sandbox.save(),
    ]) {
      expect(await month(sandbox => () => read(sandbox))).toEqual(silent);
    }
  });

  test('is called after a change is complete, so a state that the listener saves leads to the same future', async () => {
    const send = async () => new Response(null, { status: 202 });
    const sandbox = stillSandbox({ fetch: send });
    const webhook = { url: 'https://hooks.example/', active: true, events: EVENT_NAMES };
    await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
    sandbox.seedShipments(1, { phase: 'at_sea' });
    let state: ReturnType<Sandbox['save']> | undefined;
    sandbox.subscribe(change => {
      if (change.type === 'delivery') state ??= sandbox.save();
    });
    sandbox.advance({ days: 30 });
    await sandbox.flush();
    expect(state).toBeDefined();
    const restored = createSandbox({ state, speed: 0, fetch: send });
    for (const each of [sandbox, restored]) {
      each.advance({ days: 60 });
      await each.flush();
    }
    expect(restored.account().counts()).toEqual(sandbox.account().counts());
  });

  test('gets changes in the same order as other listeners, even if the listener causes a change', () => {
    const sandbox = stillSandbox();
    const heard: [string[], string[]] = [[], []];
    sandbox.subscribe(({ type }) => {
      heard[0].push(type);
      if (heard[0].length === 1) sandbox.fetch('https://host.example/v2/shipments').catch(() => {});
    });
    sandbox.subscribe(({ type }) => void heard[1].push(type));
    sandbox.advance({ days: 1 });
    expect(heard[0]).toEqual(['clock', 'request']);
    expect(heard[1]).toEqual(heard[0]);
  });
});
