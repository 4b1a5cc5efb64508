import { FeatureNotEnabledError, NotFoundError } from '../../errors.ts';
import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { included } from '../views/place.ts';
import { text } from '../views/read.ts';
import { id, intent } from './inputs.ts';

export const getContainerRoute = defineTool({
  name: 'get_container_route',
  title: 'Get the route of a container',
  description:
    'The journey of a container from place to place, with carriers, ships and times of each leg. A paid feature: without it the answer says what to use instead.',
  input: () => s.object({ id: id('container'), intent: intent() }),
  output: () => {
    const textOrNull = s.nullable(s.string());
    const vessel = s.nullable(s.object({ name: textOrNull, imo: textOrNull }));
    const way = { mode: textOrNull, carrier_scac: textOrNull };
    return s.object({
      route_id: s.optional(s.string()),
      total_legs: s.optional(s.number()),
      route_locations: s.optional(
        s.array(
          s.object({
            port: s.nullable(
              s.object({ code: textOrNull, name: textOrNull, city: textOrNull, country_code: textOrNull }),
            ),
            inbound: s.object({ ...way, eta: textOrNull, ata: textOrNull, vessel }),
            outbound: s.object({ ...way, etd: textOrNull, atd: textOrNull, vessel }),
          }),
        ),
      ),
      created_at: s.optional(textOrNull),
      updated_at: s.optional(textOrNull),
      _metadata: s.optional(s.object({ presentation_guidance: s.string() })),
      error: s.optional(s.oneOf(['FeatureNotEnabled', 'NotFound'])),
      code: s.optional(s.oneOf(['feature_not_enabled', 'not_found'])),
      message: s.optional(s.string()),
      alternative: s.optional(s.string()),
    });
  },
  contract: {
    purpose: 'The legs of one journey.',
    can_answer: ['which ports the box passes', 'which ships carry it', 'when each leg begins and ends'],
    requires_more_data: ['events that have happened'],
    relevant_fields: ['route_locations'],
    presentation_guidance:
      'List the places in their order, with the actual time where there is one, else the estimate.',
    suggested_follow_ups: ['Compare with the timeline.'],
    suggested_tools: ['get_container_transport_events', 'get_shipment_details'],
  },
  async run({ id }, { caller, limits }) {
    try {
      const route = await caller.client.containers.route(id, limits());
      const places = (route.route_locations ?? []) as object[] as Fields[];
      return {
        result: {
          route_id: text(route.id) ?? '',
          total_legs: places.length,
          route_locations: places.map(placeOf),
          created_at: text(route.created_at),
          updated_at: text(route.updated_at),
          _metadata: { presentation_guidance: 'The places are in the order of travel.' },
        },
      };
    } catch (error) {
      if (error instanceof FeatureNotEnabledError) return { result: NOT_ENABLED };
      if (error instanceof NotFoundError) return { result: NOT_FOUND };
      throw error;
    }
  },
});

const NOT_ENABLED = {
  error: 'FeatureNotEnabled',
  code: 'feature_not_enabled',
  message: 'The account does not have the paid feature routing data.',
  alternative: 'Use get_container_transport_events for the places that the container has passed.',
} as const;

const NOT_FOUND = {
  error: 'NotFound',
  code: 'not_found',
  message: 'There is no route for this id: no such container, or no route yet.',
  alternative:
    'Use search_container to check the id, and get_container_transport_events for the places that the container has passed.',
} as const;

type Fields = Record<string, unknown>;

function placeOf(place: Fields) {
  const location = included(place.location) ?? included(place.facility);
  return {
    port: location && {
      code: text(location.code),
      name: text(location.name),
      city: text(location.city),
      country_code: text(location.country_code),
    },
    inbound: {
      mode: text(place.inbound_mode),
      carrier_scac: text(place.inbound_scac),
      eta: text(place.inbound_eta_at),
      ata: text(place.inbound_ata_at),
      vessel: vesselOf(place.inbound_vessel),
    },
    outbound: {
      mode: text(place.outbound_mode),
      carrier_scac: text(place.outbound_scac),
      etd: text(place.outbound_etd_at),
      atd: text(place.outbound_atd_at),
      vessel: vesselOf(place.outbound_vessel),
    },
  };
}

function vesselOf(value: unknown) {
  const vessel = included(value);
  return vessel && { name: text(vessel.name), imo: text(vessel.imo) };
}
