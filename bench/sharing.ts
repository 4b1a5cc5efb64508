import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createClient } from 'redis';
import { endure, outages } from '../support/outages.ts';
import { pauseAgainAndAgain, pauses } from '../support/pauses.ts';
import { startRedis } from '../support/redis.ts';
import { LIMITS } from './limiters.ts';

interface Service {
  url: string;
  seen: { limited: number };
  close(): void;
}

interface Crowd {
  processes: number;
  /** Number of limiters in each process. */
  limiters: number;
  /** Number of calls that each limiter always has to make. */
  callers: number;
  windowMs: number;
  /** Round trip to Redis in ms. */
  roundTripMs: number;
}

const CROWDS: Crowd[] = [
  { processes: 4, limiters: 1, callers: 60, windowMs: 2000, roundTripMs: 0 },
  { processes: 4, limiters: 1, callers: 60, windowMs: 2000, roundTripMs: 200 },
  { processes: 1, limiters: 1, callers: 200, windowMs: 2000, roundTripMs: 200 },
  { processes: 4, limiters: 16, callers: 3, windowMs: 2000, roundTripMs: 0 },
  { processes: 4, limiters: 16, callers: 3, windowMs: 2000, roundTripMs: 50 },
  { processes: 64, limiters: 1, callers: 3, windowMs: 4000, roundTripMs: 0 },
  { processes: 64, limiters: 1, callers: 3, windowMs: 4000, roundTripMs: 200 },
];
const WINDOWS = 12;

/**
 * Measures the used part of a shared budget if many limiters are near Redis, and if they are far from Redis.
 */
export async function sharing(serve: (options: { windowMs: number }) => Promise<Service>): Promise<void> {
  console.log(`\nMany limiters on one key, always with something to send, ${WINDOWS} windows\n`);
  console.log(
    '| processes | limiters | to Redis, ms | window, ms | of the limit | 429s | slowest of the mean | commands a call |',
  );
  console.log('|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const crowd of CROWDS) {
    const { processes, limiters, callers, windowMs, roundTripMs } = crowd;
    const redis = await startRedis();
    const client = await createClient({ url: redis.url }).connect();
    const { url, seen, close } = await serve({ windowMs });
    const durationMs = WINDOWS * windowMs;
    const args = [redis.port, url, windowMs, LIMITS.default, limiters, callers, roundTripMs / 2, durationMs].map(
      String,
    );
    const worker = resolve(import.meta.dirname, 'sharing-worker.ts');
    const children = Array.from({ length: processes }, () =>
      spawn(process.execPath, [worker, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    // If a process fails, the benchmark ends.
    const failed = Promise.all(children.map(child => once(child, 'exit'))).then(() => [['[]']]);
    await Promise.race([failed, Promise.all(children.map(child => once(child.stdout, 'data')))]);
    const answers = children.map(child => once(child.stdout, 'data'));
    for (const child of children) child.stdin.write('go');
    const counts: number[] = (await Promise.race([failed, Promise.all(answers)])).flatMap(([text]) => JSON.parse(text));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const stats = await client.info('commandstats');
    const commands = Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1]);
    const cells = [
      processes,
      processes * limiters,
      roundTripMs,
      windowMs,
      (total / (WINDOWS * LIMITS.default)).toFixed(3),
      seen.limited,
      (Math.min(...counts) / (total / counts.length)).toFixed(2),
      (commands / total).toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} |`);
    const isShared = Math.min(...counts) >= total / counts.length / 2 && commands / total <= 3 && seen.limited === 0;
    if (processes >= 64 && !isShared) process.exitCode = 1;
    client.destroy();
    close();
    await redis.stop();
  }
}

/** Measures four processes that share one Redis and always have a request to send, while Redis is disturbed. */
export async function hostile(): Promise<void> {
  console.log('\nFour processes share one Redis. One of them has the most calls to make. Redis is disturbed:\n');
  console.log('| what happens | 429s | 429s of discarded runs | answered | of the limit meanwhile |');
  console.log('|---|---:|---:|---:|---:|');
  const nothing = { nothing: () => new Promise<void>(done => setTimeout(done, 2000)) };
  for (const [name, happen] of Object.entries({ ...nothing, ...outages })) {
    const { limited, discarded, answered, used } = await endure(happen);
    console.log(`| ${name} | ${limited} | ${discarded.join(', ')} | ${answered} | ${used.toFixed(2)} |`);
    if (limited > 0) process.exitCode = 1;
  }
  console.log('\nFour processes share one Redis. Some of them are paused and continued:\n');
  console.log('| what happens | pauses | 429s | 429s of discarded runs | answered |\n|---|---:|---:|---:|---:|');
  for (const [name, rounds] of Object.entries(pauses)) {
    const { limited, discarded, answered, pauses: count } = await pauseAgainAndAgain(rounds);
    console.log(`| ${name} | ${count} | ${limited} | ${discarded.join(', ')} | ${answered} |`);
    if (limited > 0) process.exitCode = 1;
  }
}
