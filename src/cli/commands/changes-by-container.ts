import type { LocalTime } from '../../domain/local-time.ts';
import { paragraph } from '../output/table.ts';
import { padEnd, textWidth } from '../output/text-width.ts';
import { timeHere } from '../output/times.ts';
import type { Recorded } from '../recorded-changes.ts';

const GAP = '  ';
/** A change is printed below its number and its time if it has less room than this. */
const NARROWEST = 24;

/**
 * The changes, grouped by container, with the time at which each change was recorded. The container with the latest
 * change comes first.
 */
export function byContainer(changes: readonly Recorded[], width: number): string {
  const containers = new Map<string, Recorded[]>();
  for (const change of changes) containers.set(change.id, [...(containers.get(change.id) ?? []), change]);
  const widest = Math.max(...changes.map(({ number, id }) => textWidth(number ?? id)));
  return [...containers.values()]
    .flat()
    .map((change, index, all) => {
      const { id, number, at } = change;
      const name = all[index - 1]?.id === id ? '' : (number ?? id);
      const start = [padEnd(name, widest), shortTime(at), ''].join(GAP);
      const indent = width - start.length < NARROWEST ? GAP : ' '.repeat(start.length);
      const [first = '', ...others] = paragraph(sentenceOf(change), width - indent.length).split('\n');
      const below = indent === GAP ? [first, ...others] : others;
      const head = indent === GAP ? start.trimEnd() : start + first;
      return [head, ...below.map(line => indent + line)].join('\n');
    })
    .join('\n');
}

/** `11-27 08:29`, on the clock of this machine. The line after the list says the year. */
function shortTime(at: string | undefined): string {
  return timeHere(at)?.text.slice('YYYY-'.length, 'YYYY-MM-DD HH:MM'.length) ?? ' '.repeat('MM-DD HH:MM'.length);
}

/** `arrival at port of discharge: 2026-11-29 → 2026-11-30`, `loaded on rail, Oakland: 2026-11-26`. */
function sentenceOf(change: Recorded): string {
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
