import { type Alert, MILESTONE_LABELS, type MilestoneLabelName } from 'container-tracking-sdk';
import type { Arrived } from '../service/service.ts';
import { arrange, h } from './dom.ts';
import { dayText, localDay, money, utcText, words } from './format.ts';

const KEPT = 60;
const TRANSPORT = 'container.transport.';

/** Shows the notifications as they arrive, the newest first. */
export async function showNotifications(list: HTMLElement, notifications: AsyncIterable<Arrived>): Promise<void> {
  let shown: { at: string; element: HTMLElement }[] = [];
  for await (const arrived of notifications) {
    // Notifications can arrive out of order.
    const all = [{ at: arrived.at, element: entry(arrived) }, ...shown];
    shown = all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, KEPT);
    arrange(
      list,
      shown.map(({ element }) => element),
    );
  }
}

function entry({ event, at, alert, about, shipmentId, note }: Arrived): HTMLElement {
  const content = [
    h('b', {}, alert ? sentenceOf(alert) : labelOf(event)),
    h('time', { datetime: at }, utcText(at)),
    h('small', {}, [about, alert ? undefined : note].filter(Boolean).join(' · ')),
  ];
  const body = shipmentId ? h('a', { href: `#/shipments/${shipmentId}` }, ...content) : h('div', {}, ...content);
  return h('li', { class: `notice ${alert ? 'deadline' : familyOf(event)}` }, body);
}

function sentenceOf(alert: Alert): string {
  switch (alert.kind) {
    case 'estimate_moved':
      return `${words(alert.estimate)} is now expected on ${localDay(alert.to, alert.timezone)}`;
    case 'hold_added':
      return `${words(alert.hold)} hold`;
    case 'hold_cleared':
      return `${words(alert.hold)} hold cleared`;
    case 'fee_added':
    case 'fee_changed':
      return `${words(alert.fee)}: ${money(alert.amount, alert.currency)}`;
    case 'last_free_day_moved':
      return `Last free day (${alert.source}): ${dayText(alert.to)}`;
    case 'available':
      return 'Available for pickup';
    default:
      return words(alert.kind);
  }
}

function labelOf(event: string): string {
  const name = event.replace(/^container\.(transport\.)?/, '').replace(/_(line|terminal|rail)\.changed$/, '.changed');
  if (isLabelled(name)) return MILESTONE_LABELS[name] ?? words(name);
  return OTHER_LABELS[name] ?? words(name.replaceAll('.', ' '));
}

const OTHER_LABELS: Record<string, string> = {
  created: 'Container added',
  updated: 'Container updated',
  pod_terminal_changed: 'Terminal changed',
  'pickup_lfd.changed': 'Last free day changed',
  'pickup_appointment.changed': 'Pickup appointment changed',
  'shipment.estimated.arrival': 'Arrival estimate changed',
};

const isLabelled = (name: string): name is MilestoneLabelName => name in MILESTONE_LABELS;

/** The group of an event, which decides the colour. */
function familyOf(event: string): string {
  if (event.startsWith('document.')) return 'document';
  if (event.includes('pickup') || event.includes('estimated')) return 'deadline';
  return event.startsWith(TRANSPORT) ? 'transport' : 'record';
}
