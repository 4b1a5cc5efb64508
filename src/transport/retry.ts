import pRetry from 'p-retry';

/** Carries whatever an attempt threw past p-retry, which knows errors only and never repeats a TypeError. */
class Failure extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('attempt failed');
    this.reason = reason;
  }
}

/**
 * Calls `attempt` until it resolves, or until `again` says no.
 *
 * `again` waits out the back-off itself: p-retry can neither take a delay from `Retry-After` nor be aborted while it
 * waits.
 */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  again: (error: unknown, number: number) => Promise<boolean>,
): Promise<T> {
  try {
    return await pRetry(
      async number => {
        try {
          return await attempt(number);
        } catch (error) {
          throw new Failure(error);
        }
      },
      {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: 0,
        shouldRetry: ({ error, attemptNumber }) => again((error as Failure).reason, attemptNumber),
      },
    );
  } catch (error) {
    throw error instanceof Failure ? error.reason : error;
  }
}
