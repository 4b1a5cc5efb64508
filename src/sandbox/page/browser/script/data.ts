import type { Snapshot } from '../../snapshot.ts';

/** A value after its journey as JSON: times are texts. */
type Json<T> = T extends Date
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : { [Name in keyof T]: Json<T[Name]> };

/** Everything that the page shows, as the sandbox sends it. */
export type Data = Json<Snapshot>;

/** One entry of a list of {@link Data}. */
export type Item<Name extends keyof Data> = Data[Name] extends readonly (infer Each)[] ? Each : never;
