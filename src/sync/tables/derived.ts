import { hasGone, readState } from '../../domain/container-state.ts';
import { type ContainerDeadline, readDeadlines } from '../../domain/last-free-days.ts';
import type { ContainerAttributes } from '../../model/index.ts';
import type { ColumnKind } from './kind.ts';
import type { SyncedType } from './names.ts';

/** A column that is computed from several fields of the record. */
export interface DerivedColumn {
  name: string;
  kind: ColumnKind;
  doc: string;
  from(record: object): unknown;
}

/**
 * Columns that SQL alone cannot compute, because SQLite has no time zones. Their values come from the helpers of
 * this package, so that SQL and the helpers agree.
 */
export const DERIVED: { readonly [T in SyncedType]?: readonly DerivedColumn[] } = {
  container: [
    {
      name: 'last_free_day',
      kind: 'date',
      doc: 'The earliest last free day at the place of the container. Until the end of that day, the container can be collected without a charge.',
      from: record => deadlineOf(record as ContainerAttributes)?.date,
    },
    {
      name: 'ready_for_pickup',
      kind: 'boolean',
      doc: 'True if the container can be collected now.',
      from: record => readState(record as ContainerAttributes).pickup === 'yes',
    },
    {
      name: 'stage',
      kind: 'text',
      doc: 'Stage of the journey of the container.',
      from: record => readState(record as ContainerAttributes).stage,
    },
    {
      name: 'pickup',
      kind: 'text',
      doc: 'Readiness for pickup: `yes`, `no` or `unknown`.',
      from: record => readState(record as ContainerAttributes).pickup,
    },
    {
      name: 'last_free_day_source',
      kind: 'text',
      doc: 'The source of `last_free_day`: `line`, `terminal`, `railway` or `unknown`.',
      from: record => deadlineOf(record as ContainerAttributes)?.source,
    },
    {
      name: 'last_free_day_timezone',
      kind: 'text',
      doc: 'IANA time zone of `last_free_day`.',
      from: record => deadlineOf(record as ContainerAttributes)?.timezone,
    },
  ],
};

/**
 * The deadline of the container. A container that continues by rail has no deadline at the port. A container that was
 * picked up still has its last deadline.
 */
function deadlineOf(record: ContainerAttributes): ContainerDeadline | null {
  const known = deadlines.get(record);
  if (known !== undefined) return known;
  const { earliest } = readDeadlines(record, ANY_TIME);
  const deadline = earliest?.hasEnded && !hasGone(readState(record).stage) ? null : earliest;
  deadlines.set(record, deadline);
  return deadline;
}

/**
 * The columns do not have the number of days that are left, because it is the only part of a deadline that depends on
 * the present.
 */
const ANY_TIME = new Date(0);

/**
 * Three columns need the deadline of a record. The conversion of its times takes longer than the writing of the row.
 */
const deadlines = new WeakMap<object, ContainerDeadline | null>();
