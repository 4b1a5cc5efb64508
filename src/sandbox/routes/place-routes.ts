import type { VesselPosition } from '../../model/index.ts';
import { DAY, HOUR, iso, MINUTE } from '../base/time.ts';
import { lastReport, metroArea, port, positionAt, shippingLine, terminal, vessel } from '../entities/place-entities.ts';
import type { Call } from '../http/call.ts';
import { badRequest, named, orNotFound } from '../http/errors.ts';
import { one, type Reply, wholeList } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import type { Carrier } from '../world/carriers.ts';
import type { Leg } from '../world/plan.ts';
import { distance, type Point, positionOn, seaRoute } from '../world/sea-route.ts';

/** `:key` is an id or a UN/LOCODE. */
export const placeRoutes = routesFrom({
  'GET /ports/:key': call => one(call, port(orNotFound(byIdOrCode(call.backend.places.ports, call.param('key'))))),
  'GET /metro_areas/:key': call =>
    one(call, metroArea(orNotFound(byIdOrCode(call.backend.places.metroAreas, call.param('key'))))),
  'GET /terminals/:id': call =>
    one(call, terminal(orNotFound(call.backend.places.terminals.find(({ id }) => id === call.param('id'))))),
  'GET /shipping_lines'(call) {
    const text = call.query.get('search')?.toUpperCase() ?? '';
    return wholeList(call, call.backend.carriers.filter(carrier => mentions(carrier, text)).map(shippingLine));
  },
  'GET /shipping_lines/:id': call =>
    one(call, shippingLine(orNotFound(call.backend.carriers.find(({ id }) => id === call.param('id'))))),
  'GET /vessels/:key'(call) {
    const leg = requestedLeg(call);
    const asksForPositions = [...call.query.keys()].some(name => name.startsWith('show_positions'));
    if (!asksForPositions) return one(call, vessel(call.backend, leg));
    if (!call.backend.features.routing) throw named('routing-not-enabled');
    return one(call, vessel(call.backend, leg, pastPositions(call, leg)));
  },
  'GET /vessels/:key/future_positions'(call) {
    const leg = requestedLeg(call);
    return futurePositions(call, leg, lastReport(call.backend, leg));
  },
  'GET /vessels/:key/future_positions_with_coordinates'(call) {
    const from = { latitude: degrees(call, 'latitude'), longitude: degrees(call, 'longitude') };
    return futurePositions(call, requestedLeg(call), from);
  },
});

function byIdOrCode<T extends { id: string; code: string }>(places: T[], key: string): T | undefined {
  return places.find(({ id, code }) => id === key || code === key.toUpperCase());
}

function mentions({ scac, name, shortName, alternatives }: Carrier, text: string): boolean {
  return [scac, name, shortName, ...alternatives].some(candidate => candidate.toUpperCase().includes(text));
}

const requestedLeg = (call: Call) => orNotFound(call.backend.voyages.vessel(call.param('key'))).leg;

const MAX_PAST = 90 * DAY;

/**
 * The positions between the bounds, one for each hour. Only the last 90 days before the upper bound are included.
 * Without bounds: the last seven days.
 */
function pastPositions(call: Call, leg: Leg): VesselPosition[] {
  const now = call.backend.now;
  const bound = (name: string, otherwise: number) => {
    const time = Date.parse(call.query.get(`show_positions[${name}_timestamp]`) ?? '');
    return Number.isNaN(time) ? otherwise : time;
  };
  const to = Math.min(bound('to', now), now);
  const from = Math.max(bound('from', now - 7 * DAY), to - MAX_PAST);
  const positions: VesselPosition[] = [];
  for (let at = Math.ceil(from / HOUR) * HOUR; at <= to; at += HOUR) {
    const { latitude, longitude, heading } = positionAt(leg, at);
    positions.push({ latitude, longitude, heading, timestamp: iso(at), estimated: false });
  }
  return positions;
}

const MAX_FUTURE_POSITIONS = 1440;

/** The expected positions on the way to a port, one for each minute, for at most one day. */
function futurePositions(call: Call, leg: Leg, from: Point): Reply {
  const { backend, query } = call;
  if (!backend.features.routing) throw named('routing-not-enabled');
  const portOf = (name: string) => {
    const id = query.get(name);
    if (id === null) throw badRequest(name, null);
    return orNotFound(backend.places.ports.find(port => port.id === id));
  };
  const [to, previous] = [portOf('port_id'), portOf('previous_port_id')];

  const way = [
    from,
    ...seaRoute(previous, to)
      .slice(1)
      .filter(point => isAhead(from, point, to)),
  ];
  const minutes = Math.floor((distance(way) / 17) * 60);
  const start = Math.ceil(backend.now / MINUTE) * MINUTE;
  const positions = Array.from({ length: Math.min(minutes, MAX_FUTURE_POSITIONS) }, (_, index): VesselPosition => {
    const { latitude, longitude, heading } = positionOn(way, index / minutes);
    return { latitude, longitude, heading, timestamp: iso(start + index * MINUTE), estimated: true };
  });
  return one(call, vessel(backend, leg, positions));
}

const isAhead = (from: Point, point: Point, to: Point) => distance([point, to]) < distance([from, to]);

function degrees(call: Call, name: string): number {
  const value = Number(call.query.get(name) || Number.NaN);
  if (Number.isNaN(value)) throw badRequest(name, null);
  return value;
}
