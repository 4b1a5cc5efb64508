import { execFileSync, spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  constants,
  createReadStream,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { clientFor, rejection } from '../../support/client.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { type Answer, type Handler, serve } from '../../support/server.ts';

const CONTENT = 'x'.repeat(500_000);
const reason = new Error('the user left');
const whole: Answer = { body: CONTENT };
const broken: Handler = (_, response) => {
  response.writeHead(200, { 'content-length': '500000' }).write(CONTENT.slice(0, 250_000), () => response.destroy());
};

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'save-as-'));
  return () => rmSync(directory, { recursive: true });
});

async function documentsOf(storage: Answer | Handler) {
  const { origin } = await serve(storage);
  const service = await serve({ body: { download_url: `${origin}/a` } });
  return clientFor(service, { retry: false }).documents;
}

describe('a download is saved under a name of', () => {
  test.each([213, 214, 255])('%d bytes', async length => {
    const to = join(directory, 'n'.repeat(length));
    for (const before of [undefined, 'before']) {
      if (before) writeFileSync(to, before);
      await (await documentsOf(whole)).download('1', { to });
      expect(readFileSync(to, 'utf8')).toBe(CONTENT);
    }
    expect(readdirSync(directory)).toEqual(['n'.repeat(length)]);
  });

  test('255 bytes in 85 characters', async () => {
    const to = join(directory, '船'.repeat(85));
    await (await documentsOf(whole)).download('1', { to });
    expect(readFileSync(to, 'utf8')).toBe(CONTENT);
  });
});

describe('a symbolic link whose target is missing', () => {
  const links: [string, (at: string) => string][] = [
    ['in the same directory', () => 'target'],
    ['by an absolute path', at => join(at, 'target')],
    ['in another directory', () => 'sub/target'],
    ['over another link', () => 'second'],
  ];
  test.each(links)(
    'receives nothing from a broken download, and receives everything from the next download (%s)',
    async (_, targetIn) => {
      mkdirSync(join(directory, 'sub'));
      symlinkSync('sub/../target', join(directory, 'second'));
      const target = targetIn(directory);
      const to = join(directory, 'link');
      symlinkSync(target, to);
      const names = () => readdirSync(directory, { recursive: true }).sort();
      const before = names();
      await rejection((await documentsOf(broken)).download('1', { to }));
      expect(names()).toEqual(before);
      await (await documentsOf(whole)).download('1', { to });
      expect(readlinkSync(to)).toBe(target);
      expect(readFileSync(to, 'utf8')).toBe(CONTENT);
      expect(names()).toHaveLength(before.length + 1);
    },
  );

  test('makes the download fail with not_written if the link leads to itself', async () => {
    const to = join(directory, 'link');
    symlinkSync('link', to);
    const error = await rejection((await documentsOf(whole)).download('1', { to }));
    expect(error).toMatchObject({ code: 'not_written', cause: { code: 'ELOOP' } });
    expect(readdirSync(directory)).toEqual(['link']);
  });
});

describe('a pipe', () => {
  let to: string;
  let opened: MockInstance<typeof fs.promises.open>;

  beforeEach(() => {
    to = join(directory, 'pipe');
    execFileSync('mkfifo', [to]);
    opened = vi.spyOn(fs.promises, 'open');
    return () => opened.mockRestore();
  });

  /** Resolves when the download waits for the pipe. */
  async function atPipe(): Promise<void> {
    await expect.poll(() => opened.mock.calls.map(([path]) => path)).toContain(to);
    await new Promise(resolve => setTimeout(resolve, 50));
  }

  /** A reader that opens the pipe and reads nothing. */
  async function idleReader() {
    const reader = await open(to, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => reader.close());
    return reader;
  }

  test('whose reader comes late receives everything', async () => {
    const download = (await documentsOf(whole)).download('1', { to });
    await new Promise(resolve => setTimeout(resolve, 30));
    const [content] = await Promise.all([readFile(to, 'utf8'), download]);
    expect(content === CONTENT).toBe(true);
  });

  test('whose reader is slow receives everything', async () => {
    const reading = (async () => {
      let length = 0;
      for await (const chunk of createReadStream(to, { highWaterMark: 10_000 })) {
        length += (chunk as Buffer).length;
        await new Promise(resolve => setTimeout(resolve, 1));
      }
      return length;
    })();
    await (await documentsOf(whole)).download('1', { to });
    expect(await reading).toBe(CONTENT.length);
  });

  test.each([
    ['without a reader', false],
    ['whose reader does not read', true],
  ])('%s: an abort ends the download', async (_, isOpen) => {
    if (isOpen) await idleReader();
    const controller = new AbortController();
    const download = rejection((await documentsOf(whole)).download('1', { to, signal: controller.signal }));
    await atPipe();
    controller.abort(reason);
    expect(await download).toBe(reason);
  });

  test.each([
    ['without a reader', false],
    ['whose reader does not read', true],
  ])('%s: the timeout ends the download', async (_, isOpen) => {
    if (isOpen) await idleReader();
    const timers = holdTimers();
    const download = rejection((await documentsOf(whole)).download('1', { to, timeout: 60_000 }));
    await atPipe();
    await timers.passUntil(download, 60_000);
    const message = expect.stringContaining('took no bytes');
    expect(await download).toMatchObject({ name: 'TimeoutError', code: 'timeout', limitMs: 60_000, message });
  });

  test('whose reader leaves makes the download fail with not_written', async () => {
    const download = rejection((await documentsOf(whole)).download('1', { to }));
    const reader = await open(to);
    await reader.read(Buffer.alloc(10));
    await reader.close();
    expect(await download).toMatchObject({ code: 'not_written', cause: { code: 'EPIPE' } });
  });
});

