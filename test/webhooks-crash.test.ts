import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeDelivery } from '../src/webhooks/index.ts';

const PROCESS = fileURLToPath(new URL('webhooks-crash.process.ts', import.meta.url));
const COUNT = 250;
const KILLS = 3;

let directory = '';
const children = new Set<ChildProcess>();
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterEach(async () => {
  await Promise.all([...children].map(kill));
  rmSync(directory, { recursive: true });
});

/** Resolves with the first line that the process prints. */
async function start(...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROCESS, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk).trim()));
    child.once('exit', () => reject(new Error('It ended.')));
  });
  return { child, line };
}

async function kill(child: ChildProcess): Promise<void> {
  if (!children.delete(child)) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Delivers until it is acknowledged, like the service. Gives the number of attempts. */
async function deliver(port: string, body: string): Promise<number> {
  const headers = { 'X-SVC-Webhook-Signature': createHmac('sha256', 'secret').update(body).digest('hex') };
  for (let attempt = 1; ; attempt++) {
    const status = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body }).then(
      response => response.status,
      () => 0,
    );
    if (status === 200 || status === 202) return attempt;
    await sleep(10);
  }
}

/** All notifications, a fifth of them twice, eight at a time, while `disturb` kills what it can. */
async function deliverAll(port: string, disturb: (progress: () => number) => Promise<void>): Promise<string[]> {
  const ids = Array.from({ length: COUNT }, () => randomUUID());
  const bodies = ids.map((id, n) => {
    const document = fakeDelivery('container.updated');
    document.data.id = id;
    for (const resource of document.included ?? []) if (resource.type === 'container') resource.id = `c${n % 20}`;
    return JSON.stringify(document);
  });
  const queue = bodies.flatMap((body, n) => (n % 5 === 0 ? [body, body] : [body]));
  const total = queue.length;
  const senders = Array.from({ length: 8 }, async () => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) await deliver(port, body);
  });
  await Promise.all([...senders, disturb(() => (total - queue.length) / total)]);
  return ids;
}

function storedIds(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT id FROM entries').all();
  database.close();
  return rows.map(({ id }) => String(id));
}

test('receiver and worker killed at any moment: stored exactly once, handled at least once', async () => {
  const [path, log] = [join(directory, 'inbox.db'), join(directory, 'handled.log')];
  let receiver = await start('receiver', path, '0');
  const port = receiver.line;
  let worker = await start('worker', path, log);

  const ids = await deliverAll(port, async progress => {
    for (let kills = 1; kills <= KILLS; kills++) {
      await vi.waitUntil(() => progress() > kills / (KILLS + 1), { timeout: 15_000, interval: 1 });
      await Promise.all([kill(receiver.child), kill(worker.child)]);
      [receiver, worker] = await Promise.all([start('receiver', path, port), start('worker', path, log)]);
    }
  });

  expect(storedIds(path).sort()).toEqual([...ids].sort());
  const handled = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  await vi.waitUntil(() => new Set(handled()).size === COUNT, { timeout: 10_000, interval: 20 });
  expect(new Set(handled())).toEqual(new Set(ids));
  // What was in hand when the worker was killed is handled twice, and little else.
  expect(handled().length).toBeLessThan(COUNT + KILLS * 8 + 1);
  const database = new DatabaseSync(path, { readOnly: true });
  await vi.waitUntil(() => Object.values(database.prepare('SELECT count(*) FROM groups').get() ?? {})[0] === 0);
  expect(database.prepare(`SELECT DISTINCT state FROM entries`).all()).toEqual([{ state: 'done' }]);
  database.close();
});

test('the control: a receiver that acknowledges before it has stored loses some', async () => {
  const path = join(directory, 'inbox.db');
  let receiver = await start('receiver', path, '0', 'acknowledge-first');
  const port = receiver.line;
  const ids = await deliverAll(port, async progress => {
    for (let kills = 1; kills <= KILLS; kills++) {
      await vi.waitUntil(() => progress() > kills / (KILLS + 1), { timeout: 15_000, interval: 1 });
      await kill(receiver.child);
      receiver = await start('receiver', path, port, 'acknowledge-first');
    }
  });
  await sleep(100);
  expect(storedIds(path).length).toBeLessThan(ids.length);
});
