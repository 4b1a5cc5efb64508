import { HttpError } from '../../http/errors.ts';
import type { Row } from '../rest.ts';
import type { Outcome, Tool } from '../tool.ts';
import { pick } from './rows.ts';

export const getContainerRoute: Tool = {
  name: 'get_container_route',
  guidance: {
    purpose: 'Tells how a container travels.',
    can_answer: ['Which ports does it call at?', 'Which ships carry it?'],
    requires_more_data: ['What happened on the way?'],
    relevant_fields: ['route_locations'],
    presentation_guidance: 'Tell the places in order, with ship and times.',
    suggested_follow_ups: ['What happened on the way?'],
    suggested_tools: ['get_container_transport_events'],
  },
  async run({ id }, rest) {
    try {
      const { rows } = await rest.get(`/containers/${id}/route`);
      return { result: routeOf(rows[0] as Row) };
    } catch (error) {
      if (!(error instanceof HttpError) || (error.status !== 403 && error.status !== 404)) throw error;
      return error.status === 403
        ? unavailable('FeatureNotEnabled', 'Routes are not enabled for this account.')
        : unavailable('NotFound', 'There is no route for this container.');
    }
  },
};

function unavailable(error: string, message: string): Outcome {
  const alternative = 'Call get_container_transport_events for what has happened on the way.';
  return { result: { error, message, alternative }, text: `${message} ${alternative}` };
}

function routeOf(route: Row): Record<string, unknown> {
  const stops = route.many('route_locations');
  return {
    route_id: route.id,
    total_legs: stops.length,
    route_locations: stops.map(stop => {
      const { name, code = null, city = null, country_code = null } = stop.one('location')?.attributes ?? {};
      return {
        port: name === undefined ? null : { code, name, city, country_code },
        inbound: sideOf(stop, 'inbound', 'eta', 'ata'),
        outbound: sideOf(stop, 'outbound', 'etd', 'atd'),
      };
    }),
    ...pick(route.attributes, 'created_at', 'updated_at'),
    _metadata: { presentation_guidance: getContainerRoute.guidance.presentation_guidance },
  };
}

/** The arrival at a stop, or the departure. */
function sideOf({ attributes: a, one }: Row, side: string, estimated: string, actual: string) {
  const vessel = one(`${side}_vessel`);
  return {
    mode: a[`${side}_mode`],
    carrier_scac: a[`${side}_scac`],
    [estimated]: a[`${side}_${estimated}_at`],
    [actual]: a[`${side}_${actual}_at`],
    vessel: vessel && pick(vessel.attributes, 'name', 'imo'),
  };
}
