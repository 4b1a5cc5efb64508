import { ConfigurationError } from '../errors.ts';
import type { Hooks, Logger } from '../hooks.ts';
import {
  type Checks,
  checkedOptions,
  milliseconds,
  objectArgument,
  oneOf,
  optionalFunction,
  optionNames,
  requiredText,
  wholeNumber,
  wholeNumberOrInfinity,
} from '../internal/arguments.ts';
import { consoleLogger } from '../internal/console-logger.ts';
import { environment, inBrowser } from '../internal/runtime.ts';
import type { AccessToken, ClientOptions, Fetch, RateLimitOptions, RequestOptions, Validation } from '../options.ts';
import type { BucketName, RateLimiter } from '../rate-limit/limiter.ts';
import { checkLimits } from '../rate-limit/limiter.ts';
import { VERSION } from '../version.ts';
import { accessTokenCredentials, apiKeyCredentials, type Credentials } from './auth.ts';
import type { RetryPolicy } from './retries.ts';
import { resolveRetry } from './retries.ts';

const EXAMPLE = 'for example https://host.example/v2';

/**
 * The base URL in its normal form, without a slash at its end.
 *
 * @throws {ConfigurationError} if it is not a URL, if it is not https (plain http is allowed for loopback addresses),
 *   if it has a query, a fragment or credentials, or if it does not end in a version segment.
 */
export function parseBaseUrl(input: string | undefined): string {
  if (input === undefined) {
    throw new ConfigurationError(
      'The address of the service is missing. Pass baseUrl, or set TRACKING_BASE_URL. Without an account, use createSandbox().',
    );
  }
  // The cause is left out: it contains the input, which may contain a password.
  // Without `//`, a host before a port counts as a scheme: `localhost:3000`.
  if (typeof input !== 'string' || !/^\w+:\/\//.test(input) || !URL.canParse(input)) {
    throw new ConfigurationError(
      `baseUrl is not an absolute URL. Pass the address of the service, ${EXAMPLE} or http://localhost:3000/v2.`,
    );
  }
  const url = new URL(input);
  if (url.username || url.password) {
    throw new ConfigurationError('baseUrl holds a user name or password. Remove them and pass apiKey or accessToken.');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigurationError(
      `baseUrl uses ${url.protocol}//, which shows the credential to the network. Use https; http is for loopback addresses only.`,
    );
  }
  const pathname = url.pathname.replace(/\/+$/, '');
  if (/[?#]/.test(input) || !/\/v\d+$/.test(pathname)) {
    throw new ConfigurationError(`baseUrl does not end in a version segment such as /v2, ${EXAMPLE}.`);
  }
  return url.origin + pathname;
}

export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}

const VALIDATIONS: readonly Validation[] = ['strict', 'warn', 'off'];

/** The longest string that the runtimes support. */
const LONGEST_TEXT_BYTES = 536_870_888;

const CLIENT = {
  baseUrl: (_, value) => parseBaseUrl(value),
  apiKey: (_: string, value: string | undefined) => value,
  accessToken: (_: string, value: AccessToken | undefined) => value,
  accountId: (name, value) => (value === undefined ? {} : checkHeaders({ 'x-account-id': requiredText(name, value) })),
  timeout: (name, value) => milliseconds(name, value ?? 30_000),
  deadline: (name, value) => milliseconds(name, value ?? Infinity),
  retry: (_, value) => resolveRetry(value, { limit: 4, minDelay: 500, maxDelay: 30_000, maxRetryAfter: 120_000 }),
  rateLimit: (_, value) => resolveRateLimit(value ?? {}),
  validation: (name, value) => oneOf(name, value ?? 'warn', VALIDATIONS),
  maxResponseBytes: (name, value) => Math.min(wholeNumberOrInfinity(1, name, value ?? 67_108_864), LONGEST_TEXT_BYTES),
  fetch: (name, value) => optionalFunction(name, value),
  headers: (_, value) => checkHeaders(value ?? {}),
  hooks: (_, value) => checkHooks(value ?? {}),
  logger: (_, value) => resolveLogger(value),
  dangerouslyAllowBrowser: (_, value) => value,
} satisfies Checks<ClientOptions>;

const RATE_LIMIT = {
  windowMs: (name, value = 60_000) => wholeNumber(name, value),
  limits: checkLimits,
  maxInFlight: (name, value) => (value === undefined ? undefined : wholeNumberOrInfinity(1, name, value)),
  maxQueue: (name, value) => (value === undefined ? undefined : wholeNumberOrInfinity(0, name, value)),
  limiter(name, value) {
    if (value === undefined || typeof value?.acquire === 'function') return value;
    throw new ConfigurationError(`${name} has no method acquire(): it must be a RateLimiter.`);
  },
} satisfies Checks<RateLimitOptions>;

