import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from 'redis';
import { postgresInbox } from '../src/webhooks/inbox/postgres-inbox.ts';
import { redisInbox } from '../src/webhooks/inbox/redis-inbox.ts';
import { sqliteInbox } from '../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createRouter, createWorker, type Inbox } from '../src/webhooks/index.ts';
import { load } from './packages.ts';

/** One queue system on one store. */
export interface Queue {
  /** Stores this number of entries before the work begins. */
  fill(count: number): Promise<void>;
  /** Stores one entry. Resolves to the id that the handler gets, as soon as the entry is on the disk. */
  put(id: string): Promise<string>;
  /** Handles entries until the returned function is called. The function resolves when all entries are settled. */
  work(concurrency: number, handler: (id: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const PADDING = 'x'.repeat(500);
const idOf = (data: unknown) => (data as { id: string }).id;
const jobOf = (id: string) => ({ id, padding: PADDING });
const ids = (count: number) => Array.from({ length: count }, (_, index) => `filled-${index}`);

async function inEights(count: number, put: (id: string) => Promise<unknown>): Promise<void> {
  const left = ids(count);
  const next = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await put(id);
  };
  await Promise.all(Array.from({ length: 8 }, next));
}

function inboxQueue(inbox: Inbox, close: () => Promise<unknown>): Queue {
  const encoder = new TextEncoder();
  const put = async (id: string) => {
    const attributes = { event: 'container.updated', padding: PADDING };
    const body = encoder.encode(JSON.stringify({ data: { id, type: 'webhook_notification', attributes } }));
    await inbox.put({ id, event: 'container.updated', group: id, order: '', body, receivedAt: Date.now() });
    return id;
  };
  return {
    fill: count => inEights(count, put),
    put,
    async work(concurrency, handler) {
      const router = createRouter().otherwise(({ id }) => handler(id));
      const worker = createWorker({ inbox, router, concurrency }).start();
      return () => worker.stop();
    },
    async close() {
      await close();
    },
  };
}

interface System {
  store: 'postgres' | 'redis' | 'sqlite';
  open(address: string): Promise<Queue>;
}

export type QueueName = keyof typeof QUEUES;

export const QUEUES = {
  'inbox (PostgreSQL)': {
    store: 'postgres',
    async open(address) {
      const pool = new pg.Pool({ connectionString: address });
      pool.on('error', () => {});
      const inbox = postgresInbox({ pool });
      await inbox.migrate();
      return inboxQueue(inbox, () => pool.end());
    },
  },
  'graphile-worker': {
    store: 'postgres',
    async open(connectionString) {
      const { makeWorkerUtils, run } = await load<GraphileWorker>('graphile-worker');
      const utils = await makeWorkerUtils({ connectionString });
      await utils.migrate();
      const put = async (id: string) => {
        await utils.addJob('handle', jobOf(id));
        return id;
      };
      return {
        fill: count => inEights(count, put),
        put,
        async work(concurrency, handler) {
          const runner = await run({
            connectionString,
            concurrency,
            noHandleSignals: true,
            maxPoolSize: 10,
            logger: SILENT,
            taskList: { handle: payload => handler(idOf(payload)) },
          });
          return async () => {
            await runner.stop();
            // The runner stops before it has stored that its last jobs are done.
            const waiting = 'SELECT FROM graphile_worker.jobs LIMIT 1';
            while ((await utils.withPgClient(client => client.query(waiting))).rowCount) await sleep(5);
          };
        },
        async close() {
          await utils.release();
        },
      };
    },
  },
  'pg-boss': {
    store: 'postgres',
    async open(connectionString) {
      const { PgBoss } = await load<PgBossPackage>('pg-boss');
      const boss = new PgBoss({ connectionString, useListenNotify: true });
      boss.on('error', () => {});
      await boss.start();
      await boss.createQueue('handle', { notify: true });
      const put = async (id: string) => {
        await boss.send('handle', jobOf(id));
        return id;
      };
      return {
        fill: count => inEights(count, put),
        put,
        // The worker waits half a second between batches, so the backlog is fetched directly. The worker handles only
        // later entries.
        async work(concurrency, handler) {
          const backlog = (async () => {
            for (;;) {
              const jobs = await boss.fetch('handle', { batchSize: concurrency });
              if (jobs.length === 0) break;
              for (const { data } of jobs) handler(idOf(data));
              await boss.complete(
                'handle',
                jobs.map(({ id }) => id),
              );
            }
            await boss.work('handle', { batchSize: concurrency }, async jobs => {
              for (const { data } of jobs) handler(idOf(data));
            });
          })();
          return async () => {
            await backlog;
            await boss.offWork('handle', { wait: true });
          };
        },
        close: () => boss.stop({ graceful: false }),
      };
    },
  },
  'inbox (Redis)': {
    store: 'redis',
    async open(url) {
      const client = await createClient({ url }).connect();
      return inboxQueue(redisInbox({ client }), () => client.close());
    },
  },
  BullMQ: {
    store: 'redis',
    async open(url) {
      const { Queue, Worker } = await load<BullMq>('bullmq');
      const { port } = new URL(url);
      const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };
      const queue = new Queue('handle', { connection, defaultJobOptions: { removeOnComplete: true } });
      const put = async (id: string) => {
        await queue.add('handle', jobOf(id), { jobId: id });
        return id;
      };
      return {
        fill: count => inEights(count, put),
        put,
        async work(concurrency, handler) {
          const worker = new Worker('handle', async job => handler(idOf(job.data)), { connection, concurrency });
          await worker.waitUntilReady();
          return () => worker.close();
        },
        close: () => queue.close(),
      };
    },
  },
  'inbox (SQLite)': {
    store: 'sqlite',
    async open(path) {
      const inbox = sqliteInbox(path);
      return inboxQueue(inbox, async () => inbox.close());
    },
  },
  plainjob: {
    store: 'sqlite',
    async open(path) {
      const { default: Database } = await load<BetterSqlite>('better-sqlite3');
      const { better, defineQueue, defineWorker } = await load<Plainjob>('plainjob');
      const database = new Database(path);
      const connection = better(database);
      const queue = defineQueue({ connection, logger: SILENT });
      // By default, this system acknowledges entries that are not on the disk yet.
      database.pragma('synchronous = FULL');
      const put = async (id: string) => {
        queue.add('handle', jobOf(id));
        return id;
      };
      return {
        fill: count => inEights(count, put),
        put,
        async work(concurrency, handler) {
          const workers = Array.from({ length: concurrency }, () =>
            defineWorker('handle', async job => handler(idOf(JSON.parse(job.data))), { queue, logger: SILENT }),
          );
          for (const worker of workers) void worker.start();
          return async () => {
            await Promise.all(workers.map(worker => worker.stop()));
          };
        },
        async close() {
          queue.close();
        },
      };
    },
  },
} satisfies Record<string, System>;

const SILENT = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  scope: () => SILENT,
};

