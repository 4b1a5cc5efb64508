import { isRecord } from '../../../jsonapi/document.ts';
import { DAY } from '../../base/time.ts';
import { HttpError } from '../../http/errors.ts';
import { isFrom, type McpEdition } from '../editions.ts';
import type { Rest, Row } from '../rest.ts';
import type { Outcome, Tool } from '../tool.ts';
import { pick } from './rows.ts';

export const getContainer: Tool = {
  name: 'get_container',
  guidance: {
    purpose: 'Returns the place of a container, and the reasons why it cannot leave.',
    can_answer: ['Where is it?', 'Can it be picked up?', 'What is the last free day?'],
    requires_more_data: ['What happened on the way?'],
    relevant_fields: ['status', 'location', 'demurrage'],
    presentation_guidance: 'Begin with the state. Name the last free day and the number of days left.',
    suggested_follow_ups: ['What happened on the way?', 'Which route does it take?'],
    suggested_tools: ['get_container_transport_events', 'get_container_route'],
  },
  async run({ id, include = [] }, rest, edition) {
    return { result: await containerDetails(rest, String(id), edition, include as string[]) };
  },
};

const EVENTS_HINT = 'Set include to ["transport_events"], or call get_container_transport_events.';

/** The result of `get_container`. */
export async function containerDetails(
  rest: Rest,
  id: string,
  edition: McpEdition,
  include: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const isPlain = isFrom(edition, '2026-10');
  const withEvents = include.includes('transport_events');
  const paths = ['shipment', 'pod_terminal', ...(withEvents ? ['transport_events.location'] : [])];
  const { rows } = await rest.get(`/containers/${id}`, { include: paths.join() });
  const container = rows[0] as Row;
  const { attributes: a } = container;
  const state = lifecycle(a);
  const terminal = container.one('pod_terminal');
  return {
    id: container.id,
    container_number: a.number,
    created_at: a.created_at,
    status: a.current_status ?? state,
    status_source: a.current_status ? 'current_status' : 'derived',
    equipment: {
      ...{ type: a.equipment_type, length: a.equipment_length, height: a.equipment_height },
      weight_lbs: a.weight_in_lbs,
    },
    location: {
      current_location: a.location_at_pod_terminal,
      ...pick(a, 'available_for_pickup', 'availability_known', 'pod_arrived_at', 'pod_discharged_at', 'pod_timezone'),
      pod_arrived_at_local: localText(a.pod_arrived_at, a.pod_timezone),
      pod_discharged_at_local: localText(a.pod_discharged_at, a.pod_timezone),
    },
    demurrage: demurrageOf(container, rest.now(), isPlain),
    rail: {
      pod_rail_carrier: a.pod_rail_carrier_scac,
      pod_rail_loaded_at: a.pod_rail_loaded_at,
      destination_eta: a.ind_eta_at,
      destination_ata: a.ind_ata_at,
    },
    shipment: shipmentOf(container.one('shipment')),
    pod_terminal: terminal && { id: terminal.id, ...pick(terminal.attributes, 'name', 'firms_code') },
    ...((withEvents || !isPlain) && {
      events: withEvents ? eventsOf(container.many('transport_events')) : EVENTS_HINT,
    }),
    ...(include.includes('custom_fields') && (await customFieldsOf(rest, `/containers/${id}`))),
    _metadata: {
      container_state: state,
      status_is_authoritative: Boolean(a.current_status),
      derived_lifecycle: state,
      includes_loaded: ['shipment', 'pod_terminal', ...(withEvents ? ['transport_events'] : [])],
      can_answer: getContainer.guidance.can_answer,
      needs_more_data_for: withEvents ? [] : getContainer.guidance.requires_more_data,
      relevant_for_current_state: state === 'in_transit' ? ['shipment'] : ['location', 'demurrage'],
      presentation_guidance: getContainer.guidance.presentation_guidance,
    },
  };
}

/** The custom fields of a record; `null` with a note if the account has none. */
export async function customFieldsOf(rest: Rest, path: string): Promise<Record<string, unknown>> {
  try {
    const { rows } = await rest.get(`${path}/custom_fields`, { include: 'definition' });
    const custom_fields = rows.map(field => ({
      name: field.one('definition')?.attributes.display_name ?? null,
      slug: field.attributes.api_slug,
      value: field.attributes.value,
      display_value: field.attributes.display_value ?? null,
      data_type: field.one('definition')?.attributes.data_type ?? null,
    }));
    return { custom_fields };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 403) throw error;
    return { custom_fields: null, custom_fields_note: 'The account has no custom fields.' };
  }
}

function lifecycle(a: Row['attributes']): string {
  if (!a.pod_arrived_at) return 'in_transit';
  if (!a.pod_discharged_at) return 'arrived';
  if (a.delivered_at) return 'delivered';
  if (a.pod_rail_loaded_at && !a.final_destination_full_out_at) return 'on_rail';
  if (a.available_for_pickup === true) return 'available_for_pickup';
  return a.available_for_pickup === false ? 'discharged' : 'at_terminal';
}

