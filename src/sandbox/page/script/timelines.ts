/** What has happened to the containers of a shipment, and what is still to come. */
export const timelines = `
import { chip, el } from './dom.js';
import { dayTime, words } from './format.js';

export function makeTimelines({ containers, now }) {
  return containers.map(({ number, status, state, entries }) => {
    const isPast = ({ at }) => at.slice(0, 16) <= now;
    return el(
      'section',
      { className: 'container' },
      el('h4', {}, el('b', { textContent: number }), ' ', chip(status, words(status)), ' ', pickup(state)),
      part('Until now', 'past', entries.filter(isPast)),
      part('To come', 'future', entries.filter(entry => !isPast(entry))),
    );
  });
}

// The stage says the rest where the container is gone already, or not there yet.
function pickup({ pickup, reasons, holds }) {
  if (reasons.includes('gone') || reasons.includes('not_unloaded')) return '';
  const why = reasons.map(reason => (reason === 'hold' ? 'held by ' + holds.map(({ name }) => name).join(', ') : words(reason)));
  const text = { yes: 'Can be picked up', no: 'Cannot be picked up', unknown: 'Pickup not known' }[pickup];
  return el('small', { className: 'pickup', textContent: why.length > 0 ? text + ': ' + why.join(', ') : text });
}

function part(label, kind, entries) {
  const list = el('ol', { className: 'timeline ' + kind, 'aria-label': label }, ...entries.map(entry));
  return el('div', {}, el('p', { className: 'part', textContent: entries.length > 0 ? label : label + ': nothing' }), list);
}

function entry({ event, at, isKnown, place, facility, vessel, value }) {
  const isEstimate = event.startsWith('container.transport.estimated.');
  const where = [place, facility, vessel].filter(Boolean).join(' · ');
  const happens = el('span', { className: 'what', textContent: words(event) });
  if (value !== null) happens.append(el('b', { textContent: ' ' + dayTime(value) }));
  return el(
    'li',
    { className: isEstimate ? 'estimate' : isKnown ? 'known' : 'unknown' },
    el('time', { dateTime: at, textContent: dayTime(at) }),
    happens,
    el('small', { textContent: where }),
  );
}
`;
