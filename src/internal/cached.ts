import { abortable, Scope } from './signal.ts';

/**
 * Time in ms after which a load counts as lost. In Cloudflare Workers, a load may never end if the request that began
 * the load has ended.
 */
const MAX_LOAD_MS = 120_000;
const DEAD = Symbol('dead');

interface Load<T> {
  startedAt: number;
  endedAt: number | undefined;
  value: Promise<T>;
}

/** Loads a value once for all callers, and again when the value is older than `ttlMs`. A failure is not cached. */
export class Cached<T> {
  readonly #load: () => Promise<T>;
  readonly #ttlMs: number;
  #latest: Load<T> | undefined;

  constructor(load: () => Promise<T>, ttlMs = Infinity) {
    this.#load = load;
    this.#ttlMs = ttlMs;
  }

  /** The signal ends only the wait of this caller, because other callers may wait for the same load. */
  async get(signal?: AbortSignal): Promise<T> {
    for (;;) {
      const { value, endedAt, startedAt } = this.#current();
      const scope = new Scope().follow(signal);
      if (endedAt === undefined) scope.limit(startedAt + MAX_LOAD_MS - performance.now(), () => DEAD);
      try {
        return await abortable(value, scope.signal);
      } catch (error) {
        if (error !== DEAD) throw error;
      } finally {
        scope.dispose();
      }
    }
  }

  #current(): Load<T> {
    const now = performance.now();
    const latest = this.#latest;
    const since = latest?.endedAt ?? latest?.startedAt ?? 0;
    if (latest && now - since < (latest.endedAt === undefined ? MAX_LOAD_MS : this.#ttlMs)) return latest;

    const load: Load<T> = { startedAt: now, endedAt: undefined, value: this.#load() };
    this.#latest = load;
    load.value.then(
      () => {
        load.endedAt = performance.now();
      },
      () => {
        if (this.#latest === load) this.#latest = undefined;
      },
    );
    return load;
  }
}
