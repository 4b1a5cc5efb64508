import type { Data } from './data.ts';
import { chip, el } from './dom.ts';
import { dayTime, joined, words } from './format.ts';

type Container = NonNullable<Data['open']>['containers'][number];
type Entry = Container['entries'][number];

/** The containers of the shipment that is open, and the minute that the clock shows. */
export interface Opened {
  containers: readonly Container[];
  now: string;
}

const PICKUPS: Readonly<Record<Container['state']['pickup'], string>> = {
  yes: 'Can be picked up',
  no: 'Cannot be picked up',
  unknown: 'Pickup not known',
};

/** The past and the future of the containers of a shipment. */
export function makeTimelines({ containers, now }: Opened): HTMLElement[] {
  return containers.map(({ number, status, state, entries }) => {
    const isPast = ({ at }: Entry) => at.slice(0, 16) <= now;
    return el(
      'section',
      { className: 'container' },
      el('h4', {}, el('b', { textContent: number }), ' ', chip(status, words(status)), ' ', pickupOf(state)),
      part('Until now', 'past', entries.filter(isPast)),
      part(
        'To come',
        'future',
        entries.filter(entry => !isPast(entry)),
      ),
    );
  });
}

/** The stage says the rest where the container is gone already, or not there yet. */
function pickupOf({ pickup, reasons, holds }: Container['state']): HTMLElement | null {
  if (reasons.includes('gone') || reasons.includes('not_unloaded')) return null;
  const why = reasons.map(reason =>
    reason === 'hold' ? `held by ${holds.map(({ name }) => name).join(', ')}` : words(reason),
  );
  const text = PICKUPS[pickup];
  return el('small', { className: 'pickup', textContent: why.length > 0 ? `${text}: ${why.join(', ')}` : text });
}

function part(label: string, kind: string, entries: readonly Entry[]): HTMLElement {
  const list = el('ol', { className: `timeline ${kind}`, 'aria-label': label }, ...entries.map(entry));
  const title = entries.length > 0 ? label : `${label}: nothing`;
  return el('div', {}, el('p', { className: 'part', textContent: title }), list);
}

function entry({ event, at, isKnown, place, facility, vessel, value }: Entry): HTMLElement {
  const isEstimate = event.startsWith('container.transport.estimated.');
  const happens = el('span', { className: 'what', textContent: words(event) });
  if (value !== null) happens.append(el('b', { textContent: ` ${dayTime(value)}` }));
  return el(
    'li',
    { className: isEstimate ? 'estimate' : isKnown ? 'known' : 'unknown' },
    el('time', { dateTime: at, textContent: dayTime(at) }),
    happens,
    el('small', { textContent: joined(place, facility, vessel) }),
  );
}
