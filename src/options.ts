import type { Hooks, Logger } from './hooks.ts';
import type { Priority, RateLimiter } from './rate-limit/limiter.ts';

/** What a request is sent with: the same as the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** An access token, or a function that gives the current one. The function is asked before every attempt. */
export type AccessToken = string | (() => string | Promise<string>);

/** What a response that does not fit its schema leads to. */
export type Validation = 'strict' | 'warn' | 'off';

/** How attempts that failed are made again. */
export interface RetryOptions {
  /**
   * Attempts after the first.
   * @default 4
   */
  limit?: number | undefined;
  /**
   * Upper bound of the first back-off, in ms; it doubles with each attempt and the wait is a random part of it.
   * @default 500
   */
  minDelay?: number | undefined;
  /**
   * Upper bound of any back-off, in ms.
   * @default 30_000
   */
  maxDelay?: number | undefined;
  /**
   * Longest `Retry-After` that is waited for, in ms. A longer one rejects at once.
   * @default 120_000
   */
  maxRetryAfter?: number | undefined;
}

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
