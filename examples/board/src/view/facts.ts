import { type ContainerStage, containerState, labelledMilestones, rollUpHoldsAndFees } from 'container-tracking-sdk';
import type { DetailedContainer } from '../data/container.ts';
import { freeTimeOf } from '../data/free-time.ts';
import { type Child, h } from './dom.ts';
import { dayText, localDay, money, words } from './format.ts';

/** The facts that decide what people do next: status, last free day, holds and fees. */
export function facts(container: DetailedContainer, now: Date): HTMLElement {
  return h('dl', { class: 'facts' }, status(container), freeTime(container, now), holds(container), fees(container));
}

function fact(tone: string, term: string, value: string, ...more: Child[]): HTMLElement {
  return h('div', { class: `fact ${tone}` }, h('dt', {}, term), h('dd', {}, h('strong', {}, value), ...more));
}

const note = (text: string) => h('small', {}, text);

function status(container: DetailedContainer): HTMLElement {
  const { current_status, pickup_appointment_at, pod_timezone } = container;
  const { stage, pickup, reasons } = containerState(container);
  const isComing = pickup_appointment_at && !reasons.includes('gone');
  const appointment = isComing && `Appointment ${localDay(pickup_appointment_at, pod_timezone ?? null)}`;
  const isReady = pickup === 'yes';
  const isHeld = reasons.includes('hold') && (stage === 'at_port' || stage === 'at_inland');
  const text = isReady ? 'Ready for pickup' : isHeld ? 'Held' : words(current_status ?? stage);
  return fact(
    isReady ? 'good' : 'plain',
    'Status',
    text,
    note([placeOf(container, stage), appointment].filter(Boolean).join(' · ')),
  );
}

/** The stages in which a container is moving: its last known place is the place that it has left. */
const MOVING: ContainerStage[] = ['on_rail', 'picked_up'];

/** The place of the container: a vessel, or the place of the last milestone that has happened. */
function placeOf(container: DetailedContainer, stage: ContainerStage): string | undefined {
  const last = labelledMilestones(container).findLast(({ estimated }) => !estimated);
  const vessel = last?.source?.vessel?.name;
  if (stage === 'on_ship' && vessel) return `On board of ${vessel}`;
  const place = last?.facility ?? last?.place ?? last?.locode ?? undefined;
  return place && MOVING.includes(stage) ? `Has left ${place}` : place;
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
