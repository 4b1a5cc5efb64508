import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { commandLine, terminal } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const home = mkdtempSync(join(tmpdir(), 'cli-access-'));
const stored = join(home, 'container-tracking', 'api-key');

let sandbox: Sandbox;
let server: SandboxServer;
const ct = commandLine(() => ({
  TRACKING_API_KEY: undefined,
  TRACKING_BASE_URL: undefined,
  XDG_CONFIG_HOME: home,
}));

beforeAll(async () => {
  sandbox = createSandbox({ apiKeys: ['right', 'other'], shipments: 1, rateLimit: false });
  server = await sandbox.listen();
});
beforeEach(() => rmSync(join(home, 'container-tracking'), { recursive: true, force: true }));
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

/** Runs the command `login` in a separate process, with this input on stdin. */
function login(input: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise(done => {
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: home };
    const child = execFile(
      process.execPath,
      [MAIN, 'login', ...args],
      { env, timeout: 30_000 },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** Runs the command `login` on a terminal, and types a line after each question. */
function typing(lines: [question: string, line: string][]): Promise<{ code: unknown; shown: string }> {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: home };
  const command = `'${process.execPath}' '${MAIN}' login`;
  return new Promise(done => {
    const options = { env, timeout: 20_000 };
    const child = execFile('script', ['-qec', command, '/dev/null'], options, (error, shown) =>
      done({ code: error?.code ?? 0, shown }),
    );
    let out = '';
    child.stdout?.on('data', chunk => {
      out += chunk;
      const [question = '\0', line] = lines[0] ?? [];
      if (!out.includes(question)) return;
      out = '';
      lines.shift();
      child.stdin?.write(`${line}\r`);
    });
  });
}

describe('a missing setting', () => {
  test.each([
    ['limits', []],
    ['mcp', []],
    ['sync', ['--once', '--sqlite', ':memory:']],
  ])('is named by %s together with the other missing setting, with exit code 2', async (name, args) => {
    const { code, err } = await ct(name, ...args);
    expect(code).toBe(2);
    expect(err).toBe(
      'Not set: the address of the service (TRACKING_BASE_URL or --base-url), and the API key (TRACKING_API_KEY or --key-file). To store your settings: container-tracking login. To try without an account: container-tracking sandbox.\n',
    );
  });

  test('is named alone if the other setting is there', async () => {
    expect((await ct('limits', '--base-url', server.baseUrl)).err).not.toContain('the address of the service');
    vi.stubEnv('TRACKING_API_KEY', 'right');
    const { code, last } = await ct('limits', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(last)).toMatchObject({ code: 'not_configured', message: expect.not.stringContaining('API key') });
  });
});

describe('login', () => {
  test('stores the key and the address so that only the user can read them, and later commands use them', async () => {
    const { code, stdout, stderr } = await login('right\n', '--base-url', server.baseUrl);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^The key is of \S.*\.\nStored in .*\.\n$/),
    });
    expect(readFileSync(stored, 'utf8')).toBe(`right\n${server.baseUrl}\n`);
    if (process.platform !== 'win32') expect(statSync(stored).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, 'container-tracking'))).toEqual(['api-key']);
    const from = `the file ${stored}`;
    expect(JSON.parse((await ct('whoami')).out)).toMatchObject({ key_from: from, base_url_from: from });
    terminal(80);
    expect((await ct('whoami')).out).toMatch(/^Key +the file /m);
  });

  test('prints the last characters of the key if the service does not name its owner', async () => {
    const older = await serve({ status: 404, body: { errors: [] } });
    const { stderr } = await login('secret-1234\n', '--base-url', older.baseUrl);
    expect(stderr).toBe(`The key ends with 1234.\nStored in ${stored}.\n`);
  });

  test('stores a key, and the commands do not send this key to another host', async () => {
    await login('right\n', '--base-url', server.baseUrl);
    const other = createSandbox({ apiKeys: ['right'], shipments: 1, rateLimit: false });
    const elsewhere = await other.listen();
    onTestFinished(() => elsewhere.close());
    const { code, err } = await ct('whoami', '--base-url', elsewhere.baseUrl);
    expect(code).toBe(2);
    expect(err).toContain(
      `The stored key is for ${server.baseUrl}, so it is not sent to ${elsewhere.baseUrl}. Give the API key (TRACKING_API_KEY or --key-file).`,
    );
    expect(other.requests).toHaveLength(0);
  });

  test('stores settings that environment variables override', async () => {
    await login('right', '--base-url', server.baseUrl);
    vi.stubEnv('TRACKING_API_KEY', 'other');
    const { out } = await ct('whoami', '--fields', 'key_from,base_url_from');
    expect(JSON.parse(out)).toEqual({
      key_from: 'the variable TRACKING_API_KEY',
      base_url_from: `the file ${stored}`,
    });
  });

  test('replaces the stored key, and does not store a key that the service refuses', async () => {
    await login('right', '--base-url', server.baseUrl);
    expect(await login('wrong')).toMatchObject({ code: 3, stdout: '' });
    expect(readFileSync(stored, 'utf8')).toContain('right');
    expect((await login('other')).code).toBe(0);
    expect(readFileSync(stored, 'utf8')).toBe(`other\n${server.baseUrl}\n`);
  });

  test('needs an address and a key, and does not accept the key as an argument', async () => {
    expect(await login('right')).toMatchObject({ code: 2, stderr: expect.stringContaining('--base-url') });
    expect(await login('', '--base-url', server.baseUrl)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/stdin/),
    });
    expect(await login('', 'right', '--base-url', server.baseUrl)).toMatchObject({ code: 2 });
    expect(existsSync(stored)).toBe(false);
  });

  test('refuses an address without a version before it needs a key', async () => {
    const { code, stderr } = await login('right', '--base-url', 'https://host.example');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^--base-url does not end in a version segment/),
    });
  });

  test('suggests the address with a version if the version is missing', async () => {
    const { stderr } = await login('right', '--base-url', 'https://host.example/');
    expect(stderr).toContain('Did you mean https://host.example/v2?');
  });

  test('does not store the address of another program', async () => {
    const page = createServer((_, response) => response.writeHead(404).end('<h1>Not found</h1>'));
    await new Promise<void>(done => page.listen(0, '127.0.0.1', done));
    onTestFinished(() => void page.close());
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}/v2`;
    expect(await login('right', '--base-url', address)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${address} does not look like the service. Nothing is stored.`),
    });
    expect(existsSync(stored)).toBe(false);
  });

  describe.runIf(process.platform === 'linux')('on a terminal', () => {
    test('reads the address and the key, and shows the address', async () => {
      const { shown } = await typing([
        ['Address of the service', server.baseUrl],
        ['API key of', 'right'],
      ]);
      expect(shown).toContain(`API key of ${server.baseUrl}: `);
      expect(shown).toContain(`Stored in ${stored}.`);
      expect(shown).not.toContain('right');
      expect(readFileSync(stored, 'utf8')).toBe(`right\n${server.baseUrl}\n`);
    });

    test('repeats the question after a wrong address or a wrong key, and adds the version to the address', async () => {
      const { shown } = await typing([
        ['Address of the service', 'somewhere'],
        ['Address of the service', server.baseUrl.replace('/v2', '')],
        ['API key of', 'wrong'],
        ['API key of', 'right'],
      ]);
      expect(shown).toContain(`The address has no version: ${server.baseUrl} is used.`);
      expect(shown).toContain('The service refuses the API key.');
      expect(readFileSync(stored, 'utf8')).toBe(`right\n${server.baseUrl}\n`);
    });

    test('ends after the third wrong line', async () => {
      const { code } = await typing([
        ['Address of the service', server.baseUrl],
        ['API key of', 'wrong-1'],
        ['API key of', 'wrong-2'],
        ['API key of', 'wrong-3'],
      ]);
      expect(code).toBe(3);
      expect(existsSync(stored)).toBe(false);
    });
  });

  test('logout deletes the stored settings, and says if TRACKING_API_KEY is still set', async () => {
    await login('right', '--base-url', server.baseUrl);
    expect(await ct('logout')).toMatchObject({ code: 0, err: `Deleted ${stored}.\n` });
    expect(existsSync(stored)).toBe(false);
    vi.stubEnv('TRACKING_API_KEY', 'right');
    expect((await ct('logout')).err).toBe(
      'No key is stored.\nTRACKING_API_KEY is set, and has priority over the stored key.\n',
    );
  });
});

