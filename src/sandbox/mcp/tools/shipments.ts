import type { Row } from '../rest.ts';
import type { Tool } from '../tool.ts';
import { customFieldsOf } from './containers.ts';
import { pick } from './rows.ts';

export const getShipmentDetails: Tool = {
  name: 'get_shipment_details',
  guidance: {
    purpose: 'Returns the ports of a shipment, and its times.',
    can_answer: ['When does it arrive?', 'Which containers does it have?'],
    requires_more_data: ['Can a container be picked up?'],
    relevant_fields: ['status', 'routing', 'containers'],
    presentation_guidance: 'Begin with the status and the next port.',
    suggested_follow_ups: ['Where is the first container?'],
    suggested_tools: ['get_container'],
  },
  async run({ id, include_containers = true, include_custom_fields = false }, rest) {
    const paths = ['port_of_lading', 'port_of_discharge', 'pod_terminal', 'destination', 'destination_terminal'];
    if (include_containers) paths.push('containers');
    const { rows } = await rest.get(`/shipments/${id}`, { include: paths.join() });
    const fields = include_custom_fields ? await customFieldsOf(rest, `/shipments/${id}`) : {};
    return { result: { ...detailsOf(rows[0] as Row, include_containers === true), ...fields } };
  },
};

function detailsOf(shipment: Row, withContainers: boolean): Record<string, unknown> {
  const { attributes: a } = shipment;
  const status = statusOf(a);
  return {
    id: shipment.id,
    bill_of_lading: a.bill_of_lading_number,
    normalized_number: a.normalized_number,
    status,
    shipping_line: { scac: a.shipping_line_scac, name: a.shipping_line_name, short_name: a.shipping_line_short_name },
    customer_name: a.customer_name,
    reference_numbers: a.ref_numbers,
    tags: a.tags,
    routing: {
      port_of_lading: {
        ...knownPlace(a.port_of_lading_locode, a.port_of_lading_name),
        port_details: portOf(shipment.one('port_of_lading')),
        etd: a.pol_etd_at,
        atd: a.pol_atd_at,
        timezone: a.pol_timezone,
      },
      port_of_discharge: {
        ...knownPlace(a.port_of_discharge_locode, a.port_of_discharge_name),
        port_details: portOf(shipment.one('port_of_discharge')),
        terminal: terminalOf(shipment.one('pod_terminal')),
        eta: a.pod_eta_at,
        ata: a.pod_ata_at,
        original_eta: a.pod_original_eta_at,
        timezone: a.pod_timezone,
      },
      destination: a.destination_name
        ? {
            locode: a.destination_locode,
            name: a.destination_name,
            terminal: terminalOf(shipment.one('destination_terminal')),
            eta: a.destination_eta_at,
            ata: a.destination_ata_at,
            timezone: a.destination_timezone,
          }
        : null,
    },
    vessel_at_pod: { name: a.pod_vessel_name, imo: a.pod_vessel_imo, voyage_number: a.pod_voyage_number },
    containers: withContainers ? containersOf(shipment.many('containers')) : 'Set include_containers: true.',
    tracking: pick(a, ...['last_attempted_at', 'last_succeeded_at', 'stopped_at', 'stopped_reason'].map(lineTracking)),
    created_at: a.created_at,
    _metadata: {
      shipment_status: status,
      includes_loaded: ['ports', 'terminals', ...(withContainers ? ['containers'] : [])],
      presentation_guidance: getShipmentDetails.guidance.presentation_guidance,
    },
  };
}

const lineTracking = (name: string) => `line_tracking_${name}`;

function statusOf(a: Row['attributes']): string {
  if (a.destination_ata_at) return 'delivered_to_destination';
  if (a.pod_ata_at) return 'arrived_at_pod';
  if (a.pol_atd_at) return 'in_transit';
  return a.pol_etd_at ? 'awaiting_departure' : 'pending';
}

/** Returns no keys if the place is not known. */
function knownPlace(locode: unknown, name: unknown) {
  return locode ? { locode, name } : {};
}

function portOf(port: Row | null) {
  return port && { id: port.id, code: port.attributes.code, country_code: port.attributes.country_code };
}

function terminalOf(terminal: Row | null) {
  return terminal && { id: terminal.id, ...pick(terminal.attributes, 'name', 'nickname', 'firms_code') };
}

function containersOf(containers: Row[]) {
  return {
    count: containers.length,
    containers: containers.map(({ id, attributes: a }) => ({
      id,
      ...pick(a, 'number', 'equipment_type', 'equipment_length'),
      ...pick(a, 'available_for_pickup', 'pod_arrived_at', 'pod_discharged_at', 'pickup_lfd'),
    })),
  };
}
