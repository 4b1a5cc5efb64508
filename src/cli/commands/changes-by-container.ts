import { paragraph } from '../output/table.ts';
import { padEnd, textWidth } from '../output/text-width.ts';
import { timeHere } from '../output/times.ts';

const GAP = '  ';
/** A change of a container or a shipment, as a sentence. */
export interface ChangeLine {
  id: string;
  number: string | null;
  /** The time of the change, if each change has a separate time. */
  at?: string | undefined;
  sentence: string;
}

/** If the room for a change is smaller than this value, the change is printed below its number and its time. */
const NARROWEST = 24;

/** The changes, grouped by container or shipment. The records are in the order of their first changes. */
export function byContainer(changes: readonly ChangeLine[], width: number): string {
  const containers = new Map<string, ChangeLine[]>();
  for (const change of changes) containers.set(change.id, [...(containers.get(change.id) ?? []), change]);
  const hasTimes = changes.some(({ at }) => at !== undefined);
  const widest = Math.max(...changes.map(({ number, id }) => textWidth(number ?? id)));
  return [...containers.values()]
    .flat()
    .map((change, index, all) => {
      const { id, number, at, sentence } = change;
      const name = all[index - 1]?.id === id ? '' : (number ?? id);
      const start = [padEnd(name, widest), ...(hasTimes ? [shortTime(at)] : []), ''].join(GAP);
      const indent = width - start.length < NARROWEST ? GAP : ' '.repeat(start.length);
      const [first = '', ...others] = paragraph(sentence, width - indent.length).split('\n');
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