test.runIf(process.platform === 'linux').each([
  ['a question', ['shipments', 'stop', '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11'], 'The terminal is closed: use --yes.'],
  ['a hidden question', ['login'], 'No key was typed.'],
])('%s ends immediately if the terminal is closed', async (_, args, message) => {
  const line = [process.execPath, MAIN, ...args].map(part => `'${part}'`).join(' ');
  const env = {
    PATH: process.env.PATH,
    TRACKING_BASE_URL: server.baseUrl,
    TRACKING_API_KEY: 'right',
    XDG_CONFIG_HOME: home,
  };
  const ended = await new Promise<{ code: unknown; said: string }>(done => {
    const child = execFile('script', ['-qec', line, '/dev/null'], { env, timeout: 20_000 }, (error, stdout) =>
      done({ code: error?.code ?? 0, said: stdout }),
    );
    child.stdin?.end();
  });
  expect(ended).toEqual({ code: 2, said: expect.stringContaining(message) });
});

test.each([
  [
    'a variable',
    [],
    'The key comes from the variable TRACKING_API_KEY. Change TRACKING_API_KEY, or unset it and run: container-tracking login',
  ],
  [
    'a file',
    ['--key-file', join(home, 'wrong')],
    `The key comes from the file ${join(home, 'wrong')}. Store another key in it, or leave out --key-file.`,
  ],
])(
  'the message about a wrong key from %s names the source of the key, and says how to change the key',
  async (_, args, source) => {
    writeFileSync(join(home, 'wrong'), 'wrong', { mode: 0o600 });
    vi.stubEnv('TRACKING_API_KEY', 'wrong-too');
    const { code, err } = await ct('limits', '--base-url', server.baseUrl, ...args);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(source) });
  },
);