const HOOKS = {
  onRequest: optionalFunction,
  onResponse: optionalFunction,
  onRetry: optionalFunction,
  onRateLimited: optionalFunction,
  onSchemaMismatch: optionalFunction,
  onQueued: optionalFunction,
  onSettled: optionalFunction,
} satisfies Checks<Hooks>;

export const REQUEST_OPTION_NAMES = optionNames<RequestOptions>({
  signal: true,
  timeout: true,
  deadline: true,
  headers: true,
  retry: true,
  priority: true,
});

/** The rate limit options of a client, with the defaults filled in. */
export interface RateLimit {
  /** If false, only `maxInFlight` limits the requests. */
  readonly enabled: boolean;
  readonly windowMs: number;
  readonly limits: Readonly<Record<BucketName, number>>;
  readonly maxInFlight: number | undefined;
  readonly maxQueue: number | undefined;
  readonly limiter: RateLimiter | undefined;
}

/** The checked options of a client, with the defaults filled in. */
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
  /** Headers of every request, without the credential. */
  readonly headers: Record<string, string>;
  readonly hooks: Hooks;
  readonly logger: Partial<Logger> | undefined;
}

/** The options, completed from environment variables. An explicit `apiKey` or `accessToken` takes precedence. */
export function withEnvironment(options: ClientOptions): ClientOptions {
  objectArgument('The argument of TrackingClient', options, "{ baseUrl: 'https://host.example/v2', apiKey }");
  const { baseUrl = environment('TRACKING_BASE_URL'), accessToken } = options;
  const apiKey = options.apiKey ?? (accessToken === undefined ? environment('TRACKING_API_KEY') : undefined);
  // Plain JavaScript may set both credentials. In this case, `resolveOptions` throws an error.
  return { ...options, baseUrl, apiKey } as ClientOptions;
}

/**
 * Completes the options from the environment and with the defaults.
 *
 * @throws {ConfigurationError} for an option that is missing, unknown or out of range.
 */
export function resolveOptions(given: ClientOptions): Settings {
  const { apiKey, accessToken, accountId, dangerouslyAllowBrowser, headers, ...settings } = checkedOptions(
    'TrackingClient',
    withEnvironment(given),
    CLIENT,
  );
  return {
    ...settings,
    credentials: resolveCredentials(apiKey, accessToken, dangerouslyAllowBrowser === true),
    headers: { ...ownHeaders(), ...headers, ...accountId },
  };
}

function resolveCredentials(
  apiKey: string | undefined,
  accessToken: AccessToken | undefined,
  allowsBrowser: boolean,
): Credentials {
  if (apiKey !== undefined && accessToken !== undefined) {
    throw new ConfigurationError('Both apiKey and accessToken are set. Pass only one of them.');
  }
  if (accessToken !== undefined) return accessTokenCredentials(accessToken);
  if (apiKey === undefined) {
    throw new ConfigurationError('The credential is missing. Pass apiKey or accessToken, or set TRACKING_API_KEY.');
  }
  if (inBrowser() && !allowsBrowser) {
    throw new ConfigurationError(
      'Everyone who visits a web page can read its apiKey. Use accessToken or a server. If all are trusted, set dangerouslyAllowBrowser: true.',
    );
  }
  return apiKeyCredentials(apiKey);
}

function resolveRateLimit(rateLimit: false | RateLimitOptions): RateLimit {
  const given = rateLimit === false ? {} : objectArgument('rateLimit', rateLimit, '{ windowMs: 60_000 }, or false');
  return { enabled: rateLimit !== false, ...checkedOptions('rateLimit', given, RATE_LIMIT, 'rateLimit.') };
}

function ownHeaders(): Record<string, string> {
  const headers = { accept: 'application/vnd.api+json, application/json' };
  return inBrowser() ? headers : { ...headers, 'user-agent': `container-tracking-sdk/${VERSION}` };
}

/** The headers, with names in lower case. @throws {ConfigurationError} for a header that is not valid, and for Authorization. */
export function checkHeaders(headers: Record<string, string>): Record<string, string> {
  // The content of a `Headers` or a `Map` is not in its own properties. Therefore it would be ignored silently.
  if (typeof headers !== 'object' || Symbol.iterator in headers) {
    throw new ConfigurationError("headers must be a plain object, such as { 'x-trace': '1' }.");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'authorization') {
      throw new ConfigurationError('headers contains Authorization. Pass the credential as apiKey or accessToken.');
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
  checkedOptions('hooks', hooks, HOOKS, 'hooks.');
  return hooks;
}

function resolveLogger(logger: false | Logger | undefined): Partial<Logger> | undefined {
  if (logger === false) return undefined;
  if (logger === undefined) return consoleLogger;
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    if (typeof logger?.[level] !== 'function') throw new ConfigurationError(`logger has no method ${level}().`);
  }
  return logger;
}
