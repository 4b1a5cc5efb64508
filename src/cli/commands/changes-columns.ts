import type { Alert } from '../../domain/alerts.ts';
import { localTime } from '../../domain/local-time.ts';
import type { Container, Shipment } from '../../model/index.ts';
import { Cell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { withServiceNames } from '../output/service-names.ts';
import { dayCell, timeHere } from '../output/times.ts';

/** A record that is in only one of two readings. */
export interface Appeared {
  kind: 'new' | 'gone';
  /** Time of the run that noticed the change. */
  at: string;
  type: (Container | Shipment)['type'];
  id: string;
  number: string | null;
}

export type Change = Alert | Appeared;

export const COLUMNS: readonly Column<Change>[] = [
  ['NUMBER', ({ number }) => number, 'whole'],
  ['WHAT', whatOf, 'key'],
  ['FROM', change => valuesOf(change)[0], 'whole'],
  ['TO', change => valuesOf(change)[1], 'whole'],
  ['WHEN', ({ at }) => timeHere(at), 'whole'],
  ['ID', ({ id }) => id, 'whole'],
];

/** The columns of CSV, with the names of the JSON fields. */
export const CSV: readonly Column<Change>[] = [
  ['KIND', ({ kind }) => kind],
  ...COLUMNS.slice(0, 4),
  ['AT', ({ at }) => timeHere(at)],
  ['TYPE', ({ type }) => type],
  ['ID', ({ id }) => id],
];

/** A change for programs. */
export const forPrograms = (change: Change) => withServiceNames({ ...change, what: whatOf(change) });

/** `arrival moved: 2026-12-02 → 2026-12-03`. */
export function sentenceOf(change: Change): string {
  const values = valuesOf(change).filter(value => value !== null && value !== undefined);
  return [whatOf(change), values.join(' → ')].filter(Boolean).join(': ');
}

/** `arrival moved`, `hold added: customs`, `first known: last free day (line)`. */
function whatOf(change: Change): string {
  const kind = change.kind.replaceAll('_', ' ');
  switch (change.kind) {
    case 'estimate_moved':
      return `${change.estimate.replaceAll('_', ' ')} moved`;
    case 'hold_added':
    case 'hold_cleared':
      return `${kind}: ${change.hold}`;
    case 'fee_added':
    case 'fee_changed':
      return `${kind}: ${change.fee}`.replaceAll('_', ' ');
    case 'last_free_day_moved': {
      const day = `last free day (${change.source})`;
      return change.from === null ? `first known: ${day}` : `${day} moved`;
    }
    case 'unavailable':
      return `${kind}: ${change.reasons.join(', ').replaceAll('_', ' ')}`;
    case 'new':
    case 'gone':
      return `${kind} ${change.type}`;
    default:
      return kind;
  }
}

/** The values before and after the change. */
function valuesOf(change: Change): readonly [from?: unknown, to?: unknown] {
  switch (change.kind) {
    case 'last_free_day_moved':
      return [change.from, change.to];
    case 'estimate_moved':
      return [dayOf(change.from, change.timezone), dayOf(change.to, change.timezone)];
    case 'fee_added':
      return [undefined, priceOf(change.amount, change.currency)];
    case 'fee_changed':
      return [priceOf(change.from, change.currency), priceOf(change.amount, change.currency)];
    case 'rolled':
    case 'transshipment_missed':
      return [change.from.name, change.to.name];
    default:
      return [];
  }
}

const dayOf = (at: string | null, zone: string | null) => dayCell(localTime(at, zone));
const priceOf = (amount: number, currency: string | null) =>
  new Cell([amount, currency].filter(part => part !== null).join(' '), amount);
