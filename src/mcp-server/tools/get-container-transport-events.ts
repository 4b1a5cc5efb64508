import { NotFoundError } from '../../errors.ts';
import * as s from '../schema/build.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { included } from '../views/place.ts';
import { local, text } from '../views/read.ts';
import { id, intent, page } from './inputs.ts';

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
  input: () => s.object({ id: id('container'), page: page(), intent: intent() }),
  output: () => {
    const time = s.optional(s.nullable(s.string()));
    return s.object({
      total_events: s.number(),
      event_categories: s.object({
        vessel_events: s.number(),
        rail_events: s.number(),
        truck_events: s.number(),
        terminal_events: s.number(),
        other_events: s.number(),
      }),
      timeline: s.array(
        s.object({
          event: s.string(),
          timestamp: s.nullable(s.string()),
          local: s.string(),
          estimated: s.boolean(),
          timezone: s.optional(s.string()),
          voyage_number: s.optional(s.string()),
          location: s.nullable(
            s.object({
              name: s.optional(s.string()),
              code: s.optional(s.string()),
              type: s.optional(s.string()),
            }),
          ),
        }),
      ),
      milestones: s.object(
        Object.fromEntries(Object.keys(MILESTONES).map(name => [name, time])) as Record<
          keyof typeof MILESTONES,
          typeof time
        >,
      ),
      cut: s.optional(s.string()),
      _metadata: s.object({
        source: s.oneOf(['transport_events_subresource', 'container_include_fallback']),
        container_found: s.boolean(),
        presentation_guidance: s.string(),
      }),
    });
  },
  contract: {
    purpose: 'The timeline of one container.',
    can_answer: ['what has happened', 'what is expected', 'where time was lost'],
    requires_more_data: ['holds, fees and the last free day'],
    relevant_fields: ['milestones', 'timeline'],
    presentation_guidance: 'Tell the milestones first. Give the local times. Mark estimates as such.',
    suggested_follow_ups: ['Compare the actual times with the estimates.'],
    suggested_tools: ['get_container', 'get_container_route'],
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

type EventFields = Record<string, unknown>;

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
    const found = (await list.toArray({ limit: MAX_EVENTS })) as object[] as EventFields[];
    return { events: found, source: 'transport_events_subresource' as const };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  const container = await events.get(id, { include: ['transport_events.location'], ...limits() });
  caller.saw(container);
  const found = (container.transport_events ?? []) as object[] as EventFields[];
  return { events: found.filter(event => 'event' in event), source: 'container_include_fallback' as const };
}

/** In ms since the epoch. What has no time comes last. */
function timeOf({ timestamp }: EventFields): number {
  const time = Date.parse(text(timestamp) ?? '');
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function viewOf(event: EventFields) {
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

function countsOf(events: EventFields[]) {
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
function milestonesOf(events: EventFields[]) {
  const times: Partial<Record<keyof typeof MILESTONES, string | null>> = {};
  for (const [milestone, name] of Object.entries(MILESTONES)) {
    const reports = events.filter(({ event }) => event === `container.transport.${name}`);
    const event = reports.findLast(report => Number.isFinite(timeOf(report))) ?? reports.at(-1);
    if (event) times[milestone as keyof typeof MILESTONES] = text(event.timestamp);
  }
  return times;
}
