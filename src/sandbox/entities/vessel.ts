import type { VesselPosition } from '../../model/index.ts';
import { iso, lastPoll, MINUTE } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { Leg } from '../world/plan.ts';
import { distance, type Position, positionOn } from '../world/sea-route.ts';

/** Vessels report their positions every ten minutes. */
const REPORT_EVERY = 10 * MINUTE;

export interface PositionReport extends Position {
  at: number;
  knots: number;
}

/** The position of a leg's vessel at a time. Before and after the leg it is in the port. */
export function positionAt({ path, departsAt, arrivesAt }: Leg, at: number): PositionReport {
  const share = (at - departsAt) / (arrivesAt - departsAt);
  const isSailing = share > 0 && share < 1;
  const knots = isSailing ? Math.round(distance(path) / ((arrivesAt - departsAt) / (60 * MINUTE))) : 0;
  return { ...positionOn(path, share), at, knots };
}

export function lastReport(backend: Backend, leg: Leg): PositionReport {
  return positionAt(leg, lastPoll(0, REPORT_EVERY, backend.now) ?? backend.now);
}

export function vessel(backend: Backend, leg: Leg, positions?: VesselPosition[]): Entity<'vessel'> {
  const { id, name, imo, mmsi } = leg.vessel;
  return {
    type: 'vessel',
    id,
    render() {
      const report = lastReport(backend, leg);
      return {
        attributes: {
          name,
          imo,
          mmsi,
          latitude: report.latitude,
          longitude: report.longitude,
          nautical_speed_knots: report.knots,
          navigational_heading_degrees: report.heading,
          position_timestamp: iso(report.at),
          ...(positions && { positions }),
        },
      };
    },
  };
}