function shipmentOf(shipment: Row | null) {
  if (shipment === null) return null;
  const { id, attributes: a } = shipment;
  const names = ['shipping_line_name', 'port_of_lading_name', 'port_of_discharge_name', 'destination_name'];
  return { id, ref_numbers: a.ref_numbers, line: a.shipping_line_scac, ...pick(a, ...names) };
}

/** Summarizes the events. The first event is the newest, as in the lists of the service. */
function eventsOf(events: Row[]) {
  const [latest] = events;
  return {
    count: events.length,
    rail_events_count: events.filter(({ attributes }) => String(attributes.event).includes('rail')).length,
    ...(latest && {
      latest_event: {
        ...pick(latest.attributes, 'event', 'timestamp'),
        location: latest.one('location')?.attributes.name ?? null,
      },
    }),
  };
}

export const getContainerTransportEvents: Tool = {
  name: 'get_container_transport_events',
  guidance: {
    purpose: 'Returns the events of a container.',
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

/** The categories of events. An event belongs to the first category whose pattern matches its name. */
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

/** If several events have the same name, the last of them counts. */
function milestonesOf(events: Row[]) {
  const found = Object.entries(MILESTONES).flatMap(([milestone, name]) => {
    const event = events.findLast(candidate => nameOf(candidate) === `container.transport.${name}`);
    return event ? [[milestone, event.attributes.timestamp]] : [];
  });
  return Object.fromEntries(found);
}

export const getContainerRoute: Tool = {
  name: 'get_container_route',
  guidance: {
    purpose: 'Returns the route of a container.',
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

/** The arrival at a stop, or the departure from it. */
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

/** If terminal data is older than this, it may be out of date. */
const OLD_AFTER = 7 * DAY;

/**
 * Deadlines, fees and holds of a container. Its shipment is included.
 *
 * @param isPlain True for the later editions: `pickup_lfd` is the last free day at the port, and its source is added.
 */
export function demurrageOf(container: Row, now: number, isPlain = false) {
  const { attributes: a } = container;
  const deadlines = isRecord(a.import_deadlines) ? a.import_deadlines : {};
  const fees = Array.isArray(a.fees_at_pod_terminal) ? a.fees_at_pod_terminal.filter(isRecord) : null;
  const currencies = new Set(fees?.map(fee => fee.currency_code));
  const port = isRecord(deadlines.pod) && isRecord(deadlines.pod.unified) ? deadlines.pod.unified : {};
  const lastFreeDay = isPlain ? (port.current_value ?? null) : a.pickup_lfd;
  const timeZone = String(a.pod_timezone ?? 'UTC');
  const days = daysUntil(lastFreeDay, timeZone, now);
  const reason = reasonToDoubt(container, now);
  return {
    pickup_lfd: lastFreeDay,
    pickup_lfd_local: localText(lastFreeDay, a.pod_timezone),
    ...(isPlain && {
      pickup_lfd_source: port.current_selection ?? null,
      pickup_lfd_local_date: typeof lastFreeDay === 'string' ? dateOf(Date.parse(lastFreeDay), timeZone) : null,
    }),
    last_free_days: {
      terminal: deadlines.pickup_lfd_terminal ?? null,
      rail: deadlines.pickup_lfd_rail ?? null,
      line: deadlines.pickup_lfd_line ?? null,
    },
    pickup_appointment_at: a.pickup_appointment_at,
    fees_at_pod_terminal: fees,
    fees_total_amount: fees?.reduce((sum, fee) => sum + Number(fee.amount), 0) ?? null,
    fees_currency_code: currencies.size === 1 ? ([...currencies][0] ?? null) : null,
    holds_at_pod_terminal: a.holds_at_pod_terminal ?? null,
    urgency: reason === null ? urgencyOf(days) : 'unknown',
    urgency_suppressed: reason !== null,
    urgency_reason: reason,
    days_until_lfd: days,
  };
}

function urgencyOf(days: number | null): string {
  if (days === null) return 'unknown';
  if (days < 0) return 'overdue';
  return days <= 3 ? 'imminent' : 'none';
}

/** The reason why the deadlines may be out of date. */
function reasonToDoubt(container: Row, now: number): string | null {
  if (container.one('shipment')?.attributes.line_tracking_stopped_at)
    return 'The tracking of the shipment has stopped.';
  const checkedAt = Date.parse(String(container.attributes.terminal_checked_at));
  if (Number.isNaN(checkedAt)) return 'The terminal was never checked.';
  return now - checkedAt > OLD_AFTER ? 'The terminal was last checked more than 7 days ago.' : null;
}

/** Number of calendar days from now until an instant, in a time zone. */
function daysUntil(instant: unknown, timeZone: string, now: number): number | null {
  const then = Date.parse(String(instant));
  if (Number.isNaN(then)) return null;
  return Math.round((dayOf(then, timeZone) - dayOf(now, timeZone)) / DAY);
}

function dayOf(instant: number, timeZone: string): number {
  return Date.parse(dateOf(instant, timeZone));
}

function dateOf(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(instant);
}

/** A time as text in a time zone. */
export function localText(instant: unknown, timeZone: unknown): string {
  const time = Date.parse(String(instant));
  if (Number.isNaN(time)) return 'N/A';
  const format = { timeZone: String(timeZone ?? 'UTC'), dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('en-US', format).format(time);
}
