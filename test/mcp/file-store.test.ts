import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { fileTokenStore, type SignIn, type TokenStore } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { gate } from '../../support/gate.ts';
import { servedSandbox, signedIn, tokenRequests } from '../../support/mcp.ts';

const URL = 'https://host.example/mcp';
const SIGN_IN: SignIn = {
  issuer: 'https://auth.example',
  client: { client_id: 'c', redirect_uri: 'http://127.0.0.1:1/callback' },
  tokens: { accessToken: 'a', refreshToken: 'r', renewAt: 1, scope: 'openid' },
};

let path: string;

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tokens-'));
  path = join(directory, 'tokens.json');
  return () => rm(directory, { recursive: true, force: true });
});

test('only the owner can read the file, and it is replaced atomically without leftover files', async () => {
  const store = fileTokenStore({ path });
  expect(await store.read(URL)).toBeUndefined();
  await store.exclusive(URL, () => store.write(URL, SIGN_IN));
  await store.exclusive('https://other.example/mcp', () => store.write('https://other.example/mcp', SIGN_IN));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await store.read(URL)).toEqual(SIGN_IN);
  await store.exclusive(URL, () => store.write(URL, undefined));
  expect(await store.read(URL)).toBeUndefined();
  expect(await store.read('https://other.example/mcp')).toEqual(SIGN_IN);
  expect(await readdir(join(path, '..'))).toEqual(['tokens.json']);
});

test('stores of one file have the same id, in every spelling of the path', () => {
  const { id } = fileTokenStore({ path });
  expect(fileTokenStore({ path: join(path, '..', '.', 'tokens.json') }).id).toBe(id);
  expect(fileTokenStore({ path: `${join(path, '..')}/x/../tokens.json` }).id).toBe(id);
  expect(fileTokenStore({ path: `${path}2` }).id).not.toBe(id);
});

test('tasks run one after the other, even in two stores of one file, and after a failed task', async () => {
  const stores = [fileTokenStore({ path }), fileTokenStore({ path })];
  let running = 0;
  const task = async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise(done => setTimeout(done, 5));
    running -= 1;
  };
  const failing = rejection(fileTokenStore({ path }).exclusive(URL, () => Promise.reject(new Error('no'))));
  await Promise.all([...stores, ...stores, ...stores].map(store => store.exclusive(URL, task)));
  expect(String(await failing)).toBe('Error: no');
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test('a task for one server does not wait for a task for another server', async () => {
  const store = fileTokenStore({ path });
  let goOn = () => {};
  const waiting = store.exclusive(URL, () => new Promise<void>(resolve => (goOn = resolve)));
  await store.exclusive('https://other.example/mcp', () => store.write('https://other.example/mcp', SIGN_IN));
  expect(await store.read('https://other.example/mcp')).toEqual(SIGN_IN);
  goOn();
  await waiting;
});

test('the lock of a dead process is taken over; the lock of a live process is not taken over', async () => {
  await writeFile(`${path}.lock`, 'somebody');
  let isDone = false;
  const waiting = fileTokenStore({ path })
    .write(URL, SIGN_IN)
    .then(() => {
      isDone = true;
    });
  await new Promise(done => setTimeout(done, 150));
  expect(isDone).toBe(false);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, longAgo, longAgo);
  await waiting;
  expect(isDone).toBe(true);
});

