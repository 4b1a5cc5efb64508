import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createReceiver, memoryInbox, type ReceiverOptions, type SecretList } from '../../src/webhooks/index.ts';
import { secretSource } from '../../src/webhooks/verify/secrets.ts';
import { clientOn } from '../../support/client.ts';
import { readAll } from '../../support/listening.ts';
import deliveries from '../../support/samples/webhooks.deliveries.json' with { type: 'json' };
import { createSandbox } from '../../support/sandbox.ts';

const HEADER = 'X-SVC-Webhook-Signature';
const BODY = Buffer.from(JSON.stringify(deliveries['container.updated']));
const MINUTE = 60_000;

const sign = (secret: string, body: string | Buffer = BODY) => createHmac('sha256', secret).update(body).digest('hex');

function setUp(options: Partial<ReceiverOptions> = {}) {
  const lines: string[] = [];
  const logger = {
    warn: (line: string) => lines.push(`warn ${line}`),
    error: (line: string) => lines.push(`error ${line}`),
  };
  const inbox = memoryInbox({ ephemeral: true });
  return { receiver: createReceiver({ secrets: 'right', inbox, logger, ...options }), lines };
}

type Receiver = ReturnType<typeof setUp>['receiver'];

async function deliver({ fetch }: Receiver, secret: string | undefined, body: string | Buffer = BODY) {
  const headers = secret === undefined ? undefined : { [HEADER]: sign(secret, body) };
  const init = { method: 'POST', body: new Uint8Array(Buffer.from(body)), ...(headers && { headers }) };
  return (await fetch(new Request('https://a.example', init))).status;
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  vi.useRealTimers();
});

async function listen(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('the forged sample of selfCheck() is refused without a warning, and any other forgery is refused with a warning', async () => {
  const rejections: unknown[] = [];
  const { receiver, lines } = setUp({ onRejected: ({ reason }) => rejections.push(reason) });
  const sandbox = createSandbox({ fetch: receiver.fetch });
  const client = clientOn(sandbox.fetch);
  const check = { url: 'https://app.example/tracking', secret: 'right' };
  expect(await client.webhooks.selfCheck(check)).toMatchObject({ ok: true });
  expect([rejections, lines]).toEqual([['mismatch'], []]);
  expect(await client.webhooks.selfCheck({ ...check, secret: 'another' })).toMatchObject({ problem: 'refused' });
  expect(lines).toEqual([expect.stringContaining('refused: 1, mismatch')]);
});

describe('a refusal is logged', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });

  test('once a minute, with the remedy and the number of refusals since the previous log line', async () => {
    const { receiver, lines } = setUp();
    for (let n = 0; n < 50; n++) expect(await deliver(receiver, 'wrong')).toBe(401);
    expect(lines).toEqual([
      expect.stringMatching(/^warn .*mismatch.*`secrets` must contain the `secret` of the webhook/),
    ]);
    vi.advanceTimersByTime(MINUTE - 1);
    await deliver(receiver, 'wrong');
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await deliver(receiver, 'wrong');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/refused: 51, mismatch/);
  });

  test('once a minute even if the inbox fails, but more often if the failure changes', async () => {
    let failure = 'The database is away.';
    const { receiver, lines } = setUp({ inbox: { put: async () => Promise.reject(new Error(failure)) } });
    for (let n = 0; n < 3; n++) expect(await deliver(receiver, 'right')).toBe(503);
    expect(lines).toEqual(['error Webhook requests refused: 1, unavailable: The database is away.']);
    failure = 'The disk is full.';
    await deliver(receiver, 'right');
    expect(lines.slice(1)).toEqual(['error Webhook requests refused: 3, unavailable: The disk is full.']);
  });

  test('separately for each reason', async () => {
    const { receiver, lines } = setUp({ maxBodyBytes: 20_000 });
    for (let n = 0; n < 3; n++) {
      await deliver(receiver, 'wrong');
      await deliver(receiver, undefined);
      await deliver(receiver, 'right', '{}');
      await deliver(receiver, 'right', 'x'.repeat(20_001));
      await receiver.fetch(new Request('https://a.example'));
      const headers = { [HEADER]: `sha256=${sign('right')}` };
      await receiver.fetch(new Request('https://a.example', { method: 'POST', headers, body: BODY }));
    }
    const remedies = [/mismatch/, /missing_signature.*proxy/, /bad_payload.*onPoison/, /too_large.*maxBodyBytes/];
    expect(lines).toHaveLength(6);
    for (const [index, remedy] of [...remedies, /not_post/, /malformed_signature.*`prefix`/].entries()) {
      expect(lines[index]).toMatch(remedy);
    }
  });

  test('only if a delivery was refused, and only if the logger is on', async () => {
    const { receiver, lines } = setUp();
    expect([await deliver(receiver, 'right'), await deliver(receiver, 'right')]).toEqual([202, 200]);
    expect(lines).toEqual([]);
    expect(await deliver(setUp({ logger: false }).receiver, 'wrong')).toBe(401);
  });
});

