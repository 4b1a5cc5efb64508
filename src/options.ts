import {
  atLeast,
  knownNames,
  limitOf,
  milliseconds,
  namesOf,
  objectArgument,
  oneOf,
  optionalFunction,
  wholeNumber,
} from './arguments.ts';
import { ConfigurationError } from './errors.ts';
import { type AccessToken, accessTokenCredentials, apiKeyCredentials, type Credentials } from './transport/auth.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from './transport/buckets.ts';
import type { Fetch } from './transport/fetch.ts';
import type { Hooks, Logger } from './transport/hooks.ts';
import type { BucketName, Priority, RateLimiter } from './transport/limiter.ts';
import { parseBaseUrl } from './transport/origin.ts';
import type { RetryOptions, RetryPolicy } from './transport/retry-policy.ts';
import { VERSION } from './version.ts';

const VALIDATIONS = ['strict', 'warn', 'off'] as const;

/** What a response that does not fit its schema leads to. */
export type Validation = (typeof VALIDATIONS)[number];

/** How the client keeps to the service's rate limit. */
export interface RateLimitOptions {
  /**
   * Length of the rolling window, in ms.
   * @default 60_000
   */
  windowMs?: number | undefined;
  /** Requests per window and bucket, where the account's limits differ from the service's usual ones. */
  limits?:
    | {
        /**
         * Requests that belong to no other bucket.
         * @default 100
         */
        default?: number | undefined;
        /**
         * `trackingRequests.create`, which `track` and `trackMany` call too.
         * @default 100
         */
        createTrackingRequest?: number | undefined;
        /**
         * `trackingRequests.inferNumber`.
         * @default 200
         */
        inferNumber?: number | undefined;
        /**
         * `containers.refresh`.
         * @default 10
         */
        refreshContainer?: number | undefined;
      }
    | undefined;
  /**
   * Requests that may be under way at a time, all buckets together.
   * @default 32
   */
  maxInFlight?: number | undefined;
  /**
   * Calls that may wait for a slot; the next one rejects with a `QueueError`.
   * @default 100_000
   */
  maxQueue?: number | undefined;
  /** A limiter of your own, in place of the built-in one. The client then ignores the other options of `rateLimit`. */
  limiter?: RateLimiter | undefined;
}

