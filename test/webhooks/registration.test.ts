import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CommonOptions, EventName, TrackingClient, Webhook } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { createSandbox, type Sandbox } from '../../support/sandbox.ts';

const url = 'https://hooks.example/tracking';
const events = ['container.updated'] as const;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(closers.splice(0).map(close => close()));
});

/** A deployer is a separate client, like a separate process. */
async function connect(seed = 1): Promise<{ sandbox: Sandbox; deployer(options?: CommonOptions): TrackingClient }> {
  // Its clock stands still, so that all webhooks are created in the same second.
  const sandbox = createSandbox({ seed, rateLimit: false });
  const server = await sandbox.listen();
  closers.push(server.close);
  return {
    sandbox,
    deployer: options => clientFor(server, { apiKey: 'sandbox', validation: 'strict', ...options }),
  };
}

const all = (client: TrackingClient) => client.webhooks.list({ pageSize: 100 }).toArray();
const active = async (client: TrackingClient) => (await all(client)).filter(webhook => webhook.active);
const logger = () => ({ debug() {}, info() {}, warn: vi.fn<(message: string) => void>(), error() {} });

describe('simultaneous deployers', () => {
  test.each([
    [2, 'quick'],
    [3, 'quick'],
    [3, 'slow'],
  ])(
    'each have the secret of an active webhook at the end (%i of them, %s)',
    async (deployers, pace) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const outcomes = [];
      for (let seed = 0; seed < 100; seed++) {
        const { deployer } = await connect(seed);
        const ensured = await interleaved(numbersFrom(seed), deployers, pace === 'slow', pass =>
          deployer({ fetch: pass, timeout: 1e9 }).webhooks.ensure({ url, events }),
        );
        const left = await active(deployer());
        const holds = ({ id, secret }: Webhook) => left.some(other => other.id === id && other.secret === secret);
        outcomes.push({ seed, lost: ensured.filter(webhook => !holds(webhook)).length, active: left.length });
      }
      expect(outcomes.filter(({ lost }) => lost > 0)).toEqual([]);
      // Slow deployers may leave two active webhooks. The next call then warns.
      if (pace === 'quick') expect(outcomes.filter(outcome => outcome.active !== 1)).toEqual([]);
    },
    60_000,
  );
});

test('an older version of a program does not remove the events of a newer version, and warns', async () => {
  const log = logger();
  const { deployer } = await connect();
  const client = deployer({ logger: log });
  const newer: EventName[] = ['container.updated', 'container.created'];
  const { id, secret } = await client.webhooks.ensure({ url, events: newer });
  const older = await client.webhooks.ensure({ url, events: ['container.updated', 'document.extracted'] });
  expect(older).toMatchObject({ id, secret, active: true });
  expect([...older.events].sort()).toEqual([...newer, 'document.extracted'].sort());
  expect(log.warn.mock.calls).toEqual([
    [expect.stringMatching(/keeps the events container.created.*exactEvents: true/)],
  ]);
  const exact = await client.webhooks.ensure({ url, events, exactEvents: true });
  expect(exact).toMatchObject({ id, secret, events });
  expect(log.warn).toHaveBeenCalledTimes(1);
});

test('if the service sends a secret only once, each deployer has an active webhook and its secret at the end', async () => {
  const { deployer } = await connect();
  const untold = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const response = await fetch(input, init);
    if (init?.method === 'POST') return response;
    const text = (await response.text()).replaceAll(/"secret":"[^"]*",/g, '');
    return new Response(text, response);
  };
  const ensured = await Promise.all([1, 2].map(() => deployer({ fetch: untold }).webhooks.ensure({ url, events })));
  const left = await active(deployer());
  for (const { id, secret } of ensured) expect(left).toContainEqual(expect.objectContaining({ id, secret }));
});

