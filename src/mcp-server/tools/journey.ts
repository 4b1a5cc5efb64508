import * as z from 'zod/mini';
import { counted, included, joined, text } from '../../domain/record-values.ts';
import { FeatureNotEnabledError, NotFoundError } from '../../errors.ts';
import { ToolFailure } from '../failure.ts';
import { idOrNumber, nullableTexts, page } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { clock, localInstant, markedText, said, textsAt } from '../views/read.ts';
import {
  eventLine,
  eventSchema,
  eventView,
  type EventFields as Fields,
  milestonesLine,
  milestonesOf,
  timelineOf,
} from '../views/timeline.ts';
import { idOf } from './find.ts';

/** Tools about the journey of a container: its events, and its route from place to place. */

const EVENTS_ON_A_PAGE = 100;

/** Upper bound of the events that are read. No journey has so many events. */
const MAX_EVENTS = 2_000;

const CATEGORIES = ['vessel', 'rail', 'truck', 'terminal'] as const;

export const getContainerTransportEvents = defineTool({
  name: 'get_container_transport_events',
  title: 'Get a timeline',
  description:
    'Events of a container, those that are expected too, oldest first, with the main milestones. The latest 100; page 2 has earlier ones.',
  input: () => z.strictObject({ id: idOrNumber(), page: page() }),
  output: () => {
    return z.object({
      total_events: z.number(),
      event_categories: z.looseObject({}),
      timeline: z.array(eventSchema()),
      milestones: z.looseObject({}),
      cut: z.optional(z.string()),
      _metadata: z.looseObject({ presentation_guidance: z.string() }),
    });
  },
  notFound: 'Call again with the number of the container.',
  async run({ id, page = 1 }, context) {
    const { events, source } = await eventsOf(await idOf('container', id, context), context);
    const valid = timelineOf(events);
    const end = Math.max(0, valid.length - (page - 1) * EVENTS_ON_A_PAGE);
    const start = Math.max(0, end - EVENTS_ON_A_PAGE);
    const timeline = valid.slice(start, end).map(event => eventView(event, valid));
    const milestones = milestonesOf(valid);
    const reached = milestonesLine(milestones);
    const cut = cutOf(start, end, page);
    const about =
      valid.length === 0 ? 'The container is tracked and has no events yet.' : 'The timeline is oldest first.';
    return {
      text: markedText(joined([counted(valid.length, 'event'), cut ?? about], '. '), [
        ...(reached ? [`Milestones: ${reached}.`] : []),
        ...timeline.map(eventLine),
      ]),
      result: {
        total_events: valid.length,
        event_categories: countsOf(valid),
        timeline,
        milestones,
        cut,
        _metadata: { source, container_found: true, presentation_guidance: about },
      },
    };
  },
});

function cutOf(start: number, end: number, page: number): string | undefined {
  if (end === 0 && page > 1) return `Page ${page} is behind the end: call again with page 1.`;
  return start > 0 ? `${counted(start, 'earlier event')} left out: call again with page ${page + 1}.` : undefined;
}

/** If the request for the list of events gets a 404, the events come from the container with its included events. */
async function eventsOf(id: string, { caller, limits }: ToolContext) {
  const events = caller.client.containers;
  try {
    const list = events.transportEvents(id, {
      include: ['location', 'vessel'],
      pageSize: 100,
      priority: 'interactive',
      ...limits(),
    });
    const found = (await list.toArray({ limit: MAX_EVENTS })) as object[] as Fields[];
    return { events: found, source: 'transport_events_subresource' as const };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  const container = await events.get(id, {
    include: ['transport_events.location', 'transport_events.vessel'],
    ...limits(),
  });
  caller.saw(container);
  const found = (container.transport_events ?? []) as object[] as Fields[];
  return { events: found.filter(event => 'event' in event), source: 'container_include_fallback' as const };
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

const INSTEAD = 'Use get_container_transport_events for the places that the container has passed.';

export const getContainerRoute = defineTool({
  name: 'get_container_route',
  title: 'Get a route',
  description:
    'The journey of a container from place to place, with carriers, ships and times of each leg. A paid feature.',
  input: () => z.strictObject({ id: idOrNumber() }),
  output: () => {
    const way = <Name extends string>(...times: Name[]) =>
      z.object({
        ...nullableTexts<'mode' | 'carrier_scac' | Name>('mode', 'carrier_scac', ...times),
        vessel: z.nullable(z.object(nullableTexts('name', 'imo'))),
      });
    const port = z.nullable(z.object(nullableTexts('code', 'name', 'city', 'country_code')));
    return z.looseObject({
      route_id: z.string(),
      total_legs: z.number(),
      route_locations: z.array(z.object({ port, inbound: way('eta', 'ata'), outbound: way('etd', 'atd') })),
      _metadata: z.object({ presentation_guidance: z.string() }),
    });
  },
  notFound: `Either the container has no route yet, or the id is wrong. ${INSTEAD}`,
  async run({ id }, context) {
    const { caller, limits } = context;
    const container = await idOf('container', id, context);
    try {
      const route = await caller.client.containers.route(container, limits());
      const places = (route.route_locations ?? []) as object[] as Fields[];
      const route_locations = places.map(placeOf);
      return {
        text: markedText(`Route of ${counted(places.length, 'place')}`, route_locations.map(stopOf)),
        result: {
          route_id: text(route.id) ?? '',
          total_legs: places.length,
          route_locations,
          ...textsAt(route, 'created_at', 'updated_at'),
          _metadata: { presentation_guidance: 'The places are in the order of travel.' },
        },
      };
    } catch (error) {
      if (!(error instanceof FeatureNotEnabledError)) throw error;
      throw new ToolFailure(
        'feature_not_enabled',
        `The account does not have the paid feature routing data. ${INSTEAD}`,
      );
    }
  },
});

function placeOf(place: Fields) {
  const location = included(place.location) ?? included(place.facility);
  return {
    port: location && textsAt(location, 'code', 'name', 'city', 'country_code'),
    inbound: {
      ...wayOf(place, 'inbound'),
      eta: localInstant(place.inbound_eta_at, location?.time_zone),
      ata: localInstant(place.inbound_ata_at, location?.time_zone),
    },
    outbound: {
      ...wayOf(place, 'outbound'),
      etd: localInstant(place.outbound_etd_at, location?.time_zone),
      atd: localInstant(place.outbound_atd_at, location?.time_zone),
    },
  };
}

function stopOf({ port, inbound, outbound }: ReturnType<typeof placeOf>, index: number): string {
  const { ata, eta } = inbound;
  const { atd, etd } = outbound;
  return joined([
    `${index + 1}. ${joined([said(port?.name), said(port?.code)], ' ') || 'unknown place'}`,
    ata ? `arrived ${clock(ata)}` : eta && `expected ${clock(eta)}`,
    atd ? `left ${clock(atd)}` : etd && `expected to leave ${clock(etd)}`,
    outbound.mode &&
      joined([`by ${said(outbound.mode)}`, said(outbound.vessel?.name), said(outbound.carrier_scac)], ' '),
  ]);
}

function wayOf(place: Fields, way: 'inbound' | 'outbound') {
  const vessel = included(place[`${way}_vessel`]);
  return {
    mode: text(place[`${way}_mode`]),
    carrier_scac: text(place[`${way}_scac`]),
    vessel: vessel && textsAt(vessel, 'name', 'imo'),
  };
}