test('a device receives the bytes, and is not replaced by a file', async () => {
  await (await documentsOf(whole)).download('1', { to: '/dev/null' });
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('a directory cannot be written', async () => {
  const error = await rejection((await documentsOf(whole)).download('1', { to: directory }));
  expect(error).toMatchObject({ code: 'not_written', cause: { code: 'EISDIR' } });
});

describe('a file that is a separate mount, as in a Docker container', () => {
  let to: string;

  beforeEach(() => {
    to = join(directory, 'mounted');
    writeFileSync(to, 'before');
    chmodSync(to, 0o600);
  });

  async function checkDownload(): Promise<void> {
    const { ino } = statSync(to);
    await rejection((await documentsOf(broken)).download('1', { to }));
    expect(readFileSync(to, 'utf8')).toBe('before');
    await (await documentsOf(whole)).download('1', { to });
    expect(readFileSync(to, 'utf8')).toBe(CONTENT);
    expect([statSync(to).ino, statSync(to).mode & 0o777]).toEqual([ino, 0o600]);
  }

  test('is written in place when the download is complete', async context => {
    const other = join(directory, 'outside');
    writeFileSync(other, 'before', { mode: 0o600 });
    const run = (...command: string[]) =>
      [command, ['sudo', '-n', ...command]].some(([program = '', ...rest]) => spawnSync(program, rest).status === 0);
    if (!run('mount', '--bind', other, to)) {
      console.warn('A bind mount is not permitted here: its test is skipped.');
      return context.skip();
    }
    onTestFinished(() => void run('umount', to));
    await checkDownload();
    expect(readFileSync(other, 'utf8')).toBe(CONTENT);
    expect(readdirSync(directory).sort()).toEqual(['mounted', 'outside']);
    run('umount', to);
  });

  test('is written in place if the system reports that the file is busy', async () => {
    const busy = Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
    const rename = vi.spyOn(fs.promises, 'rename').mockRejectedValue(busy);
    onTestFinished(() => rename.mockRestore());
    await checkDownload();
    expect(rename).toHaveBeenCalled();
    expect(readdirSync(directory)).toEqual(['mounted']);
  });

  test('is written in place if its directory refuses new files', async () => {
    const { writeFile } = fs.promises;
    const readOnly = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    const write = vi.spyOn(fs.promises, 'writeFile');
    write.mockImplementation(async (path, ...rest) => {
      if (String(path).startsWith(directory)) throw readOnly;
      return writeFile(path, ...rest);
    });
    onTestFinished(() => write.mockRestore());
    const before = readdirSync(tmpdir());
    await checkDownload();
    expect(readdirSync(directory)).toEqual(['mounted']);
    expect(readdirSync(tmpdir()).filter(name => name.endsWith('.part') && !before.includes(name))).toEqual([]);
    const missing = rejection((await documentsOf(whole)).download('1', { to: join(directory, 'new') }));
    expect(await missing).toMatchObject({ code: 'not_written', cause: { code: 'EROFS' } });
  });
});
