import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  objectArgument,
  oneOf,
  optionalFunction,
  optionNames,
  refuseUnknownNames,
  requiredText,
  wholeNumberOrInfinity,
} from '../internal/arguments.ts';
import { finiteAtLeast } from './base/checks.ts';
import { checkFault, type Fault, type FaultFunction } from './http/faults.ts';
import { checkLatency, type Latency } from './http/latency.ts';
import { checkRateLimit, type RateLimitOptions } from './http/rate-limit.ts';
import { MCP_EDITIONS, type McpEdition } from './mcp/editions.ts';
import { checkDeliveries, type DeliveryOptions } from './notifications/deliveries.ts';
import { checkState, type SandboxState } from './saved.ts';
import { checkShipmentCount } from './service/seed.ts';
import type { ListsOf } from './state/backend.ts';
import { checkTime } from './state/clock.ts';
import { checkFeatures, checkSettings, type Features, type Settings } from './state/settings.ts';

/** The state of one account of a sandbox at the start. */
export interface AccountOptions {
  /**
   * The keys that are accepted as `Authorization: Token <key>` or, except for MCP, as `Authorization: Bearer <key>`.
   * Each key has its own rate limit. Two accounts cannot have the same key.
   * @default the name of the account
   */
  apiKeys?: readonly string[] | undefined;
  /** The name of the company. @default the name of the account; without the option `accounts`: 'Sandbox' */
  companyName?: string | undefined;
  /** The paid features of the account, see {@link Features}. @default all */
  features?: Partial<Features> | undefined;
  /** The properties in which accounts differ, see {@link Settings}. @default those of a paying customer */
  settings?: Partial<Settings> | undefined;
  /**
   * Selects how lists of shipments and containers treat filters and `sort`. `older` is the state before filters were
   * documented. `sort` and all filters are ignored, with these exceptions: `number`, `q` and `filter[tracking_stopped]`
   * of shipments, and `filter[number]` of containers. With `older`, the list of custom field definitions does not
   * contain the service's templates, and the response to `GET /accounts/:id/custom_field_definitions` is 404.
   * @default 'current'
   */
  lists?: 'current' | 'older' | undefined;
  /**
   * Number of shipments of the account at the start. They are in all phases, with their tracking requests, customers
   * and documents. For every ten shipments, there is also one failed tracking request, and one tracking request that
   * awaits its manifest. At most 100,000 shipments.
   * @default 0
   */
  shipments?: number | undefined;
}

const ACCOUNT_NAMES = optionNames<AccountOptions>({
  apiKeys: true,
  companyName: true,
  features: true,
  settings: true,
  lists: true,
  shipments: true,
});

/** The account of a sandbox that was created without the option `accounts`. */
export const ONLY_ACCOUNT = 'sandbox';

/** The accounts that the options describe, by name. */
export function accountsOf({
  accounts,
  ...only
}: AccountOptions & { accounts?: Readonly<Record<string, AccountOptions>> | undefined }): [string, AccountOptions][] {
  return accounts === undefined ? [[ONLY_ACCOUNT, { companyName: 'Sandbox', ...only }]] : Object.entries(accounts);
}

/** @throws {ConfigurationError} for an unknown option, a value that is out of range, and a key that is used twice. */
export function checkAccounts(accounts: unknown): void {
  const given = Object.entries(objectArgument('accounts', accounts ?? {}, "{ acme: { apiKeys: ['acme-key'] } }"));
  if (given.length === 0) throw new ConfigurationError('accounts is empty; name at least one account.');
  const owners = new Map<string, string>();
  for (const [name, options] of given) {
    if (name.trim() === '') throw new ConfigurationError('The name of an account is blank.');
    checkAccount(`accounts.${name}`, options);
    for (const key of (options as AccountOptions).apiKeys ?? [name]) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new ConfigurationError(`The accounts ${owner} and ${name} have the same API key; the keys must differ.`);
      }
      owners.set(key, name);
    }
  }
}

/** @throws {ConfigurationError} for any other value. */
export function checkLists(lists: ListsOf): void {
  oneOf('lists', lists, ['current', 'older']);
}

