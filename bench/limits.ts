/**
 * Compares rate limiters. The server has a strict rolling window, which is shorter than the window of the service.
 * Measures the lost calls, the 429 responses, and the duration as a multiple of the theoretical minimum.
 *
 * node bench/limits.ts [scenario …]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../support/redis.ts';
import { type Bucket, call, contenders, LIMITS } from './limiters.ts';
import { queued } from './queued.ts';
import { hostile, sharing } from './sharing.ts';

interface Scenario {
  name: string;
  windowMs: number;
  /** The bucket of each call. */
  calls: Bucket[];
  /** Duration in ms until the n-th response. */
  latency?: (n: number) => number;
  /** Number of requests of another client in each window. */
  foreign?: number;
}

const repeat = (count: number, bucket: Bucket): Bucket[] => Array(count).fill(bucket);

const scenarios: Scenario[] = [
  { name: 'burst of 500', windowMs: 1000, calls: repeat(500, 'default') },
  { name: 'burst of 5,000', windowMs: 250, calls: repeat(5000, 'default') },
  {
    name: 'mixed buckets',
    windowMs: 1000,
    calls: Array.from({ length: 500 }, (_, n) =>
      n % 50 === 0 ? 'refreshContainer' : n % 2 ? 'inferNumber' : 'default',
    ),
  },
  {
    name: 'latency 0 to 300 ms of 60 s, scaled',
    windowMs: 1000,
    calls: repeat(500, 'default'),
    latency: n => ((n * 7919) % 300) / 60,
  },
  {
    name: '5 % of the answers take two thirds of a window',
    windowMs: 1000,
    calls: repeat(500, 'default'),
    latency: n => (n % 20 === 0 ? 667 : 2),
  },
  { name: 'somebody else takes 30 %', windowMs: 1000, calls: repeat(500, 'default'), foreign: 30 },
];

async function serve({ windowMs, latency = () => 0 }: Pick<Scenario, 'windowMs' | 'latency'>) {
  const counted: Record<string, number[]> = {};
  const seen = { total: 0, limited: 0 };
  const server = createServer(async (request, response) => {
    const [, bucket = '', who] = (request.url ?? '').split('/');
    if (bucket === 'warm-up') return response.end();
    counted[bucket] ??= [];
    const log = counted[bucket];
    const now = performance.now();
    while ((log[0] ?? now) <= now - windowMs) log.shift();
    if (log.length >= LIMITS[bucket as Bucket]) {
      if (who !== 'foreign') seen.limited += 1;
      const seconds = ((log[0] ?? now) + windowMs - now) / 1000;
      return response.writeHead(429, { 'retry-after': seconds.toFixed(3) }).end();
    }
    log.push(now);
    const ms = who === 'foreign' ? 0 : latency(seen.total++);
    if (ms > 0) await sleep(ms);
    return response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

/**
 * The shortest possible duration. If a bucket has more calls than fit into one window, the other calls wait for whole
 * windows. Each bucket has its own limit.
 */
function theoreticalMs({ calls, windowMs }: Scenario): number {
  const perBucket = Object.entries(LIMITS).map(([bucket, limit]) => {
    const count = calls.filter(other => other === bucket).length;
    return Math.max(0, Math.ceil(count / limit) - 1) * windowMs;
  });
  return Math.max(...perBucket);
}

interface Result {
  total: number;
  ok: number;
  limited: number;
  ms: number;
  theory: number;
  p99?: number | undefined;
}

function row(name: string, { total, ok, limited, ms, theory, p99 }: Result): void {
  const cells = [
    name,
    ok,
    total - ok,
    limited,
    (ms / 1000).toFixed(2),
    (ms / theory).toFixed(3),
    p99?.toFixed(0) ?? '',
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function head(title: string, theory: number): void {
  console.log(`\n${title}; theory ${(theory / 1000).toFixed(2)} s\n`);
  console.log(
    '| limiter | ok | lost | 429s | s | × theory | p99 round trip, ms |\n|---|---:|---:|---:|---:|---:|---:|',
  );
}

async function one(scenario: Scenario): Promise<void> {
  const theory = theoreticalMs(scenario);
  head(`${scenario.name}, window ${scenario.windowMs} ms`, theory);
  for (const contender of contenders) {
    const { url, seen, close } = await serve(scenario);
    await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/warm-up`)).text()));
    const stop = new AbortController();
    const foreign = consume(url, scenario, stop.signal);
    const take = contender.make(scenario.windowMs);
    const start = performance.now();
    const calls = await Promise.all(scenario.calls.map(bucket => call(url, bucket, take)));
    const ms = performance.now() - start;
    stop.abort();
    await foreign;
    const roundTrips = calls.filter(roundTrip => roundTrip !== undefined).sort((a, b) => a - b);
    const p99 = roundTrips[Math.floor(roundTrips.length * 0.99)];
    row(contender.name, { total: calls.length, ok: roundTrips.length, limited: seen.limited, ms, theory, p99 });
    close();
  }
}

async function consume(url: string, { foreign = 0, windowMs }: Scenario, signal: AbortSignal): Promise<void> {
  while (foreign > 0 && !signal.aborted) {
    await fetch(`${url}/default/foreign`);
    await sleep(windowMs / foreign);
  }
}

async function fourProcesses(): Promise<void> {
  // On two cores, the four HTTP clients and the server already need 150 to 300 ms for a burst of 100 requests.
  const windowMs = 2000;
  const theory = 9 * windowMs;
  head(`4 processes on one Redis, 1,000 calls, window ${windowMs} ms`, theory);
  const redis = await startRedis();
  for (const name of ['ours', 'rate-limiter-flexible']) {
    const { url, seen, close } = await serve({ windowMs });
    const worker = resolve(import.meta.dirname, 'limits-worker.ts');
    const children = Array.from({ length: 4 }, () => {
      const args = [worker, name, String(redis.port), url, String(windowMs), '250'];
      return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    });
    await Promise.all(children.map(child => once(child.stdout, 'data')));
    const start = performance.now();
    const answers = children.map(child => once(child.stdout, 'data'));
    for (const child of children) child.stdin.write('go');
    const ok = (await Promise.all(answers)).reduce((sum, [text]) => sum + Number(text), 0);
    row(name, { total: 1000, ok, limited: seen.limited, ms: performance.now() - start, theory });
    close();
  }
  await redis.stop();
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.some(part => name.includes(part));
for (const scenario of scenarios) if (isWanted(scenario.name)) await one(scenario);
if (isWanted('4 processes')) await fourProcesses();
if (isWanted('sharing')) await sharing(serve);
if (isWanted('hostile')) await hostile();
if (isWanted('queued')) await queued();
process.exit();