describe('a client that is slow', () => {
  const head = `POST / HTTP/1.1\r\nHost: a\r\n${HEADER}: ${sign('right')}\r\nContent-Length: ${BODY.length}\r\n\r\n{`;

  test.each<[string, (receiver: Receiver) => Promise<number>]>([
    ['node', receiver => listen(receiver.node)],
    ['fastify', receiver => listenFastify(receiver)],
  ])('gets a 408, and the log line does not name the store as the cause (%s)', async (_, start) => {
    const rejections: unknown[] = [];
    const setup = setUp({ deadlineMs: 30, onRejected: ({ reason }) => rejections.push(reason) });
    const socket = connect(await start(setup.receiver), '127.0.0.1');
    socket.write(head);
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 408 .*connection: close.*too_slow/is);
    expect(setup.lines).toEqual([expect.stringMatching(/^warn .*too_slow.*`deadlineMs`/)]);
    expect(rejections).toEqual(['too_slow']);
  });

  test('gets a 503 if the store, and not the client, causes the delay', async () => {
    const setup = setUp({ deadlineMs: 30, inbox: { put: () => new Promise(() => {}) } });
    expect(await deliver(setup.receiver, 'right')).toBe(503);
    expect(setup.lines).toEqual([
      expect.stringMatching(
        /^error Webhook requests refused: 1, unavailable: Not done within 30 ms by inbox\.put\(\)\.$/,
      ),
    ]);
  });
});

async function listenFastify(receiver: Receiver): Promise<number> {
  const server = fastify();
  server.register(receiver.fastify, { url: '/' });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => server.close());
  return Number(new URL(address).port);
}

describe.each<[string, Record<string, string>, string]>([
  ['without a signature', {}, 'missing_signature'],
  ['with a malformed signature', { [HEADER]: 'x' }, 'malformed_signature'],
])('a request %s is refused before its body is read', (_, headers, reason) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST / HTTP/1.1\r\nHost: a\r\n${lines.join('')}`;

  test.each<[string, (receiver: Receiver) => Promise<number>]>([
    ['node', receiver => listen(receiver.node)],
    ['fastify', listenFastify],
  ])('in %s: the response comes before the body, and closes the connection', async (_, start) => {
    const { receiver } = setUp({ deadlineMs: Number.POSITIVE_INFINITY });
    const port = await start(receiver);
    for (const rest of ['Content-Length: 900000\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n3e8\r\n{']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${head}${rest}`);
      expect(await readAll(socket)).toMatch(new RegExp(`^HTTP/1.1 401 .*connection: close.*${reason}`, 'is'));
    }
  });

  test('in node: no chunk is read, even if many requests send a megabyte each', async () => {
    const { receiver } = setUp({ deadlineMs: Number.POSITIVE_INFINITY });
    let chunks = 0;
    const port = await listen((request, response) => {
      request.on('newListener', event => {
        if (event === 'data') chunks += 1;
      });
      receiver.node(request, response);
    });
    const bodies = Array.from({ length: 50 }, () =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: new Uint8Array(1_000_000) }),
    );
    const statuses = (await Promise.all(bodies)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(chunks).toBe(0);
  });

  test('in fetch: the stream of the body is left to the server', async () => {
    const { receiver } = setUp();
    let pulls = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request('https://a.example', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect((await receiver.fetch(request)).status).toBe(401);
    expect([pulls, request.bodyUsed]).toEqual([0, false]);
  });

  test('in lambda: the body is not decoded', async () => {
    const { receiver } = setUp();
    const event = {
      requestContext: { http: { method: 'POST' } },
      headers,
      get body(): string {
        throw new Error('read');
      },
    };
    expect(await receiver.lambda(event)).toMatchObject({ statusCode: 401, body: reason });
  });
});

