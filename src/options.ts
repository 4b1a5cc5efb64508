import type { Hooks, Logger } from './hooks.ts';
import type { Priority, RateLimiter } from './rate-limit/limiter.ts';

/** A function that sends a request. It has the signature of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** An access token, or a function that gives the current one. The function is called before every attempt. */
export type AccessToken = string | (() => string | Promise<string>);

/** The treatment of a response that does not match its schema. */
export type Validation = 'strict' | 'warn' | 'off';

/** Options of the retries after failed attempts. */
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
   * The longest `Retry-After` that the client waits for, in ms. With a longer one the call rejects at once.
   * @default 120_000
   */
  maxRetryAfter?: number | undefined;
}

/** Options of the client's request budget, which keeps it within the rate limit of the service. */
export interface RateLimitOptions {
  /**
   * Length of the rolling window, in ms.
   * @default 60_000
   */
  windowMs?: number | undefined;
  /** Requests per window of each bucket. Set them if the limits of your account differ from the usual ones. */
  limits?:
    | {
        /**
         * Requests that belong to none of the other buckets.
         * @default 100
         */
        default?: number | undefined;
        /**
         * Requests of `trackingRequests.create`, which `track` and `trackMany` call too.
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
   * Address of the service, ending in its version segment: `https://host.example/v2`. Plain http for loopback only.
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
   * Upper bound for the body of a response, in bytes after decompression. With a longer one the call rejects with a
   * `ResponseFormatError` and is not retried. Downloads and `asResponse()` have no limit.
   * @default 67_108_864
   */
  maxResponseBytes?: number | undefined;
  /**
   * A function that sends every request, instead of the global `fetch`. It has the same signature. The client calls it with a
   * URL and an `init` that has everything else, including the `signal`.
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
   * Id of the account to work in, sent as `x-account-id`. For a token of a user with several accounts; `me` lists them. An
   * account that the credential has no access to leads to an `AuthenticationError`.
   * @default the account of the credential
   */
  accountId?: string | undefined;
  /**
   * Everyone who visits a web page can read an API key in it, so the client refuses an API key there unless this is `true`.
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

/** Options of a client: exactly one of `apiKey` and `accessToken`, which may come from the environment, and the rest. */
export type ClientOptions = CommonOptions & (ApiKeyOptions | AccessTokenOptions);

/** Options of a single call. They are in the same object as the query parameters of the endpoint. */
export interface RequestOptions {
  /** Aborts the call wherever it is: in the queue, in a back-off, in the body. It rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Limit for one attempt in ms, instead of the client's. */
  timeout?: number | undefined;
  /** Limit for the whole call in ms, instead of the client's. */
  deadline?: number | undefined;
  /** More headers for this call. They cannot replace the credential. */
  headers?: Record<string, string> | undefined;
  /** Retry options of this call. Options that are left out are those of the client. */
  retry?: false | RetryOptions | undefined;
  /**
   * Position in the queue of the rate limit: `interactive` calls go before `bulk` calls.
   * @default 'interactive'; 'bulk' for the iteration over a list
   */
  priority?: Priority | undefined;
}
