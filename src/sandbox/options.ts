import { atLeast, knownNames, namesOf, objectArgument, optionalFunction, shown } from '../arguments.ts';
import { ConfigurationError } from '../errors.ts';
import { checkFault, type Fault, type FaultFunction } from './http/faults.ts';
import { checkRateLimit, type RateLimitOptions } from './http/rate-limit.ts';
import type { DeliveryOptions } from './notifications/deliveries.ts';
import { checkDeliveries } from './notifications/deliveries.ts';
import { checkTime } from './state/clock.ts';
import { checkFeatures, type Features } from './state/features.ts';

/** Options of {@link createSandbox}. */
export interface SandboxOptions {
  /**
   * Decides ids, names and voyages: the same seed, calls and clock give the same bytes.
   * @default 1
   */
  seed?: number | undefined;
  /**
   * Accepted as `Authorization: Token <key>` and as `Authorization: Bearer <key>`. Each has a rate limit of its own.
   * @default ['sandbox']
   */
  apiKeys?: readonly string[] | undefined;
  /**
   * What the service's clock shows at the start.
   * @default 2026-03-09T03:00:00Z
   */
  now?: Date | string | number | undefined;
  /**
   * How many times faster than real time the service's clock runs; 0 stops it, so that only `advance` moves it. The
   * rate limit and the latency keep to real time.
   * @default 1
   */
  speed?: number | undefined;
  /**
   * Real time in ms, from any origin. For tests with a clock of their own.
   * @default performance.now
   */
  monotonic?: (() => number) | undefined;
  /**
   * How long an answer takes, in ms: a number, the bounds of an even distribution, or a function asked for each request.
   * Half of it passes before the request is counted and handled, half after.
   * @default 0
   */
  latency?: number | readonly [min: number, max: number] | (() => number) | undefined;
  /**
   * The limits of SPEC.md, or others; `false` for none.
   * @default { windowMs: 60_000, limits: { default: 100, createTrackingRequest: 100, inferNumber: 200, refreshContainer: 10 } }
   */
  rateLimit?: false | RateLimitOptions | undefined;
  /** Failures to be met on purpose, see {@link Fault}. */
  faults?: readonly Fault[] | FaultFunction | undefined;
  /** What the account has paid for (api/errors-and-limits.md section 3). */
  features?: Partial<Features> | undefined;
  /**
   * From a tracking request to its outcome, in ms of the service's clock; up to a quarter more, by its number. The service
   * itself takes from seconds to minutes: set 20_000, say, to see what your program shows meanwhile.
   * @default 500
   */
  trackingDelayMs?: number | undefined;
  /**
   * Sends what the service sends: notifications to webhooks, and the sample of `POST /webhooks/trigger`.
   * @default globalThis.fetch
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How notifications are delivered, see {@link DeliveryOptions}. */
  webhooks?: DeliveryOptions | undefined;
}

const OPTION_NAMES = namesOf<SandboxOptions>({
  seed: true,
  apiKeys: true,
  now: true,
  speed: true,
  monotonic: true,
  latency: true,
  rateLimit: true,
  faults: true,
  features: true,
  trackingDelayMs: true,
  fetch: true,
  webhooks: true,
});

/** @throws {ConfigurationError} for options that a sandbox cannot keep to. */
export function checkOptions(options: SandboxOptions): void {
  knownNames('createSandbox', objectArgument('The argument of createSandbox()', options, '{ seed: 7 }'), OPTION_NAMES);
  const { seed = 1, speed = 1, trackingDelayMs = 0, apiKeys = ['sandbox'], now = 0 } = options;
  if (!Number.isSafeInteger(seed)) throw new ConfigurationError(`seed is ${String(seed)}; it must be a whole number.`);
  for (const [name, value] of Object.entries({ speed, trackingDelayMs })) {
    if (atLeast(0, name, value) === Number.POSITIVE_INFINITY) throw new ConfigurationError(`${name} has to be finite.`);
  }
  if (!Array.isArray(apiKeys) || apiKeys.length === 0 || !apiKeys.every(key => typeof key === 'string' && key !== '')) {
    throw new ConfigurationError("apiKeys must be an array of keys, such as ['sandbox'].");
  }
  if (Number.isNaN(new Date(now).getTime())) throw new ConfigurationError(`now is not a date: ${String(now)}`);
  checkTime('now', new Date(now).getTime());
  for (const name of ['monotonic', 'fetch'] as const) optionalFunction(name, options[name]);
  checkLatency(options.latency);
  if (options.rateLimit !== undefined && options.rateLimit !== false) checkRateLimit(options.rateLimit);
  checkFaults(options.faults);
  checkFeatures(options.features ?? {});
  checkDeliveries(options.webhooks ?? {});
}

function checkLatency(latency: SandboxOptions['latency'] = 0): void {
  if (typeof latency === 'function') return;
  const [min, max, ...more] = Array.isArray(latency) ? latency : [latency, latency];
  atLeast(atLeast(0, 'latency', min), 'latency', max);
  if (more.length > 0) throw new ConfigurationError('latency is an array of more than [min, max].');
}

function checkFaults(faults: SandboxOptions['faults'] = []): void {
  if (typeof faults === 'function') return;
  if (!Array.isArray(faults)) {
    throw new ConfigurationError(`faults is ${shown(faults)}; it must be an array of faults, or a function.`);
  }
  faults.forEach(checkFault);
}
