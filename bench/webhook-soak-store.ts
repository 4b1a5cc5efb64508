import { DatabaseSync } from 'node:sqlite';
import { createClient } from 'redis';
import { sqliteInbox } from '../src/node/sqlite-inbox.ts';
import { redisInbox } from '../src/redis/inbox.ts';
import type { Inbox } from '../src/webhooks/index.ts';

export interface Store {
  inbox: Inbox;
  has(id: string): Promise<boolean>;
  close(): void;
}

/** @param address `redis://…`, or the path of an SQLite file. */
export async function openStore(address: string): Promise<Store> {
  return address.startsWith('redis:') ? openRedis(address) : openSqlite(address);
}

function openSqlite(path: string): Store {
  const inbox = sqliteInbox(path);
  const database = new DatabaseSync(path, { readOnly: true });
  const find = database.prepare('SELECT 1 FROM entries WHERE id = ?');
  return {
    inbox,
    has: async id => find.get(id) !== undefined,
    close() {
      database.close();
      inbox.close();
    },
  };
}

async function openRedis(url: string): Promise<Store> {
  const client = await createClient({ url }).connect();
  const base = 'container-tracking-sdk:{inbox:default}';
  return {
    inbox: redisInbox({ client }),
    has: async id => (await client.exists([`${base}:entry:${id}`, `${base}:done:${id}`])) > 0,
    close: () => client.destroy(),
  };
}
