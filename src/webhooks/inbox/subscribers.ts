/** Starts to call `wake` for entries that other processes have stored. Returns a function that stops these calls. */
export type Listen = (wake: () => void) => () => void;

/**
 * The workers that are woken when an entry is stored. While there are workers, this class also listens for entries that
 * other processes store.
 */
export class Subscribers {
  readonly #listen: Listen | undefined;
  readonly #wakes = new Set<() => void>();
  #stop = () => {};

  constructor(listen?: Listen) {
    this.#listen = listen;
  }

  /** Returns a function that ends the subscription. */
  add(wake: () => void): () => void {
    // This is a separate function, because the same callback may be subscribed twice.
    const subscriber = () => wake();
    this.#wakes.add(subscriber);
    if (this.#wakes.size === 1) this.#stop = this.#listen?.(this.wake) ?? (() => {});
    return () => {
      if (this.#wakes.delete(subscriber) && this.#wakes.size === 0) this.#stop();
    };
  }

  readonly wake = (): void => {
    for (const wake of this.#wakes) wake();
  };
}
