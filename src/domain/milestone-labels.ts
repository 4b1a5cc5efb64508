import type { ShipmentAttributes } from '../model/index.ts';
import {
  type ContainerFacts,
  type EventOrRef,
  type Included,
  type Milestone,
  type MilestoneName,
  milestones,
  type WithIncluded,
} from './milestones.ts';
import type { PartialOrUndefined } from './record-argument.ts';

/** The key of a label: the name of a milestone, with `estimated.` before it if the milestone is only expected. */
export type MilestoneLabelName = MilestoneName | `estimated.${MilestoneName}`;

/** Labels of milestones in your language. */
export type MilestoneLabels = { readonly [Name in MilestoneLabelName]?: string | undefined };

/** The English labels. Copy and translate them. */
export const MILESTONE_LABELS: Readonly<Record<MilestoneName, string> & MilestoneLabels> = {
  empty_out: 'Empty container released',
  full_in: 'Gate-in at port of lading',
  vessel_loaded: 'Loaded on vessel',
  vessel_departed: 'Vessel departed',
  transshipment_arrived: 'Arrived at transshipment port',
  transshipment_discharged: 'Discharged at transshipment port',
  transshipment_loaded: 'Loaded at transshipment port',
  transshipment_departed: 'Departed from transshipment port',
  feeder_arrived: 'Feeder arrived',
  feeder_discharged: 'Discharged from feeder',
  feeder_loaded: 'Loaded on feeder',
  feeder_departed: 'Feeder departed',
  vessel_arrived: 'Vessel arrived at port of discharge',
  vessel_berthed: 'Vessel berthed',
  vessel_discharged: 'Discharged from vessel',
  available: 'Available for pickup',
  not_available: 'Not available for pickup',
  full_out: 'Gate-out',
  delivered: 'Delivered',
  empty_in: 'Empty container returned',
  rail_loaded: 'Loaded on rail',
  rail_departed: 'Rail departed',
  rail_arrived: 'Rail arrived',
  rail_unloaded: 'Unloaded from rail',
  arrived_at_inland_destination: 'Arrived at inland destination',
  'estimated.vessel_departed': 'Departure of vessel expected',
  'estimated.vessel_arrived': 'Arrival at port of discharge expected',
  'estimated.arrived_at_inland_destination': 'Arrival at inland destination expected',
};

/** A milestone for display, with a label and the names of its place and facility. */
export interface LabelledMilestone<Event = unknown> extends Milestone<Event> {
  /** The event, such as `Vessel departed`, or the expected event. */
  label: string;
  /** Name of the port or the area, such as `Ningbo`; `null` if the records do not contain it. */
  place: string | null;
  /** Name of the terminal or the rail facility; `null` if the records do not contain it. */
  facility: string | null;
}

type ShipmentPlaces = PartialOrUndefined<
  Pick<
    ShipmentAttributes,
    | 'port_of_lading_name'
    | 'port_of_lading_locode'
    | 'port_of_discharge_name'
    | 'port_of_discharge_locode'
    | 'destination_name'
    | 'destination_locode'
  >
>;

/** Records that may contain the names of places. References have no names. */
interface PlaceFacts {
  readonly shipment?: ShipmentPlaces | null | undefined;
  readonly pod_terminal?: object | null | undefined;
  readonly pickup_facility?: object | null | undefined;
  readonly final_destination_full_out_at?: string | null | undefined;
}

type Place = 'lading' | 'discharge' | 'destination';

/**
 * Returns the {@link milestones} of a container. Each milestone has a label, and the names of its place and facility.
 *
 * The names of places come from the `location` and the `terminal` of the events if these were included. Otherwise they
 * come from the ports and the destination of the `shipment` if it was included. Nothing is guessed: a value that the
 * records do not contain is `null`, and `locode` may still identify the place.
 *
 * @param options.labels labels that replace the English labels. If a label is missing, the English label is used.
 * @example
 * const container = await client.containers.get(id, {
 *   include: ['shipment', 'transport_events.location', 'transport_events.terminal'],
 * });
 * for (const { local, label, place } of labelledMilestones(container)) console.log(local.text, label, place ?? '');
 */
