import type { TrackingClient } from '../client.ts';
import { text } from '../domain/record-values.ts';
import { TimeoutError } from '../errors.ts';
import { abortable } from '../internal/signal.ts';
import type { ShippingLine } from '../model/index.ts';
import { Readings } from './readings.ts';
import { Snapshots } from './snapshots.ts';

/** Time in ms for which the carriers of one reading are used again. Carriers change a few times a year. */
const KEEP_MS = 10 * 60_000;
const MAX_CONTAINERS = 1_000;

/**
 * The account for which calls are made. It has a client, stored lists that are read page by page, and the carriers and
 * containers that complete the user's input.
 */
export class Caller {
  readonly client: TrackingClient;
  readonly snapshots = new Snapshots();
  readonly readings = new Readings();
  /** Ids by container number. The number that was seen last is at the end. */
  readonly #containers = new Map<string, string>();
  #lines: { promise: Promise<ShippingLine[]>; until: number } | undefined;

  constructor(client: TrackingClient) {
    this.client = client;
  }

  /** All carriers that can be tracked. Parallel and later calls share one request, but each call has its own deadline. */
  async shippingLines(limits: { deadline: number; signal: AbortSignal }): Promise<ShippingLine[]> {
    const shared = this.#lines && this.#lines.until > Date.now() ? this.#lines.promise : undefined;
    try {
      return await abortable(shared ?? this.#loadLines(limits.deadline), limits.signal);
    } catch (error) {
      // The shared request has the deadline of the call that started it. A call with a later deadline then sends another
      // request.
      if (!shared || limits.signal.aborted || !(error instanceof TimeoutError)) throw error;
      return this.shippingLines(limits);
    }
  }

  /** The request has no signal, because no call may abort a request that other calls share. */
  #loadLines(deadline: number): Promise<ShippingLine[]> {
    const promise = this.client.shippingLines.list({ pageSize: 100, deadline }).toArray();
    const lines = { promise, until: Date.now() + KEEP_MS };
    this.#lines = lines;
    promise.catch(() => {
      if (this.#lines === lines) this.#lines = undefined;
    });
    return promise;
  }

  /** Makes the next calls read all lists again, because the account has changed. */
  forgetLists(): void {
    this.snapshots.clear();
    this.readings.clear();
  }

  /** Stores the id and the number of a container in a result. */
  saw(container: { id: string; number?: unknown }): void {
    const [id, number] = [text(container.id), text(container.number)];
    if (id === null || number === null) return;
    this.#containers.delete(number);
    this.#containers.set(number, id);
    const [oldest] = this.#containers.keys();
    if (this.#containers.size > MAX_CONTAINERS && oldest !== undefined) this.#containers.delete(oldest);
  }

  /** The containers of earlier results, the latest first. */
  seen(): { id: string; number: string }[] {
    return Array.from(this.#containers, ([number, id]) => ({ id, number })).reverse();
  }
}
