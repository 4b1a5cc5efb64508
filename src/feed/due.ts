import { follow, unfollow } from '../internal/signal.ts';

/** A notification that waits until its record is read and the consumer has taken the changes. */
export interface DueEntry {
  readonly id: string;
  readonly arrivedAt: number;
  readonly done: () => void;
  readonly failed: (reason: unknown) => void;
}

/** The records to read because of notifications. */
export class Due {
  readonly #entries = new Set<DueEntry>();
  #ended: { reason: unknown } | undefined;
  #announce = () => {};

  /**
   * Resolves when the record was requested and read after this call, and the consumer has taken the changes of the
   * record.
   */
  add(id: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#ended) return failed(this.#ended.reason);
      if (signal?.aborted) return failed(signal.reason);
      const follower = { aborted: (reason: unknown) => this.fail([entry], reason) };
      const stop = () => signal && unfollow(signal, follower);
      const entry: DueEntry = {
        id,
        arrivedAt: performance.now(),
        done() {
          stop();
          done();
        },
        failed(reason) {
          stop();
          failed(reason);
        },
      };
      this.#entries.add(entry);
      if (signal) follow(signal, follower);
      this.#announce();
    });
  }

  /** The waiting notifications. These notifications are settled by a reading that begins after they were added. */
  waiting(): DueEntry[] {
    return [...this.#entries];
  }

  /** Resolves when the next notification arrives. */
  arrival(): Promise<void> {
    if (this.#entries.size > 0) return Promise.resolve();
    return new Promise(resolve => {
      this.#announce = resolve;
    });
  }

  settle(entries: readonly DueEntry[]): void {
    for (const entry of entries) if (this.#entries.delete(entry)) entry.done();
  }

  fail(entries: readonly DueEntry[], reason: unknown): void {
    for (const entry of entries) if (this.#entries.delete(entry)) entry.failed(reason);
  }

  /** Rejects all waiting and later notifications. */
  end(reason: unknown): void {
    this.#ended = { reason };
    this.fail(this.waiting(), reason);
  }
}
