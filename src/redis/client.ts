/** The part of a client of the package `redis` (node-redis 5 and 6) that is used. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha: unknown;
}

/** The part of a client of the package `ioredis` (5 and 6) that is used. */
export interface IORedisClient {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha: unknown;
}

/** A connected client of `redis` or `ioredis`. It stays the caller's: nothing here connects or closes it. */
export type RedisClient = NodeRedisClient | IORedisClient;

/**
 * Runs a Lua script. The text is sent each time, a kilobyte or two: so there is no script cache to lose, when Redis
 * restarts or somebody flushes it.
 */
export function runScript(client: RedisClient, script: string, keys: string[], args: string[]): Promise<unknown> {
  return 'evalSha' in client
    ? client.eval(script, { keys, arguments: args })
    : client.eval(script, keys.length, ...keys, ...args);
}
