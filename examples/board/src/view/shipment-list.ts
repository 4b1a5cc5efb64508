import type { BoardShipment } from '../data/shipments.ts';
import { type Summary, summarize } from '../data/summary.ts';
import { arrange, given, h } from './dom.ts';
import { localDay, words } from './format.ts';

const FILTERS = {
  all: { label: 'All', fits: () => true },
  sea: { label: 'At sea', fits: ({ phase }: Summary) => phase === 'sea' },
  arrived: { label: 'Arrived', fits: ({ phase }: Summary) => phase === 'arrived' },
  attention: { label: 'To do', fits: ({ alerts }: Summary) => alerts.length > 0 },
  done: { label: 'Done', fits: ({ phase }: Summary) => phase === 'done' },
  demurrage: { label: 'On demurrage', fits: ({ isOnDemurrage }: Summary) => isOnDemurrage },
  pickup: { label: 'To pick up this week', fits: ({ isToPickUp }: Summary) => isToPickUp },
  late: { label: 'Late', fits: ({ isLate }: Summary) => isLate },
};
type FilterName = keyof typeof FILTERS;

interface Row {
  element: HTMLLIElement;
  link: HTMLAnchorElement;
}

interface Parts {
  list: HTMLElement;
  search: HTMLInputElement;
  filters: HTMLElement;
  headline: HTMLElement;
  found: HTMLElement;
  clear: HTMLElement;
}

/** The list of shipments with its search and filters. The headline has the most important filters. */
export function shipmentList({ list, search, filters, headline, found, clear }: Parts, onChoice: () => void) {
  const rows = new Map<string, Row>();
  let filter: FilterName = 'all';
  let visible: string | undefined;
  const choose = (name: FilterName) => {
    filter = name === filter ? 'all' : name;
    onChoice();
  };
  const chips = filterButtons('filter', ['all', 'sea', 'arrived', 'attention', 'done'], choose);
  const figures = filterButtons('figure', ['demurrage', 'pickup', 'late'], choose);
  const buttons = [...chips, ...figures];
  filters.replaceChildren(...chips.map(({ button }) => button));
  headline.replaceChildren(...figures.map(({ button }) => button));
  search.addEventListener('input', onChoice);
  clear.addEventListener('click', () => {
    choose('all');
    // The button is now hidden, so it cannot keep the focus.
    search.focus();
  });

  return {
    show(shipments: Map<string, BoardShipment>, selected: string | undefined, now: Date): void {
      const wanted = search.value.trim().toLowerCase();
      const all = [...shipments.values()].map(shipment => ({ shipment, summary: summarize(shipment, now) }));
      for (const { name, button, count } of buttons) {
        button.setAttribute('aria-pressed', String(name === filter));
        const fitting = all.filter(({ summary }) => FILTERS[name].fits(summary)).length;
        count.textContent = String(fitting);
        button.classList.toggle('none', fitting === 0);
      }
      const shown = all.filter(({ summary }) => FILTERS[filter].fits(summary) && summary.text.includes(wanted));
      shown.sort(
        (a, b) => rank(a.summary) - rank(b.summary) || arrivalOf(a.summary).localeCompare(arrivalOf(b.summary)),
      );
      const elements = shown.map(({ shipment, summary }) => {
        const row = rows.get(shipment.id) ?? newRow(shipment.id);
        rows.set(shipment.id, row);
        fillRow(row, shipment, summary);
        row.link.ariaCurrent = shipment.id === selected ? 'true' : null;
        return row.element;
      });
      arrange(list, elements);
      const counted = `${shown.length} of ${all.length} shipments`;
      const isFiltered = filter !== 'all';
      clear.hidden = !isFiltered;
      if (isFiltered) found.textContent = `${counted} ${FILTERS[filter].label.toLowerCase()}`;
      else found.textContent = shown.length === all.length ? '' : counted;
      if (selected === visible) return;
      visible = selected;
      reveal(list, rows.get(selected ?? '')?.element);
    },
    /** Highlights a shipment that has changed. */
    flash(id: string): void {
      const row = rows.get(id)?.element;
      row?.classList.remove('changed');
      setTimeout(() => row?.classList.add('changed'), 20);
    },
  };
}

/** Scrolls the list to a row that is outside its visible part. The page itself does not scroll. */
function reveal(list: HTMLElement, row: HTMLElement | undefined): void {
  if (!row?.isConnected) return;
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top;
}

function filterButtons(kind: 'filter' | 'figure', names: FilterName[], choose: (name: FilterName) => void) {
  return names.map(name => {
    const count = h('span', { class: 'count' });
    const button = h(
      'button',
      { type: 'button', class: kind === 'figure' ? `figure ${name}` : 'filter', 'aria-pressed': 'false' },
      FILTERS[name].label,
      ' ',
      count,
    );
    button.addEventListener('click', () => choose(name));
    return { name, button, count };
  });
}

/** Shipments that need attention come first, and completed shipments come last. */
function rank({ alerts, phase }: Summary): number {
  if (alerts.length > 0) return 0;
  return phase === 'done' ? 2 : 1;
}

const arrivalOf = ({ arrival }: Summary) => arrival?.at ?? '9999';

function newRow(id: string): Row {
  const link = h('a', { href: `#/shipments/${id}`, class: 'row' });
  return { link, element: h('li', {}, link) };
}

/** Reuses the link, so that it keeps the focus. */
function fillRow({ link }: Row, shipment: BoardShipment, summary: Summary): void {
  const { arrival, alerts, phase } = summary;
  const count = shipment.containers.length;
  const parts = [
    h(
      'span',
      { class: 'row-top' },
      h('b', {}, shipment.bill_of_lading_number),
      h('span', { class: `chip ${phase}` }, words(summary.status)),
    ),
    h('span', { class: 'row-route' }, summary.from, h('span', { class: 'arrow' }, ' → '), summary.to),
    track(summary),
    h(
      'span',
      { class: 'row-bottom' },
      h('span', {}, `${shipment.shipping_line_scac} · ${count} ${count === 1 ? 'container' : 'containers'}`),
      arrival && h('span', {}, `${arrival.isActual ? 'Arrived' : 'ETA'} ${localDay(arrival.at, arrival.timezone)}`),
    ),
    alerts.length > 0 &&
      h(
        'span',
        { class: 'row-alerts' },
        ...alerts.map(alert => h('span', { class: `alert ${toneOf(alert)}` }, words(alert))),
      ),
  ];
  link.replaceChildren(...given(parts));
}

const toneOf = (alert: string) => (alert.includes('free') ? 'warn' : 'bad');

function track({ progress, phase }: Summary): HTMLElement {
  const bar = h('span', { class: `track ${phase}`, 'aria-hidden': 'true' }, h('span'));
  bar.style.setProperty('--share', `${Math.round(progress * 100)}%`);
  return bar;
}
