import { ConfigurationError } from '../errors.ts';
import { describeValue } from './arguments.ts';

/** The part of a client of the package `redis` (node-redis 4 to 6) that is used here. */
interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha: unknown;
}

/** The part of a client of the package `ioredis` (5 and 6) that is used here. */
interface IORedisClient {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha: unknown;
}

/** A connected client of `redis` or `ioredis`. You connect and close it. This package only sends commands. */
export type RedisClient = NodeRedisClient | IORedisClient;

/** @throws {ConfigurationError} unless the value is a client of `redis` or `ioredis`. */
export function redisClient<T>(what: string, client: T): T {
  const { eval: run, evalSha, evalsha } = Object(client);
  if (typeof run === 'function' && (evalSha !== undefined || evalsha !== undefined)) return client;
  throw new ConfigurationError(
    `${what} is ${describeValue(client)}; it must be a client of the package redis or ioredis, such as createClient({ url }).`,
  );
}

/** False if a command that is sent now would wait for a connection, or fail. */
export function isReady(client: RedisClient): boolean {
  const { isReady, status = 'ready' } = client as { isReady?: boolean; status?: string };
  return isReady !== false && status === 'ready';
}

/** The error for keys in Redis that a newer version of this package has written. This version would misread them. */
export function newerFormat(what: string, format: unknown, known: number): ConfigurationError {
  return new ConfigurationError(
    `The keys of the ${what} in Redis have the format ${format}, and this version of container-tracking-sdk knows only ${known}: update the package in every process, or set another key.`,
  );
}

/**
 * Runs a Lua script. The text of the script, a few kilobytes, is sent each time, because the script cache of Redis is empty
 * after a restart.
 */
export function runScript(client: RedisClient, script: string, keys: string[], args: string[]): Promise<unknown> {
  return 'evalSha' in client
    ? client.eval(script, { keys, arguments: args })
    : client.eval(script, keys.length, ...keys, ...args);
}

/**
 * Runs Lua scripts by their digests. The text, a few kilobytes, is sent only for the first run and after a restart of
 * Redis.
 */
export class RedisScripts {
  readonly #client: RedisClient;
  readonly #digests = new Map<string, Promise<string>>();

  constructor(client: RedisClient) {
    this.#client = client;
  }

  async run(script: string, keys: string[], args: string[]): Promise<unknown> {
    const digest = await this.#digestOf(script);
    const client = this.#client;
    try {
      return await ('evalSha' in client
        ? (client as unknown as { evalSha: NodeRedisClient['eval'] }).evalSha(digest, { keys, arguments: args })
        : (client as unknown as { evalsha: IORedisClient['eval'] }).evalsha(digest, keys.length, ...keys, ...args));
    } catch (error) {
      // NOPERM: the user of the connection may not run scripts by digest.
      if (!(error instanceof Error && /^(NOSCRIPT|NOPERM)/.test(error.message))) throw error;
      return runScript(client, script, keys, args);
    }
  }

  #digestOf(script: string): Promise<string> {
    const digest = this.#digests.get(script) ?? sha1(script);
    this.#digests.set(script, digest);
    return digest;
  }
}

async function sha1(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The methods for messages. The clients of both packages have these methods. The optional methods are called only for
 * clients of `redis`.
 */
interface Subscriber {
  on(event: 'error', listener: () => void): unknown;
  on(event: 'message', listener: (channel: string) => void): unknown;
  connect?(): Promise<unknown>;
  subscribe(channel: string, listener?: () => void): Promise<unknown>;
  disconnect(): unknown;
  destroy?(): unknown;
}

/**
 * Calls `listener` for each message of a channel, and once when the subscription begins. Uses a separate connection. If
 * this connection is lost, the client opens it again. Returns a function that ends the subscription.
 */
export function subscribeTo(client: RedisClient, channel: string, listener: () => void): () => void {
  const { duplicate } = client as { duplicate?: () => Subscriber };
  if (typeof duplicate !== 'function') return () => {};
  const subscriber = duplicate.call(client);
  const isNodeRedis = 'evalSha' in client;
  subscriber.on('error', () => {});
  if (!isNodeRedis) subscriber.on('message', listener);
  const subscribed = (async () => {
    if (isNodeRedis) await subscriber.connect?.();
    await subscriber.subscribe(channel, isNodeRedis ? listener : undefined);
  })();
  subscribed.then(listener, () => {});
  // The first versions of node-redis have no `destroy`.
  return () => void (subscriber.destroy ?? subscriber.disconnect).call(subscriber);
}

/**
 * This script reads the memory policy. It is a script, because the clients of both packages can run scripts. Redis does
 * not allow `CONFIG GET` in a script, so the script reads `INFO`.
 */
const MEMORY = "return redis.call('INFO', 'memory')";

/** Warns if Redis evicts keys when it is full. Does nothing if the policy cannot be read. */
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
    warn(
      `This Redis has the maxmemory-policy ${policy}: when Redis is full, it deletes ${what}. Set the policy to noeviction.`,
    );
  } catch {
    // The user of this connection may not be allowed to read the policy. In that case, there is no warning.
  }
}
