import { defined } from '../base/defined.ts';
import { HOUR } from '../base/time.ts';
import type { Voyage } from '../world/plan.ts';
import type { Container, Shipment } from './store.ts';

/** A time of the service's clock at which webhooks may have to be notified. */
export interface Moment {
  at: number;
  what: 'event' | 'terminal' | 'estimate' | 'end';
  /** The container, for an event, and for a hold or a fee at the terminal. */
  box?: Container;
  /** Position among the events or the estimates of the plan. */
  index: number;
}

/** The moments of a voyage in their order. */
export function listMoments(voyage: Voyage, shipment: Shipment): Moment[] {
  const ofBoxes = shipment.containers.flatMap((box): Moment[] => {
    const { events, holds, chargedAt } = defined(voyage.boxes[box.index]);
    const atTerminal = [...holds.flatMap(({ from, to }) => [from, to]), ...chargedAt];
    return [
      ...events.map(({ reportedAt }, index) => ({ at: reportedAt, what: 'event' as const, box, index })),
      ...atTerminal.map((at, index) => ({ at, what: 'terminal' as const, box, index })),
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
