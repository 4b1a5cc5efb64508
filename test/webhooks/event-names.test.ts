import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError, TrackingClient } from '../../src/index.ts';
import {
  createRouter,
  EVENT_NAMES,
  fakeNotification,
  type Notification,
  parseNotification,
} from '../../src/webhooks/index.ts';
import { createSandbox } from '../../support/sandbox.ts';

const URL = 'https://receiver.example/';

async function setUp() {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const sandbox = await createSandbox({ rateLimit: false }).listen();
  onTestFinished(() => sandbox.close());
  const logger = { error: log, warn: log, info: () => {}, debug: () => {} };
  const client = new TrackingClient({ baseUrl: sandbox.baseUrl, apiKey: 'sandbox', rateLimit: false, logger });
  return { client, messages };
}

const named = (event: string) => ({ ...fakeNotification('container.updated'), event }) as Notification;

describe('a subscription', () => {
  test('accepts every event that the service lists', async () => {
    const { client, messages } = await setUp();
    const events = (await client.webhooks.events()).flatMap(category => category.events.map(({ name }) => name));
    expect(events).toContain('link.created');
    const webhook = await client.webhooks.create({ url: URL, active: true, events });
    expect([...webhook.events].sort()).toEqual([...events].sort());
    expect(messages).toEqual([]);
  });

  test('with a misspelt name is sent, and a single log line suggests the known name', async () => {
    const { client, messages } = await setUp();
    const misspelt: string = 'container.transport.vessel_arived';
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(client.webhooks.create({ url: URL, active: true, events: [misspelt] })).rejects.toThrow();
    }
    await expect.poll(() => messages.filter(message => message.includes('did you mean'))).toHaveLength(1);
    expect(messages.join()).toContain('did you mean container.transport.vessel_arrived?');
  });
});

describe('a router', () => {
  test('calls the handler of an unknown event, by its name or by the pattern of an unknown family', async () => {
    const called: string[] = [];
    const router = createRouter({ logger: false })
      .on('container.transport.lifted_by_crane' as string, n => called.push(`name ${n.event}`))
      .on('invoice.*' as string, n => called.push(`family ${n.event}`))
      .on('container.*', n => called.push(`container.* ${n.event}`))
      .otherwise(n => called.push(`otherwise ${n.event}`));
    for (const event of ['container.transport.lifted_by_crane', 'invoice.created', 'container.transport.sunk']) {
      await router.handle(named(event));
    }
    expect(called).toEqual([
      'name container.transport.lifted_by_crane',
      'family invoice.created',
      'otherwise container.transport.sunk',
    ]);
  });

  test('warns once about each name that is not known, and suggests the most similar known name', () => {
    const messages: string[] = [];
    const router = createRouter({ logger: { warn: message => messages.push(message) } });
    router.on('container.transport.vessel_arived' as string, () => {}).on('containers.*' as string, () => {});
    router.on('container.availble' as string, () => {}).on('container.updated', () => {});
    expect(messages).toEqual([
      'The router: unknown event container.transport.vessel_arived; did you mean container.transport.vessel_arrived?',
      'The router: unknown event containers.*; did you mean container.*?',
      'The router: unknown event container.availble',
    ]);
  });

  test('refuses an empty name, but accepts every other name', () => {
    const router = createRouter({ logger: false });
    expect(() => router.on('' as string, () => {})).toThrow(ConfigurationError);
    router.on('otherwise' as string, () => {}).otherwise(() => {});
    expect(() => router.otherwise(() => {})).toThrow('otherwise() needs one handler');
  });
});

describe('a newer document event', () => {
  const NEWER = ['document_representation.created', 'document_representation.failed', 'link.created'] as const;

  test.each(NEWER)('%s has its document at the same path in a fake notification and in a sample', async event => {
    const { client } = await setUp();
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      bodies.push(text);
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise(done => server.once('listening', done));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const result = await client.webhooks.trigger({ url, event, sample: { document_type: 'packing_list' } });
    expect(result.succeeded).toBe(true);
    expect(JSON.parse(bodies[0] ?? '').data.relationships.reference_object.data.type).toBe('document');

    for (const n of [fakeNotification(event), parseNotification(bodies[0] ?? '')]) {
      expect(n).toMatchObject({ event, document: { type: 'document' } });
      expect(n).not.toHaveProperty('reference_object');
    }
    const type = event === 'document_representation.failed' ? 'unknown' : 'packing_list';
    expect(parseNotification(bodies[0] ?? '').document).toMatchObject({ document_type: type });
  });

  test('can be faked and routed like every other known event', async () => {
    const called: string[] = [];
    const router = createRouter().otherwise(n => called.push(n.event));
    for (const event of EVENT_NAMES) await router.handle(fakeNotification(event) as Notification);
    expect(called).toEqual([...EVENT_NAMES]);
    expect(called).toHaveLength(46);
  });
});
