import * as z from 'zod/mini';
import { FeatureNotEnabledError, NotFoundError } from '../../errors.ts';
import { id, page, textOrNull } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { included, local, text } from '../views/read.ts';

/** Tools about the way of a container: what has happened, and from place to place. */

type Fields = Record<string, unknown>;

const EVENTS_ON_A_PAGE = 100;

/** More than any journey has. */
const MAX_EVENTS = 2_000;

const CATEGORIES = ['vessel', 'rail', 'truck', 'terminal'] as const;

/** The event that each milestone is read from. Transshipments have names of their own. */
const MILESTONES = {
  vessel_loaded_at: 'vessel_loaded',
  vessel_departed_at: 'vessel_departed',
  vessel_arrived_at: 'vessel_arrived',
  discharged_at: 'vessel_discharged',
  rail_loaded_at: 'rail_loaded',
  rail_departed_at: 'rail_departed',
  rail_arrived_at: 'rail_arrived',
  gate_out_at: 'full_out',
  delivered_at: 'delivered',
  empty_returned_at: 'empty_in',
} as const;

export const getContainerTransportEvents = defineTool({
  name: 'get_container_transport_events',
  title: 'Get the timeline of a container',
  description:
    'What has happened to a container and what is expected, oldest first, with the main milestones. Of a long timeline the latest 100 events; ask for page 2 for those before.',
  input: () => z.strictObject({ id: id('container'), page: page() }),
  output: () => {
    const time = z.optional(textOrNull());
    return z.object({
      total_events: z.number(),
      event_categories: z.object({
        vessel_events: z.number(),
        rail_events: z.number(),
        truck_events: z.number(),
        terminal_events: z.number(),
        other_events: z.number(),
      }),
      timeline: z.array(
        z.object({
          event: z.string(),
          timestamp: textOrNull(),
          local: z.string(),
          estimated: z.boolean(),
          timezone: z.optional(z.string()),
          voyage_number: z.optional(z.string()),
          location: z.nullable(
            z.object({
              name: z.optional(z.string()),
              code: z.optional(z.string()),
              type: z.optional(z.string()),
            }),
          ),
        }),
      ),
      milestones: z.object(
        Object.fromEntries(Object.keys(MILESTONES).map(name => [name, time])) as Record<
          keyof typeof MILESTONES,
          typeof time
        >,
      ),
      cut: z.optional(z.string()),
      _metadata: z.looseObject({ presentation_guidance: z.string() }),
    });
  },
  notFound: 'Use search_container with the container number to find the id.',
  async run({ id, page = 1 }, context) {
    const { events, source } = await eventsOf(id, context);
    const valid = events.filter(({ invalidated_at }) => !invalidated_at).sort((a, b) => timeOf(a) - timeOf(b) || 0);
    const end = Math.max(0, valid.length - (page - 1) * EVENTS_ON_A_PAGE);
    const start = Math.max(0, end - EVENTS_ON_A_PAGE);
    return {
      result: {
        total_events: valid.length,
        event_categories: countsOf(valid),
        timeline: valid.slice(start, end).map(viewOf),
        milestones: milestonesOf(valid),
        ...(start > 0 && { cut: `${start} earlier events were left out: call again with page ${page + 1}.` }),
        _metadata: {
          source,
          container_found: true,
          presentation_guidance:
            valid.length === 0 ? 'The container is tracked and has no events yet.' : 'The timeline is oldest first.',
        },
      },
    };
  },
});

/** Some containers are read only with their events included. */
async function eventsOf(id: string, { caller, limits }: ToolContext) {
  const events = caller.client.containers;
  try {
    const list = events.transportEvents(id, {
      include: ['location'],
      pageSize: 100,
      priority: 'interactive',
      ...limits(),
    });
    const found = (await list.toArray({ limit: MAX_EVENTS })) as object[] as Fields[];
    return { events: found, source: 'transport_events_subresource' as const };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  const container = await events.get(id, { include: ['transport_events.location'], ...limits() });
  caller.saw(container);
  const found = (container.transport_events ?? []) as object[] as Fields[];
  return { events: found.filter(event => 'event' in event), source: 'container_include_fallback' as const };
}

/** In ms since the epoch. What has no time comes last. */
function timeOf({ timestamp }: Fields): number {
  const time = Date.parse(text(timestamp) ?? '');
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function viewOf(event: Fields) {
  const location = included(event.location);
  const name = text(event.event) ?? 'unknown';
  const place = {
    name: text(location?.name) ?? undefined,
    code: text(location?.code) ?? text(event.location_locode) ?? undefined,
    type: text(location?.type) ?? undefined,
  };
  return {
    event: name,
    timestamp: text(event.timestamp),
    local: local(event.timestamp, event.timezone),
    estimated: name.includes('.estimated.'),
    timezone: text(event.timezone) ?? undefined,
    voyage_number: text(event.voyage_number) ?? undefined,
    location: place.name || place.code ? place : null,
  };
}

function countsOf(events: Fields[]) {
  const counts = { vessel_events: 0, rail_events: 0, truck_events: 0, terminal_events: 0, other_events: 0 };
  for (const { event } of events) {
    const name = text(event) ?? '';
    const category = CATEGORIES.find(word => WORDS[word].test(name)) ?? 'other';
    counts[`${category}_events`] += 1;
  }
  return counts;
}

const WORDS: Record<(typeof CATEGORIES)[number], RegExp> = {
  vessel: /vessel|feeder|transshipment/,
  rail: /rail|inland/,
  truck: /full_out|full_in|empty_out|empty_in|delivered/,
  terminal: /available|pickup/,
};

/** Of what has happened. The latest that has a time counts: a report is corrected by a later one. */
function milestonesOf(events: Fields[]) {
  const times: Partial<Record<keyof typeof MILESTONES, string | null>> = {};
  for (const [milestone, name] of Object.entries(MILESTONES)) {
    const reports = events.filter(({ event }) => event === `container.transport.${name}`);
    const event = reports.findLast(report => Number.isFinite(timeOf(report))) ?? reports.at(-1);
    if (event) times[milestone as keyof typeof MILESTONES] = text(event.timestamp);
  }
  return times;
}

export const getContainerRoute = defineTool({
  name: 'get_container_route',
  title: 'Get the route of a container',
  description:
    'The journey of a container from place to place, with carriers, ships and times of each leg. A paid feature: without it the answer says what to use instead.',
  input: () => z.strictObject({ id: id('container') }),
  output: () => {
    const vessel = z.nullable(z.object({ name: textOrNull(), imo: textOrNull() }));
    const way = { mode: textOrNull(), carrier_scac: textOrNull() };
    return z.object({
      route_id: z.optional(z.string()),
      total_legs: z.optional(z.number()),
      route_locations: z.optional(
        z.array(
          z.object({
            port: z.nullable(
              z.object({ code: textOrNull(), name: textOrNull(), city: textOrNull(), country_code: textOrNull() }),
            ),
            inbound: z.object({ ...way, eta: textOrNull(), ata: textOrNull(), vessel }),
            outbound: z.object({ ...way, etd: textOrNull(), atd: textOrNull(), vessel }),
          }),
        ),
      ),
      created_at: z.optional(textOrNull()),
      updated_at: z.optional(textOrNull()),
      _metadata: z.optional(z.object({ presentation_guidance: z.string() })),
      error: z.optional(z.enum(['FeatureNotEnabled', 'NotFound'])),
      code: z.optional(z.enum(['feature_not_enabled', 'not_found'])),
      message: z.optional(z.string()),
      alternative: z.optional(z.string()),
    });
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
