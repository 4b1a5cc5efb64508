import type { StoreLock } from '../sync/store.ts';
import { Connection } from './connections.ts';
import type { PostgresClient } from './pool.ts';

/** How often the connection is asked whether it still holds the lock, and how long it may take to answer. In ms. */
const ASKED_EVERY_MS = 5000;
const ANSWERS_WITHIN_MS = 5000;

/**
 * An advisory lock on a connection of its own. The server frees it when the connection ends, so the lock counts as lost as soon as
 * the connection does not answer.
 */
export class AdvisoryLock implements StoreLock {
  readonly #client: PostgresClient;
  readonly #key: string;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #onEnd: () => void;
  #isFree = false;

  constructor(client: PostgresClient, key: string, onEnd: () => void) {
    this.#client = client;
    this.#key = key;
    this.#onEnd = onEnd;
    client.on('error', this.#lose);
    this.#timer = setInterval(() => void this.#ask(), ASKED_EVERY_MS);
    (this.#timer as { unref?(): void }).unref?.();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  release = async (): Promise<void> => {
    if (this.#isFree) return;
    this.#end();
    try {
      await within(
        ANSWERS_WITHIN_MS,
        new Connection(this.#client).query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [this.#key]),
      );
      this.#client.removeListener('error', this.#lose);
      this.#client.release();
    } catch {
      this.#client.release(true);
    }
  };

  /** Frees it, and tells who works with it. */
  close = async (): Promise<void> => {
    const released = this.release();
    this.#lost.abort(new Error('The store was closed.'));
    await released;
  };

  async #ask(): Promise<void> {
    try {
      await within(ANSWERS_WITHIN_MS, this.#client.query('SELECT 1'));
    } catch {
      this.#lose();
    }
  }

  readonly #lose = (): void => {
    if (this.#isFree) return;
    this.#end();
    this.#client.release(true);
    this.#lost.abort(new Error('The connection that held the lock is closed.'));
  };

  #end(): void {
    this.#isFree = true;
    clearInterval(this.#timer);
    this.#onEnd();
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
