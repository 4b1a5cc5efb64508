import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type CommonOptions, ConfigurationError, type TrackingClient, type Webhook } from '../../src/index.ts';
import { createReceiver, memoryInbox } from '../../src/webhooks/index.ts';
import { ipAllowlist } from '../../src/webhooks/verify/ip-allowlist.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { readPage } from '../../support/docs/pages.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map(close => close()));
  vi.useRealTimers();
});

async function connect(
  options: SandboxOptions = {},
  clientOptions: CommonOptions = {},
): Promise<{ sandbox: Sandbox; client: TrackingClient }> {
  const sandbox = createSandbox({ rateLimit: false, ...options });
  const server = await sandbox.listen();
  closers.push(server.close);
  return { sandbox, client: clientFor(server, { apiKey: 'sandbox', validation: 'strict', ...clientOptions }) };
}

describe('ensure', () => {
  const wanted = { url: 'https://hooks.example/tracking', events: ['container.updated'] } as const;

  test('warns of a misspelt event before it creates a webhook', async () => {
    const warn = vi.fn();
    const logger = { debug() {}, info() {}, warn, error() {} };
    const { sandbox, client } = await connect({}, { logger, retry: false });
    sandbox.fail({ status: 500 });
    await rejection(client.webhooks.ensure({ ...wanted, events: ['container.udpated' as string] }));
    expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
    await vi.waitFor(() =>
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('did you mean container.updated?')),
    );
  });

  const changes = (sandbox: Sandbox) => sandbox.requests.filter(({ method }) => method !== 'GET').length;

  test('creates the webhook once, even in repeated calls', async () => {
    const { sandbox, client } = await connect();
    const first = await client.webhooks.ensure(wanted);
    expect(first).toMatchObject({ ...wanted, active: true, secret: expect.stringMatching(/./) });
    expect(await client.webhooks.ensure(wanted)).toEqual(first);
    expect(await client.webhooks.ensure({ ...wanted, url: 'https://HOOKS.example:443/tracking' })).toEqual(first);
    // The webhook is created inactive, and then activated.
    expect(changes(sandbox)).toBe(2);
    expect(await client.webhooks.list().toArray()).toHaveLength(1);
  });

  test.each<[string, Partial<Webhook>]>([
    ['was deactivated', { active: false }],
    ['has other events', { events: ['container.created'] }],
    ['has other headers', { headers: [{ name: 'X-Team', value: 'exports' }] }],
  ])('repairs a webhook that %s, and keeps its secret', async (_, state) => {
    const { sandbox, client } = await connect();
    const desired = { ...wanted, headers: [{ name: 'x-team', value: 'imports' }], exactEvents: true };
    const { id, secret } = await client.webhooks.ensure(desired);
    await client.webhooks.update(id, state as object);
    const before = changes(sandbox);
    expect(await client.webhooks.ensure(desired)).toMatchObject({
      ...{ id, secret, active: true, events: wanted.events, headers: desired.headers },
    });
    expect(await client.webhooks.ensure(desired)).toMatchObject({ id, secret });
    expect(changes(sandbox)).toBe(before + 1);
  });

  test('changes nothing if only the order of events or the case of header names differs', async () => {
    const { sandbox, client } = await connect();
    const events = ['container.updated', 'container.created'] as const;
    await client.webhooks.ensure({ ...wanted, events, headers: [{ name: 'X-Team', value: 'a' }] });
    await client.webhooks.ensure({
      ...wanted,
      events: [...events].reverse(),
      headers: [{ name: 'x-team', value: 'a' }],
    });
    await client.webhooks.ensure({ ...wanted, events });
    expect(changes(sandbox)).toBe(2);
  });

  const activeAt = async (client: TrackingClient) =>
    (await client.webhooks.list().toArray()).filter(({ url, active }) => active && url === wanted.url);

  test('creates one webhook in simultaneous calls', async () => {
    const { sandbox, client } = await connect();
    const webhooks = await Promise.all([1, 2, 3].map(() => client.webhooks.ensure(wanted)));
    expect(webhooks.map(({ id, secret }) => [id, secret])).toEqual(
      webhooks.map(() => [webhooks[0]?.id, expect.stringMatching(/./)]),
    );
    expect(changes(sandbox)).toBe(2);
    expect(await client.webhooks.list().toArray()).toHaveLength(1);
  });

  test('completes each of several simultaneous calls, even if an earlier call fails', async () => {
    const { sandbox, client } = await connect();
    sandbox.fail({ match: { method: 'POST', path: '/webhooks' }, status: 422 });
    const events = ['container.created', 'container.updated'] as const;
    const outcomes = await Promise.allSettled([
      client.webhooks.ensure(wanted),
      client.webhooks.ensure(wanted),
      client.webhooks.ensure({ ...wanted, events }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await client.webhooks.list().toArray()).toMatchObject([{ events }]);
  });

  test('rejects a call when its signal aborts while the call waits for another call', async () => {
    const { sandbox, client } = await connect();
    sandbox.fail({ match: { path: '/webhooks' }, delayMs: 300 });
    const first = client.webhooks.ensure(wanted);
    const controller = new AbortController();
    const second = client.webhooks.ensure(wanted, { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    const outcome = await Promise.race([second.catch(error => error), first]);
    expect(outcome).toBe(reason);
    await first;
  });

  test('leaves one active webhook if other processes create the same webhook', async () => {
    const { client, sandbox } = await connect();
    const others = [1, 2, 3, 4].map(() => client.withOptions({}));
    await Promise.all(others.map(other => other.webhooks.ensure(wanted)));
    expect(await activeAt(client)).toHaveLength(1);
    const [kept] = await activeAt(client);
    sandbox.advance({ hours: 1 });
    expect(await client.webhooks.ensure(wanted)).toMatchObject({ id: kept?.id, secret: kept?.secret });
  });

  test('warns about each webhook that sends the same events to the same address, and changes none', async () => {
    const warn = vi.fn();
    const { client, sandbox } = await connect({}, { logger: { warn, error() {}, info() {}, debug() {} } });
    const create = (attributes: object) => client.webhooks.create({ ...wanted, active: true, ...attributes });
    await create({ active: false });
    const same = [await create({}), await create({})];
    await create({ events: ['container.created'] });
    await create({ url: 'https://other.example/' });
    const before = [await client.webhooks.list().toArray(), changes(sandbox)];
    const { id } = await client.webhooks.ensure(wanted);
    const [lowest, other] = same.map(webhook => webhook.id).sort();
    expect(id).toBe(lowest);
    expect([await client.webhooks.list().toArray(), changes(sandbox)]).toEqual(before);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${id} and ${other} send the same events`)]]);
  });

  test('prefers the oldest of several webhooks that fit equally well', async () => {
    const { client, sandbox } = await connect();
    const ids: string[] = [];
    for (let hour = 0; hour < 4; hour++) {
      ids.push((await client.webhooks.create({ ...wanted, active: true })).id);
      sandbox.advance({ hours: 1 });
    }
    expect((await client.webhooks.ensure(wanted)).id).toBe(ids[0]);
    expect(await activeAt(client)).toHaveLength(4);
  });

  test('warns that a reactivated webhook has missed notifications', async () => {
    const warn = vi.fn();
    const { client } = await connect({}, { logger: { warn, error() {}, info() {}, debug() {} } });
    const { id } = await client.webhooks.ensure(wanted);
    expect(warn).not.toHaveBeenCalled();
    await client.webhooks.update(id, { active: false });
    await client.webhooks.ensure(wanted);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(new RegExp(`${id}.*sweep: true`))]]);
  });

  test('names the unknown events, with suggestions, if the service refuses them', async () => {
    const { client } = await connect();
    const events: string[] = ['container.udpated', 'container.created', 'fleet.moved'];
    const error = await rejection(client.webhooks.ensure({ ...wanted, events }));
    expect(error).toMatchObject({
      name: 'ValidationError',
      status: 422,
      message: expect.stringMatching(
        /; unknown event container\.udpated; did you mean container\.updated\?; unknown event fleet\.moved$/,
      ),
    });
  });

  test('does not change other webhooks', async () => {
    const { client } = await connect();
    const other = await client.webhooks.create({ ...wanted, url: 'https://other.example/', active: false });
    await client.webhooks.ensure(wanted);
    expect(await client.webhooks.get(other.id)).toEqual(other);
  });
});

describe('arguments that cannot work are refused before anything is sent', () => {
  const url = 'https://a.example/';
  const events = ['container.updated'];
  test.each<['create' | 'ensure' | 'rotateSecret' | 'trigger' | 'selfCheck', unknown, RegExp]>([
    ['create', undefined, /undefined; it must be an object/],
    ['create', null, /null; it must be an object/],
    ['create', { active: true, events }, /url is missing/],
    ['create', { active: true, url: 42, events }, /url must be/],
    ['ensure', undefined, /undefined; it must be an object/],
    ['ensure', null, /null; it must be an object/],
    ['ensure', { events }, /url is missing/],
    ['ensure', { url }, /events is missing/],
    ['ensure', { url, events: 'container.updated' }, /events is "container.updated"/],
    ['ensure', { url, events: [] }, /events is empty/],
    ['ensure', { url, events: [...events, ...events] }, /twice/],
    ['rotateSecret', undefined, /undefined; it must be an object/],
    ['rotateSecret', { deploy() {} }, /url is missing/],
    ['rotateSecret', { url }, /deploy is missing/],
    ['trigger', undefined, /undefined; it must be an object/],
    ['trigger', { event: 'container.updated' }, /url is missing/],
    ['trigger', { url }, /event is missing/],
    ['selfCheck', undefined, /undefined; it must be an object/],
    ['selfCheck', null, /null; it must be an object/],
    ['selfCheck', { secret: 's3cret' }, /url is missing/],
  ])('of %s, such as %o', async (method, argument, message) => {
    const { client, sandbox } = await connect();
    const call = client.webhooks[method].bind(client.webhooks) as (argument: unknown) => Promise<unknown>;
    const error = await rejection(call(argument));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(message);
    expect(sandbox.requests).toEqual([]);
  });

  test('of an update without attributes', async () => {
    const { client } = await connect();
    const error = await rejection(client.webhooks.update('1', undefined as never));
    expect(error).toBeInstanceOf(ConfigurationError);
  });
});

describe('selfCheck', () => {
  async function serve(secret: string): Promise<string> {
    const receiver = createReceiver({ secrets: secret, inbox: memoryInbox({ ephemeral: true }), logger: false });
    const server = createServer(receiver.node).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    closers.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  }

  test('succeeds if the receiver has the secret', async () => {
    const { client } = await connect();
    const url = await serve('s3cret');
    const check = await client.webhooks.selfCheck({ url, secret: 's3cret' });
    expect(check).toMatchObject({ ok: true, delivery: { status_code: 202, response_body: 'stored' } });
  });

  test('names the secret as the reason if the receiver has another secret', async () => {
    const { client } = await connect();
    const url = await serve('another');
    expect(await client.webhooks.selfCheck({ url, secret: 's3cret' })).toMatchObject({
      ok: false,
      problem: 'refused',
      message: expect.stringContaining('same secret'),
      delivery: { status_code: 401, response_body: 'mismatch' },
    });
  });

  test('fails for an endpoint that accepts deliveries that were signed with another secret', async () => {
    const { client, sandbox } = await connect({ fetch: async () => new Response('<html>', { status: 200 }) });
    const check = await client.webhooks.selfCheck({ url: 'https://a.example/', secret: 's3cret' });
    expect(check).toMatchObject({ ok: false, problem: 'not_verified', delivery: { response_body: '<html>' } });
    expect(check.delivery.request_body).not.toContain('s3cret');
    expect(sandbox.requests).toHaveLength(1);
  });

  test('reports an endpoint that does not respond', async () => {
    const { client } = await connect();
    const check = await client.webhooks.selfCheck({ url: 'http://127.0.0.1:9/', secret: 's3cret' });
    expect(check).toMatchObject({ ok: false, problem: 'unreachable', delivery: { status_code: null } });
  });

  test('reports the reason of the service as one sentence, also if the reason ends with a full stop', async () => {
    const fetch = async () => {
      throw new TypeError('Nothing answers at a.example.');
    };
    const { client } = await connect({ fetch });
    const { message } = await client.webhooks.selfCheck({ url: 'https://a.example/', secret: 's3cret' });
    expect(message).toMatch(/did not respond \(.*Nothing answers at a\.example\.\)\.$/);
    expect(message).not.toContain('..');
  });

  test('reports a different signature format of the service', async () => {
    const { client, sandbox } = await connect({ fetch: async () => new Response() });
    for (const [succeeded, status_code] of [
      [false, 401],
      [true, 200],
    ]) {
      const answer = {
        ...{ url: 'https://a.example', succeeded, error: null, status_code, request_body: '{}' },
        ...{ request_headers: { 'X-SVC-Webhook-Signature': 'sha256=00' }, response_headers: {}, response_body: '' },
      };
      sandbox.fail({ match: { path: '/webhooks/trigger' }, body: answer });
    }
    const check = await client.webhooks.selfCheck({ url: 'https://a.example/', secret: 's3cret' });
    expect(check).toMatchObject({ ok: false, problem: 'bad_signature' });
  });

  test('refuses an empty secret without a request', async () => {
    const { client, sandbox } = await connect();
    await expect(client.webhooks.selfCheck({ url: 'https://a.example/', secret: '' })).rejects.toThrow('secret');
    expect(sandbox.requests).toEqual([]);
  });
});

describe('the list of addresses', () => {
  const listOf = (...addresses: string[]) => ({ webhook_notification_ips: addresses });

  test.each([
    ['192.0.2.10', '192.0.2.10', true],
    ['192.0.2.10', '192.0.2.11', false],
    ['192.0.2.10', '::ffff:192.0.2.10', true],
    ['192.0.2.10', '::ffff:c000:20a', true],
    ['::ffff:192.0.2.10', '192.0.2.10', true],
    ['192.0.2.0/28', '192.0.2.15', true],
    ['192.0.2.0/28', '192.0.2.16', false],
    ['192.0.2.0/28', '::ffff:192.0.2.3', true],
    ['::ffff:192.0.2.0/124', '192.0.2.15', true],
    ['::ffff:192.0.2.0/124', '192.0.2.16', false],
    ['::ffff:0:0/90', '192.0.2.1', false],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8:0:0::1', '2001:db8::1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '203.0.113.9', false],
    ['192.0.2.0/33', '192.0.2.0', false],
    ['192.0.2.0/-1', '192.0.2.0', false],
    ['192.0.2.0/', '192.0.2.0', false],
    ['10.0.0.1', '10.1', false],
    ['10.0.0.1', '0xa.0.0.1', false],
    ['10.0.0.1', '012.0.0.1', false],
    ['nonsense', 'nonsense', false],
    ['192.0.2.10', '', false],
    ['192.0.2.10', undefined, false],
    ['192.0.2.10', '192.0.2.10, 203.0.113.9', false],
  ])('with %s includes the address %s: %s', async (entry, address, expected) => {
    expect(await ipAllowlist({ ips: async () => listOf('198.51.100.77', entry) })(address)).toBe(expected);
  });

  test('equals the list of the service', async () => {
    const { client } = await connect();
    const isAllowed = ipAllowlist({ ips: () => client.webhooks.ips() });
    expect([await isAllowed('198.51.100.7'), await isAllowed('198.51.100.8')]).toEqual([true, false]);
  });

  test('is read once for all callers, until it expires', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let reads = 0;
    const ips = async () => {
      reads += 1;
      return listOf(`192.0.2.${reads}`);
    };
    const isAllowed = ipAllowlist({ ips, maxAgeMs: 1000 });
    expect(await Promise.all([isAllowed('192.0.2.1'), isAllowed('192.0.2.1')])).toEqual([true, true]);
    vi.advanceTimersByTime(999);
    expect([await isAllowed('192.0.2.1'), reads]).toEqual([true, 1]);
    vi.advanceTimersByTime(1);
    await isAllowed('192.0.2.1');
    await vi.waitUntil(() => isAllowed('192.0.2.2'));
    expect(reads).toBe(2);
  });

  test('is read again after ten seconds if its first load never ends, as after a cancelled request in a Worker', async () => {
    vi.useFakeTimers();
    const never = new Promise<ReturnType<typeof listOf>>(() => {});
    const ips = vi.fn().mockReturnValueOnce(never).mockResolvedValue(listOf('192.0.2.1'));
    const isAllowed = ipAllowlist({ ips, logger: false });
    const first = isAllowed('192.0.2.1');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await first).toBe(false);
    expect(await isAllowed('192.0.2.1')).toBe(true);
  });

  test('is still used if it cannot be renewed, and is requested again a minute later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const answers = [listOf('192.0.2.1'), new Error('down'), listOf(), listOf('192.0.2.9')];
    const ips = vi.fn(async () => {
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    });
    const warn = vi.fn();
    const isAllowed = ipAllowlist({ ips, maxAgeMs: 1000, logger: { warn } });
    await isAllowed(undefined);
    for (const failures of [1, 2]) {
      vi.advanceTimersByTime(60_000);
      expect(await isAllowed('192.0.2.1')).toBe(true);
      await vi.waitUntil(() => warn.mock.calls.length === failures);
      expect([await isAllowed('192.0.2.1'), ips.mock.calls.length]).toEqual([true, failures + 1]);
    }
    vi.advanceTimersByTime(60_000);
    await vi.waitUntil(() => isAllowed('192.0.2.9'));
    expect(await isAllowed('192.0.2.1')).toBe(false);
  });

  test('is still used if the new list has no valid address; a failing logger does not end the process', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const answers = [listOf('192.0.2.1'), listOf('192.0.2', 'n/a')];
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const warn = vi.fn(() => {
      throw new Error('no log');
    });
    const isAllowed = ipAllowlist({ ips: async () => answers.shift() ?? listOf(), maxAgeMs: 1000, logger: { warn } });
    await isAllowed(undefined);
    vi.advanceTimersByTime(1000);
    expect(await isAllowed('192.0.2.1')).toBe(true);
    await vi.waitUntil(() => warn.mock.calls.length === 1);
    expect(await isAllowed('192.0.2.1')).toBe(true);
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  test('is still used while the service does not respond; without a list, the wait ends after a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    const silent = new Promise<never>(() => {});
    const answers = [silent, Promise.resolve(listOf('192.0.2.1'))];
    const isAllowed = ipAllowlist({ ips: () => answers.shift() ?? silent, maxAgeMs: 1000, logger: false });
    const first = isAllowed('192.0.2.1');
    await vi.waitUntil(() => answers.length === 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await first).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(await isAllowed('192.0.2.1')).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(await isAllowed('192.0.2.1')).toBe(true);
  });

  test('refuses every address until the list was read once; this is logged, and the list is requested again ten seconds later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const ips = vi.fn(async () => listOf('192.0.2.1')).mockRejectedValueOnce(new Error('down'));
    const warn = vi.fn();
    const isAllowed = ipAllowlist({ ips, logger: { warn } });
    expect(await Promise.all([isAllowed('192.0.2.1'), isAllowed('192.0.2.1')])).toEqual([false, false]);
    vi.advanceTimersByTime(9999);
    expect(await isAllowed('192.0.2.1')).toBe(false);
    expect(ips).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls).toEqual([
      ['The list of webhook addresses could not be read, so all deliveries are refused: down'],
    ]);
    vi.advanceTimersByTime(1);
    expect(await isAllowed('192.0.2.1')).toBe(true);
  });

  test('is requested again even after the clock of the machine was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const ips = vi.fn(async () => listOf('192.0.2.1')).mockRejectedValueOnce(new Error('down'));
    const isAllowed = ipAllowlist({ ips, logger: false });
    expect(await isAllowed('192.0.2.1')).toBe(false);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(10_000);
    expect(await isAllowed('192.0.2.1')).toBe(true);
  });

  test('does not end the program of the guide if the list could never be read', async () => {
    const { code = '' } =
      readPage('docs/guides/webhooks.md').snippets.find(({ code }) => code.includes('ipAllowlist(')) ?? {};
    const program = code.replace(/^import .*/gm, '').replace('listen(3000)', 'listen(0)');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    let server = createServer();
    const given = {
      createServer(listener: RequestListener) {
        server = createServer(listener);
        return server;
      },
      createReceiver,
      ipAllowlist,
      inbox: memoryInbox({ ephemeral: true }),
      client: { webhooks: { ips: () => Promise.reject(new Error('down')) } },
      process: { env: { TRACKING_WEBHOOK_SECRET: 'secret' } },
    };
    new Function(...Object.keys(given), program)(...Object.values(given));
    closers.push(() => new Promise(resolve => server.close(resolve)));
    if (!server.listening) await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}', signal }).catch(
      () => undefined,
    );
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(answer?.status).toBe(403);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
