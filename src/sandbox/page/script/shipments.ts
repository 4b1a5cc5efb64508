/** The shipments: where each of them is on its journey. One can be opened, to see its timelines. */
export const shipments = `
import { byId, chip, el, setText, show } from './dom.js';
import { day, words } from './format.js';
import { makeTimelines } from './timelines.js';

const KINDS = { origin: 'Origin', sea: 'Sea', terminal: 'Terminal', rail: 'Rail', road: 'Road' };

export function showShipments({ shipments, open, clock, account, accounts }, page) {
  if (byId('legend').childElementCount === 0) byId('legend').append(...legend());
  const total = accounts.find(({ name }) => name === account).counts.shipments;
  setText(byId('shipments-title'), 'Shipments (' + total.toLocaleString('en') + ')');
  const now = Date.parse(clock.now);
  const items = shipments.map(({ legs, ...shipment }) => ({
    ...shipment,
    legs: legs.map(leg => shareOf(leg, now)),
    open: open !== null && open.id === shipment.id ? { containers: open.containers, now: clock.now.slice(0, 16) } : null,
  }));
  show(byId('shipments'), items, ({ id }) => id, (item, before) => row(item, before, page));
  const more = byId('more');
  more.hidden = shipments.length >= total;
  more.onclick = () => page.look({ shipments: page.view.shipments + 20 });
}

function legend() {
  return Object.entries(KINDS).map(([kind, text]) =>
    el('li', {}, el('span', { className: 'swatch ' + kind, 'aria-hidden': 'true' }), text),
  );
}

// Its length, and how much of it is done.
function shareOf({ kind, from, to }, now) {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const done = Math.min(1, Math.max(0, (now - begin) / (end - begin)));
  return { kind, length: end - begin, done: Math.round(done * 1000) / 10 };
}

function row(item, before, page) {
  const row = before ?? el('li', {}, el('h3', {}, el('button', { type: 'button' })));
  const button = row.querySelector('button');
  const id = 'shipment-' + item.id;
  row.className = item.open ? 'open' : '';
  button.setAttribute('aria-expanded', String(item.open !== null));
  if (item.open) button.setAttribute('aria-controls', id);
  else button.removeAttribute('aria-controls');
  button.onclick = () => page.look({ open: item.open ? '' : item.id });
  button.replaceChildren(...cells(item));
  const detail = row.querySelector('.detail');
  if (item.open === null) detail?.remove();
  else if (detail) detail.replaceChildren(...makeTimelines(item.open));
  else row.append(el('div', { className: 'detail', id }, ...makeTimelines(item.open)));
  return row;
}

function cells({ number, scac, from, to, arrivesAt, hasArrived, containers, stoppedAt, legs, refNumbers }) {
  const arrival = arrivesAt === null ? 'No ETA' : (hasArrived ? 'Arrived ' : 'ETA ') + day(arrivesAt);
  const about = [scac, ...refNumbers, stoppedAt === null ? '' : 'stopped'].filter(Boolean).join(' · ');
  return [
    el('span', { className: 'number' }, el('b', { textContent: number, title: number }), el('small', { textContent: about })),
    el('span', { className: 'route' }, el('span', { className: 'ends', textContent: from + ' → ' + to }), bar(legs)),
    el('span', { className: 'state' }, ...statuses(containers), el('small', { textContent: arrival })),
  ];
}

function bar(legs) {
  const bar = el('span', { className: 'journey', 'aria-hidden': 'true' });
  for (const { kind, length, done } of legs) {
    const leg = el('span', { className: 'leg ' + kind });
    leg.style.flexGrow = String(length / 3600000);
    const fill = el('span');
    fill.style.width = done + '%';
    if (done > 0 && done < 100) fill.className = 'here';
    leg.append(fill);
    bar.append(leg);
  }
  return bar;
}

// The status that most containers have, and how many have another.
function statuses(containers) {
  const counts = new Map();
  for (const { status } of containers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const [first, ...others] = [...counts].sort((a, b) => b[1] - a[1]);
  if (first === undefined) return [chip('none', 'No containers')];
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  const text = words(first[0]) + (first[1] > 1 ? ' × ' + first[1] : '');
  return [chip(first[0], text), rest > 0 ? el('span', { className: 'muted rest', textContent: '+ ' + rest }) : null].filter(Boolean);
}
`;