/** @throws {ConfigurationError} for an unknown option, or a value that is out of range. */
export function checkAccount(what: string, options: AccountOptions): void {
  refuseUnknownNames(what, objectArgument(what, options, '{ shipments: 20 }'), ACCOUNT_NAMES);
  const { apiKeys = ['sandbox'], companyName = 'Sandbox' } = options;
  if (!Array.isArray(apiKeys) || apiKeys.length === 0 || !apiKeys.every(key => typeof key === 'string' && key !== '')) {
    throw new ConfigurationError("apiKeys must be an array of keys, such as ['sandbox'].");
  }
  if (typeof companyName !== 'string') {
    throw new ConfigurationError(`companyName is ${describeValue(companyName)}; it must be a string.`);
  }
  checkFeatures(options.features ?? {});
  checkSettings(options.settings ?? {});
  checkLists(options.lists ?? 'current');
  checkShipmentCount('shipments', options.shipments ?? 0);
}

/** The options of `createSandbox`. */
export interface SandboxOptions extends AccountOptions {
  /**
   * The result of `sandbox.save()` of another sandbox: this sandbox continues from that state. The state includes the
   * seed, the clock, the accounts and the faults, so these options cannot be set together with it. Pass all other
   * options again.
   * @default none
   */
  state?: SandboxState | undefined;
  /**
   * Decides ids, names and voyages. The same seed, calls and clock give the same responses, byte for byte. A whole
   * number.
   * @default 1
   */
  seed?: number | undefined;
  /**
   * Several accounts, by name. An account does not see the records and notifications of other accounts. With
   * `accounts`, set `apiKeys`, `companyName`, `features`, `settings`, `lists` and `shipments` in each account. All
   * accounts have the same places and carriers.
   * @default one account with the name 'sandbox' and the key 'sandbox'
   */
  accounts?: Readonly<Record<string, AccountOptions>> | undefined;
  /**
   * The time of the service's clock at the start. Pass a fixed time if a test must see the same dates every day.
   * @default the beginning of the present hour
   */
  now?: Date | string | number | undefined;
  /**
   * Speed of the service's clock, as a multiple of real time, at most 1,000,000. With 0, only `advance` moves the
   * clock. Everything that the service does later, such as the extraction of data from a document, then waits for
   * `advance`. The rate limit and the latency always use real time.
   * @default 1
   */
  speed?: number | undefined;
  /**
   * Returns the real time in ms, counted from any fixed moment. For tests that control the time.
   * @default performance.now
   */
  monotonic?: (() => number) | undefined;
  /**
   * The duration of a response in ms of real time: a number, `[min, max]` for a uniform distribution, quantiles such as
   * `{ p50: 120, p95: 400, p99: 1500 }`, the name of a distribution (see {@link LatencyName}), or a function that is
   * called for each request. A random latency depends on the seed and on the sequence number of the request. Half of
   * the duration passes before the request is counted and handled, and the other half passes after that.
   * @default 0
   */
  latency?: Latency | undefined;
  /**
   * The rate limits. By default, the limits of the real service. `false` turns the limits off.
   * @default { windowMs: 60_000, limits: { default: 100, createTrackingRequest: 100, inferNumber: 200, refreshContainer: 10 } }
   */
  rateLimit?: false | RateLimitOptions | undefined;
  /**
   * Failures that the sandbox produces on purpose, see {@link Fault}.
   * @default none
   */
  faults?: readonly Fault[] | FaultFunction | undefined;
  /**
   * The time from a tracking request to its outcome, in ms of the service's clock. This time can be up to a quarter
   * longer, depending on the number. The real service needs seconds to minutes: set a value such as 20_000 to see how
   * your program waits.
   * @default 300; 0 if `speed` is 0, so that `client.track` does not wait for `advance`
   */
  trackingDelayMs?: number | undefined;
  /**
   * Sends the requests that the service makes: notifications to webhooks, and the example notification of
   * `POST /webhooks/trigger`.
   * @default globalThis.fetch
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Number of the latest requests that the log `sandbox.requests` keeps. A whole number, or `Infinity`.
   * @default 10_000
   */
  keepRequests?: number | undefined;
  /** The deliveries of notifications, see {@link DeliveryOptions}. */
  webhooks?: DeliveryOptions | undefined;
  /**
   * The name of the header with the signature of a delivery. If you test code that reads this
   * header, set the name that the service uses.
   * @default 'X-SVC-Webhook-Signature'
   */
  webhookHeader?: string | undefined;
  /**
   * The edition of the hosted MCP endpoint that `/mcp` emulates, see {@link McpEdition}.
   * @default 'early-2026'
   */
  mcpEdition?: McpEdition | undefined;
}

