import { mapOf } from '../entities/map.ts';
import { route } from '../entities/route.ts';
import type { Call } from '../http/call.ts';
import { orNotFound, routingNotEnabled } from '../http/errors.ts';
import { parseInclude, serialize } from '../http/jsonapi.ts';
import type { Route } from '../http/router.ts';
import type { Container } from '../state/store.ts';

/** The paid routing data of containers. */
export const routingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/containers/:id/map_geojson',
    handle: call => ({ status: 200, body: mapOf(call.backend, wanted(call)) }),
  },
  {
    method: 'GET',
    path: '/containers/:id/route',
    handle(call) {
      // Clients ask for includes that are no relationships; what comes is always the same.
      const paths = ['location', 'inbound_vessel', 'outbound_vessel'].map(name => `route_locations.${name}`);
      const { data, included } = serialize([route(call.backend, wanted(call))], parseInclude('route', paths.join()));
      return { status: 200, body: { data: data[0], included } };
    },
  },
];

function wanted({ backend, param }: Call): Container {
  if (!backend.features.routing) throw routingNotEnabled();
  return orNotFound(backend.store.containers.get(param('id')));
}
