import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { TrackingClient } from '../../src/index.ts';
import { createSync } from '../../src/sync/index.ts';
import { createSandbox, type Sandbox } from '../sandbox.ts';
import { differences } from '../sync-truth.ts';
import { historyDifferences } from './history.ts';
import { openSoakStore, type SoakSettings } from './settings.ts';

export interface SoakOptions {
  store: SoakSettings['store'];
  shipments: number;
  /** Number of simulated days. */
  days: number;
  processes: number;
  /** Number of times that a process is killed in each of the phases. */
  kills: number;
  reconcileDays: number;
  /** The window of the rate limit, in ms of real time. */
  windowMs?: number;
  seed?: number;
  log?: (line: string) => void;
}

export interface SoakResult {
  /** The differences between the rows and the records of the service, and between the end of the history and the rows. */
  differences: string[];
  /** The differences before the last reconciliation, by type and field: the changes without a notification. */
  before: Record<string, number>;
  rows: number;
  deliveries: number;
  duplicates: number;
  /** Deliveries that were refused in the outage, or because a process was killed. */
  refused: number;
  requests: number;
  limited: number;
  dropped: number;
  kills: Record<string, number>;
  seconds: number;
}

const WORKER = resolve(import.meta.dirname, 'worker.ts');
const HOURS_A_STEP = 6;

/** A deterministic generator of random numbers. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/**
 * Runs several processes, which keep a store up to date with the service for some simulated days. Meanwhile, many
 * faults occur: deliveries are duplicated or shuffled, responses break off, the receiver is down for an hour, processes
 * are killed.
 */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { shipments, days, processes, kills, reconcileDays, windowMs = 1000, seed = 7, log = () => {} } = options;
  const began = performance.now();
  const chance = chanceOf(seed);
  const counts = { deliveries: 0, refused: 0, dropped: 0, requests: 0, limited: 0 };
  const seen = new Set<string>();
  const killed: Record<string, number> = { backfill: 0, follow: 0, reconcile: 0 };
  const workers = new Set<Worker>();
  let isDown = false;
  let isRough = true;

  /**
   * Simulates the network between the service and the receivers: shuffles the deliveries, and sends each delivery to
   * one process.
   */
  async function deliver(request: Request): Promise<Response> {
    const body = await request.text();
    const isNotification = body.includes('webhook_notification');
    if (isRough && isNotification) await new Promise(done => setTimeout(done, chance() * 30));
    const ready = [...workers].filter(({ port }) => port > 0);
    const worker = ready[Math.floor(chance() * ready.length)];
    counts.deliveries += 1;
    seen.add(body);
    if (isDown || !worker) {
      counts.refused += 1;
      return new Response(null, { status: 503 });
    }
    const { headers } = request;
    try {
      return await fetch(`http://127.0.0.1:${worker.port}/`, { method: 'POST', headers, body });
    } catch {
      counts.refused += 1;
      return new Response(null, { status: 502 });
    }
  }

  const limits = { default: 100, createTrackingRequest: 100, inferNumber: 200, refreshContainer: 10 };
  const sandbox: Sandbox = createSandbox({
    seed,
    shipments,
    speed: 0,
    // The rate limit counts in real time: `advance` moves only the clock of the service.
    rateLimit: false,
    keepRequests: 0,
    webhooks: { duplicateRate: 0.2, retryGapMs: 60_000, concurrency: 16 },
    fetch: deliver,
  });
  const window = rollingWindow(limits.default, windowMs);
  const server = await serve(async request => {
    counts.requests += 1;
    if (!window()) {
      counts.limited += 1;
      return new Response(null, { status: 429, headers: { 'retry-after': '1' } });
    }
    const luck = isRough ? chance() : 1;
    if (luck < 0.01) {
      counts.dropped += 1;
      return undefined;
    }
    const answer = await sandbox.fetch(request);
    if (luck >= 0.02) return answer;
    counts.dropped += 1;
    return undefined;
  });

  const settings: SoakSettings = {
    baseUrl: `${server.origin}/v2`,
    windowMs,
    webhookUrl: 'https://receiver.example/',
    secret: '',
    reconcileDays,
    store: options.store,
  };
  const direct = { baseUrl: 'https://service.example/v2', apiKey: 'sandbox', rateLimit: false, logger: false } as const;
  const admin = new TrackingClient({ ...direct, fetch: (input, init) => sandbox.fetch(input as string, init) });
  const events = (await admin.webhooks.events()).flatMap(category => category.events.map(({ name }) => name));
  const webhook = await admin.webhooks.ensure({ url: settings.webhookUrl, events: events as never });
  settings.secret = webhook.secret ?? '';

  let progress: ((worker: Worker, phase: string) => void) | undefined;
  const start = () => {
    const worker = startWorker(settings, line => {
      if (line.event === 'error') log(`error: ${line.message}`);
      if (line.event === 'progress') progress?.(worker, String(line.phase));
    });
    workers.add(worker);
    return worker;
  };
  const kill = async (worker: Worker, phase: string) => {
    workers.delete(worker);
    worker.child.kill('SIGKILL');
    await worker.exit;
    killed[phase] = (killed[phase] ?? 0) + 1;
    start();
  };

  try {
    for (let count = 0; count < processes; count += 1) start();
    // Back-fill: again and again, the process is killed after it has read some pages.
    await new Promise<void>((done, fail) => {
      let wait = 1;
      progress = (worker, phase) => {
        if (phase !== 'backfill' || (killed.backfill ?? 0) >= kills) return;
        wait -= 1;
        if (wait > 0 || !workers.has(worker)) return;
        wait = 1 + Math.floor(chance() * 3);
        kill(worker, 'backfill').catch(fail);
      };
      const filled = setInterval(async () => {
        const store = await openSoakStore(settings);
        const filledWith = await store.store.checkpoint('filled').catch(() => undefined);
        await store.close();
        if (filledWith === undefined) return;
        clearInterval(filled);
        done();
      }, 200);
    });
    log(`filled, ${killed.backfill} kills`);

    const steps = (days * 24) / HOURS_A_STEP;
    const outageAt = Math.floor(steps / 2);
    let doomed: Promise<void> = Promise.resolve();
    progress = (worker, phase) => {
      if (phase !== 'reconcile' || (killed.reconcile ?? 0) >= kills || !workers.has(worker) || chance() < 0.5) return;
      doomed = doomed.then(() => kill(worker, 'reconcile'));
    };
    for (let step = 0; step < steps; step += 1) {
      if (step === outageAt) {
        isDown = true;
        const before = counts.refused;
        // The outage lasts an hour, or longer if nothing had to be delivered in this hour.
        for (let hours = 0; hours < 24 && (hours === 0 || counts.refused === before); hours += 1) {
          sandbox.advance({ hours: 1 });
          await sandbox.flush();
        }
        isDown = false;
      }
      sandbox.advance({ hours: HOURS_A_STEP });
      const flushed = sandbox.flush();
      if ((killed.follow ?? 0) < kills && step % Math.max(1, Math.floor(steps / (kills + 1))) === 0) {
        const [victim] = [...workers].filter(({ port }) => port > 0);
        if (victim) await kill(victim, 'follow');
      }
      await flushed;
      await doomed;
      if (step % 3 === 0) {
        // Some shipments are added and removed.
        const [added] = sandbox.seedShipments(1);
        if (added && step % 6 === 0) sandbox.removeShipment(added.id);
      }
      if (step % 8 === 0)
        log(
          `day ${(step * HOURS_A_STEP) / 24}: ${counts.deliveries} deliveries, ${counts.requests} requests, kills ${JSON.stringify(killed)}`,
        );
    }
    // The remaining kills happen in additional reconciliations.
    for (let more = 0; (killed.reconcile ?? 0) < kills && more < 400; more += 1) {
      sandbox.advance({ days: reconcileDays });
      await sandbox.flush();
      await new Promise(done => setTimeout(done, 300));
      await doomed;
    }
    progress = undefined;
    isRough = false;
    sandbox.advance({ hours: 48 });
    await sandbox.flush();
    sandbox.advance({ minutes: 1 });
    await sandbox.flush();
    for (const worker of workers) worker.child.kill('SIGTERM');
    await Promise.all([...workers].map(({ exit }) => exit));
    workers.clear();

    const opened = await openSoakStore(settings);
    try {
      const before = byField(await differences(sandbox, await opened.records()));
      const sync = createSync({ client: admin, store: opened.store, share: 0.5, history: true, logger: false });
      await sync.reconcile();
      const records = await opened.records();
      const now = await sync.statusAt(new Date('2099-01-01'));
      return {
        differences: [...(await differences(sandbox, records)), ...historyDifferences(now, records)],
        before,
        rows: [...records.values()].filter(Boolean).length,
        duplicates: counts.deliveries - seen.size,
        ...counts,
        kills: killed,
        seconds: Math.round((performance.now() - began) / 1000),
      };
    } finally {
      await opened.close();
    }
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
    await server.close();
  }
}

