import { metroArea, port, terminal } from '../entities/places.ts';
import { orNotFound } from '../http/errors.ts';
import { one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';

/** `:key` is an id or a UN/LOCODE. */
export const placeRoutes: Route[] = [
  {
    method: 'GET',
    path: '/ports/:key',
    handle: call => one(call, port(orNotFound(byIdOrCode(call.backend.places.ports, call.param('key'))))),
  },
  {
    method: 'GET',
    path: '/metro_areas/:key',
    handle: call => one(call, metroArea(orNotFound(byIdOrCode(call.backend.places.metroAreas, call.param('key'))))),
  },
  {
    method: 'GET',
    path: '/terminals/:id',
    handle: call =>
      one(call, terminal(orNotFound(call.backend.places.terminals.find(({ id }) => id === call.param('id'))))),
  },
];

function byIdOrCode<T extends { id: string; code: string }>(places: T[], key: string): T | undefined {
  return places.find(({ id, code }) => id === key || code === key.toUpperCase());
}
