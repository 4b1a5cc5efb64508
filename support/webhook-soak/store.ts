import { createClient } from 'redis';
import { redisInbox } from '../../src/webhooks/inbox/redis-inbox.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import type { Inbox } from '../../src/webhooks/index.ts';

/** @param address `redis://…`, or the path of an SQLite file. */
export async function openStore(address: string): Promise<{ inbox: Inbox; close(): void }> {
  if (address.startsWith('redis:')) {
    const client = await createClient({ url: address }).connect();
    return { inbox: redisInbox({ client }), close: () => client.destroy() };
  }
  const inbox = sqliteInbox(address);
  return { inbox, close: () => inbox.close() };
}
