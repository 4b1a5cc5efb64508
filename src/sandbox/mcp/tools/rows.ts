import { isRecord } from '../../../jsonapi/document.ts';
import type { Row } from '../rest.ts';

/** Rows of the list tools: what matters in groups, and all other attributes in camelCase. */

export function containerRow(container: Row): Record<string, unknown> {
  const { attributes: a } = container;
  const shipment = container.one('shipment');
  return {
    ...others(a, CONTAINER_GROUPS),
    id: container.id,
    number: a.number,
    status: a.current_status,
    currentStatus: a.current_status,
    equipment: {
      type: a.equipment_type,
      length: a.equipment_length,
      height: a.equipment_height,
      weightLbs: a.weight_in_lbs,
    },
    location: {
      currentLocation: a.location_at_pod_terminal,
      availableForPickup: a.available_for_pickup,
      podArrivedAt: a.pod_arrived_at,
      podDischargedAt: a.pod_discharged_at,
    },
    demurrage: {
      pickupLfd: a.pickup_lfd,
      pickupAppointmentAt: a.pickup_appointment_at,
      fees: a.fees_at_pod_terminal,
      holds: a.holds_at_pod_terminal,
    },
    terminals: {
      podTerminal: terminalOf(container.one('pod_terminal')),
      destinationTerminal: terminalOf(container.one('pickup_facility')),
    },
    rail: {
      podRailCarrierScac: a.pod_rail_carrier_scac,
      indRailCarrierScac: a.ind_rail_carrier_scac,
      podRailLoadedAt: a.pod_rail_loaded_at,
      podRailDepartedAt: a.pod_rail_departed_at,
      indRailUnloadedAt: a.ind_rail_unloaded_at,
      indEtaAt: a.ind_eta_at,
      indAtaAt: a.ind_ata_at,
    },
    events: [],
    shipment: shipment && {
      id: shipment.id,
      billOfLading: shipment.attributes.bill_of_lading_number,
      shippingLineScac: shipment.attributes.shipping_line_scac,
    },
  };
}

/** The short row of the last edition. Keys without a value are left out; empty lists stay. */
export function compactRow(container: Row): Record<string, unknown> {
  const { attributes: a } = container;
  const shipment = container.one('shipment');
  const list = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : undefined);
  return valued({
    id: container.id,
    number: a.number,
    status: a.current_status,
    available_for_pickup: a.available_for_pickup,
    pod_terminal: container.one('pod_terminal')?.attributes.name,
    pod_arrived_at: a.pod_arrived_at,
    pod_discharged_at: a.pod_discharged_at,
    pod_full_out_at: a.pod_full_out_at,
    pickup_lfd: a.pickup_lfd,
    pickup_appointment_at: a.pickup_appointment_at,
    holds: list(a.holds_at_pod_terminal)
      ?.filter(({ status }) => status === 'hold')
      .map(({ name, description }) => ({ name, description })),
    fees: list(a.fees_at_pod_terminal)?.map(({ type, amount, currency_code }) => ({
      ...{ type, amount, currency: currency_code },
    })),
    shipment:
      shipment &&
      valued({
        id: shipment.id,
        bill_of_lading: shipment.attributes.bill_of_lading_number,
        shipping_line_scac: shipment.attributes.shipping_line_scac,
        port_of_discharge: shipment.attributes.port_of_discharge_name,
        pod_vessel: shipment.attributes.pod_vessel_name,
        pod_eta_at: shipment.attributes.pod_eta_at,
        pod_ata_at: shipment.attributes.pod_ata_at,
      }),
    terminal_checked_at: a.terminal_checked_at,
    pod_timezone: a.pod_timezone,
  });
}

function valued(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined && value !== null));
}

/** The attributes that stand in a group, and not beside it too. */
const CONTAINER_GROUPS = [
  ...['number', 'current_status', 'equipment_type', 'equipment_length', 'equipment_height', 'weight_in_lbs'],
  ...['location_at_pod_terminal', 'available_for_pickup', 'pod_arrived_at', 'pod_discharged_at'],
  ...['pickup_lfd', 'pickup_appointment_at', 'fees_at_pod_terminal', 'holds_at_pod_terminal'],
  ...['pod_rail_carrier_scac', 'ind_rail_carrier_scac', 'pod_rail_loaded_at', 'pod_rail_departed_at'],
  ...['ind_rail_unloaded_at', 'ind_eta_at', 'ind_ata_at'],
];

export function shipmentRow(shipment: Row): Record<string, unknown> {
  const { attributes: a } = shipment;
  return {
    ...others(a, []),
    id: shipment.id,
    billOfLading: a.bill_of_lading_number,
    shippingLineScac: a.shipping_line_scac,
    customerName: a.customer_name,
    containers: shipment.many('containers').map(({ id, attributes }) => ({ id, number: attributes.number })),
    refNumbers: a.ref_numbers,
    tags: a.tags,
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
    requestType: a.request_type,
    requestNumber: a.request_number,
    status: a.status,
    scac: a.scac,
    refNumbers: a.ref_numbers,
    shipment: tracked?.type === 'shipment' ? reference : null,
    container: tracked?.type === 'container' ? reference : null,
    shipmentTags: a.shipment_tags,
    createdAt: a.created_at,
    updatedAt: a.updated_at,
    failedReason: a.failed_reason,
    isRetrying: a.is_retrying,
    retryCount: a.retry_count,
  };
}

function terminalOf(terminal: Row | null) {
  if (terminal === null) return null;
  const { name, nickname, firms_code } = terminal.attributes;
  return { id: terminal.id, name, nickname, firmsCode: firms_code };
}

/** The keys inside an attribute stay as they are. */
function others(attributes: Row['attributes'], grouped: readonly string[]): Record<string, unknown> {
  const rest = Object.entries(attributes).filter(([name]) => !grouped.includes(name));
  return Object.fromEntries(rest.map(([name, value]) => [camelCase(name), value]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