describe('secrets that are looked up', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });

  function vault(...first: string[]) {
    const state = { list: first as SecretList, asked: 0, fails: false };
    const secrets = async () => {
      state.asked += 1;
      if (state.fails) throw new Error('the vault is closed');
      return state.list;
    };
    return { state, secrets };
  }

  test('are kept for 30 seconds', async () => {
    const { state, secrets } = vault('right');
    const { receiver } = setUp({ secrets });
    for (let n = 0; n < 20; n++) await deliver(receiver, 'right');
    expect(state.asked).toBe(1);
    vi.advanceTimersByTime(29_999);
    await deliver(receiver, 'right');
    expect(state.asked).toBe(1);
    vi.advanceTimersByTime(1);
    await deliver(receiver, 'right');
    expect(state.asked).toBe(2);
  });

  test('are requested once for all simultaneous deliveries', async () => {
    const { state, secrets } = vault('right');
    const { receiver } = setUp({ secrets });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(receiver, 'right')));
    expect(statuses.sort()).toEqual([...Array(19).fill(200), 202]);
    expect(state.asked).toBe(1);
  });

  test('are requested again after a failure', async () => {
    const { state, secrets } = vault('right');
    const { receiver } = setUp({ secrets });
    state.fails = true;
    expect(await deliver(receiver, 'right')).toBe(503);
    state.fails = false;
    expect(await deliver(receiver, 'right')).toBe(202);
    expect(state.asked).toBe(2);
  });

  test.each<[string, () => SecretList]>([
    [
      'whose look-up throws',
      () => {
        throw new Error('no');
      },
    ],
    ['that are missing', () => ''],
  ])('%s are not kept', async (_, broken) => {
    let lookUp = broken;
    const { receiver } = setUp({ secrets: () => lookUp() });
    expect(await deliver(receiver, 'right')).toBe(503);
    lookUp = () => 'right';
    expect(await deliver(receiver, 'right')).toBe(202);
  });

  test('are used immediately after they are replaced', async () => {
    const { state, secrets } = vault('old');
    const { receiver } = setUp({ secrets });
    await deliver(receiver, 'old');
    vi.advanceTimersByTime(1000);
    state.list = ['new', 'old'];
    const statuses = await Promise.all([1, 2, 3].map(() => deliver(receiver, 'new')));
    expect(statuses.sort()).toEqual([200, 200, 200]);
    expect(state.asked).toBe(2);
  });

  test('are not requested for each forged delivery', async () => {
    const { state, secrets } = vault('right');
    const { receiver } = setUp({ secrets });
    for (let second = 0; second < 10; second++) {
      for (let n = 0; n < 30; n++) expect(await deliver(receiver, 'forged')).toBe(401);
      vi.advanceTimersByTime(1000);
    }
    expect(state.asked).toBe(10);
  });

  test('are not requested for each forged delivery while the look-up fails, and the old secrets still work', async () => {
    const { state, secrets } = vault('right');
    const { receiver } = setUp({ secrets });
    await deliver(receiver, 'right');
    state.fails = true;
    vi.advanceTimersByTime(1000);
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) statuses.push(await deliver(receiver, 'forged'));
    expect(statuses).toEqual([503, ...Array(29).fill(401)]);
    expect(state.asked).toBe(2);
    expect(await deliver(receiver, 'right')).toBe(200);
  });

  test('are requested again if a look-up never settles', async () => {
    const never = () => new Promise<SecretList>(() => {});
    let lookUp: () => SecretList | Promise<SecretList> = never;
    const { receiver, lines } = setUp({ secrets: () => lookUp(), deadlineMs: 20 });
    expect(await deliver(receiver, 'right')).toBe(503);
    expect(lines).toEqual(['error Webhook requests refused: 1, unavailable: Not done within 20 ms by secrets.']);
    lookUp = () => 'right';
    vi.advanceTimersByTime(1000);
    expect(await deliver(receiver, 'right')).toBe(202);
  });

  test.each(['succeeds', 'fails'])(
    'are taken from the new look-up, even if an abandoned look-up %s later',
    async end => {
      const lookUps: { resolve(list: SecretList): void; reject(error: unknown): void }[] = [];
      const secrets = () => new Promise<SecretList>((resolve, reject) => lookUps.push({ resolve, reject }));
      const source = secretSource(secrets);
      const first = source.current();
      vi.advanceTimersByTime(1000);
      const second = source.current();
      if (end === 'succeeds') lookUps[0]?.resolve('old');
      else lookUps[0]?.reject(new Error('The vault is closed.'));
      const [{ status }] = await Promise.allSettled([first]);
      expect(status).toBe(end === 'fails' ? 'rejected' : 'fulfilled');
      // If the abandoned look-up succeeds, its secrets are used until the new look-up ends.
      const asked = end === 'fails' ? source.current() : source.newer(await first);
      expect(asked).toBe(second);
      expect(lookUps).toHaveLength(2);
      lookUps[1]?.resolve('new');
      expect([await second, source.current()]).toEqual([['new'], ['new']]);
    },
  );

  test('are not taken from a look-up that ends after a newer look-up', async () => {
    const answers: ((list: SecretList) => void)[] = [];
    const source = secretSource(() => new Promise<SecretList>(resolve => answers.push(resolve)));
    const first = source.current();
    vi.advanceTimersByTime(1000);
    const second = source.current();
    answers[1]?.('new');
    await second;
    answers[0]?.('old');
    await first;
    expect([source.current(), answers.length]).toEqual([['new'], 2]);
  });
});
