import type { Data, Item, Page } from './api.ts';
import { byId, chip, day, dayTime, el, joined, setText, show, within, words } from './dom.ts';

type Leg = Item<'shipments'>['legs'][number];
/** The length of a leg in ms, and the part of it that is done, in per cent. */
type Share = { kind: Leg['kind']; length: number; done: number };
type Shipment = Omit<Item<'shipments'>, 'legs'> & { legs: Share[]; opened: Opened | null };

const KINDS: Readonly<Record<Leg['kind'], string>> = {
  origin: 'Origin',
  sea: 'Sea',
  terminal: 'Terminal',
  rail: 'Rail',
  road: 'Road',
};

/** The shipments with the progress of their journeys. A shipment can be opened to see its timelines. */
export function showShipments({ shipments, open, clock, account, accounts }: Data, page: Page): void {
  if (byId('legend').childElementCount === 0) byId('legend').append(...legend());
  const total = accounts.find(({ name }) => name === account)?.counts.shipments ?? 0;
  setText(byId('shipments-title'), `Shipments (${total.toLocaleString('en')})`);
  const now = Date.parse(clock.now);
  const items = shipments.map(({ legs, ...shipment }) => ({
    ...shipment,
    legs: legs.map(leg => shareOf(leg, now)),
    opened: open?.id === shipment.id ? { containers: open.containers, now: clock.now.slice(0, 16) } : null,
  }));
  show(
    byId('shipments'),
    items,
    ({ id }) => id,
    (item, before) => row(item, before, page),
  );
  const more = byId('more');
  more.hidden = shipments.length >= total;
  more.onclick = () => page.look({ shipments: page.view.shipments + 20 });
}

function legend(): HTMLElement[] {
  return Object.entries(KINDS).map(([kind, text]) =>
    el('li', {}, el('span', { className: `swatch ${kind}`, 'aria-hidden': 'true' }), text),
  );
}

function shareOf({ kind, from, to }: Leg, now: number): Share {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const done = Math.min(1, Math.max(0, (now - begin) / (end - begin)));
  return { kind, length: end - begin, done: Math.round(done * 1000) / 10 };
}

function row(item: Shipment, before: HTMLElement | undefined, page: Page): HTMLElement {
  const row = before ?? el('li', {}, el('h3', {}, el('button', { type: 'button' })));
  const button = within(row, 'button', HTMLButtonElement);
  const id = `shipment-${item.id}`;
  const isOpen = item.opened !== null;
  row.className = isOpen ? 'open' : '';
  button.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) button.setAttribute('aria-controls', id);
  else button.removeAttribute('aria-controls');
  button.onclick = () => page.look({ open: isOpen ? '' : item.id });
  button.replaceChildren(...cells(item));
  const detail = row.querySelector('.detail');
  if (item.opened === null) detail?.remove();
  else if (detail !== null) detail.replaceChildren(...makeTimelines(item.opened));
  else row.append(el('div', { className: 'detail', id }, ...makeTimelines(item.opened)));
  return row;
}

function cells(shipment: Shipment): HTMLElement[] {
  const { number, scac, from, to, arrivesAt, hasArrived, containers, stoppedAt, legs, refNumbers } = shipment;
  const arrival = arrivesAt === null ? 'No ETA' : `${hasArrived ? 'Arrived' : 'ETA'} ${day(arrivesAt)}`;
  const about = joined(scac, ...refNumbers, stoppedAt === null ? '' : 'stopped');
  const name = el('b', { textContent: number, title: number });
  const ends = el('span', { className: 'ends', textContent: `${from} → ${to}` });
  return [
    el('span', { className: 'number' }, name, el('small', { textContent: about })),
    el('span', { className: 'route' }, ends, bar(legs)),
    el('span', { className: 'state row' }, ...statuses(containers), el('small', { textContent: arrival })),
  ];
}

function bar(legs: readonly Share[]): HTMLElement {
  const bar = el('span', { className: 'journey', 'aria-hidden': 'true' });
  for (const { kind, length, done } of legs) {
    const leg = el('span', { className: `leg ${kind}` });
    leg.style.flexGrow = String(length / 3_600_000);
    const fill = el('span');
    fill.style.width = `${done}%`;
    if (done > 0 && done < 100) fill.className = 'here';
    leg.append(fill);
    bar.append(leg);
  }
  return bar;
}

/** The status that most containers have, and the number of containers with another status. */
function statuses(containers: Shipment['containers']): HTMLElement[] {
  const counts = new Map<string, number>();
  for (const { status } of containers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const [first, ...others] = [...counts].sort((a, b) => b[1] - a[1]);
  if (first === undefined) return [chip('none', 'No containers')];
  const [status, count] = first;
  const most = chip(status, words(status) + (count > 1 ? ` × ${count}` : ''));
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  return rest > 0 ? [most, el('span', { className: 'muted small', textContent: `+ ${rest}` })] : [most];
}

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

/** `null` if the container has already left or is not unloaded yet, because its stage shows this. */
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
  return el('div', {}, el('p', { className: 'part small muted', textContent: title }), list);
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