/** Options of a client beside its credential. */
export interface CommonOptions {
  /**
   * Address of the service, ending in its version segment: `https://host.example/v2`. Plain http for loopback only.
   * @default the environment variable `TRACKING_BASE_URL`
   */
  baseUrl?: string | undefined;
  /**
   * Limit for one attempt in ms, from the granted slot of the rate limit to the last byte of the body. Time in the queue
   * does not count.
   * @default 30_000
   */
  timeout?: number | undefined;
  /**
   * Limit for a whole call in ms: queue, back-off and all attempts.
   * @default none
   */
  deadline?: number | undefined;
  /** How often and after what wait a failed attempt is made again; `false` for never. */
  retry?: false | RetryOptions | undefined;
  /** The request budget that the client keeps to; `false` leaves only `maxInFlight`. */
  rateLimit?: false | RateLimitOptions | undefined;
  /**
   * `strict` rejects with a `ResponseFormatError`, `warn` logs each shape once and calls `onSchemaMismatch`, `off` does
   * not check and does not load the schemas. With `warn`, the first answers of a program are checked after their value is
   * given, while the schemas are loaded.
   * @default 'warn'
   */
  validation?: Validation | undefined;
  /**
   * The longest answer that is read, in bytes after decompression. A longer one rejects with a `ResponseFormatError` and
   * is not asked for again. Downloads and `asResponse()` have no limit.
   * @default 67_108_864
   */
  maxResponseBytes?: number | undefined;
  /**
   * Used for every request in place of the global one. It has the same signature: it is called with an address and an
   * `init` that holds everything else, the `signal` too.
   * @default the global `fetch`, looked up at each request
   */
  fetch?: Fetch | undefined;
  /** Headers for every request. They cannot replace the credential. */
  headers?: Record<string, string> | undefined;
  /** Functions that are called as requests are made, answered and repeated. */
  hooks?: Hooks | undefined;
  /**
   * Where the client's messages go; `false` for nowhere.
   * @default the console, warnings and errors only
   */
  logger?: false | Logger | undefined;
  /**
   * An API key in a web page is readable by everyone who visits it, so the client refuses one there unless this is set.
   * An `accessToken` needs no permission.
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** The credential of a client that has an API key. */
export interface ApiKeyOptions {
  /**
   * API key, sent as `Authorization: Token <key>`. Exactly one of `apiKey` and `accessToken`.
   * @default the environment variable `TRACKING_API_KEY`
   */
  apiKey?: string | undefined;
  /** Not beside an API key. */
  accessToken?: undefined;
}

/** The credential of a client that has an OAuth access token. */
export interface AccessTokenOptions {
  /** Not beside an access token. */
  apiKey?: undefined;
  /**
   * OAuth access token, sent as `Authorization: Bearer <token>`. A function is asked before every attempt; an attempt
   * that ends in 401 is made once more with what it gives then.
   */
  accessToken?: AccessToken | undefined;
}

/** Options of a client: exactly one of `apiKey` and `accessToken`, which may come from the environment, and the rest. */
export type ClientOptions = CommonOptions & (ApiKeyOptions | AccessTokenOptions);

/** No text of the runtimes is longer. */
const LONGEST_TEXT_BYTES = 536_870_888;

const OPTION_NAMES = namesOf<ClientOptions>({
  baseUrl: true,
  apiKey: true,
  accessToken: true,
  timeout: true,
  deadline: true,
  retry: true,
  rateLimit: true,
  validation: true,
  maxResponseBytes: true,
  fetch: true,
  headers: true,
  hooks: true,
  logger: true,
  dangerouslyAllowBrowser: true,
});

const RATE_LIMIT_NAMES = namesOf<RateLimitOptions>({
  windowMs: true,
  limits: true,
  maxInFlight: true,
  maxQueue: true,
  limiter: true,
});

const HOOK_NAMES = namesOf<Hooks>({
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onRateLimited: true,
  onSchemaMismatch: true,
  onQueued: true,
  onSettled: true,
});

/** Options of a single call. They stand in the same object as the query parameters of the endpoint. */
export interface RequestOptions {
  /** Aborts the call wherever it is: in the queue, in a back-off, in the body. It rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Limit for one attempt in ms, in place of the client's. */
  timeout?: number | undefined;
  /** Limit for the whole call in ms, in place of the client's. */
  deadline?: number | undefined;
  /** More headers for this call. They cannot replace the credential. */
  headers?: Record<string, string> | undefined;
  /** In place of the client's; what is left out is the client's. */
  retry?: false | RetryOptions | undefined;
  /**
   * Whether the call goes before bulk work in the queue of the rate limit.
   * @default 'interactive'; 'bulk' for the iteration over a list
   */
  priority?: Priority | undefined;
}

export const REQUEST_OPTION_NAMES = namesOf<RequestOptions>({
  signal: true,
  timeout: true,
  deadline: true,
  headers: true,
  retry: true,
  priority: true,
});

/** The budget of a client, complete. */
export interface RateLimit {
  /** False leaves only `maxInFlight`. */
  readonly enabled: boolean;
  readonly windowMs: number;
  readonly limits: Readonly<Record<BucketName, number>>;
  readonly maxInFlight: number | undefined;
  readonly maxQueue: number | undefined;
  readonly limiter: RateLimiter | undefined;
}

/** The options of a client, checked and complete. */
export interface Settings {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number;
  readonly retry: RetryPolicy;
  readonly rateLimit: RateLimit;
  readonly validation: Validation;
  readonly maxResponseBytes: number;
  readonly fetch: Fetch | undefined;
  /** Those of every request, the credential excepted. */
  readonly headers: Record<string, string>;
  readonly hooks: Hooks;
  readonly logger: Partial<Logger> | undefined;
}

/** The options with what the environment adds to them. An explicit credential of either kind wins. */
export function withEnvironment(options: ClientOptions): ClientOptions {
  objectArgument('The argument of TrackingClient', options, "{ baseUrl: 'https://host.example/v2', apiKey }");
  const { baseUrl = environment('TRACKING_BASE_URL'), accessToken } = options;
  const apiKey = options.apiKey ?? (accessToken === undefined ? environment('TRACKING_API_KEY') : undefined);
  // Both may be there in plain JavaScript: `resolveOptions` refuses that.
  return { ...options, baseUrl, apiKey } as ClientOptions;
}

/**
 * Completes the options from the environment and with the defaults.
 *
 * @throws {ConfigurationError} for anything that cannot work, with what to do about it.
 */
export function resolveOptions(given: ClientOptions): Settings {
  const options = withEnvironment(given);
  knownNames('TrackingClient', options, OPTION_NAMES);
  const { baseUrl } = options;
  if (baseUrl === undefined) {
    throw new ConfigurationError(
      'The address of the service is missing. Pass baseUrl, or set TRACKING_BASE_URL, for example https://host.example/v2.',
    );
  }
  return {
    baseUrl: parseBaseUrl(baseUrl),
    credentials: resolveCredentials(options),
    timeout: milliseconds('timeout', options.timeout ?? 30_000),
    deadline: milliseconds('deadline', options.deadline ?? Number.POSITIVE_INFINITY),
    retry: resolveRetry(options.retry, { limit: 4, minDelay: 500, maxDelay: 30_000, maxRetryAfter: 120_000 }),
    rateLimit: resolveRateLimit(options.rateLimit ?? {}),
    validation: oneOf('validation', options.validation ?? 'warn', VALIDATIONS),
    maxResponseBytes: Math.min(
      limitOf(1, 'maxResponseBytes', options.maxResponseBytes ?? 67_108_864),
      LONGEST_TEXT_BYTES,
    ),
    fetch: optionalFunction('fetch', options.fetch),
    headers: { ...ownHeaders(), ...checkHeaders(options.headers ?? {}) },
    hooks: checkHooks(options.hooks ?? {}),
    logger: resolveLogger(options.logger),
  };
}

function resolveCredentials(options: ClientOptions): Credentials {
  const { apiKey, accessToken } = options;
  if (apiKey !== undefined && accessToken !== undefined) {
    throw new ConfigurationError('Both apiKey and accessToken are set. Pass the one that the requests shall carry.');
  }
  if (accessToken !== undefined) return accessTokenCredentials(accessToken);
  if (apiKey === undefined) {
    throw new ConfigurationError('The credential is missing. Pass apiKey or accessToken, or set TRACKING_API_KEY.');
  }
  if (inBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new ConfigurationError(
      'An apiKey in a web page is readable by everyone who visits it. Use accessToken, or call the service from a server. If only trusted people can open this page, set dangerouslyAllowBrowser: true.',
    );
  }
  return apiKeyCredentials(apiKey);
}

/** The retry rules of a client or of one call; what is left out comes from `defaults`. */
export function resolveRetry(retry: false | RetryOptions | undefined, defaults: RetryPolicy): RetryPolicy {
  if (retry === undefined) return defaults;
  if (retry === false) return { ...defaults, limit: 0 };
  objectArgument('retry', retry, '{ limit: 2 }, or false');
  knownNames('retry', retry, Object.keys(defaults));
  const policy = {
    limit: limitOf(0, 'retry.limit', retry.limit ?? defaults.limit),
    minDelay: atLeast(0, 'retry.minDelay', retry.minDelay ?? defaults.minDelay),
    maxDelay: atLeast(0, 'retry.maxDelay', retry.maxDelay ?? defaults.maxDelay),
    maxRetryAfter: atLeast(0, 'retry.maxRetryAfter', retry.maxRetryAfter ?? defaults.maxRetryAfter),
  };
  // One alone may cross the default of the other: `backOff` keeps to `maxDelay`.
  if (retry.minDelay != null && retry.maxDelay != null) atLeast(policy.minDelay, 'retry.maxDelay', policy.maxDelay);
  return policy;
}

function resolveRateLimit(rateLimit: false | RateLimitOptions): RateLimit {
  const given = rateLimit === false ? {} : objectArgument('rateLimit', rateLimit, '{ windowMs: 60_000 }, or false');
  knownNames('rateLimit', given, RATE_LIMIT_NAMES);
  const { windowMs = 60_000, limits = {}, maxInFlight, maxQueue, limiter } = given;
  knownNames('rateLimit.limits', objectArgument('rateLimit.limits', limits, '{ default: 100 }'), BUCKET_NAMES);
  if (limiter !== undefined && typeof limiter?.acquire !== 'function') {
    throw new ConfigurationError('rateLimit.limiter has no method acquire(): it must be a RateLimiter.');
  }
  return {
    enabled: rateLimit !== false,
    windowMs: wholeNumber('rateLimit.windowMs', windowMs),
    limits: perBucket(name => limitOf(1, `rateLimit.limits.${name}`, limits[name] ?? DEFAULT_LIMITS[name])),
    maxInFlight: maxInFlight === undefined ? undefined : limitOf(1, 'rateLimit.maxInFlight', maxInFlight),
    maxQueue: maxQueue === undefined ? undefined : limitOf(0, 'rateLimit.maxQueue', maxQueue),
    limiter,
  };
}

function ownHeaders(): Record<string, string> {
  const headers = { accept: 'application/vnd.api+json, application/json' };
  return inBrowser() ? headers : { ...headers, 'user-agent': `container-tracking-sdk/${VERSION}` };
}

/** With names in lower case. @throws {ConfigurationError} for a header that cannot be sent, or that would replace the credential. */
export function checkHeaders(headers: Record<string, string>): Record<string, string> {
  // A `Headers` or a `Map` has no properties, so what it holds would be lost without a word.
  if (typeof headers !== 'object' || Symbol.iterator in headers) {
    throw new ConfigurationError("headers must be a plain object, such as { 'x-trace': '1' }.");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'authorization') {
      throw new ConfigurationError('headers holds Authorization. Pass the credential as apiKey or accessToken.');
    }
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || typeof value !== 'string' || /[^\t\x20-\xff]/.test(value)) {
      throw new ConfigurationError(
        `The header ${JSON.stringify(name)} cannot be sent: its name or its value is not valid.`,
      );
    }
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function checkHooks(hooks: Hooks): Hooks {
  objectArgument('hooks', hooks, '{ onRetry: event => … }');
  knownNames('hooks', hooks, HOOK_NAMES);
  for (const name of HOOK_NAMES) optionalFunction(`hooks.${name}`, hooks[name]);
  return hooks;
}

function resolveLogger(logger: false | Logger | undefined): Partial<Logger> | undefined {
  if (logger === false) return undefined;
  if (logger === undefined) {
    return {
      warn: (message, details) => console.warn(`[container-tracking-sdk] ${message}`, details ?? ''),
      error: (message, details) => console.error(`[container-tracking-sdk] ${message}`, details ?? ''),
    };
  }
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    if (typeof logger?.[level] !== 'function') throw new ConfigurationError(`logger has no method ${level}().`);
  }
  return logger;
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

export function inBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis;
}
