import type { SyncEvent, SyncEventOf } from './events.ts';

/** Reports an event. */
export type Emit = (event: SyncEvent) => void;

/** Calls the listeners of each event. Their errors change nothing. */
export class Emitter {
  readonly #listeners = new Map<string, Set<(event: never) => unknown>>();

  readonly emit: Emit = event => {
    for (const listener of this.#listeners.get(event.type) ?? []) {
      try {
        const outcome = listener(event as never) as unknown;
        if (outcome instanceof Promise) outcome.catch(() => {});
      } catch {
        // A listener cannot stop the work.
      }
    }
  };

  on<T extends SyncEvent['type']>(type: T, listener: (event: SyncEventOf<T>) => unknown): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener as (event: never) => unknown);
    return () => void listeners.delete(listener as (event: never) => unknown);
  }
}