export function openQueue(name: QueueName, address: string): Promise<Queue> {
  return QUEUES[name].open(address);
}

interface GraphileWorker {
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJob(task: string, payload: object): Promise<unknown>;
    withPgClient<Result>(callback: (client: pg.ClientBase) => Promise<Result>): Promise<Result>;
    release(): Promise<void>;
  }>;
  run(options: { taskList: Record<string, (payload: unknown) => void>; [option: string]: unknown }): Promise<{
    stop(): Promise<void>;
  }>;
}

interface PgBossPackage {
  PgBoss: new (
    options: object,
  ) => {
    on(event: 'error', listener: () => void): void;
    start(): Promise<unknown>;
    createQueue(name: string, options: object): Promise<unknown>;
    send(name: string, data: object): Promise<unknown>;
    fetch(name: string, options: object): Promise<{ id: string; data: unknown }[]>;
    complete(name: string, ids: string[]): Promise<unknown>;
    work(name: string, options: object, handler: (jobs: { data: unknown }[]) => Promise<void>): Promise<unknown>;
    offWork(name: string, options: object): Promise<void>;
    stop(options: object): Promise<void>;
  };
}

interface BullMq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    add(name: string, data: object, options: object): Promise<unknown>;
    close(): Promise<void>;
  };
  Worker: new (
    name: string,
    handler: (job: { data: unknown }) => Promise<void>,
    options: object,
  ) => {
    waitUntilReady(): Promise<unknown>;
    close(): Promise<void>;
  };
}

interface BetterSqlite {
  default: new (path: string) => { pragma(text: string): unknown };
}

interface Plainjob {
  better(database: object): object;
  defineQueue(options: object): { add(name: string, data: object): unknown; close(): void };
  defineWorker(
    name: string,
    handler: (job: { data: string }) => Promise<void>,
    options: object,
  ): { start(): unknown; stop(): Promise<void> };
}