describe('the wait for a lock that another process holds', () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

  test('ends when the signal aborts, and leaves no file', async () => {
    const before = timers();
    const held = gate();
    const holding = fileTokenStore({ path }).exclusive(URL, () => held.opened);
    const controller = new AbortController();
    const reason = new Error('enough');
    let hasRun = false;
    const waiting = fileTokenStore({ path }).exclusive(
      URL,
      async () => {
        hasRun = true;
      },
      controller.signal,
    );
    await new Promise(done => setTimeout(done, 60));
    controller.abort(reason);
    expect(await rejection(waiting)).toBe(reason);
    held.open();
    await holding;
    expect(timers()).toBeLessThanOrEqual(before);
    expect(hasRun).toBe(false);
    expect(await readdir(join(path, '..'))).toEqual([]);
  });

  test('does not begin if the signal has already aborted', async () => {
    const reason = new Error('enough');
    const store = fileTokenStore({ path });
    const task = () => Promise.reject(new Error('ran'));
    expect(await rejection(store.exclusive(URL, task, AbortSignal.abort(reason)))).toBe(reason);
    expect(await readdir(join(path, '..'))).toEqual([]);
  });

  test('ends when the signal of connectMcp() aborts, or when the connection is closed', async () => {
    const { sandbox, server } = await servedSandbox();
    const own = fileTokenStore({ path });
    let waiting: Promise<unknown> = Promise.resolve();
    let asked = gate();
    const exclusive: TokenStore['exclusive'] = (...request) => {
      const running = own.exclusive(...request);
      waiting = running;
      asked.open();
      return running;
    };
    const store = { ...own, exclusive };
    const mcp = await signedIn(server, { store });

    const held = gate();
    const holding = fileTokenStore({ path }).exclusive(server.mcpUrl, () => held.opened);
    asked = gate();
    const controller = new AbortController();
    const connecting = rejection(signedIn(server, { store }, { signal: controller.signal }));
    await asked.opened;
    controller.abort();
    await connecting;
    expect(await rejection(waiting)).toMatchObject({ code: 'closed' });

    asked = gate();
    sandbox.advance({ hours: 2 });
    const call = rejection(mcp.listTools());
    await asked.opened;
    await mcp.close();
    await call;
    expect(await rejection(waiting)).toMatchObject({ code: 'closed' });
    held.open();
    await holding;
  });
});

describe.skipIf(process.platform === 'win32')('a token file that other users may read', () => {
  test.each([0o644, 0o640, 0o604, 0o620])('is refused, and the error has a remedy (mode %o)', async mode => {
    const store = fileTokenStore({ path });
    await store.write(URL, SIGN_IN);
    await chmod(path, mode);
    for (const attempt of [() => store.read(URL), () => store.write(URL, undefined)]) {
      const error = await rejection(attempt());
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).toContain(`chmod 600 ${path}`);
    }
    await chmod(path, 0o600);
    expect(await store.read(URL)).toEqual(SIGN_IN);
  });
});

describe('a file that is not a file of tokens', () => {
  test.each(['', '{"half', '[]', '"text"'])('%j is reported without its contents', async content => {
    await writeFile(path, content, { mode: 0o600 });
    const error = await rejection(fileTokenStore({ path }).read(URL));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).not.toContain('half');
  });

  test.each([{ [URL]: 1 }, { [URL]: { ...SIGN_IN, tokens: {} } }, { [URL]: { issuer: 'x' } }])(
    'an invalid entry is ignored: %j',
    async content => {
      await writeFile(path, JSON.stringify(content), { mode: 0o600 });
      expect(await fileTokenStore({ path }).read(URL)).toBeUndefined();
    },
  );
});

test('processes that share a file refresh the tokens once together, and lose no token', {
  timeout: 60_000,
}, async () => {
  const { sandbox, server } = await servedSandbox();
  const first = await signedIn(server, { store: fileTokenStore({ path }) });
  await first.listTools();
  const workers = [1, 2, 3].map(() =>
    fork(resolve(import.meta.dirname, 'file-store.worker.ts'), [server.mcpUrl, path]),
  );
  onTestFinished(() => {
    for (const worker of workers) worker.kill();
  });
  const heard = (what: string) =>
    Promise.all(
      workers.map(async worker => {
        const [said] = await once(worker, 'message');
        expect(said).toBe(what);
      }),
    );
  await heard('connected');
  const rounds = 4;
  for (let round = 1; round <= rounds; round += 1) {
    sandbox.advance({ hours: 2 });
    const called = heard('called');
    for (const worker of workers) worker.send('call');
    await called;
    // All processes share one refresh.
    expect(tokenRequests(sandbox)).toBe(1 + round);
  }
  const kept = JSON.parse(await readFile(path, 'utf8'))[server.mcpUrl];
  expect(kept.tokens.refreshToken).toEqual(expect.any(String));
  sandbox.advance({ hours: 2 });
  await first.listTools();
  expect(tokenRequests(sandbox)).toBe(2 + rounds);
});
