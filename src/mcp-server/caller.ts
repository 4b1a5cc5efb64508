import type { TrackingClient } from '../client.ts';
import { TimeoutError } from '../errors.ts';
import { abortable } from '../internal/signal.ts';
import type { ShippingLine } from '../model/index.ts';
import { Snapshots } from './snapshots.ts';
import { text } from './views/read.ts';

/** Time in ms for which names are good enough to complete what somebody types. Carriers change a few times a year. */
const KEEP_MS = 10 * 60_000;
const MAX_CONTAINERS = 1_000;

/** The account that a call is made for: its client, the lists that it pages through, and the names that were seen, which complete what its user types. */
export class Caller {
  readonly client: TrackingClient;
  readonly snapshots = new Snapshots();
  /** Ids by container number, the latest seen last. */
  readonly #containers = new Map<string, string>();
  #lines: { promise: Promise<ShippingLine[]>; until: number } | undefined;

  constructor(client: TrackingClient) {
    this.client = client;
  }

  /** All carriers that can be tracked. Parallel calls share one load, and later ones its response. The time of each is its own. */
  async shippingLines(limits: { deadline: number; signal: AbortSignal }): Promise<ShippingLine[]> {
    const shared = this.#lines && this.#lines.until > Date.now() ? this.#lines.promise : undefined;
    try {
      return await abortable(shared ?? this.#loadLines(limits.deadline), limits.signal);
    } catch (error) {
      // The time of the call that had begun to load may be up. Ours is not.
      if (!shared || limits.signal.aborted || !(error instanceof TimeoutError)) throw error;
      return this.shippingLines(limits);
    }
  }

  /** Without a signal: none of those who share it may end it. */
  #loadLines(deadline: number): Promise<ShippingLine[]> {
    const promise = this.client.shippingLines.list({ pageSize: 100, deadline }).toArray();
    const lines = { promise, until: Date.now() + KEEP_MS };
    this.#lines = lines;
    promise.catch(() => {
      if (this.#lines === lines) this.#lines = undefined;
    });
    return promise;
  }

  /** Notes a container that a result has named. */
  saw(container: { id: string; number?: unknown }): void {
    const [id, number] = [text(container.id), text(container.number)];
    if (id === null || number === null) return;
    this.#containers.delete(number);
    this.#containers.set(number, id);
    const [oldest] = this.#containers.keys();
    if (this.#containers.size > MAX_CONTAINERS && oldest !== undefined) this.#containers.delete(oldest);
  }

  /** The containers that were seen, the latest first. */
  seen(): { id: string; number: string }[] {
    return Array.from(this.#containers, ([number, id]) => ({ id, number })).reverse();
  }
}
