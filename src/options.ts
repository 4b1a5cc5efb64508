import type { Hooks, Logger } from './hooks.ts';
import type { Priority, RateLimiter } from './rate-limit/limiter.ts';

/** A function that sends a request. It has the signature of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** An access token, or a function that returns the current token. The function is called before every attempt. */
export type AccessToken = string | (() => string | Promise<string>);

/** The treatment of a response that does not match its schema. */
export type Validation = 'strict' | 'warn' | 'off';

/** Options of the retries after failed attempts. */
export interface RetryOptions {
  /**
   * Attempts after the first attempt.
   * @default 4
   */
  limit?: number | undefined;
  /**
   * Upper bound of the first back-off, in ms. The bound doubles with each attempt. Each wait is a random part of the
   * bound.
   * @default 500
   */
  minDelay?: number | undefined;
  /**
   * Upper bound of any back-off, in ms.
   * @default 30_000
   */
  maxDelay?: number | undefined;
  /**
   * The longest `Retry-After` that the client waits for, in ms. If the service demands a longer wait, the call rejects
   * immediately.
   * @default 120_000
   */
  maxRetryAfter?: number | undefined;
}

/** Options of the request budget, which keeps the client within the rate limit of the service. */
export interface RateLimitOptions {
  /**
   * Length of the rolling window, in ms.
   * @default 60_000
   */
  windowMs?: number | undefined;
  /** Requests per window of each bucket. Set them if the limits of your account differ from the usual limits. */
  limits?:
    | {
        /**
         * Requests that do not belong to another bucket.
         * @default 100
         */
        default?: number | undefined;
        /**
         * Requests of `trackingRequests.create`. `track` and `trackMany` call this method too.
         * @default 100
         */
        createTrackingRequest?: number | undefined;
        /**
         * Requests of `trackingRequests.inferNumber`.
         * @default 200
         */
        inferNumber?: number | undefined;
        /**
         * Requests of `containers.refresh`.
         * @default 10
         */
        refreshContainer?: number | undefined;
      }
    | undefined;
  /**
   * Requests that may be in flight at the same time, over all buckets.
   * @default 32
   */
  maxInFlight?: number | undefined;
  /**
   * Calls that may wait for a slot. Further calls reject with a `QueueError`. Clients that share a budget share the queue,
   * so the smallest value applies to all of them.
   * @default 100_000
   */
  maxQueue?: number | undefined;
  /** Your own limiter, instead of the built-in one. The client then ignores the other options of `rateLimit`. */
  limiter?: RateLimiter | undefined;
}

/** Options of a client without its credential. */
export interface CommonOptions {
  /**
   * Address of the service, ending in its version segment: `https://host.example/v2`. Plain http is allowed only for
   * loopback addresses.
   * @default the environment variable `TRACKING_BASE_URL`
   */
  baseUrl?: string | undefined;
  /**
   * Limit for one attempt in ms, from the slot of the rate limit to the last byte of the body. Time in the queue
   * does not count.
   * @default 30_000
   */
  timeout?: number | undefined;
  /**
   * Limit for a whole call in ms: queue, back-off and all attempts.
   * @default none
   */
  deadline?: number | undefined;
  /** Number of retries and the waits before them; `false` for no retries. */
  retry?: false | RetryOptions | undefined;
  /** The request budget of the client. With `false`, only `maxInFlight` limits the requests. */
  rateLimit?: false | RateLimitOptions | undefined;
  /**
   * `strict` rejects with a `ResponseFormatError`. `warn` logs each kind of mismatch once and calls `onSchemaMismatch`.
   * `off` does not check and does not load the schemas. With `warn`, the first responses of a program are checked
   * later, because the call does not wait for the schemas to load.
   * @default 'warn'
   */
  validation?: Validation | undefined;
  /**
   * Upper bound for the body of a response, in bytes after decompression. If the body is longer, the call rejects with
   * a `ResponseFormatError` and is not retried. Downloads and `asResponse()` have no limit.
   * @default 67_108_864
   */
  maxResponseBytes?: number | undefined;
  /**
   * A function that sends every request, instead of the global `fetch`. The function has the same signature as the
   * global `fetch`. The client calls it with a URL and an `init` that contains everything else, including the `signal`.
   * @default the global `fetch`, looked up at each request
   */
  fetch?: Fetch | undefined;
  /** Headers for every request. They cannot replace the credential. */
  headers?: Record<string, string> | undefined;
  /** Functions that are called when requests are sent and retried, and when responses arrive. */
  hooks?: Hooks | undefined;
  /**
   * Receives the client's messages; `false` for no messages.
   * @default the console, warnings and errors only
   */
  logger?: false | Logger | undefined;
  /**
   * Id of the account to work in, sent as `x-account-id`. Use this option with a token of a user who has several
   * accounts. `me` lists these accounts. If the credential has no access to the account, the call rejects with an
   * `AuthenticationError`.
   * @default the account of the credential
   */
  accountId?: string | undefined;
  /**
   * Everyone who visits a web page can read an API key in the page. In a browser, the client therefore accepts an API
   * key only if this option is `true`. An `accessToken` needs no permission.
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** The credential of a client that has an API key. */
export interface ApiKeyOptions {
  /**
   * API key, sent as `Authorization: Token <key>`. Set exactly one of `apiKey` and `accessToken`.
   * @default the environment variable `TRACKING_API_KEY`
   */
  apiKey?: string | undefined;
  /** Not allowed together with an API key. */
  accessToken?: undefined;
}

/** The credential of a client that has an OAuth access token. */
export interface AccessTokenOptions {
  /** Not allowed together with an access token. */
  apiKey?: undefined;
  /**
   * OAuth access token, sent as `Authorization: Bearer <token>`. A function is called before every attempt. After a 401, the
   * attempt is made once more with a new token.
   */
  accessToken?: AccessToken | undefined;
}

/**
 * Options of a client: its credential, which is either an API key or an access token, and the common options. The API
 * key may come from the environment.
 */
export type ClientOptions = CommonOptions & (ApiKeyOptions | AccessTokenOptions);

/** Options of a single call. They are in the same object as the query parameters of the endpoint. */
export interface RequestOptions {
  /**
   * Aborts the call at any time: in the queue, in a back-off, or while the body is read. The call rejects with the
   * signal's reason.
   */
  signal?: AbortSignal | undefined;
  /** Limit for one attempt in ms, instead of the client's `timeout`. */
  timeout?: number | undefined;
  /** Limit for the whole call in ms, instead of the client's `deadline`. */
  deadline?: number | undefined;
  /** More headers for this call. They cannot replace the credential. */
  headers?: Record<string, string> | undefined;
  /** Retry options of this call. Options that are left out have the values of the client. */
  retry?: false | RetryOptions | undefined;
  /**
   * Position in the queue of the rate limit: `interactive` calls go before `bulk` calls.
   * @default 'interactive'; 'bulk' for the iteration over a list
   */
  priority?: Priority | undefined;
}
