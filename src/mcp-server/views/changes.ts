import { counted, joined, shown } from '../../domain/record-values.ts';
import { KINDS, type TimelineChange } from '../../domain/timeline-changes.ts';
import { timeText } from './read.ts';

const FIRST = ' (first estimate)';
const FIRST_REPORTED = ' (first reported)';

/** A kind of change, or an event. A kind that this package does not define is between the marks « and ». */
export const labelText = (what: string) => (KINDS.includes(what) ? what : shown(what));

/** True for a last free day that its source has not reported before. */
export const isFirstReported = ({ group, from, to }: TimelineChange) =>
  group === 'last_free_days' && to !== undefined && from === undefined;

/** The kind of a change in counts. New last free days are not counted with last free days that have moved. */
export const kindOf = (change: TimelineChange) => `${change.what}${isFirstReported(change) ? FIRST_REPORTED : ''}`;

/** A kind of `kindOf`, as text. */
export function kindText(kind: string): string {
  const what = kind.replace(FIRST_REPORTED, '');
  return `${labelText(what)}${kind === what ? '' : FIRST_REPORTED}`;
}

/** The values of a change, as texts. */
export function textsOf({ from, isFromFirst, to, status }: TimelineChange): {
  from?: string | undefined;
  to?: string | undefined;
} {
  return { from: from && `${timeText(from)}${isFromFirst ? FIRST : ''}`, to: to ? timeText(to) : status };
}

/**
 * A change as one line, with the marks « and » around texts of records. Only the data has the time at which the change was
 * recorded, and the place of an estimate.
 */
export function changeText(change: TimelineChange): string {
  const { what, group, from, isFromFirst, to, days_later = 0, place } = change;
  const label = labelText(what);
  if (group === 'new_containers') return label;
  const value = joined([!isFromFirst && from && timeText(from), to && timeText(to)], ' → ');
  const at = (group === 'events' || group === 'availability') && place && `at ${shown(place)}`;
  const days = `${counted(Math.abs(days_later), 'day')} ${days_later > 0 ? 'later' : 'earlier'}`;
  const than = isFromFirst ? ' than the first estimate' : '';
  return joined([
    joined([label, value, at, isFirstReported(change) && FIRST_REPORTED.trim()], ' '),
    days_later !== 0 && `${days}${than}`,
  ]);
}
