import { containerState } from '../../domain/container-state.ts';
import { labelledMilestones } from '../../domain/milestone-labels.ts';
import { wordsOf } from '../../domain/words-of.ts';
import type { Container, DynamicInclude, Shipment } from '../../model/index.ts';
import { needsOf } from '../output/columns.ts';
import { containersOf, feesOf, holdsOf } from '../output/facts.ts';
import { ALL_FIELDS, detailsOf } from '../output/print.ts';
import { paragraph } from '../output/table.ts';
import { lastFreeDayOf } from './containers.ts';
import { DETAILS } from './shipments.ts';
import { timeline } from './timeline.ts';

/** The related records that `journeysOf` needs. */
export const JOURNEY: readonly string[] = [...new Set([...needsOf(DETAILS), 'containers.transport_events.location'])];

/** A shipment, and the journey of each of its containers. */
export function journeysOf(shipment: Shipment<DynamicInclude>): string {
  return [detailsOf(shipment, DETAILS), ...containersOf(shipment).map(journeyOf), ALL_FIELDS].join('\n\n');
}

function journeyOf(container: Container<DynamicInclude>): string {
  const day = containerState(container).reasons.includes('gone') ? undefined : lastFreeDayOf(container);
  const [holds, fees] = [holdsOf([container]), feesOf([container])];
  const facts = [
    container.current_status ? wordsOf(container.current_status) : 'status not known',
    ...(day ? [`last free day ${day}`] : []),
    ...(holds.length > 0 ? [`held by ${holds.join(', ')}`] : []),
    ...fees,
  ];
  const head = paragraph(`${container.number}: ${facts.join('; ')}`);
  return `${head}\n${timeline(labelledMilestones(container as Container<['transport_events.location']>))}`;
}
