import { existsSync } from 'node:fs';
import type { RedisClient } from '../internal/redis.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import { type Command, failed, type OptionValues, textOption, wrongUsage } from './command.ts';

/** The options of commands that open an inbox. */
export const INBOX_OPTIONS = {
  sqlite: { type: 'string' },
  redis: { type: 'boolean', default: false },
  key: { type: 'string' },
} as const satisfies Command['options'];

/** Their lines in the help. */
export const INBOX_DETAILS = `      --sqlite      the file of an SQLite inbox
      --redis       an inbox in the Redis of REDIS_URL; needs the package redis
      --key         its key, "default" unless given
`;

/** Opens the inbox that the options name, and closes it at the end. Without one, the work gets `undefined`. */
export async function withInbox<T>(values: OptionValues, work: (inbox: Inbox | undefined) => Promise<T>): Promise<T> {
  const path = textOption(values, 'sqlite');
  if (path !== undefined && values.redis === true) throw wrongUsage('--sqlite and --redis exclude each other.');
  if (path !== undefined) return withSqlite(path, work);
  return values.redis === true ? withRedis(textOption(values, 'key'), work) : work(undefined);
}

async function withSqlite<T>(path: string, work: (inbox: Inbox) => Promise<T>): Promise<T> {
  // It would be made, and a misspelt path would look like an empty inbox.
  if (!existsSync(path)) throw failed(`There is no inbox ${path}.`);
  const { sqliteInbox } = await import('../webhooks/inbox/sqlite/sqlite-inbox.ts');
  const inbox = sqliteInbox(path);
  try {
    return await work(inbox);
  } finally {
    inbox.close();
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

/** An error of the driver may quote the address with its password, so only its code is told. */
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
