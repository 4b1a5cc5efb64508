import { containerState, hasGone } from '../../domain/container-state.ts';
import { type ContainerDeadline, lastFreeDays } from '../../domain/last-free-days.ts';
import { isReadyForPickup } from '../../domain/ready-for-pickup.ts';
import type { ContainerAttributes } from '../../model/index.ts';
import type { ColumnKind } from './kind.ts';
import type { SyncedType } from './names.ts';

/** A column that is computed from several fields of the record. */
export interface DerivedColumn {
  name: string;
  kind: ColumnKind;
  from(record: object): unknown;
}

/**
 * Columns that SQL alone cannot compute, because SQLite does not know time zones. Their values are the results of the
 * helpers, so that SQL and the helpers agree.
 */
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

/**
 * The deadline of the container. A container that continues by rail has no deadline of the port. A container that was
 * picked up still has its last deadline.
 */
function deadlineOf(record: ContainerAttributes): ContainerDeadline | null {
  const { earliest } = lastFreeDays(record);
  return earliest?.hasEnded && !hasGone(containerState(record).stage) ? null : earliest;
}
