import { existsSync } from 'node:fs';
import type { RedisClient } from '../internal/redis.ts';
import { builtin } from '../internal/runtime.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import { type Command, exclusive, failed, type OptionValues, textOption, wrongUsage } from './command.ts';

/** The options of commands that open an inbox. */
export const INBOX_OPTIONS = {
  sqlite: { type: 'string', value: 'FILE', help: 'the file of an SQLite inbox' },
  postgres: {
    type: 'string',
    value: 'URL',
    help: 'an inbox in PostgreSQL: postgres://user@host/database without a password, which comes from PGPASSWORD or the password file; "env" stands for DATABASE_URL. Needs the package pg',
  },
  schema: { type: 'string', value: 'NAME', help: 'the schema of the PostgreSQL inbox, "tracking" unless given' },
  redis: { type: 'boolean', help: 'an inbox in the Redis of REDIS_URL; needs the package redis' },
  key: { type: 'string', value: 'NAME', help: 'the key of the Redis inbox, "default" unless given' },
} as const satisfies Command['options'];

/**
 * Opens the inbox that the options name, and closes it at the end. If the options do not name an inbox, `work` gets
 * `undefined`.
 */
export async function withInbox<T>(values: OptionValues, work: (inbox: Inbox | undefined) => Promise<T>): Promise<T> {
  exclusive(values, ['sqlite', 'postgres', 'redis']);
  const path = textOption(values, 'sqlite');
  if (path !== undefined) return withSqlite(path, work);
  const address = textOption(values, 'postgres');
  const schema = textOption(values, 'schema');
  if (address !== undefined) return withPostgres(address, schema, work);
  if (schema !== undefined) throw wrongUsage('--schema works only with --postgres.');
  return values.redis === true ? withRedis(textOption(values, 'key'), work) : work(undefined);
}

async function withPostgres<T>(
  address: string,
  schema: string | undefined,
  work: (inbox: Inbox) => Promise<T>,
): Promise<T> {
  const { openPool, postgresAddress } = await import('./postgres.ts');
  const pool = await openPool(postgresAddress(address), 'inbox');
  const { postgresInbox } = await import('../webhooks/inbox/postgres-inbox.ts');
  try {
    return await work(postgresInbox({ pool, schema }));
  } finally {
    await pool.end();
  }
}

async function withSqlite<T>(path: string, work: (inbox: Inbox) => Promise<T>): Promise<T> {
  // A missing file would be created, so a misspelt path would look like an empty inbox.
  if (!existsSync(path)) throw wrongUsage(`There is no inbox ${path}.`);
  if (!isInbox(path)) throw wrongUsage(`${path} is not an inbox: it has no table of entries.`);
  const { sqliteInbox } = await import('../webhooks/inbox/sqlite/sqlite-inbox.ts');
  const inbox = sqliteInbox(path);
  try {
    return await work(inbox);
  } finally {
    inbox.close();
  }
}

/** False for a database without an inbox, such as that of sync. Other problems are reported when the file is opened. */
function isInbox(path: string): boolean {
  const sqlite = builtin('node:sqlite');
  try {
    const database = sqlite && new sqlite.DatabaseSync(path, { readOnly: true });
    const found = database?.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'entries'").get();
    database?.close();
    return found?.tables !== 0;
  } catch {
    return true;
  }
}

async function withRedis<T>(key: string | undefined, work: (inbox: Inbox) => Promise<T>): Promise<T> {
  const { redisInbox } = await import('../webhooks/inbox/redis-inbox.ts');
  const client = await connect(process.env.REDIS_URL || 'redis://127.0.0.1:6379');
  try {
    return await work(redisInbox({ client, key }));
  } finally {
    client.destroy();
  }
}

/** An error of the driver may quote the address with its password, so only its code is printed. */
async function connect(url: string): Promise<RedisClient & { destroy(): void }> {
  const redis = await import('redis').catch(() => {
    throw failed(
      '--redis needs the package redis. Run: npx -p container-tracking-sdk -p redis container-tracking inbox',
    );
  });
  try {
    const client = redis.createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return client as unknown as RedisClient & { destroy(): void };
  } catch (error) {
    throw failed(`Redis cannot be reached: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`);
  }
}
