import type { Resources } from '../../records/model.ts';
import type { SyncedType } from './names.ts';

type Relationships<T extends SyncedType> = Resources[T]['relationships'];

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** The to-one relationships that lead to records of several types. */
type Mixed<R> = {
  [K in keyof R as NonNullable<R[K]> extends { type: infer T extends string }
    ? IsUnion<T> extends false
      ? never
      : K
    : never]-?: true;
};

/**
 * The to-one relationships whose column of ids needs a column of types beside it. Types exist only for the compiler: one that
 * is missing or wrong here does not compile.
 */
const MIXED: { [T in SyncedType]: Mixed<Relationships<T>> } = {
  shipment: { destination: true, destination_terminal: true },
  container: {},
  transport_event: { location: true, terminal: true },
  tracking_request: { tracked_object: true },
  port: {},
  terminal: {},
  rail_terminal: {},
  metro_area: {},
  vessel: {},
  party: {},
  document: {},
  custom_field_definition: {},
  custom_field: { entity: true },
};

/** Whether the relationship leads to records of several types. */
export function isMixed(type: SyncedType, relationship: string): boolean {
  return Object.hasOwn(MIXED[type], relationship);
}