const OPTION_NAMES = optionNames<SandboxOptions>({
  state: true,
  seed: true,
  accounts: true,
  apiKeys: true,
  companyName: true,
  shipments: true,
  keepRequests: true,
  now: true,
  speed: true,
  monotonic: true,
  latency: true,
  rateLimit: true,
  faults: true,
  features: true,
  settings: true,
  lists: true,
  trackingDelayMs: true,
  fetch: true,
  webhooks: true,
  webhookHeader: true,
  mcpEdition: true,
});

/** At this speed the clock advances by more than eleven days in one second of real time. */
const MAX_SPEED = 1_000_000;

/** @throws {ConfigurationError} for an unknown option, or a value that is out of range. */
export function checkOptions(options: SandboxOptions): void {
  refuseUnknownNames(
    'createSandbox',
    objectArgument('The argument of createSandbox()', options, '{ seed: 7 }'),
    OPTION_NAMES,
  );
  const { seed = 1, speed = 1, trackingDelayMs = 0, now = 0, keepRequests = 1 } = options;
  if (!Number.isSafeInteger(seed)) throw new ConfigurationError(`seed is ${String(seed)}; it must be a whole number.`);
  for (const [name, value] of Object.entries({ speed, trackingDelayMs })) {
    finiteAtLeast(0, name, value);
  }
  if (speed > MAX_SPEED)
    throw new ConfigurationError(`speed must be at most ${MAX_SPEED}; use advance() for larger steps.`);
  checkAccountsOf(options);
  if (options.state !== undefined) checkSaved(options);
  wholeNumberOrInfinity(0, 'keepRequests', keepRequests);
  if (Number.isNaN(new Date(now).getTime())) throw new ConfigurationError(`now is not a date: ${String(now)}`);
  checkTime('now', new Date(now).getTime());
  for (const name of ['monotonic', 'fetch'] as const) optionalFunction(name, options[name]);
  checkLatency(options.latency);
  if (options.rateLimit !== undefined && options.rateLimit !== false) checkRateLimit(options.rateLimit);
  checkFaults(options.faults);
  checkDeliveries(options.webhooks ?? {});
  checkWebhookHeader(options.webhookHeader);
  oneOf('mcpEdition', options.mcpEdition ?? 'early-2026', MCP_EDITIONS);
}

function checkWebhookHeader(name: string | undefined): void {
  if (name !== undefined && !/^[\w-]+$/.test(requiredText('webhookHeader', name))) {
    throw new ConfigurationError(`webhookHeader is ${describeValue(name)}; it must be the name of a header.`);
  }
}

/** The options of each account, if there are several accounts. */
const OF_ACCOUNT = ['apiKeys', 'companyName', 'features', 'settings', 'lists', 'shipments'] as const;

function checkAccountsOf({ accounts, ...options }: SandboxOptions): void {
  const given = OF_ACCOUNT.filter(name => options[name] !== undefined);
  if (accounts === undefined) {
    checkAccount('createSandbox', Object.fromEntries(given.map(name => [name, options[name]])));
    return;
  }
  checkAccounts(accounts);
  if (given.length > 0) throw new ConfigurationError(`With accounts, set ${given[0]} in each account.`);
}

function checkSaved({ state, ...options }: SandboxOptions): void {
  checkState(state);
  for (const name of ['seed', 'now', 'accounts', ...OF_ACCOUNT, 'faults'] as const) {
    if (options[name] === undefined || typeof options[name] === 'function') continue;
    throw new ConfigurationError(`${name} cannot be set together with state, which includes it.`);
  }
}

function checkFaults(faults: SandboxOptions['faults'] = []): void {
  if (typeof faults === 'function') return;
  if (!Array.isArray(faults)) {
    throw new ConfigurationError(`faults is ${describeValue(faults)}; it must be an array of faults, or a function.`);
  }
  faults.forEach(checkFault);
}
