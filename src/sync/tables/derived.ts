import { containerState, hasGone } from '../../domain/container-state.ts';
import { type ContainerDeadline, lastFreeDays } from '../../domain/last-free-days.ts';
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
      from: record => deadlineOf(record as ContainerAttributes)?.date,
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
    {
      name: 'last_free_day_source',
      kind: 'text',
      from: record => deadlineOf(record as ContainerAttributes)?.source,
    },
    {
      name: 'last_free_day_timezone',
      kind: 'text',
      from: record => deadlineOf(record as ContainerAttributes)?.timezone,
    },
  ],
};

/** A container that goes on from the port takes none of its deadlines along; one that was collected keeps the last. */
function deadlineOf(record: ContainerAttributes): ContainerDeadline | null {
  const { earliest } = lastFreeDays(record);
  return earliest?.hasEnded && !hasGone(containerState(record).stage) ? null : earliest;
}
