import type { TrackingClient } from '../client.ts';
import { ResponseFormatError } from '../errors.ts';
import { isRecord, type WireDocument } from '../jsonapi/document.ts';
import type { Query } from '../jsonapi/query.ts';
import type { Slot } from '../rate-limit/limiter.ts';
import { createRollingWindowLimiter, type RollingWindowLimiter } from '../rate-limit/rolling-window.ts';
import { type ListSource, PAGE_SIZE } from './lists.ts';
import type { ServiceClock } from './service-clock.ts';

/** The members of a client that sync uses. */
export type SyncClient = Pick<TrackingClient, 'request' | 'rateLimit' | 'webhooks' | 'webhookNotifications'>;

/** A response, and the time at which its content was true. */
export interface Answer {
  document: WireDocument;
  /**
   * Time on the clock of the service, in ms since 1970. It is never later than the moment at which the response was
   * made.
   */
  asOf: number;
}

/** The pace of the reads of sync. */
export interface Pace {
  /** Requests per window. */
  limit: number;
  /** Length of the window, in ms. */
  windowMs: number;
  /** The part of the client's budget that sync uses, at most 1. */
  share: number;
}

const DEFAULT_LIMIT = 100;
const DEFAULT_WINDOW_MS = 60_000;

export interface ReaderOptions {
  share: number;
  /** @default that of the client */
  windowMs?: number | undefined;
  /** This function is called if a request has to wait for the share. Its argument is the minimum wait in ms. */
  onQueued?: ((estimatedWaitMs: number) => void) | undefined;
}

/** Reads from the service, within a share of the budget of the client. */
export class ServiceReader {
  readonly clock: ServiceClock;
  readonly pace: Pace;
  /** Number of requests so far. */
  requests = 0;
  /** True after the first successful response: the service accepts the key. */
  hasAnswered = false;
  /** Id of this process. */
  readonly id = crypto.randomUUID();
  readonly onQueued: ReaderOptions['onQueued'];
  readonly #client: SyncClient;
  /** `undefined` for the whole budget, because the limiter of the client is then enough. */
  readonly #limiter: RollingWindowLimiter | undefined;

  constructor(client: SyncClient, clock: ServiceClock, { share, onQueued, ...options }: ReaderOptions) {
    this.#client = client;
    this.onQueued = onQueued;
    this.clock = clock;
    const budget = client.rateLimit.snapshot()?.default;
    const limit = Math.max(1, Math.floor((budget?.limit ?? DEFAULT_LIMIT) * share));
    const windowMs = options.windowMs ?? budget?.windowMs ?? DEFAULT_WINDOW_MS;
    this.pace = { limit, windowMs, share };
    const unlimited = { createTrackingRequest: limit, inferNumber: limit, refreshContainer: limit };
    this.#limiter =
      share < 1 && Number.isFinite(limit)
        ? createRollingWindowLimiter({ windowMs, limits: { default: limit, ...unlimited } })
        : undefined;
  }

  /** Number of requests of the share that are used up now. */
  get used(): number {
    return (this.#limiter ?? this.#client.rateLimit).snapshot()?.default.used ?? 0;
  }

  /** One page of a list, by default with the largest size that the service allows. */
  page({ path, query }: ListSource, number: number, signal: AbortSignal, size = PAGE_SIZE): Promise<Answer> {
    return this.read(path, { ...query, page: { number, size } }, signal);
  }

  /** Yields pages that the client reads. Before each page, waits until the share of the budget allows a request. */
  async *inShare<T>(pages: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    const turn = async () => (await this.#slot(signal))?.release();
    await turn();
    for await (const page of pages) {
      yield page;
      await turn();
    }
  }

  /** @throws {TrackingError} in the same cases as every call of the client. */
  async read(path: string, query: Query, signal: AbortSignal): Promise<Answer> {
    const slot = await this.#slot(signal);
    this.requests += 1;
    const began = this.clock.local();
    try {
      const call = this.#client.request({ path, query, signal, priority: 'bulk' });
      const { data: document, response, queuedMs } = await call.withResponse();
      if (!isRecord(document) || document.data === undefined) {
        const details = {
          status: response.status,
          method: 'GET',
          path,
          requestId: response.headers.get('x-request-id') ?? undefined,
        };
        throw new ResponseFormatError(`The response to GET ${path} has no data.`, details);
      }
      this.hasAnswered = true;
      // The last attempt began at this time or later.
      const sentAt = began + queuedMs;
      const asOf = this.clock.date({ sentAt, receivedAt: this.clock.local(), date: response.headers.get('date') });
      return { document: document as unknown as WireDocument, asOf };
    } finally {
      slot?.release();
    }
  }

  async #slot(signal: AbortSignal): Promise<Slot | undefined> {
    return this.#limiter?.acquire({ bucket: 'default', priority: 'bulk', signal, onQueued: this.onQueued });
  }
}
