import { HttpError } from '../../http/errors.ts';
import type { Row } from '../rest.ts';
import type { Outcome, Tool } from '../tool.ts';

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
      const { attributes: a } = stop;
      const place = stop.one('location')?.attributes;
      return {
        port: place
          ? {
              code: place.code ?? null,
              name: place.name,
              city: place.city ?? null,
              country_code: place.country_code ?? null,
            }
          : null,
        inbound: {
          mode: a.inbound_mode,
          carrier_scac: a.inbound_scac,
          eta: a.inbound_eta_at,
          ata: a.inbound_ata_at,
          vessel: vesselOf(stop.one('inbound_vessel')),
        },
        outbound: {
          mode: a.outbound_mode,
          carrier_scac: a.outbound_scac,
          etd: a.outbound_etd_at,
          atd: a.outbound_atd_at,
          vessel: vesselOf(stop.one('outbound_vessel')),
        },
      };
    }),
    created_at: route.attributes.created_at,
    updated_at: route.attributes.updated_at,
    _metadata: { presentation_guidance: getContainerRoute.guidance.presentation_guidance },
  };
}

function vesselOf(vessel: Row | null) {
  return vessel && { name: vessel.attributes.name, imo: vessel.attributes.imo };
}