function byField(lines: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) {
    // `<type> <id> is extra`, or `<type> <id> <field>: …`
    const [type, , field = '', rest = ''] = line.split(/:? /);
    const what = field === 'is' ? `${type} ${rest}` : `${type}.${field}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

interface Worker {
  child: ChildProcess;
  port: number;
  exit: Promise<unknown>;
}

function startWorker(settings: SoakSettings, onLine: (line: Record<string, unknown>) => void): Worker {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WORKER], {
    env: { PATH: process.env.PATH, SOAK: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const worker: Worker = { child, port: 0, exit: once(child, 'exit') };
  let rest = '';
  child.stdout?.on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const report = JSON.parse(line) as Record<string, unknown>;
      if (report.event === 'listening') worker.port = Number(report.port);
      onLine(report);
    }
  });
  return worker;
}

/** A function that returns true if a request is within the limit. The limit counts in real time. */
function rollingWindow(limit: number, windowMs: number): () => boolean {
  const times: number[] = [];
  return () => {
    const now = performance.now();
    while (times.length > 0 && now - (times[0] ?? 0) >= windowMs) times.shift();
    if (times.length >= limit) return false;
    times.push(now);
    return true;
  };
}

/** Serves a handler over HTTP. The connection is reset if the handler returns no response. */
async function serve(
  handler: (request: Request) => Promise<Response | undefined>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const http = process.getBuiltinModule('node:http');
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = 'GET', url } = incoming;
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) };
      const answer = await handler(new Request(`http://service.example${url}`, { method, headers, ...body }));
      if (!answer) {
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
