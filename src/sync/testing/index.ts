import { objectArgument, optionalFunction } from '../../internal/arguments.ts';
import type { SyncStore } from '../store.ts';
import { contentCases } from './content-cases.ts';
import { dueCases } from './due-cases.ts';
import { freshnessCases } from './freshness-cases.ts';
import { historyCases } from './history-cases.ts';
import { processCases } from './process-cases.ts';

export type * from '../store.ts';

/** A store to check. */
export interface TestedStore {
  /**
   * Opens the store, as a process does. Some cases call it twice. Both stores must then read and write the same rows.
   */
  open(): SyncStore | Promise<SyncStore>;
  /** Removes the data of the store. It is called after all opened stores are closed. */
  remove?(): void | Promise<void>;
}

/** One case of {@link storeConformance}. */
export interface ConformanceCase {
  /** The checked behaviour, in words. */
  name: string;
  /** Rejects if the store is wrong. The error names the expected value. */
  run(): Promise<void>;
}

/**
 * Returns cases that check if your own {@link SyncStore} fulfils the contract of sync. The cases work with any test
 * framework.
 *
 * @param make returns a new and empty store for each call.
 * @example
 * for (const { name, run } of storeConformance(() => ({ open: () => warehouseStore(newDataset()) }))) test(name, run);
 */
export function storeConformance(make: () => TestedStore | Promise<TestedStore>): ConformanceCase[] {
  optionalFunction('make', make);
  const withTables = { ...freshnessCases, ...contentCases, ...dueCases };
  return [
    ...Object.entries(withTables).map(([name, check]) => ({
      name,
      run: () =>
        using(make, async open => {
          const store = await open();
          await store.migrate();
          await check(store);
        }),
    })),
    ...Object.entries(historyCases).map(([name, check]) => ({
      name,
      run: () =>
        using(make, async open => {
          const store = await open();
          // A store does not have to support a history.
          if (!store.historyAt) return;
          await store.migrate({ history: true });
          await check(store);
        }),
    })),
    ...Object.entries(processCases).map(([name, check]) => ({
      name,
      run: () => using(make, async open => check(await open(), await open())),
    })),
  ];
}

async function using(
  make: () => TestedStore | Promise<TestedStore>,
  work: (open: () => Promise<SyncStore>) => Promise<void>,
): Promise<void> {
  const tested = objectArgument('The result of make()', await make(), '{ open }');
  const opened: SyncStore[] = [];
  try {
    await work(async () => {
      const store = await tested.open();
      opened.push(store);
      return store;
    });
  } finally {
    await Promise.all(opened.map(store => store.close()));
    await tested.remove?.();
  }
}
