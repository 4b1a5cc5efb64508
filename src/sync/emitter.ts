import { ConfigurationError } from '../errors.ts';
import { describeValue, oneOf, optionNames } from '../internal/arguments.ts';
import type { SyncEvent, SyncEventOf } from './events.ts';

const EVENT_TYPES = optionNames<Record<SyncEvent['type'], true>>({
  migrated: true,
  started: true,
  progress: true,
  finished: true,
  refreshed: true,
  handled: true,
  read: true,
  incomplete: true,
  skipped: true,
  webhook: true,
  checked: true,
  recovered: true,
  reader: true,
  waiting: true,
  misfit: true,
  history: true,
  error: true,
  continued: true,
});

/** Reports an event. */
export type Emit = (event: SyncEvent) => void;

/** Calls the listeners of each event. Errors of listeners have no effect. */
export class Emitter {
  readonly #listeners = new Map<string, Set<(event: never) => unknown>>();

  readonly emit: Emit = event => {
    for (const listener of this.#listeners.get(event.type) ?? []) {
      try {
        const outcome = listener(event as never) as unknown;
        if (outcome instanceof Promise) outcome.catch(() => {});
      } catch {
        // An error of a listener must not stop the work.
      }
    }
  };

  on<T extends SyncEvent['type']>(type: T, listener: (event: SyncEventOf<T>) => unknown): () => void {
    oneOf('The type of the event', type, EVENT_TYPES);
    if (typeof listener !== 'function') {
      throw new ConfigurationError(`The listener is ${describeValue(listener)}; it must be a function.`);
    }
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener as (event: never) => unknown);
    return () => void listeners.delete(listener as (event: never) => unknown);
  }
}
