import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import type { RedisClient } from '../src/internal/redis.ts';
import { redisLimiter } from '../src/rate-limit/redis/redis-limiter.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

export const WINDOW = 800;
export const LIMIT = 40;
const PROCESSES = 4;
/**
 * Lower bound of the number of responses to each process after an outage. If each process gets more responses, the
 * processes share the limit again.
 */
export const FEWEST_AFTERWARDS = LIMIT / 4;

export type Closers = (() => unknown)[];

const clients = {
  async redis(port: number, closers: Closers): Promise<RedisClient> {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 50 } });
    client.on('error', () => {});
    await client.connect();
    closers.push(() => client.destroy());
    return client as RedisClient;
  },
  async ioredis(port: number, closers: Closers): Promise<RedisClient> {
    const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 });
    client.on('error', () => {});
    closers.push(() => client.disconnect());
    // A process that has never been connected uses its part of the limit immediately. This would not test an outage.
    await once(client, 'ready');
    return client;
  },
};

/** The service: a strict rolling window. */
export async function serve(closers: Closers) {
  const counted: number[] = [];
  const seen = { total: 0, limited: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.url === '/warm-up') return response.end();
    const now = performance.now();
    while ((counted[0] ?? now) <= now - WINDOW) counted.shift();
    seen.total += 1;
    if (counted.length >= LIMIT) {
      seen.limited += 1;
      return response.writeHead(429).end();
    }
    counted.push(now);
    return response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await Promise.all(Array.from({ length: 40 }, async () => (await fetch(`${url}/warm-up`)).text()));
  return { url, seen };
}

interface Stage {
  redis: RedisServer;
  /** The folder in which Redis saves its data if its configuration demands this. */
  directory: string;
  replica(): Promise<RedisServer>;
  /** The connection of each process to Redis. */
  links: TcpProxy[];
  send(...command: string[]): Promise<unknown>;
}

export interface Endured {
  /** Number of 429 responses of the service. */
  limited: number;
  /** The numbers of 429 responses in earlier runs, which were discarded because the machine had stopped their processes. */
  discarded: number[];
  /** The number of responses to all processes at the end. */
  answered: number;
  /** The share of the limit that was used during the outage. */
  used: number;
  /** The number of responses to each process when the outage ended. */
  afterwards: number[];
}

/** Runs some windows in which all processes always have a request to send. During this time `happen` disturbs Redis. */
export function endure(happen: (stage: Stage) => Promise<void>): Promise<Endured> {
  return undisturbed(
    closers => run(happen, closers),
    ({ limited, afterwards }) => limited === 0 && afterwards.every(count => count > FEWEST_AFTERWARDS),
  );
}

/** Makes a run, and repeats it if it failed while the machine was busy with other things. */
export async function undisturbed<T extends { limited: number }>(
  make: (closers: Closers) => Promise<T>,
  isFine: (result: T) => boolean,
): Promise<T & { discarded: number[] }> {
  const discarded: number[] = [];
  while (true) {
    const closers: Closers = [];
    const lag = measureLag(closers);
    try {
      const result = await make(closers);
      if (isFine(result) || lag.longestMs < LONGEST_LAG_MS || discarded.length === MAX_DISCARDED)
        return { ...result, discarded };
      discarded.push(result.limited);
    } finally {
      for (const close of closers.reverse()) await close();
    }
  }
}

/**
 * A window usually lasts a minute. The windows here are so short that a busy machine can stop a process for longer than
 * the limiter tolerates. Such a run proves nothing, and is repeated.
 */
const LONGEST_LAG_MS = WINDOW / 20;
const MAX_DISCARDED = 3;

function measureLag(closers: Closers): { longestMs: number } {
  const lag = { longestMs: 0 };
  let due = performance.now() + 5;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.longestMs = Math.max(lag.longestMs, now - due);
    due = now + 5;
  }, 5);
  closers.push(() => clearInterval(timer));
  return lag;
}

