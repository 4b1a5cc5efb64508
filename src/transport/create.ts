import type { ClientOptions } from '../options.ts';
import { sharedBudget } from '../rate-limit/budget.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { perBucket } from '../rate-limit/limiter.ts';
import { createRollingWindowLimiter } from '../rate-limit/rolling-window.ts';
import { resolveOptions, type Settings } from './settings.ts';
import { Transport } from './transport.ts';

/**
 * Makes a transport for resource classes, in programs that need only some of these classes.
 *
 * @throws {ConfigurationError} for options that cannot work.
 * @example
 * const shipments = new Shipments(createTransport({ baseUrl, apiKey }));
 */
export function createTransport(options: ClientOptions = {}): Transport {
  const settings = resolveOptions(options);
  return new Transport(settings, limiterOf(settings));
}

/**
 * A `fetch` function with this property is itself the service, for example a sandbox. It counts only its own
 * requests. Therefore its clients have a separate budget.
 */
const SERVICE = Symbol.for('container-tracking-sdk.service');

export function limiterOf({ baseUrl, credentials, rateLimit, logger, fetch }: Settings): RateLimiter {
  if (rateLimit.limiter) {
    return customLimiter(rateLimit.limiter, error =>
      logger?.error?.('rateLimit.limiter failed to take a slot back.', { error }),
    );
  }
  if (!rateLimit.enabled) return createRollingWindowLimiter({ ...rateLimit, limits: perBucket(() => Infinity) });
  return sharedBudget({
    ...rateLimit,
    baseUrl: `${(fetch as { [SERVICE]?: string } | undefined)?.[SERVICE] ?? ''}${baseUrl}`,
    credential: credentials.identity,
    warn: message => logger?.warn?.(message),
  });
}

/** The guard of a custom limiter is loaded with the first request. */
function customLimiter(limiter: RateLimiter, onFailure: (error: unknown) => void): RateLimiter {
  return {
    async acquire(request) {
      const { guardedAcquire } = await import('../rate-limit/guarded-limiter.ts');
      return guardedAcquire(limiter, request, onFailure);
    },
    ...(limiter.snapshot && { snapshot: limiter.snapshot.bind(limiter) }),
  };
}
