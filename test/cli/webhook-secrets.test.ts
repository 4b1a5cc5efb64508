import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { webhookSecrets } from '../../src/cli/sync/webhook-secrets.ts';
import { type TrackingClient, TrackingError, type Webhook } from '../../src/index.ts';
import type { SyncEventOf } from '../../src/sync/events.ts';
import { createReceiver } from '../../src/webhooks/index.ts';
import deliveries from '../../support/samples/webhooks.deliveries.json' with { type: 'json' };

const URL_OF_HOOK = 'https://my-host.example/tracking';
const BODY = JSON.stringify(deliveries['container.updated']);

/** A receiver, a service whose webhooks the test can change, and a clock that the test moves. */
function setUp() {
  const service = { webhooks: [] as Partial<Webhook>[], asked: 0, failure: undefined as Error | undefined };
  const log: string[] = [];
  let time = 0;
  let tell: (event: SyncEventOf<'webhook'>) => unknown = () => {};
  const list = () => ({
    async toArray() {
      service.asked += 1;
      if (service.failure) throw service.failure;
      return service.webhooks;
    },
  });
  const secrets = webhookSecrets({
    client: { webhooks: { list } } as unknown as TrackingClient,
    sync: {
      on(_, listener) {
        tell = listener as unknown as typeof tell;
        return () => {};
      },
    },
    url: URL_OF_HOOK,
    signal: new AbortController().signal,
    now: () => time,
  });
  const logger = { warn: (message: string) => log.push(message), error: (message: string) => log.push(message) };
  const receiver = createReceiver({ secrets, inbox: { put: async () => 'stored' }, logger });
  const deliver = (secret: string) => {
    const signature = createHmac('sha256', secret).update(BODY).digest('hex');
    const headers = { 'x-svc-webhook-signature': signature };
    return receiver.fetch(new Request(URL_OF_HOOK, { method: 'POST', body: BODY, headers }));
  };
  return {
    service,
    log,
    secrets,
    deliver,
    pass: (ms: number) => {
      time += ms;
    },
    register: (secret: string | undefined) => tell({ type: 'webhook', id: 'w', url: URL_OF_HOOK, secret }),
  };
}

test('a delivery before the registration of the webhook gets the status 503, not 401', async () => {
  const { deliver, register, log } = setUp();
  const early = await deliver('a');
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '10']);
  expect(log).toEqual([expect.stringContaining('there is no webhook for this address yet')]);
  register('a');
  expect((await deliver('a')).status).toBe(202);
  expect((await deliver('b')).status).toBe(401);
});

test('the secrets come from all webhooks with this address, in any spelling of the address', async () => {
  const { service, secrets } = setUp();
  service.webhooks = [
    { url: 'https://my-host.example:443/tracking', secret: 'a' },
    { url: URL_OF_HOOK, secret: 'b' },
    { url: 'https://my-host.example/other', secret: 'c' },
  ];
  expect(await secrets()).toEqual(['a', 'b']);
});

test('the log says what to do if the service does not send the secret, or refuses the request', async () => {
  const { service, deliver, log, pass } = setUp();
  service.webhooks = [{ url: URL_OF_HOOK }];
  expect((await deliver('a')).status).toBe(503);
  service.failure = new TrackingError('The service refuses the key.', { code: 'test' });
  pass(5000);
  expect((await deliver('a')).status).toBe(503);
  expect(log).toEqual([
    'Webhook requests refused: 1, unavailable: The secret of the webhook is not known: the service does not send the secret. Set TRACKING_WEBHOOK_SECRET.',
    'Webhook requests refused: 1, unavailable: The secret of the webhook is not known: The service refuses the key. It is tried again. Set TRACKING_WEBHOOK_SECRET. Then the secret is not requested from the service.',
  ]);
});

test('many forged deliveries cause only one request, and known secrets stay valid if the service fails', async () => {
  const { service, secrets, pass } = setUp();
  for (let each = 0; each < 9; each += 1) await expect(secrets()).rejects.toThrow('is not known');
  expect(service.asked).toBe(1);
  service.webhooks = [{ url: URL_OF_HOOK, secret: 'a' }];
  pass(5000);
  expect(await secrets()).toEqual(['a']);
  pass(29_999);
  expect(await secrets()).toEqual(['a']);
  expect(service.asked).toBe(2);
  service.failure = new TrackingError('No answer.', { code: 'test' });
  pass(1);
  expect(await secrets()).toEqual(['a']);
  expect(service.asked).toBe(3);
});

test('a new secret from another process replaces the old secret', async () => {
  const { service, secrets, pass } = setUp();
  service.webhooks = [{ url: URL_OF_HOOK, secret: 'a' }];
  expect(await secrets()).toEqual(['a']);
  service.webhooks = [{ url: URL_OF_HOOK, secret: 'b' }];
  pass(30_000);
  expect(await secrets()).toEqual(['b']);
});
