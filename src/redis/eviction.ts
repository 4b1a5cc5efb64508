import { type RedisClient, runScript } from './client.ts';

/** A script, because both clients can run scripts. A script may not call `CONFIG GET`, so it reads `INFO`. */
const MEMORY = "return redis.call('INFO', 'memory')";

/** Warns if Redis evicts keys when it is full. Says nothing if its policy cannot be read. */
export async function warnOfEviction(
  client: RedisClient,
  key: string,
  what: string,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const info = String(await runScript(client, MEMORY, [key], []));
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
    if (policy === 'noeviction') return;
    warn(`This Redis has the maxmemory-policy ${policy}: when it is full it drops ${what}. Set it to noeviction.`);
  } catch {
    // The user of this connection may not be allowed to read it.
  }
}
