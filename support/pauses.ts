import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Closers, LIMIT, serve, undisturbed, WINDOW } from './outages.ts';
import { startRedis } from './redis.ts';

const LEASE = 600;
/** Numbers of calls that each process always has to make: one process sends most of the requests. */
const CALLERS = [30, 6, 6, 6];

export interface Paused {
  /** Number of 429 responses of the service. */
  limited: number;
  /** The numbers of 429 responses in earlier runs, which were discarded because the machine was busy with other things. */
  discarded: number[];
  answered: number;
  pauses: number;
}

/** Four processes on one Redis. In each round some of them are stopped, for so long that their slots become free. */
export function pauseAgainAndAgain(rounds: readonly Round[]): Promise<Paused> {
  return undisturbed(
    closers => run(rounds, closers),
    ({ limited }) => limited === 0,
  );
}

async function run(rounds: readonly Round[], closers: Closers): Promise<Omit<Paused, 'discarded'>> {
  const redis = await startRedis();
  closers.push(() => redis.stop());
  const { url, seen } = await serve(closers);
  const settings = JSON.stringify({
    windowMs: WINDOW,
    limits: { default: LIMIT },
    leaseMs: LEASE,
    processes: CALLERS.length,
    storeTimeoutMs: 200,
  });
  const worker = fileURLToPath(new URL('paused-process.ts', import.meta.url));
  const processes = CALLERS.map((callers, n) => {
    const kind = n % 2 === 0 ? 'redis' : 'ioredis';
    const args = [worker, kind, String(redis.port), url, String(callers), settings];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    closers.push(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    return child;
  });
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
  await sleep(2 * WINDOW);
  let pauses = 0;
  for (const { who, forMs, afterMs } of rounds) {
    const stopped: ChildProcess[] = who.flatMap(n => processes[n] ?? []);
    for (const child of stopped) child.kill('SIGSTOP');
    await sleep(forMs);
    for (const child of stopped) child.kill('SIGCONT');
    pauses += stopped.length;
    await sleep(afterMs);
  }
  return { limited: seen.limited, answered: seen.total - seen.limited, pauses };
}

interface Round {
  who: number[];
  forMs: number;
  afterMs: number;
}

const PAST_LEASE = LEASE + WINDOW;

/** Pauses of processes, by the state of the budget during the pause. */
export const pauses: Record<string, Round[]> = {
  'pauses past lease and window': Array.from({ length: 6 }, (_, n) => ({
    who: [n % CALLERS.length],
    forMs: PAST_LEASE + 100 + 137 * n,
    // Each round pauses at a different time of the window.
    afterMs: 2 * WINDOW + (n * WINDOW) / 6,
  })),
  'pauses of several processes at once': Array.from({ length: 4 }, (_, n) => ({
    who: n % 2 === 0 ? [0, 1] : [0, 2, 3],
    forMs: PAST_LEASE + 150 * n,
    afterMs: 2 * WINDOW + (n * WINDOW) / 4,
  })),
  'pauses of ten windows, after which a process counts as dead': [
    { who: [0], forMs: 10.5 * WINDOW, afterMs: 2.3 * WINDOW },
    { who: [0, 1], forMs: 10.5 * WINDOW, afterMs: 2 * WINDOW },
  ],
  'short pauses one after another': Array.from({ length: 24 }, (_, n) => ({
    who: [n % CALLERS.length],
    forMs: (WINDOW * (1 + (n % 5))) / 5,
    afterMs: WINDOW / 4,
  })),
};
