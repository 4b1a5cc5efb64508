import { type RedisClient, runScript } from './client.ts';

/** As a script, since both clients can run one. Scripts may not call `CONFIG GET`. */
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
    // This user of Redis may not read it.
  }
}
