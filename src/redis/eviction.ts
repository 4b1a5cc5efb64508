import { type RedisClient, runScript } from './client.ts';

/** Asked in a script, since both clients can run one. `CONFIG GET` would be no other answer, and is forbidden to scripts. */
const MEMORY = "return redis.call('INFO', 'memory')";

/** Warns of a Redis that throws away what it keeps when it is full. Silent where it does not tell. */
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
    // A user that may not ask.
  }
}
