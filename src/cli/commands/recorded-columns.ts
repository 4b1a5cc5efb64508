import type { LocalTime } from '../../domain/local-time.ts';
import { codeCell } from '../output/cell.ts';
import { allOf, type Column } from '../output/columns.ts';
import { timeCell, timeHere } from '../output/times.ts';
import type { Recorded } from '../recorded-changes.ts';

const number: Column<Recorded> = ['NUMBER', ({ number }) => number, 'whole'];
const kind: Column<Recorded> = ['KIND', ({ kind }) => codeCell(kind), 'whole'];
const what: Column<Recorded> = ['WHAT', ({ what }) => what, 'key'];
const from: Column<Recorded> = ['FROM', ({ from }) => timeCell(from), 'whole'];
const to: Column<Recorded> = ['TO', ({ to, status }) => timeCell(to) ?? codeCell(status), 'whole'];
const place: Column<Recorded> = ['PLACE', ({ place }) => place];
const locode: Column<Recorded> = ['LOCODE', ({ locode }) => locode, 'whole'];
const when: Column<Recorded> = ['WHEN', ({ at }) => timeHere(at), 'whole'];
const id: Column<Recorded> = ['ID', ({ id }) => id, 'whole'];
const firstEstimate: Column<Recorded> = ['FROM FIRST ESTIMATE', ({ isFromFirst }) => isFromFirst];

export const COLUMNS: readonly Column<Recorded>[] = [number, what, from, to, place, when, kind, id];

/** The columns of CSV, with the names of the JSON fields. */
export const CSV: readonly Column<Recorded>[] = [
  ...[kind, number, what, from, firstEstimate, to, place, locode],
  ['AT', when[1]],
  ['TYPE', ({ type }) => type],
  id,
];

/** For `--columns`. */
export const ALL: readonly Column<Recorded>[] = allOf(COLUMNS, CSV);

/** A change for programs: values in ISO 8601, and a status as its code. */
export function forPrograms({ from, isFromFirst, to, status, ...change }: Recorded): object {
  return {
    ...change,
    from: timeCell(from)?.data,
    from_first_estimate: isFromFirst,
    to: timeCell(to)?.data ?? status,
  };
}

/** `arrival at port of discharge: 2026-11-29 → 2026-11-30`, `loaded on rail, Oakland: 2026-11-26`. */
export function sentenceOf(change: Recorded): string {
  const { kind, what, from, isFromFirst, to, status, place } = change;
  const isSameDay = from?.date === to?.date;
  const shown = (time: LocalTime) => (isSameDay || kind === 'appointments' ? time.text : time.date);
  const before = from && shown(from) + (isFromFirst ? ' (first estimate)' : '');
  const now = to ? shown(to) : status?.replaceAll('_', ' ');
  const values = [before, now].filter(Boolean).join(' → ');
  const words = kind === 'estimates' ? what.replace(/ expected$/, '') : what;
  const named = kind === 'events' && place ? `${words}, ${place}` : words;
  return values ? `${named}: ${values}` : named;
}
