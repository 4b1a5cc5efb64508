import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { fakeDelivery } from '../../src/webhooks/index.ts';

const children: ChildProcess[] = [];
let directory = '';

afterEach(async () => {
  for (const child of children.splice(0)) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  rmSync(directory, { recursive: true, force: true });
});

test('a process that was stopped for longer than its lease gives up entries that another process has handled', async () => {
  directory = mkdtempSync(join(tmpdir(), 'paused-'));
  const [path, log] = [join(directory, 'inbox.db'), join(directory, 'log')];
  const start = (name: string) => {
    const script = resolve(import.meta.dirname, 'worker-paused.worker.ts');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, name, path, log]);
    children.push(child);
    return child;
  };
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const seen = (line: string | RegExp) =>
    vi.waitFor(() => expect(lines()).toContainEqual(expect.stringMatching(line)), { timeout: 20_000 });

  const inbox = sqliteInbox(path);
  const document = fakeDelivery('container.updated');
  const body = new TextEncoder().encode(JSON.stringify(document));
  const { id } = document.data;
  await inbox.put({ id, event: 'container.updated', group: 'g', order: '', body, receivedAt: 0 });
  inbox.close();

  const slow = start('slow');
  await seen(/^slow begins/);
  slow.kill('SIGSTOP');
  start('quick');
  await seen(/^quick ends/);
  slow.kill('SIGCONT');
  await seen(/^slow ends/);
  await seen(/^slow container\.updated .*: attempt 1 is discarded: Another worker has claimed it/);

  expect(lines().filter(line => / (begins|ends) /.test(line))).toEqual([
    `slow begins ${id} 1`,
    `quick begins ${id} 2`,
    `quick ends ${id} 2`,
    `slow ends ${id} 1`,
  ]);
}, 60_000);
