import { isRecord } from '../../../jsonapi/document.ts';
import type { Row } from '../rest.ts';

/** Rows of the list tools: the important attributes in groups, and all other attributes in camelCase. */

export function containerRow(container: Row): Record<string, unknown> {
  const { attributes: a } = container;
  const shipment = container.one('shipment');
  return {
    ...camel(
      a,
      Object.keys(a).filter(name => !GROUPED.includes(name)),
    ),
    id: container.id,
    number: a.number,
    status: a.current_status,
    currentStatus: a.current_status,
    equipment: {
      ...{ type: a.equipment_type, length: a.equipment_length, height: a.equipment_height },
      weightLbs: a.weight_in_lbs,
    },
    location: { currentLocation: a.location_at_pod_terminal, ...camel(a, LOCATION) },
    demurrage: { ...camel(a, DEMURRAGE), fees: a.fees_at_pod_terminal, holds: a.holds_at_pod_terminal },
    terminals: {
      podTerminal: terminalOf(container.one('pod_terminal')),
      destinationTerminal: terminalOf(container.one('pickup_facility')),
    },
    rail: camel(a, RAIL),
    events: [],
    shipment: shipment && {
      id: shipment.id,
      billOfLading: shipment.attributes.bill_of_lading_number,
      shippingLineScac: shipment.attributes.shipping_line_scac,
    },
  };
}

const LOCATION = ['available_for_pickup', 'pod_arrived_at', 'pod_discharged_at'];
const DEMURRAGE = ['pickup_lfd', 'pickup_appointment_at'];
const RAIL = [
  ...['pod_rail_carrier_scac', 'ind_rail_carrier_scac', 'pod_rail_loaded_at', 'pod_rail_departed_at'],
  ...['ind_rail_unloaded_at', 'ind_eta_at', 'ind_ata_at'],
];
/** The attributes that are in a group. They are not repeated outside their group. */
const GROUPED = [
  ...['number', 'current_status', 'equipment_type', 'equipment_length', 'equipment_height', 'weight_in_lbs'],
  ...['location_at_pod_terminal', 'fees_at_pod_terminal', 'holds_at_pod_terminal'],
  ...[...LOCATION, ...DEMURRAGE, ...RAIL],
];

/** The short row of the last edition. Keys without a value are left out; empty lists stay. */
export function compactRow(container: Row): Record<string, unknown> {
  const { attributes: a } = container;
  const shipment = container.one('shipment');
  const list = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : undefined);
  const holds = list(a.holds_at_pod_terminal)?.filter(({ status }) => status === 'hold');
  return valued({
    id: container.id,
    number: a.number,
    status: a.current_status,
    available_for_pickup: a.available_for_pickup,
    pod_terminal: container.one('pod_terminal')?.attributes.name,
    ...pick(a, 'pod_arrived_at', 'pod_discharged_at', 'pod_full_out_at', 'pickup_lfd', 'pickup_appointment_at'),
    holds: holds?.map(hold => pick(hold, 'name', 'description')),
    fees: list(a.fees_at_pod_terminal)?.map(fee => ({ ...pick(fee, 'type', 'amount'), currency: fee.currency_code })),
    shipment: shipment && compactShipment(shipment),
    ...pick(a, 'terminal_checked_at', 'pod_timezone'),
  });
}

function compactShipment({ id, attributes: a }: Row): Record<string, unknown> {
  return valued({
    id,
    bill_of_lading: a.bill_of_lading_number,
    shipping_line_scac: a.shipping_line_scac,
    port_of_discharge: a.port_of_discharge_name,
    pod_vessel: a.pod_vessel_name,
    ...pick(a, 'pod_eta_at', 'pod_ata_at'),
  });
}

function valued(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined && value !== null));
}

export function shipmentRow(shipment: Row): Record<string, unknown> {
  const { attributes: a } = shipment;
  return {
    ...camel(a, Object.keys(a)),
    id: shipment.id,
    billOfLading: a.bill_of_lading_number,
    containers: shipment.many('containers').map(({ id, attributes }) => ({ id, number: attributes.number })),
    vesselAtPod: { name: a.pod_vessel_name, imo: a.pod_vessel_imo, voyageNumber: a.pod_voyage_number },
    ports: {
      portOfLading: { locode: a.port_of_lading_locode, name: a.port_of_lading_name },
      portOfDischarge: { locode: a.port_of_discharge_locode, name: a.port_of_discharge_name },
      destination: { locode: a.destination_locode, name: a.destination_name },
    },
    tracking: {
      lastAttemptedAt: a.line_tracking_last_attempted_at,
      lastSucceededAt: a.line_tracking_last_succeeded_at,
      stoppedAt: a.line_tracking_stopped_at,
      stoppedReason: a.line_tracking_stopped_reason,
    },
  };
}

export function trackingRequestRow(request: Row): Record<string, unknown> {
  const { attributes: a } = request;
  const tracked = request.one('tracked_object');
  const reference = tracked && { id: tracked.id };
  return {
    id: request.id,
    ...camel(a, ['request_type', 'request_number', 'status', 'scac', 'ref_numbers']),
    shipment: tracked?.type === 'shipment' ? reference : null,
    container: tracked?.type === 'container' ? reference : null,
    ...camel(a, ['shipment_tags', 'created_at', 'updated_at', 'failed_reason', 'is_retrying', 'retry_count']),
  };
}

function terminalOf(terminal: Row | null) {
  if (terminal === null) return null;
  const { name, nickname, firms_code } = terminal.attributes;
  return { id: terminal.id, name, nickname, firmsCode: firms_code };
}

/** Attributes under their names in camelCase. The keys inside the attributes stay unchanged. */
function camel(attributes: Row['attributes'], names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [camelCase(name), attributes[name]]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Attributes under their original names. */
export function pick(attributes: Row['attributes'], ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [name, attributes[name]]));
}
