import type { TransportEventName } from '../../model/index.ts';
import type { ContainerTimeline, TimelineEntry } from '../inspection/shipments.ts';

/** Where a container is in a part of its journey. */
export type LegKind = 'origin' | 'sea' | 'terminal' | 'rail' | 'road';

/** A part of the journey of a container, past or future. */
export interface Leg {
  kind: LegKind;
  from: Date;
  to: Date;
}

/** The event with which a part begins; `null` ends the journey. */
const BEGINS: Partial<Record<TransportEventName, LegKind | null>> = {
  'container.transport.empty_out': 'origin',
  'container.transport.full_in': 'origin',
  'container.transport.vessel_departed': 'sea',
  'container.transport.transshipment_arrived': 'terminal',
  'container.transport.transshipment_departed': 'sea',
  'container.transport.feeder_arrived': 'terminal',
  'container.transport.feeder_departed': 'sea',
  'container.transport.vessel_arrived': 'terminal',
  'container.transport.rail_departed': 'rail',
  'container.transport.rail_arrived': 'terminal',
  'container.transport.full_out': 'road',
  'container.transport.empty_in': null,
};

/** The parts of a journey in their order. */
export function legsOf({ entries }: ContainerTimeline): Leg[] {
  const legs: Leg[] = [];
  for (const { event, at } of inOrder(entries)) {
    const kind = BEGINS[event];
    if (kind === undefined) continue;
    const last = legs.at(-1);
    if (last !== undefined) last.to = at;
    if (kind !== null && kind !== last?.kind) legs.push({ kind, from: at, to: at });
  }
  return legs.filter(({ from, to }) => to > from);
}

/** What a reader of the timeline wants to see: everything that happens, and only those estimates that hold now. */
export function shownEntries({ entries }: ContainerTimeline): TimelineEntry[] {
  return inOrder(entries).filter(
    ({ event, isKnown }) => isKnown || !event.startsWith('container.transport.estimated.'),
  );
}

function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
