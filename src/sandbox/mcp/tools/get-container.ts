import { HttpError } from '../../http/errors.ts';
import { isFrom, type McpEdition } from '../editions.ts';
import type { Rest, Row } from '../rest.ts';
import type { Tool } from '../tool.ts';
import { demurrageOf, localText } from './demurrage.ts';
import { pick } from './rows.ts';

export const getContainer: Tool = {
  name: 'get_container',
  guidance: {
    purpose: 'Tells where a container is and what keeps it there.',
    can_answer: ['Where is it?', 'Can it be picked up?', 'What is the last free day?'],
    requires_more_data: ['What happened on the way?'],
    relevant_fields: ['status', 'location', 'demurrage'],
    presentation_guidance: 'Begin with the state. Name the last free day with the days that are left.',
    suggested_follow_ups: ['What happened on the way?', 'Which route does it take?'],
    suggested_tools: ['get_container_transport_events', 'get_container_route'],
  },
  async run({ id, include = [] }, rest, edition) {
    return { result: await containerDetails(rest, String(id), edition, include as string[]) };
  },
};

const EVENTS_HINT = 'Ask with include: ["transport_events"], or call get_container_transport_events.';

/** The result of the tool. */
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

/** The custom fields of a record; `null` with a note where the account has none. */
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

/** Newest first, as the service lists them. */
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
