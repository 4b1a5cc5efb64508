import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrackingClient } from '../../src/index.ts';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';
import { freePort } from '../free-port.ts';
import { startRedis } from '../redis.ts';
import { createSandbox } from '../sandbox.ts';
import { openStore } from './store.ts';

export interface SoakOptions {
  store: 'sqlite' | 'redis';
  /** Lower bound of the number of notifications. */
  notifications: number;
  /** Number of times that receiver and worker are killed. */
  kills: number;
  /**
   * True if the receiver acknowledges a notification before it stores this notification. This is the control, which
   * must lose notifications. @default false
   */
  acknowledgeFirst?: boolean;
}

export interface SoakResult {
  notifications: number;
  /** The number of requests to the receiver. */
  deliveries: number;
  /** The number of responses that did not reach the service. */
  dropped: number;
  kills: number;
  stored: number;
  storedTwice: number;
  handled: number;
  handledTwice: number;
  /** Notifications that were acknowledged, but not stored. The service does not send them again. */
  lost: number;
  /** Notifications that were not stored after all attempts. The service reports them as failed. */
  failed: number;
  /** Number of notifications that were not stored and that `recover` found. */
  recovered: number;
  seconds: number;
}

const PROCESS = resolve(import.meta.dirname, 'process.ts');
const DROP_EVERY = 13;

/**
 * Makes the sandbox send the events of whole voyages. Some responses are dropped, and receiver and worker are killed several
 * times.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { store, notifications, kills, acknowledgeFirst = false } = options;
  const startedAt = performance.now();
  const directory = mkdtempSync(join(tmpdir(), 'soak-'));
  const processes = new Processes();
  const redis = store === 'redis' ? await startRedis({ args: durable(directory) }) : undefined;
  const ids = new Set<string>();
  let [deliveries, dropped, killed] = [0, 0, 0];
  let restarted = Promise.resolve();

  const sandbox = createSandbox({
    speed: 0,
    rateLimit: false,
    webhooks: { duplicateRate: 0.2, concurrency: 16 },
    async fetch(request) {
      deliveries += 1;
      const isDropped = deliveries % DROP_EVERY === 0;
      ids.add((await request.clone().json()).data.id);
      if (killed < kills && ids.size > (notifications * (killed + 1)) / (kills + 1)) {
        killed += 1;
        restarted = processes.killAndRestart();
      }
      const response = await fetch(request);
      if (!isDropped) return response;
      dropped += 1;
      throw new Error('The connection broke before the response arrived.');
    },
  });
  const server = await sandbox.listen();
  const client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false });

  try {
    const port = await freePort();
    const webhook = await client.webhooks.ensure({ url: `http://127.0.0.1:${port}/`, events: EVENT_NAMES });
    const env = { ...process.env, TRACKING_WEBHOOK_SECRET: webhook.secret };
    const address = redis?.url ?? join(directory, 'inbox.db');
    const [storedLog, handledLog] = [join(directory, 'stored.log'), join(directory, 'handled.log')];
    const mode = acknowledgeFirst ? ['acknowledge-first'] : [];
    await Promise.all([
      processes.start([PROCESS, 'receiver', address, storedLog, String(port), ...mode], env),
      processes.start([PROCESS, 'worker', address, handledLog], env),
    ]);

    sandbox.seedContainers(Math.ceil(notifications / 20), { phase: 'booked' });
    while (ids.size < notifications) {
      sandbox.advance({ hours: 4 });
      await sandbox.flush();
    }
    await restarted;
    // Time for the last retries.
    for (let day = 0; day < 6; day++) {
      sandbox.advance({ days: 1 });
      await sandbox.flush();
    }
    // A notification that is acknowledged but not yet stored must not be counted as lost.
    await processes.finish('receiver');

    const { inbox, close } = await openStore(address);
    const missing = new Set<string>();
    for (const id of ids) if (!(await inbox.has(id))) missing.add(id);
    const stored = linesOf(storedLog);
    for (let waits = 0; new Set(linesOf(handledLog)).size < ids.size - missing.size && waits < 600; waits++)
      await sleep(50);
    const handled = linesOf(handledLog);

    const all = await client.webhookNotifications.list({ pageSize: 100 }).toArray();
    const failed = all.filter(({ id, delivery_status }) => missing.has(id) && delivery_status === 'failed');
    const recovered = new Set<string>();
    const items = client.webhookNotifications.recover({ since: '2026-01-01', inbox });
    for await (const { record, notifications } of items) {
      if (record) for (const { id } of notifications) if (missing.has(id)) recovered.add(id);
    }
    close();
    return {
      notifications: ids.size,
      deliveries,
      dropped,
      kills: killed,
      stored: ids.size - missing.size,
      storedTwice: stored.length - new Set(stored).size,
      handled: new Set(handled).size,
      handledTwice: handled.length - new Set(handled).size,
      lost: missing.size - failed.length,
      failed: failed.length,
      recovered: recovered.size,
      seconds: (performance.now() - startedAt) / 1000,
    };
  } finally {
    await processes.kill();
    await redis?.stop();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Started {
  child: ChildProcess;
  args: string[];
  env: NodeJS.ProcessEnv;
}

class Processes {
  #started: Started[] = [];

  /** Resolves when the process has printed something. */
  async start(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    });
    this.#started.push({ child, args, env });
    // If a process was killed during its start, the code that killed the process starts it again.
    const exited = once(child, 'exit').then(([code]) => {
      if (code !== null) throw new Error(`${args[1]} ended with ${code} before it was ready.`);
    });
    await Promise.race([once(child.stdout, 'data'), exited]);
    exited.catch(() => {});
  }

  async killAndRestart(): Promise<void> {
    const killed = this.#started.splice(0);
    await Promise.all(killed.map(({ child }) => end(child)));
    await Promise.all(killed.map(({ args, env }) => this.start(args, env)));
  }

  /** Stops a process after it has finished its work. */
  async finish(role: string): Promise<void> {
    const finished = this.#started.filter(({ args }) => args[1] === role);
    this.#started = this.#started.filter(started => !finished.includes(started));
    await Promise.all(finished.map(({ child }) => end(child, 'SIGTERM')));
  }

  async kill(): Promise<void> {
    await Promise.all(this.#started.map(({ child }) => end(child)));
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

function durable(directory: string): string[] {
  return ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', directory];
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}
