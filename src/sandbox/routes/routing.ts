import { mapOf } from '../entities/map.ts';
import { route } from '../entities/route.ts';
import type { Call } from '../http/call.ts';
import { named, orNotFound } from '../http/errors.ts';
import { parseInclude, serialize } from '../http/jsonapi.ts';
import type { Route } from '../http/router.ts';
import type { Container } from '../state/store.ts';

/** The routing data of containers, which is a paid feature. */
export const routingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/containers/:id/map_geojson',
    handle: call => ({ status: 200, body: mapOf(call.backend, requestedContainer(call)) }),
  },
  {
    method: 'GET',
    path: '/containers/:id/route',
    handle(call) {
      // `include` has no effect: the answer always includes the same records.
      const paths = ['location', 'inbound_vessel', 'outbound_vessel'].map(name => `route_locations.${name}`);
      const { data, included } = serialize(
        [route(call.backend, requestedContainer(call))],
        parseInclude('route', paths.join()),
      );
      return { status: 200, body: { data: data[0], included } };
    },
  },
];

function requestedContainer({ backend, param }: Call): Container {
  if (!backend.features.routing) throw named('routing-not-enabled');
  return orNotFound(backend.store.containers.get(param('id')));
}
