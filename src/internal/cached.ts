import { inWorkers } from './runtime.ts';
import { abortable } from './signal.ts';

interface Load<T> {
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
    const { value } = this.#current();
    return signal ? abortable(value, signal) : value;
  }

  #current(): Load<T> {
    const latest = this.#latest;
    if (latest && this.#isUsable(latest)) return latest;
    const load: Load<T> = { endedAt: undefined, value: this.#load() };
    this.#latest = load;
    load.value.then(
      () => {
        load.endedAt = performance.now();
        this.#latest = load;
      },
      () => {
        if (this.#latest === load) this.#latest = undefined;
      },
    );
    return load;
  }

  /**
   * In a Worker, a load never ends if the request that began it is cancelled. So each request loads the value itself until
   * one load has ended.
   */
  #isUsable({ endedAt }: Load<T>): boolean {
    return endedAt === undefined ? !inWorkers() : performance.now() - endedAt < this.#ttlMs;
  }
}
