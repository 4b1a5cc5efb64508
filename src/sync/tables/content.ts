import type { ContainerState } from '../../domain/container-state.ts';
import type { ContainerDeadline } from '../../domain/last-free-days.ts';
import type { ContainerAttributes, Resources } from '../../model/index.ts';
import type { SyncedType, TABLE_NAMES } from './names.ts';

/**
 * The type of the values of a column. It is more exact than the kind of the column: for example a list, an object, or a
 * set of texts.
 */
export type Content<Table, Name, Kind> = Kind extends 'ids'
  ? string[]
  : Name extends keyof Computed
    ? Computed[Name]
    : [AttributeOf<Table, Name>] extends [never]
      ? Kind extends 'text'
        ? string
        : unknown
      : AttributeOf<Table, Name>;

/** The kind without its suffix ` not null`. */
export type KindOf<Kind> = Kind extends `${infer Bare} not null` ? Bare : Kind;

/** `Value`, or `null` if the column may be empty. */
export type OrNull<Kind, Value> = Kind extends `${string} not null` ? Value : Value | null;

/**
 * The types of columns whose values do not come from an attribute with the same name. Each name has one meaning, also
 * in views.
 */
interface Computed {
  record: { id: string; type: string; [name: string]: unknown };
  record_type: SyncedType;
  stage: ContainerState['stage'];
  pickup: ContainerState['pickup'];
  last_free_day_source: ContainerDeadline['source'];
  current_status: NonNullable<ContainerAttributes['current_status']>;
  holds: NonNullable<ContainerAttributes['holds_at_pod_terminal']>;
  fees: NonNullable<ContainerAttributes['fees_at_pod_terminal']>;
  ref_numbers: string[];
}

type AttributeOf<Table, Name> = Table extends keyof Types
  ? Name extends keyof Attributes<Types[Table]>
    ? NonNullable<Attributes<Types[Table]>[Name]>
    : never
  : never;

type Attributes<Type extends SyncedType> = Resources[Type]['attributes'];

/** The record type of each table. */
type Types = { [Type in SyncedType as (typeof TABLE_NAMES)[Type]]: Type };
