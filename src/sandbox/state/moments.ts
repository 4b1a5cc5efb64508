import { defined } from '../base/defined.ts';
import { HOUR } from '../base/time.ts';
import type { Voyage } from '../world/plan.ts';
import type { Container, Shipment } from './store.ts';

/** A time of the service's clock at which webhooks may have to be notified. */
export interface Moment {
  at: number;
  what: 'event' | 'hold' | 'estimate' | 'end';
  /** The container, for an event and a hold. */
  box?: Container;
  /** Position among the events or the estimates of the plan. */
  index: number;
}

/** The moments of a voyage in their order. */
export function listMoments(voyage: Voyage, shipment: Shipment): Moment[] {
  const ofBoxes = shipment.containers.flatMap((box): Moment[] => {
    const { events, holds } = defined(voyage.boxes[box.index]);
    return [
      ...events.map(({ reportedAt }, index) => ({ at: reportedAt, what: 'event' as const, box, index })),
      ...holds.flatMap(({ from, to }, index) => [from, to].map(at => ({ at, what: 'hold' as const, box, index }))),
    ];
  });
  const moments: Moment[] = [
    ...ofBoxes,
    ...voyage.eta.map(({ reportedAt }, index) => ({ at: reportedAt, what: 'estimate' as const, index })),
    { at: endOfTracking(shipment, voyage), what: 'end', index: 0 },
  ];
  return moments.sort((a, b) => a.at - b.at);
}

/** When the service stops the tracking by itself: two hours after the return of the last container is reported. */
export function endOfTracking({ createdAt }: Shipment, { boxes }: Voyage): number {
  return Math.max(createdAt, ...boxes.map(box => box.endsAt)) + 2 * HOUR;
}
