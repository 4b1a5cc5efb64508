import { containerState } from '../../domain/container-state.ts';
import { lastFreeDay } from '../../domain/last-free-day.ts';
import { isReadyForPickup } from '../../domain/ready-for-pickup.ts';
import type { ContainerAttributes } from '../../model/index.ts';
import type { ColumnKind } from './kind.ts';
import type { SyncedType } from './names.ts';

/** A column that is worked out from several fields of the record. */
export interface DerivedColumn {
  name: string;
  kind: ColumnKind;
  from(record: object): unknown;
}

/** What SQL alone cannot tell: SQLite knows no time zones. They are the answers of the helpers, so that both agree. */
export const DERIVED: { readonly [T in SyncedType]?: readonly DerivedColumn[] } = {
  container: [
    {
      name: 'last_free_day',
      kind: 'date',
      from: record => lastFreeDay(record as ContainerAttributes)?.date,
    },
    {
      name: 'ready_for_pickup',
      kind: 'boolean',
      from: record => isReadyForPickup(record as ContainerAttributes),
    },
    {
      name: 'stage',
      kind: 'text',
      from: record => containerState(record as ContainerAttributes).stage,
    },
    {
      name: 'pickup',
      kind: 'text',
      from: record => containerState(record as ContainerAttributes).pickup,
    },
  ],
};
