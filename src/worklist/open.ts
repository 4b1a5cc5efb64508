import { plainCopy } from '../internal/arguments.ts';
import type { WorklistOptions } from './options.ts';
import type { Reading, WorklistGroup } from './reading.ts';
import type { Worklist } from './rows.ts';

/** The lists of some options. Everything else is loaded at its first use. */
export function openWorklist(containers: WorklistGroup, options: WorklistOptions): Worklist<never> {
  const given = plainCopy(options);
  let reading: Promise<Reading> | undefined;
  const load = () => (reading ??= import('./reading.ts').then(chunk => new chunk.Reading(containers, given)));
  return {
    async *[Symbol.asyncIterator]() {
      yield* (await load()) as AsyncIterable<never>;
    },
    toArray: limit => load().then(list => list.toArray(limit) as Promise<never[]>),
    estimate: () => load().then(list => list.estimate()),
  };
}
