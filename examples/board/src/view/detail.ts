import { readContainer } from '../data/container.ts';
import type { BoardContainer, BoardShipment } from '../data/shipments.ts';
import { phaseOf } from '../data/summary.ts';
import { routeMap } from '../map/route-map.ts';
import type { Service } from '../service/service.ts';
import { arrange, h } from './dom.ts';
import { facts } from './facts.ts';
import { localDay, words } from './format.ts';
import { timeline } from './timeline.ts';

/** One shipment: its route, its map, and one of its containers. */
export function shipmentDetail(pane: HTMLElement, { client, now }: Service, onError: (error: unknown) => void) {
  const heading = h('h2', { tabindex: '-1' });
  const about = h('p', { class: 'muted' });
  const legs = h('dl', { class: 'route' });
  const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Containers' });
  const journey = h('div', { class: 'journey' });
  const map = routeMap();
  const back = h('a', { href: '#/', class: 'back' }, '‹ All shipments');
  pane.replaceChildren(back, h('header', {}, h('div', {}, heading, about), legs), map.element, tabs, journey);

  const buttons = new Map<string, HTMLButtonElement>();
  let shipment: BoardShipment | undefined;
  let containerId: string | undefined;
  let reading = new AbortController();

  function showShipment(shown: BoardShipment): void {
    heading.textContent = shown.bill_of_lading_number;
    const { shipping_line_name, customer_name, ref_numbers, pod_vessel_name, pod_voyage_number } = shown;
    const vessel = pod_vessel_name && `${pod_vessel_name} ${pod_voyage_number ?? ''}`;
    about.textContent = [shipping_line_name, customer_name, ...(ref_numbers ?? []), vessel].filter(Boolean).join(' · ');
    legs.replaceChildren(...routeOf(shown));
    arrange(tabs, shown.containers.map(tabOf));
  }

  function tabOf(container: BoardContainer): HTMLButtonElement {
    const { id, number, current_status } = container;
    const button = buttons.get(id) ?? h('button', { type: 'button', class: 'tab' });
    buttons.set(id, button);
    button.replaceChildren(
      h('b', {}, number),
      h('span', { class: `chip ${phaseOf(container)}` }, words(current_status ?? 'new')),
    );
    button.setAttribute('aria-pressed', String(id === containerId));
    button.onclick = () => {
      containerId = id;
      if (shipment) showShipment(shipment);
      refresh();
    };
    return button;
  }

  /** Reads the container and its map again. Aborts the previous reading. */
  async function refresh(): Promise<void> {
    reading.abort();
    if (containerId === undefined) return;
    reading = new AbortController();
    const { signal } = reading;
    try {
      const read = await readContainer(client, containerId, signal);
      map.show(read.map);
      journey.replaceChildren(facts(read.container, now()), timeline(read.container));
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  return {
    refresh,
    /** Shows a shipment, or the changes in it. */
    show(next: BoardShipment): void {
      const isOther = next.id !== shipment?.id;
      shipment = next;
      if (isOther) {
        buttons.clear();
        map.show(undefined);
        journey.replaceChildren();
      }
      if (!next.containers.some(({ id }) => id === containerId)) containerId = next.containers[0]?.id;
      showShipment(next);
      refresh();
    },
    focus: () => heading.focus(),
  };
}

function routeOf(shipment: BoardShipment): HTMLElement[] {
  const { pol_timezone = null, pod_timezone = null, destination_timezone = null } = shipment;
  const stop = (term: string, place: string | null | undefined, when: string) =>
    place ? [h('div', {}, h('dt', {}, term), h('dd', {}, h('b', {}, place), h('small', {}, when)))] : [];
  const leaves = timeOf('Left', shipment.pol_atd_at, 'Leaves', shipment.pol_etd_at, pol_timezone);
  const arrives = timeOf('Arrived', shipment.pod_ata_at, 'ETA', shipment.pod_eta_at, pod_timezone);
  const ends = timeOf('Arrived', shipment.destination_ata_at, 'ETA', shipment.destination_eta_at, destination_timezone);
  return [
    ...stop('Port of lading', shipment.port_of_lading_name, leaves),
    ...stop('Port of discharge', shipment.port_of_discharge_name, arrives),
    ...stop('Destination', shipment.destination_name, ends),
  ];
}

type Time = string | null | undefined;

function timeOf(happened: string, actual: Time, expected: string, estimate: Time, timezone: string | null): string {
  if (actual) return `${happened} ${localDay(actual, timezone)}`;
  return estimate ? `${expected} ${localDay(estimate, timezone)}` : '';
}
