import type { TransportEventName } from '../../model/index.ts';
import type { Ids, Random } from '../base/random.ts';
import { HOUR, MINUTE } from '../base/time.ts';
import type { Place, Terminal } from './places.ts';
import type { DataSource, Estimate, Leg, PlannedEvent } from './plan.ts';

type Short<Name> = Name extends `container.transport.${infer Rest}` ? Rest : never;
type Milestone = Short<TransportEventName>;
type Deadline = Exclude<TransportEventName, `container.transport.${string}`>;

/** Where something happens, and which source reports it. */
export interface Where {
  place: Place;
  terminal?: Terminal | null;
  leg?: Leg;
  /** @default 'shipping_line' */
  source?: DataSource;
}

/** Collects the events of a container while they are planned. */
export interface Timeline {
  /** In the order of planning. */
  events: PlannedEvent[];
  /** @returns When the event is reported. */
  happens(name: Exclude<Milestone, `estimated.${string}`>, at: number, where: Where): number;
  expect(name: Extract<Milestone, `estimated.${string}`>, estimates: Estimate[], where: Where): void;
  change(name: Deadline, value: number, reportedAt: number, where: Where): void;
}

/** The delay between an event and its report. */
const LAG: Record<DataSource, [min: number, max: number]> = {
  ais: [5 * MINUTE, 20 * MINUTE],
  terminal: [10 * MINUTE, 50 * MINUTE],
  rail: [10 * MINUTE, 60 * MINUTE],
  shipping_line: [20 * MINUTE, 5 * HOUR],
};

export function createTimeline(ids: Pick<Ids, 'of'>, containerId: string, random: Random): Timeline {
  const events: PlannedEvent[] = [];

  function add(
    event: TransportEventName,
    at: number,
    reportedAt: number,
    { place, terminal = null, leg, source = 'shipping_line' }: Where,
    value: number | null = null,
  ) {
    const index = events.length;
    const id = ids.of('transport_event', containerId, index);
    const rawId = ids.of('raw_event', containerId, index);
    events.push({ id, rawId, event, at, reportedAt, place, terminal, leg: leg ?? null, source, value });
  }

  return {
    events,
    happens(name, at, where) {
      const reportedAt = at + Math.round(random.between(...LAG[where.source ?? 'shipping_line']));
      add(`container.transport.${name}`, at, reportedAt, where);
      return reportedAt;
    },
    expect(name, estimates, where) {
      for (const { value, reportedAt } of estimates) add(`container.transport.${name}`, value, reportedAt, where);
    },
    change(name, value, reportedAt, where) {
      add(name, reportedAt, reportedAt, where, value);
    },
  };
}