describe('the rotation of a secret', () => {
  /** Receivers that keep the secrets of the last deployment. */
  function receivers() {
    let accepted: string[] = [];
    return {
      accept: (secrets: string[]) => {
        accepted = secrets;
      },
      deploy: async ({ secrets }: { secrets: string[] }) => {
        accepted = [...secrets];
      },
      accepts: ({ secret }: Webhook) => secret !== undefined && accepted.includes(secret),
    };
  }

  test('leaves one webhook that has a new secret, but the same events and headers', async () => {
    const { deployer } = await connect();
    const client = deployer();
    const headers = [{ name: 'X-Team', value: 'imports' }];
    const old = await client.webhooks.ensure({ url, events: ['container.updated', 'container.created'], headers });
    const elsewhere = await client.webhooks.ensure({ url: 'https://other.example/', events });
    const deploy = vi.fn(async () => {});
    const replacement = await client.webhooks.rotateSecret({ url, deploy });
    expect(replacement).toMatchObject({ active: true, url, events: old.events, headers: old.headers });
    expect(replacement.secret).not.toBe(old.secret);
    expect(deploy.mock.calls).toEqual([[{ secret: replacement.secret, secrets: [replacement.secret, old.secret] }]]);
    expect((await all(client)).map(({ id }) => id).sort()).toEqual([replacement.id, elsewhere.id].sort());
    expect(await client.webhooks.ensure({ url, events: ['container.updated', 'container.created'] })).toEqual(
      replacement,
    );
  });

  test('leaves the active webhook unchanged if the secrets cannot be deployed', async () => {
    const { deployer } = await connect();
    const client = deployer();
    const old = await client.webhooks.ensure({ url, events });
    const reason = new Error('the vault is closed');
    const rotation = client.webhooks.rotateSecret({ url, deploy: () => Promise.reject(reason) });
    expect(await rejection(rotation)).toBe(reason);
    expect(await active(client)).toEqual([old]);
  });

  test('is refused if there is no webhook', async () => {
    const { deployer } = await connect();
    const rotation = deployer().webhooks.rotateSecret({ url, deploy() {} });
    expect(String(await rejection(rotation))).toContain(`No webhook has the url ${url}`);
  });

  test('may use the same client while the secrets are deployed', async () => {
    const { deployer } = await connect();
    const client = deployer();
    const old = await client.webhooks.ensure({ url, events });
    const found: unknown[] = [];
    await client.webhooks.rotateSecret({
      url,
      deploy: async () => void found.push(await client.webhooks.ensure({ url, events })),
    });
    expect(found).toEqual([old]);
  });

  // A rotation sends six requests: a list, a creation, an activation, and three deletions.
  const crashes = [0, 1, 2, 3, 4, 5].flatMap(request => [['before', request] as const, ['after', request] as const]);
  test.each(crashes)(
    'that crashes %s request %i leaves a webhook whose deliveries the receivers can verify, and is completed by the next run',
    async (moment, crashAt) => {
      const { deployer } = await connect();
      const client = deployer();
      const { accept, accepts, deploy } = receivers();
      for (const state of [true, true, false]) await client.webhooks.create({ url, events, active: state });
      accept((await active(client)).flatMap(({ secret }) => secret ?? []));
      let sent = 0;
      const deaf: number[] = [];
      const watched = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
        const crashes = sent++ === crashAt;
        if (crashes && moment === 'before') throw new Error('crash');
        const response = await fetch(input, init);
        if (!(await active(client)).some(accepts)) deaf.push(sent);
        if (crashes) throw new Error('crash');
        return response;
      };
      const rotate = () => deployer({ fetch: watched, retry: false }).webhooks.rotateSecret({ url, deploy });
      expect(await rejection(rotate())).toMatchObject({ code: 'connection' });
      // Another process starts between the crash and the next run.
      const ensured = await client.webhooks.ensure({ url, events });
      expect(ensured.active).toBe(true);
      const replacement = await rotate();
      expect(await all(client)).toEqual([replacement]);
      expect(deaf).toEqual([]);
      expect(replacement.active && accepts(replacement)).toBe(true);
    },
  );
});

/** Sends the requests of all tasks in random order. Time passes if no request waits, or at random if tasks are slow. */
async function interleaved<T>(
  random: () => number,
  count: number,
  slow: boolean,
  task: (pass: typeof fetch) => Promise<T>,
): Promise<T[]> {
  const waiting: (() => Promise<unknown>)[] = [];
  const pass = (...request: Parameters<typeof fetch>) =>
    new Promise<Response>((resolve, reject) => {
      const send = async () => {
        const response = await fetch(...request);
        return new Response(await response.text(), response);
      };
      waiting.push(() => send().then(resolve, reject));
    });
  let ended = 0;
  const results = Promise.all(Array.from({ length: count }, () => task(pass).finally(() => ended++)));
  while (ended < count) {
    // No request is open now. Each task that can continue therefore sends its next request within a few turns of the
    // loop.
    for (let turn = 0; turn < 30 && ended + waiting.length < count; turn++) await new Promise(setImmediate);
    if (waiting.length === 0 || (slow && random() < 0.3)) vi.advanceTimersByTime(2000);
    else await waiting.splice(Math.floor(random() * waiting.length), 1)[0]?.();
  }
  return results;
}

/** Random numbers between 0 and 1, which are the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
