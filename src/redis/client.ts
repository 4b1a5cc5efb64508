import { shown } from '../arguments.ts';
import { ConfigurationError } from '../errors.ts';

/** The part of a client of the package `redis` (node-redis 4 to 6) that is used. */
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

/** @throws {ConfigurationError} for what has the shape of neither. */
export function redisClient<T>(what: string, client: T): T {
  const { eval: run, evalSha, evalsha } = Object(client);
  if (typeof run === 'function' && (evalSha !== undefined || evalsha !== undefined)) return client;
  throw new ConfigurationError(
    `${what} is ${shown(client)}; it must be a client of the package redis or ioredis, such as createClient({ url }).`,
  );
}

/**
 * Runs a Lua script. The text is sent each time, a kilobyte or two: so there is no script cache to lose, when Redis
 * restarts or somebody flushes it.
 */
export function runScript(client: RedisClient, script: string, keys: string[], args: string[]): Promise<unknown> {
  return 'evalSha' in client
    ? client.eval(script, { keys, arguments: args })
    : client.eval(script, keys.length, ...keys, ...args);
}
