import { hasGone, readState } from '../../domain/container-state.ts';
import { type ContainerDeadline, readDeadlines } from '../../domain/last-free-days.ts';
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
 * Columns that SQL alone cannot compute, because SQLite does not know time zones. They are the results of the helpers,
 * so that both agree.
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
      from: record => readState(record as ContainerAttributes).pickup === 'yes',
    },
    {
      name: 'stage',
      kind: 'text',
      from: record => readState(record as ContainerAttributes).stage,
    },
    {
      name: 'pickup',
      kind: 'text',
      from: record => readState(record as ContainerAttributes).pickup,
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
 * The deadline of the container. One that continues from the port has none of the port's deadlines; one that was
 * collected keeps the last.
 */
function deadlineOf(record: ContainerAttributes): ContainerDeadline | null {
  const { earliest } = readDeadlines(record, new Date());
  return earliest?.hasEnded && !hasGone(readState(record).stage) ? null : earliest;
}
