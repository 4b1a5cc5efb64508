import type { Row } from '../rest.ts';
import type { Tool } from '../tool.ts';
import { pick } from './rows.ts';

export const getContainerTransportEvents: Tool = {
  name: 'get_container_transport_events',
  guidance: {
    purpose: 'Tells what happened on the way.',
    can_answer: ['What happened?', 'When did it arrive?', 'Is it late?'],
    requires_more_data: ['Can it be picked up?'],
    relevant_fields: ['timeline', 'milestones'],
    presentation_guidance: 'Tell the main steps in order, with their places and times.',
    suggested_follow_ups: ['What has delayed it?'],
    suggested_tools: ['get_container'],
  },
  async run({ id }, rest) {
    const { rows } = await rest.get(`/containers/${id}/transport_events`, { include: 'location' });
    const events = rows.toSorted((a, b) => timeOf(a) - timeOf(b));
    return {
      result: {
        total_events: events.length,
        event_categories: categoriesOf(events),
        timeline: events.map(timelineEntry),
        milestones: milestonesOf(events),
        _metadata: {
          source: 'transport_events_subresource',
          container_found: true,
          presentation_guidance: getContainerTransportEvents.guidance.presentation_guidance,
        },
      },
    };
  },
};

const nameOf = ({ attributes }: Row) => String(attributes.event);
const timeOf = ({ attributes }: Row) => Date.parse(String(attributes.timestamp)) || 0;

function timelineEntry(event: Row) {
  const { attributes: a } = event;
  const location = event.one('location');
  return {
    ...pick(a, 'event', 'timestamp', 'timezone', 'voyage_number'),
    location: location && { ...pick(location.attributes, 'name', 'code'), type: location.type },
  };
}

/** By the first word that the name has. */
const CATEGORIES = {
  vessel_events: /vessel|transshipment|feeder/,
  rail_events: /rail|inland/,
  truck_events: /full_in|full_out|empty_in|empty_out/,
  terminal_events: /available|pickup|discharged/,
};

function categoriesOf(events: Row[]) {
  const counts = { vessel_events: 0, rail_events: 0, truck_events: 0, terminal_events: 0, other_events: 0 };
  for (const event of events) {
    const [category] = Object.entries(CATEGORIES).find(([, words]) => words.test(nameOf(event))) ?? ['other_events'];
    counts[category as keyof typeof counts] += 1;
  }
  return counts;
}

const MILESTONES = {
  vessel_loaded_at: 'vessel_loaded',
  vessel_departed_at: 'vessel_departed',
  vessel_arrived_at: 'vessel_arrived',
  discharged_at: 'vessel_discharged',
  rail_loaded_at: 'rail_loaded',
  rail_departed_at: 'rail_departed',
  rail_arrived_at: 'rail_arrived',
  delivered_at: 'full_out',
};

/** The last event of a name counts. */
function milestonesOf(events: Row[]) {
  const found = Object.entries(MILESTONES).flatMap(([milestone, name]) => {
    const event = events.findLast(candidate => nameOf(candidate) === `container.transport.${name}`);
    return event ? [[milestone, event.attributes.timestamp]] : [];
  });
  return Object.fromEntries(found);
}
