import * as z from 'zod/mini';
import { flag, text } from './fields.ts';

/** For each name: whether the data are provided, and a note. */
export function providedData<const Name extends string>(names: readonly Name[]) {
  const flags = names.map(name => [name, z.exactOptional(flag)]);
  const notes = names.map(name => [`${name}_notes`, z.exactOptional(text)]);
  return z.looseObject(
    Object.fromEntries([...flags, ...notes]) as { [N in Name]: z.ZodMiniExactOptional<typeof flag> } & {
      [N in Name as `${N}_notes`]: z.ZodMiniExactOptional<typeof text>;
    },
  );
}