export function labelledMilestones<Item extends EventOrRef>(
  events: WithIncluded<Item>,
  options?: { labels?: MilestoneLabels | undefined },
): LabelledMilestone<Included<Item>>[];
export function labelledMilestones<Item extends EventOrRef>(
  container: ContainerFacts<Item> & PlaceFacts,
  options?: { labels?: MilestoneLabels | undefined },
): LabelledMilestone<Included<Item>>[];
export function labelledMilestones(
  given: (ContainerFacts & PlaceFacts) | readonly EventOrRef[],
  options: { labels?: MilestoneLabels | undefined } = {},
): LabelledMilestone[] {
  // The object has no prototype, because an event may be named `valueOf`.
  const labels = Object.assign(Object.create(null), MILESTONE_LABELS, withoutUndefined(options?.labels ?? {}));
  const facts: PlaceFacts = Array.isArray(given) ? {} : (given as PlaceFacts);
  return milestones(given as ContainerFacts).map(milestone => ({
    ...milestone,
    label: labelOf(milestone, labels),
    ...namesOf(milestone, facts),
  }));
}

function withoutUndefined(labels: MilestoneLabels): MilestoneLabels {
  return Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== undefined));
}

/** An unknown milestone is labelled with its name: `barge_arrived` is `Barge arrived`. */
function labelOf({ name, estimated }: Milestone, labels: Readonly<Record<string, string | undefined>>): string {
  const words = name.replaceAll('_', ' ');
  const label = labels[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return estimated ? (labels[`estimated.${name}`] ?? `${label} (expected)`) : label;
}

function namesOf(milestone: Milestone, facts: PlaceFacts): { place: string | null; facility: string | null } {
  const { source, locode } = milestone;
  const { shipment } = facts;
  if (source !== null) {
    const { location, terminal } = source as { location?: unknown; terminal?: unknown };
    return { place: nameOf(location) ?? nameOfCode(locode, shipment), facility: nameOf(terminal) };
  }
  switch (placeOf(milestone, facts)) {
    case 'lading':
      return { place: shipment?.port_of_lading_name || null, facility: null };
    case 'discharge':
      return { place: shipment?.port_of_discharge_name || null, facility: nameOf(facts.pod_terminal) };
    case 'destination':
      return { place: shipment?.destination_name || null, facility: nameOf(facts.pickup_facility) };
    default:
      return { place: null, facility: null };
  }
}

/**
 * The place of a milestone that was read from an attribute of the container (docs/service/records.md#milestones). The
 * gate-outs at the port and at the destination are both named `full_out`.
 */
function placeOf({ name, at }: Milestone, { final_destination_full_out_at }: PlaceFacts): Place | undefined {
  if (name === 'full_out') return at === final_destination_full_out_at ? 'destination' : 'discharge';
  return PLACES[name];
}

/**
 * The records do not contain the places where the empty container was released and returned, nor the place of delivery.
 */
const PLACES: { readonly [name: string]: Place } = {
  full_in: 'lading',
  vessel_loaded: 'lading',
  vessel_departed: 'lading',
  vessel_arrived: 'discharge',
  vessel_discharged: 'discharge',
  rail_loaded: 'discharge',
  rail_departed: 'discharge',
  arrived_at_inland_destination: 'destination',
  rail_unloaded: 'destination',
};

function nameOfCode(locode: string | null, shipment: ShipmentPlaces | null | undefined): string | null {
  if (!locode || !shipment) return null;
  if (locode === shipment.port_of_discharge_locode) return shipment.port_of_discharge_name || null;
  if (locode === shipment.port_of_lading_locode) return shipment.port_of_lading_name || null;
  return (locode === shipment.destination_locode && shipment.destination_name) || null;
}

/** Name of a record; `null` for a reference, which has no name. */
function nameOf(record: unknown): string | null {
  const { name } = Object(record) as { name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name : null;
}
