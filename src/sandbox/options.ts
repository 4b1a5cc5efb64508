import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  numberAtLeast,
  objectArgument,
  optionalFunction,
  optionNames,
  refuseUnknownNames,
} from '../internal/arguments.ts';
import { checkFault, type Fault, type FaultFunction } from './http/faults.ts';
import { checkRateLimit, type RateLimitOptions } from './http/rate-limit.ts';
import type { DeliveryOptions } from './notifications/deliveries.ts';
import { checkDeliveries } from './notifications/deliveries.ts';
import { checkShipmentCount } from './service/populate.ts';
import { checkTime } from './state/clock.ts';
import { checkFeatures, type Features } from './state/features.ts';

/** The options of `createSandbox`. */
export interface SandboxOptions {
  /**
   * Decides ids, names and voyages. The same seed, calls and clock give the same answers, byte for byte. A whole number.
   * @default 1
   */
  seed?: number | undefined;
  /**
   * The accepted keys, as `Authorization: Token <key>` or, not for MCP, `Authorization: Bearer <key>`. Each key has its own
   * rate limit.
   * @default ['sandbox']
   */
  apiKeys?: readonly string[] | undefined;
  /**
   * How many shipments the account has at the start: in all phases, with their tracking requests, customers and documents. For
   * every ten there is also a request that has failed, and one that awaits its manifest.
   * @default 0
   */
  shipments?: number | undefined;
  /**
   * The time of the service's clock at the start.
   * @default 2026-03-09T03:00:00Z
   */
  now?: Date | string | number | undefined;
  /**
   * How many times faster than real time the service's clock runs. With 0 only `advance` moves it. The rate limit and the
   * latency always use real time.
   * @default 1
   */
  speed?: number | undefined;
  /**
   * Gives the real time in ms since any moment. For tests that control the time.
   * @default performance.now
   */
  monotonic?: (() => number) | undefined;
  /**
   * The duration of an answer in ms of real time: a number, `[min, max]` for a uniform distribution, or a function that is called
   * for each request. Half of it passes before the request is counted and handled, the other half after that.
   * @default 0
   */
  latency?: number | readonly [min: number, max: number] | (() => number) | undefined;
  /**
   * The rate limits. By default, those of the real service. `false` turns them off.
   * @default { windowMs: 60_000, limits: { default: 100, createTrackingRequest: 100, inferNumber: 200, refreshContainer: 10 } }
   */
  rateLimit?: false | RateLimitOptions | undefined;
  /**
   * Failures that the sandbox produces on purpose, see {@link Fault}.
   * @default none
   */
  faults?: readonly Fault[] | FaultFunction | undefined;
  /** The paid features of the account, see {@link Features}. */
  features?: Partial<Features> | undefined;
  /**
   * The time from a tracking request to its outcome, in ms of the service's clock. It can be up to a quarter longer, depending
   * on the number. The real service needs seconds to minutes: set a value such as 20_000 to see how your program waits.
   * @default 500
   */
  trackingDelayMs?: number | undefined;
  /**
   * Sends the requests of the service: notifications to webhooks, and the example of `POST /webhooks/trigger`.
   * @default globalThis.fetch
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How notifications are delivered, see {@link DeliveryOptions}. */
  webhooks?: DeliveryOptions | undefined;
}

const OPTION_NAMES = optionNames<SandboxOptions>({
  seed: true,
  apiKeys: true,
  shipments: true,
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

/** @throws {ConfigurationError} for an unknown option, or a value that is out of range. */
export function checkOptions(options: SandboxOptions): void {
  refuseUnknownNames(
    'createSandbox',
    objectArgument('The argument of createSandbox()', options, '{ seed: 7 }'),
    OPTION_NAMES,
  );
  const { seed = 1, speed = 1, trackingDelayMs = 0, apiKeys = ['sandbox'], now = 0 } = options;
  if (!Number.isSafeInteger(seed)) throw new ConfigurationError(`seed is ${String(seed)}; it must be a whole number.`);
  for (const [name, value] of Object.entries({ speed, trackingDelayMs })) {
    if (numberAtLeast(0, name, value) === Number.POSITIVE_INFINITY)
      throw new ConfigurationError(`${name} must be finite.`);
  }
  if (!Array.isArray(apiKeys) || apiKeys.length === 0 || !apiKeys.every(key => typeof key === 'string' && key !== '')) {
    throw new ConfigurationError("apiKeys must be an array of keys, such as ['sandbox'].");
  }
  checkShipmentCount('shipments', options.shipments ?? 0);
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
  numberAtLeast(numberAtLeast(0, 'latency', min), 'latency', max);
  if (more.length > 0) throw new ConfigurationError('latency must be a number, [min, max] or a function.');
}

function checkFaults(faults: SandboxOptions['faults'] = []): void {
  if (typeof faults === 'function') return;
  if (!Array.isArray(faults)) {
    throw new ConfigurationError(`faults is ${describeValue(faults)}; it must be an array of faults, or a function.`);
  }
  faults.forEach(checkFault);
}