test('the message about a wrong stored key names the file, and the command that stores another key', async () => {
  await login('right', '--base-url', server.baseUrl);
  writeFileSync(stored, `wrong\n${server.baseUrl}\n`);
  const { code, err } = await ct('limits');
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringMatching(
      /^The service refuses the API key\. \(GET \S+: 401\)\n.*the file \S+api-key\. To store another: container-tracking login$/m,
    ),
  });
});

test('if nothing listens at a port of this machine, the command does not try again, and names the source of the address', async () => {
  vi.stubEnv('TRACKING_API_KEY', 'right');
  const url = `http://127.0.0.1:${await freePort()}/v2`;
  vi.stubEnv('TRACKING_BASE_URL', url);
  const { code, err } = await ct('limits');
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('(attempt 1): ECONNREFUSED') });
  expect(err).toContain(`The address ${url} comes from the variable TRACKING_BASE_URL. Change TRACKING_BASE_URL`);
});

test('after a response that was cut off, the command does not say that the address may be wrong', async () => {
  vi.stubEnv('TRACKING_API_KEY', 'right');
  const cut = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.api+json', 'content-length': '5000' });
    response.write('{"data":[', () => response.destroy());
  });
  onTestFinished(() => void cut.close());
  await once(cut.listen(0, '127.0.0.1'), 'listening');
  vi.stubEnv('TRACKING_BASE_URL', `http://127.0.0.1:${(cut.address() as AddressInfo).port}/v2`);
  const { code, err } = await ct('whoami', '--retries', '0');
  expect(code).toBe(6);
  expect(err).not.toContain('TRACKING_BASE_URL');
});

test('the message about an unknown host names the host and the source of the address', async () => {
  vi.stubEnv('TRACKING_API_KEY', 'right');
  const { code, err } = await ct('limits', '--base-url', 'https://nobody.invalid/v2', '--retries', '0');
  expect({ code, err }).toEqual({
    code: 6,
    err: expect.stringContaining('No host with the name nobody.invalid was found. The address https://nobody'),
  });
});
