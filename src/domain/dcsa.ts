import type { TransportEventName } from '../model/index.ts';

/** A mode of transport, as in the code list of DCSA. */
export type DcsaMode = 'VESSEL' | 'RAIL' | 'TRUCK' | 'BARGE';

/** An event of a container, for example that it is loaded or passes a gate. */
export interface DcsaEquipmentEvent {
  /** The group of events (`eventType`). */
  type: 'EQUIPMENT';
  /** The event (`equipmentEventTypeCode`). `AVPU`, available for pickup, exists since version 3 of the standard. */
  code: 'LOAD' | 'DISC' | 'GTIN' | 'GTOT' | 'DROP' | 'AVPU';
  /** `ACT`: it has happened. `EST`: it is expected. `PLN` does not occur: the service has no plans. */
  classifier: 'ACT' | 'EST';
  /** The container is empty or laden (`emptyIndicatorCode`). */
  emptyIndicator: 'EMPTY' | 'LADEN';
  /** Mode of transport (`modeOfTransport`); `null` if the event does not show it. */
  mode: DcsaMode | null;
}

/** An event of a means of transport: it arrives or departs. */
export interface DcsaTransportEvent {
  /** The group of events (`eventType`). */
  type: 'TRANSPORT';
  /** The event (`transportEventTypeCode`). */
  code: 'ARRI' | 'DEPA';
  /** `ACT`: it has happened. `EST`: it is expected. `PLN` does not occur: the service has no plans. */
  classifier: 'ACT' | 'EST';
  /** Always `null`: a means of transport is neither empty nor laden. */
  emptyIndicator: null;
  /** Mode of transport (`modeOfTransport`); `null` if the event does not show it. */
  mode: DcsaMode | null;
}

/** An event in the codes of DCSA. The type `SHIPMENT` does not occur, because it is for bookings and documents. */
export type DcsaEvent = DcsaEquipmentEvent | DcsaTransportEvent;

/** The names of events that {@link toDcsa} knows. */
type Name = TransportEventName | 'shipment.estimated.arrival';

type Codes =
  | readonly [
      code: DcsaEquipmentEvent['code'],
      emptyIndicator: DcsaEquipmentEvent['emptyIndicator'],
      mode: DcsaMode | null,
    ]
  | readonly [code: DcsaTransportEvent['code'], emptyIndicator: null, mode: DcsaMode | null];

/**
 * For each event: its code, whether the container is empty or laden, and the mode of transport. `null` if the standard
 * for track and trace has no equivalent.
 *
 * A feeder may be a vessel or a barge. A truck, a train or a barge may pass a gate at the origin or a depot. The mode is `null`
 * if the event does not show it.
 */
const CODES: Readonly<Record<Name, Codes | null>> = {
  'container.transport.empty_out': ['GTOT', 'EMPTY', null],
  'container.transport.full_in': ['GTIN', 'LADEN', null],
  'container.transport.vessel_loaded': ['LOAD', 'LADEN', 'VESSEL'],
  'container.transport.vessel_departed': ['DEPA', null, 'VESSEL'],
  'container.transport.transshipment_arrived': ['ARRI', null, 'VESSEL'],
  'container.transport.transshipment_discharged': ['DISC', 'LADEN', 'VESSEL'],
  'container.transport.transshipment_loaded': ['LOAD', 'LADEN', 'VESSEL'],
  'container.transport.transshipment_departed': ['DEPA', null, 'VESSEL'],
  'container.transport.feeder_arrived': ['ARRI', null, null],
  'container.transport.feeder_discharged': ['DISC', 'LADEN', null],
  'container.transport.feeder_loaded': ['LOAD', 'LADEN', null],
  'container.transport.feeder_departed': ['DEPA', null, null],
  'container.transport.vessel_arrived': ['ARRI', null, 'VESSEL'],
  // The standard has no code for berthing: `ARRI` is the arrival at the port, and the event for this arrival is
  // `vessel_arrived`.
  'container.transport.vessel_berthed': null,
  'container.transport.vessel_discharged': ['DISC', 'LADEN', 'VESSEL'],
  'container.transport.available': ['AVPU', 'LADEN', null],
  'container.transport.not_available': null,
  'container.transport.full_out': ['GTOT', 'LADEN', 'TRUCK'],
  'container.transport.delivered': ['DROP', 'LADEN', null],
  'container.transport.empty_in': ['GTIN', 'EMPTY', null],
  'container.transport.rail_loaded': ['LOAD', 'LADEN', 'RAIL'],
  'container.transport.rail_departed': ['DEPA', null, 'RAIL'],
  'container.transport.rail_arrived': ['ARRI', null, 'RAIL'],
  'container.transport.rail_unloaded': ['DISC', 'LADEN', 'RAIL'],
  'container.transport.arrived_at_inland_destination': ['ARRI', null, 'RAIL'],
  'container.transport.estimated.vessel_departed': ['DEPA', null, 'VESSEL'],
  'container.transport.estimated.vessel_arrived': ['ARRI', null, 'VESSEL'],
  'container.transport.estimated.arrived_at_inland_destination': ['ARRI', null, 'RAIL'],
  'shipment.estimated.arrival': ['ARRI', null, 'VESSEL'],
  // Deadlines and appointments are not events of a container, so they have no codes.
  'container.pickup_lfd.changed': null,
  'container.pickup_lfd_line.changed': null,
  'container.pickup_lfd_terminal.changed': null,
  'container.pickup_lfd_rail.changed': null,
  'container.pickup_appointment.changed': null,
};

/**
 * An event in the codes of the DCSA standard for track and trace: type, code, classifier, empty or laden, mode of transport.
 * The page `docs/reference/dcsa.md` has the whole table.
 *
 * @param event a transport event, an estimate, a milestone, or a notification about one of them.
 * @returns `undefined` for an event without an equivalent, and for an unknown event.
 * @example
 * const codes = toDcsa(event);
 * if (codes?.type === 'EQUIPMENT') console.log(codes.code, codes.emptyIndicator, event.timestamp);
 */
export function toDcsa(event: { readonly event: string }): DcsaEvent | undefined {
  const name = event?.event;
  const codes = Object.hasOwn(CODES, name) ? CODES[name as Name] : null;
  if (codes === null) return undefined;
  const [code, emptyIndicator, mode] = codes;
  const classifier = name.includes('.estimated.') ? 'EST' : 'ACT';
  return emptyIndicator === null
    ? { type: 'TRANSPORT', code, classifier, emptyIndicator, mode }
    : { type: 'EQUIPMENT', code, classifier, emptyIndicator, mode };
}
