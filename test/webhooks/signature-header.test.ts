import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError, TrackingClient } from '../../src/index.ts';
import {
  createReceiver,
  EVENT_NAMES,
  fakeDelivery,
  type LambdaEvent,
  memoryInbox,
  type ReceiverOptions,
  signWebhook,
} from '../../src/webhooks/index.ts';
import { createSandbox } from '../../support/sandbox.ts';

const HEADER = 'X-ACME-Webhook-Signature';
const SECRET = 'sample-signing-secret';

/** A sandbox whose signature header has another name, and a receiver without the option `header`. */
async function setUp(options: Partial<ReceiverOptions> = {}) {
  const messages: string[] = [];
  const inbox = memoryInbox({ ephemeral: true });
  const logger = {
    warn: (message: string) => messages.push(message),
    error: (message: string) => messages.push(message),
  };
  const receiver = createReceiver({ secrets: SECRET, inbox, logger, ...options });
  const server = createServer(receiver.node).listen(0, '127.0.0.1');
  await new Promise(done => server.once('listening', done));
  onTestFinished(() => void server.close());
  const sandbox = createSandbox({ webhookHeader: HEADER, rateLimit: false, speed: 0 });
  const { baseUrl, close } = await sandbox.listen();
  onTestFinished(close);
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', rateLimit: false });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { sandbox, client, url, server, messages, receiver, inbox };
}

async function request(headers: Record<string, string>, secret = SECRET): Promise<Request> {
  const body = JSON.stringify(fakeDelivery('container.updated'));
  const signature = await signWebhook({ body, secret });
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value || signature]));
  return new Request('https://hook.example/', { method: 'POST', body, headers: signed });
}

describe('a service whose signature header has another name', () => {
  test('sends deliveries that a receiver without the option `header` verifies; the receiver logs the name of the header once', async () => {
    const { client, url, messages } = await setUp();
    const event = 'container.updated' as const;
    expect(await client.webhooks.trigger({ url, event, secret: SECRET })).toMatchObject({ status_code: 202 });
    expect(await client.webhooks.trigger({ url, event, secret: SECRET })).toMatchObject({ succeeded: true });
    expect(messages).toEqual([expect.stringContaining(HEADER.toLowerCase())]);
  });

  test('passes the self-check', async () => {
    const { client, url } = await setUp();
    expect(await client.webhooks.selfCheck({ url, secret: SECRET })).toMatchObject({ ok: true });
    expect(await client.webhooks.selfCheck({ url, secret: SECRET, header: HEADER })).toMatchObject({ ok: true });
    expect(await client.webhooks.selfCheck({ url, secret: SECRET, header: 'X-Other' })).toMatchObject({
      problem: 'bad_signature',
    });
  });

  test('loses no notification in an outage of the receiver, because a recovery finds the missed notifications', async () => {
    const secret = () => client.webhooks.list().then(({ data }) => data[0]?.secret ?? '');
    const { sandbox, client, url, server, inbox } = await setUp({ secrets: secret });
    await client.webhooks.ensure({ url, events: EVENT_NAMES });
    sandbox.seedShipments(2, { phase: 'at_sea' });
    const sail = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        sandbox.advance({ days: 1 });
        await sandbox.flush();
      }
    };
    await sail(20);
    const delivered = await inbox.stats?.();
    server.close();
    server.closeAllConnections();
    await sail(20);

    const missed: string[] = [];
    for await (const { notifications } of client.webhookNotifications.recover({ since: '2026-03-01', inbox })) {
      missed.push(...notifications.map(({ id }) => id));
    }
    const all = await client.webhookNotifications.list({ pageSize: 100 }).toArray();
    const stored = delivered?.open ?? 0;
    expect([stored > 5, missed.length > 5]).toEqual([true, true]);
    expect(new Set(missed).size).toBe(all.length - stored);
  });

  test('makes the receiver log this header only after a correct signature', async () => {
    const { receiver, messages } = await setUp();
    await receiver.fetch(await request({ 'X-Evil-Webhook-Signature': 'ab'.repeat(32) }));
    await receiver.fetch(await request({ [HEADER]: '' }));
    expect(messages.filter(message => message.includes('is in the header'))).toEqual([
      expect.stringContaining(HEADER.toLowerCase()),
    ]);
  });

  test('does not make the receiver accept a forgery', async () => {
    const { client, url } = await setUp();
    const forged = await client.webhooks.trigger({ url, event: 'container.updated', secret: 'another' });
    expect(forged).toMatchObject({ status_code: 401, response_body: 'mismatch' });
  });

  test('makes the receiver refuse its deliveries if the option `header` names another header', async () => {
    const { client, url } = await setUp({ header: 'X-Other-Webhook-Signature' });
    const refused = await client.webhooks.trigger({ url, event: 'container.updated', secret: SECRET });
    expect(refused).toMatchObject({ status_code: 401, response_body: 'missing_signature' });
  });
});

describe('several headers that could have the signature', () => {
  const BOTH = { [HEADER]: '', 'X-Evil-Webhook-Signature': 'ab'.repeat(32) };

  test('are refused with a 401 and a separate reason, and this is logged only once', async () => {
    const { receiver, messages, inbox } = await setUp();
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await receiver.fetch(await request(BOTH));
      expect([response.status, await response.text()]).toEqual([401, 'several_signatures']);
    }
    expect(messages).toEqual([expect.stringContaining('Set `header`')]);
    expect(await inbox.stats?.()).toMatchObject({ open: 0 });
  });

  test('do not cause a refusal if the option `header` names the right header', async () => {
    const { receiver } = await setUp({ header: HEADER });
    expect((await receiver.fetch(await request(BOTH))).status).toBe(202);
  });
});

test.each(['', ' ', 'X ACME', 'X-ACME:'])('%j is refused as the name of a header', header => {
  expect(() => createReceiver({ secrets: SECRET, inbox: memoryInbox({ ephemeral: true }), header })).toThrow(
    ConfigurationError,
  );
});

test('a receiver in AWS Lambda also finds a header with another name', async () => {
  const { receiver } = await setUp();
  const { headers, ...rest } = await request({ [HEADER]: '' });
  const body = JSON.stringify(fakeDelivery('container.updated'));
  const event = {
    ...rest,
    httpMethod: 'POST',
    headers: { [HEADER]: await signWebhook({ body, secret: SECRET }), host: headers.get('host') ?? 'hook.example' },
    body,
    isBase64Encoded: false,
  };
  expect(await receiver.lambda(event as LambdaEvent)).toMatchObject({ statusCode: 202 });
});
