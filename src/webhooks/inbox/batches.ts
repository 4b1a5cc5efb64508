import { eventLoopTurn } from '../../internal/event-loop-turn.ts';

/** A call that waits for a batch. */
interface Call<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Combines several calls into one call of a store, so that they share a commit. Calls are combined if they are made in
 * one turn of the event loop, or while a batch runs. Results are in the order of the items.
 */
export class Batches<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #mayDiffer: (error: unknown) => boolean;
  readonly #calls: Call<Item, Result>[] = [];
  #running = false;

  /** @param mayDiffer true if one item may have caused the error of a batch. If so, each item is tried alone. */
  constructor(run: (items: Item[]) => Promise<Result[]>, mayDiffer: (error: unknown) => boolean) {
    this.#run = run;
    this.#mayDiffer = mayDiffer;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ item, resolve, reject });
      if (!this.#running) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    while (this.#calls.length > 0) {
      await eventLoopTurn();
      await this.#runBatch(this.#calls.splice(0, LARGEST));
    }
    this.#running = false;
  }

  async #runBatch(calls: Call<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(calls.map(({ item }) => item));
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (calls.length === 1 || !this.#mayDiffer(error)) for (const { reject } of calls) reject(error);
      else await Promise.all(calls.map(call => this.#runBatch([call])));
    }
  }
}

/**
 * Upper bound for the calls of a batch: the bodies of a batch are in memory twice, and the size of a statement is
 * limited.
 */
const LARGEST = 100;
