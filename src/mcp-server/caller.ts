import type { TrackingClient } from '../client.ts';
import type { ShippingLine } from '../records/shipping-line.ts';

/** How long names are good enough to complete what somebody types. Carriers change a few times a year. */
const KEEP_MS = 10 * 60_000;
const MAX_CONTAINERS = 1_000;

/** The account that a call is made for: its client, and the names that were seen, which complete what its user types. */
export class Caller {
  readonly client: TrackingClient;
  /** Ids by container number, the latest seen last. */
  readonly #containers = new Map<string, string>();
  #lines: { promise: Promise<ShippingLine[]>; until: number } | undefined;

  constructor(client: TrackingClient) {
    this.client = client;
  }

  /** All carriers that can be tracked. Parallel calls share one request, and later ones its answer. */
  shippingLines(options: { deadline?: number; signal?: AbortSignal } = {}): Promise<ShippingLine[]> {
    if (this.#lines && this.#lines.until > Date.now()) return this.#lines.promise;
    // Shared by all who ask, so that none of them may end it.
    const promise = this.client.shippingLines.list({ pageSize: 100, deadline: options.deadline }).toArray();
    const lines = { promise, until: Date.now() + KEEP_MS };
    this.#lines = lines;
    promise.catch(() => {
      if (this.#lines === lines) this.#lines = undefined;
    });
    return unless(options.signal, promise);
  }

  /** Notes a container that an answer named. */
  saw(container: { id: string; number: unknown }): void {
    if (typeof container.number !== 'string') return;
    this.#containers.delete(container.number);
    this.#containers.set(container.number, container.id);
    const [oldest] = this.#containers.keys();
    if (this.#containers.size > MAX_CONTAINERS && oldest !== undefined) this.#containers.delete(oldest);
  }

  /** The containers that were seen, the latest first. */
  seen(): { id: string; number: string }[] {
    return Array.from(this.#containers, ([number, id]) => ({ id, number })).reverse();
  }
}

/** The promise, or the reason of the signal if it aborts before. */
async function unless<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