async function run(happen: (stage: Stage) => Promise<void>, closers: Closers): Promise<Omit<Endured, 'discarded'>> {
  const directory = mkdtempSync(join(tmpdir(), 'outage-'));
  closers.push(() => rmSync(directory, { recursive: true }));
  let redis = await startRedis({ args: ['--dir', directory] });
  closers.push(() => redis.stop());
  const { url, seen } = await serve(closers);
  const links = await Promise.all(Array.from({ length: PROCESSES }, () => startProxy(redis.port)));
  for (const link of links) closers.push(() => link.close());
  const direct = createClient({ url: redis.url, socket: { reconnectStrategy: 20 } });
  direct.on('error', () => {});
  await direct.connect();
  closers.push(() => direct.destroy());
  // All clients connect before the outage: on a busy machine, a connection may take longer than the time until the
  // outage.
  const connected = await Promise.all(
    links.map(({ port }, process) => clients[process % 2 === 0 ? 'redis' : 'ioredis'](port, closers)),
  );
  const ending = new AbortController();
  const answered = connected.map(() => 0);
  const running = connected.map(async (client, process) => {
    const limiter = redisLimiter({
      client,
      key: 'shared',
      windowMs: WINDOW,
      limits: { default: LIMIT },
      leaseMs: 1000,
      processes: PROCESSES,
      storeTimeoutMs: 200,
      warn() {},
    });
    // Uneven load: one process sends most of the requests.
    const callers = process === 0 ? 30 : 6;
    const { signal } = ending;
    const call = async () => {
      while (!signal.aborted) {
        const slot = await limiter
          .acquire({ bucket: 'default', priority: 'interactive', signal })
          .catch(() => undefined);
        if (!slot) return;
        const response = await fetch(url);
        await response.text();
        slot.release({ limited: response.status === 429 });
        answered[process] = (answered[process] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
  });
  await sleep(2 * WINDOW);
  const total = () => answered.reduce((sum, count) => sum + count, 0);
  const [startedAt, startedWith] = [performance.now(), total()];
  await happen({
    get redis() {
      return redis;
    },
    set redis(server) {
      redis = server;
    },
    directory,
    async replica() {
      const server = await startRedis({ args: ['--replicaof', '127.0.0.1', String(redis.port)] });
      closers.push(() => server.stop());
      const client = await createClient({ url: server.url }).connect();
      while (!String(await client.sendCommand(['INFO', 'replication'])).includes('master_link_status:up'))
        await sleep(20);
      client.destroy();
      return server;
    },
    links,
    send: (...command) => direct.sendCommand(command),
  });
  const used = (total() - startedWith) / (((performance.now() - startedAt) / WINDOW) * LIMIT);
  const before = [...answered];
  await sleep(8 * WINDOW);
  ending.abort();
  await Promise.all(running);
  return {
    limited: seen.limited,
    answered: total(),
    used,
    afterwards: answered.map((count, n) => count - (before[n] ?? 0)),
  };
}

export const outages: Record<string, (stage: Stage) => Promise<void>> = {
  'all links cut and healed together': async ({ links }) => {
    for (const link of links) link.cut();
    await sleep(5 * WINDOW);
    for (const link of links) link.heal();
  },
  'all links cut, and healed one after another, twice': async ({ links }) => {
    for (let round = 0; round < 2; round++) {
      for (const link of links) link.cut();
      await sleep(2 * WINDOW);
      for (const link of links) {
        link.heal();
        await sleep(WINDOW);
      }
    }
  },
  'some links cut, while the others continue to share': async ({ links }) => {
    for (const link of links.slice(0, 2)) link.cut();
    await sleep(6 * WINDOW);
    for (const link of links.slice(0, 2)) {
      link.heal();
      await sleep(WINDOW);
    }
  },
  'some links cut, and healed together': async ({ links }) => {
    for (const link of links.slice(1)) link.cut();
    await sleep(4 * WINDOW);
    for (const link of links.slice(1)) link.heal();
  },
  'links that drop all data without an error': async ({ links }) => {
    links[0]?.cut('silence');
    await sleep(WINDOW / 2);
    links[1]?.cut('silence');
    await sleep(4 * WINDOW);
    for (const link of links) link.heal();
  },
  'links that break for a moment again and again': async ({ links }) => {
    for (let n = 0; n < 24; n++) {
      links[n % 4]?.cut(n % 3 === 0 ? 'silence' : 'reset');
      await sleep(WINDOW / 4);
      links[n % 4]?.heal();
    }
  },
  'a master that becomes read-only': async ({ send }) => {
    await send('REPLICAOF', '127.0.0.1', '1');
    await sleep(5 * WINDOW);
    await send('REPLICAOF', 'NO', 'ONE');
  },
  'a failover to a replica': async stage => {
    const replica = await stage.replica();
    await stage.redis.stop();
    await sleep(2 * WINDOW);
    for (const link of stage.links) {
      link.target = replica.port;
      await sleep(WINDOW / 2);
    }
    await sleep(WINDOW);
    const client = await createClient({ url: replica.url }).connect();
    await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    client.destroy();
  },
  'a Redis that is paused and continued': async ({ redis }) => {
    redis.signal('SIGSTOP');
    await sleep(4 * WINDOW);
    redis.signal('SIGCONT');
  },
  FLUSHALL: async ({ send }) => {
    await send('FLUSHALL');
    await sleep(3.3 * WINDOW);
    await send('FLUSHALL');
  },
  'a restart without its data': async stage => {
    const { port } = stage.redis;
    await stage.redis.stop();
    await sleep(3 * WINDOW);
    stage.redis = await startRedis({ port });
  },
  'a restart with all its data': async stage => {
    const { port } = stage.redis;
    await stage.send('CONFIG', 'SET', 'appendfsync', 'always', 'appendonly', 'yes');
    await sleep(2 * WINDOW);
    for (const down of [WINDOW / 8, 3 * WINDOW]) {
      await stage.redis.stop();
      await sleep(down);
      stage.redis = await startRedis({ port, args: ['--dir', stage.directory, '--appendonly', 'yes'] });
      await sleep(2 * WINDOW);
    }
  },
  'a restart with data that is older': async stage => {
    const { port } = stage.redis;
    for (const age of [WINDOW / 4, WINDOW]) {
      await stage.send('SAVE');
      await sleep(age);
      await stage.redis.stop();
      stage.redis = await startRedis({ port, args: ['--dir', stage.directory] });
      await sleep(4 * WINDOW);
    }
  },
  'restarts with data that is older, after times of every length': async stage => {
    const { port } = stage.redis;
    for (let n = 0; n < 8; n++) {
      await stage.send('SAVE');
      // Some processes have sent requests since the outage, and some have not.
      await sleep((WINDOW * (n + 1)) / 10);
      await stage.redis.stop();
      stage.redis = await startRedis({ port, args: ['--dir', stage.directory] });
      await sleep(2.2 * WINDOW);
    }
  },
  'failovers to a replica that is behind': async stage => {
    for (let n = 0; n < 2; n++) {
      const replica = await stage.replica();
      const client = await createClient({ url: replica.url }).connect();
      await client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      await sleep((WINDOW * (n + 1)) / 4);
      await stage.redis.stop();
      client.destroy();
      stage.redis = replica;
      for (const link of stage.links) {
        link.target = replica.port;
        await sleep(n === 0 ? 0 : WINDOW / 10);
      }
      await sleep(3 * WINDOW);
    }
  },
  'a full store that refuses to write': async ({ send }) => {
    await send('CONFIG', 'SET', 'maxmemory', '1');
    await sleep(5 * WINDOW);
    await send('CONFIG', 'SET', 'maxmemory', '0');
  },
};
