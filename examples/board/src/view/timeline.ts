import { type LabelledMilestone, type LocalTime, labelledMilestones } from 'container-tracking-sdk';
import type { DetailedContainer } from '../data/container.ts';
import { h } from './dom.ts';
import { dayText } from './format.ts';

/** The past and the expected events of a container. */
export function timeline(container: DetailedContainer): HTMLElement {
  const milestones = labelledMilestones(container);
  if (milestones.length === 0) return h('p', { class: 'muted' }, 'Nothing has been reported yet.');
  const next = milestones.findIndex(({ estimated }) => estimated);
  return h('ol', { class: 'timeline' }, ...milestones.map((milestone, index) => entry(milestone, index === next)));
}

function entry(
  milestone: LabelledMilestone<DetailedContainer['transport_events'][number]>,
  isNext: boolean,
): HTMLElement {
  const { label, estimated, place, locode, facility, local, source } = milestone;
  const where = [place ?? locode, facility, source?.vessel?.name].filter(Boolean).join(' · ');
  const state = estimated ? 'expected' : 'happened';
  return h(
    'li',
    { class: isNext ? `${state} next` : state },
    h('time', { datetime: milestone.at }, h('span', {}, dayText(local.date)), h('small', {}, clockOf(local))),
    h('div', {}, h('b', {}, label), h('small', {}, where)),
  );
}

/** `09:30 EDT` */
function clockOf({ time, text }: LocalTime): string {
  return time === null ? '' : text.slice(text.indexOf(time));
}
