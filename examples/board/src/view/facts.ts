import { containerState, rollUpHoldsAndFees } from 'container-tracking-sdk';
import type { DetailedContainer } from '../data/container.ts';
import { freeTimeOf } from '../data/free-time.ts';
import { type Child, h } from './dom.ts';
import { dayText, localDay, money, words } from './format.ts';

/** The facts that somebody acts upon: status, last free day, holds and fees. */
export function facts(container: DetailedContainer, now: Date): HTMLElement {
  return h('dl', { class: 'facts' }, status(container), freeTime(container, now), holds(container), fees(container));
}

function fact(tone: string, term: string, value: string, ...more: Child[]): HTMLElement {
  return h('div', { class: `fact ${tone}` }, h('dt', {}, term), h('dd', {}, h('strong', {}, value), ...more));
}

const note = (text: string) => h('small', {}, text);

function status(container: DetailedContainer): HTMLElement {
  const { current_status, pickup_facility, pod_terminal, pickup_appointment_at, pod_timezone } = container;
  const place = pickup_facility?.name ?? pod_terminal?.name;
  const appointment = pickup_appointment_at && `Appointment ${localDay(pickup_appointment_at, pod_timezone ?? null)}`;
  const { stage, pickup, reasons } = containerState(container);
  const isReady = pickup === 'yes';
  const isHeld = reasons.includes('hold') && (stage === 'at_port' || stage === 'at_inland');
  const text = isReady ? 'Ready for pickup' : isHeld ? 'Held' : words(current_status ?? stage);
  return fact(isReady ? 'good' : 'plain', 'Status', text, note([place, appointment].filter(Boolean).join(' · ')));
}

function freeTime(container: DetailedContainer, now: Date): HTMLElement {
  const { tone, text, lastFreeDay } = freeTimeOf(container, now);
  if (!lastFreeDay) return fact(tone, 'Last free day', text);
  return fact(tone, 'Free time', text, note(`Last free day ${dayText(lastFreeDay)}`));
}

function holds({ holds_at_pod_terminal }: DetailedContainer): HTMLElement {
  const all = holds_at_pod_terminal ?? [];
  if (all.length === 0) return fact('plain', 'Holds', 'None');
  const names = all.map(({ name, status }) => (status === 'hold' ? words(name) : `${words(name)} (${status})`));
  const tone = all.some(({ status }) => status === 'hold') ? 'bad' : 'warn';
  return fact(tone, 'Holds', names.join(', '), note(all.flatMap(({ description }) => description || []).join(' · ')));
}

function fees(container: DetailedContainer): HTMLElement {
  const { fees, totals } = rollUpHoldsAndFees([container]);
  if (fees.length === 0) return fact('plain', 'Fees', 'None');
  const total = totals.map(({ amount, currency }) => money(amount, currency)).join(' + ');
  return fact('warn', 'Fees', total, note(fees.map(({ type }) => words(type)).join(', ')));
}
