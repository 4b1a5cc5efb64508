import {
  APIError,
  AuthenticationError,
  BadRequestError,
  PermissionDeniedError,
  ResponseFormatError,
  TrackingError,
} from '../errors.ts';
import { sleep } from '../internal/signal.ts';
import type { Query } from '../jsonapi/query.ts';
import type { RequestOptions } from '../options.ts';
import type { Page } from '../pagination/pages.ts';
import { isGone, isTemporary } from '../tracking/read-errors.ts';
import type { FeedGroup, WatchedRecord } from './groups.ts';
import type { Pass } from './pass.ts';
import type { SpareBudget } from './spare-budget.ts';

/** The result of a request: the value, `null` for a 404 of the API, or the error. */
export type Answer<T> = { askedAt: string; at: string } & ({ value: T | null } | { error: TrackingError });

interface ReaderOptions {
  group: FeedGroup;
  include: readonly string[] | undefined;
  budget: SpareBudget;
  /** Upper bound for the part of the rate limit that the feed may use. */
  share: number;
  /** Length of the window of the rate limit, in ms. */
  windowMs: number;
}

/** Number of attempts of a request before its error is reported. */
const ATTEMPTS = 3;

/** Reads pages and records with the spare part of the budget. Each attempt of a request counts. */
export class Reader {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  page(pass: Pass, signal: AbortSignal): Promise<Answer<Page<WatchedRecord>>> {
    return this.#ask(options => this.#options.group.list({ ...options, ...pass.next() }), signal, isFatalForLists);
  }

  /** Ids of the first records of the list in a sort order; `undefined` if the request fails. */
  async first(size: number, query: Query, signal: AbortSignal): Promise<string[] | undefined> {
    const answer = await this.#ask(
      options => this.#options.group.list({ ...options, pageSize: size, query }),
      signal,
      isFatal,
    );
    return 'value' in answer ? answer.value?.data.map(({ id }) => id) : undefined;
  }

  record(id: string, signal: AbortSignal): Promise<Answer<WatchedRecord>> {
    return this.#ask(options => this.#options.group.get(id, options), signal, isFatal);
  }

  async #ask<T>(
    request: (options: RequestOptions & { include?: readonly string[] }) => PromiseLike<T>,
    signal: AbortSignal,
    fatal: (error: unknown) => boolean,
  ): Promise<Answer<T>> {
    const { include, budget, share, windowMs } = this.#options;
    // This function makes the retries itself, and the client makes none, so that each attempt counts in the share.
    const options = { signal, priority: 'bulk' as const, retry: false as const, ...(include && { include }) };
    for (let attempt = 1; ; attempt += 1) {
      let askedAt = '';
      const send = () => {
        askedAt = new Date().toISOString();
        return request(options);
      };
      try {
        return { value: await budget.spend(send, share, signal), askedAt, at: new Date().toISOString() };
      } catch (error) {
        signal.throwIfAborted();
        const at = new Date().toISOString();
        if (isGone(error)) return { value: null, askedAt, at };
        if (fatal(error)) throw error;
        if (!isTemporary(error) || attempt === ATTEMPTS) return { error: error as TrackingError, askedAt, at };
        await sleep((windowMs / 60) * 2 ** (attempt - 1), signal);
      }
    }
  }
}

/** True if a later request would fail too. */
function isFatal(error: unknown): boolean {
  if (!TrackingError.is(error) || error instanceof AuthenticationError) return true;
  return !(isTemporary(error) || error instanceof APIError || error instanceof ResponseFormatError);
}

/**
 * True if every later request for a list would fail too. If a single record is refused, other records may still be
 * readable.
 */
function isFatalForLists(error: unknown): boolean {
  return isFatal(error) || error instanceof PermissionDeniedError || error instanceof BadRequestError;
}
