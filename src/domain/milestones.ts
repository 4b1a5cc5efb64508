import { ConfigurationError } from '../errors.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { ContainerAttributes, Open, Ref, TransportEventAttributes, TransportEventName } from '../model/index.ts';
import { readInstant } from './instant.ts';
import { type LocalTime, localTime } from './local-time.ts';
import { type NotAShipment, type PartialOrUndefined, recordArgument } from './record-argument.ts';

type NameOf<Event> = Event extends `container.transport.estimated.${string}`
  ? never
  : Event extends `container.transport.${infer Name}`
    ? Name
    : never;

/** Name of a milestone: the name of the event without `container.transport.` and `estimated.`. */
export type MilestoneName = NameOf<TransportEventName>;

/** One step of a container's journey. */
export interface Milestone<Event = unknown> {
  /** The name of the event, such as `vessel_arrived`. An estimate has the name of the event that is expected. */
  name: Open<MilestoneName>;
  /** The name in the service: `container.transport.vessel_arrived` or `container.transport.estimated.vessel_arrived`. */
  event: Open<TransportEventName>;
  /** `true` if the milestone is expected, `false` if it has happened. */
  estimated: boolean;
  /** Time of the milestone, as the service sent it. */
  at: string;
  /**
   * IANA time zone of the place. If it is `null`, the service sent none, and `at` is local time that is labelled UTC.
   */
  timezone: string | null;
  /** `at` as local time of the place. */
  local: LocalTime;
  /** UN/LOCODE of the place; `null` if it is not known. */
  locode: string | null;
  /**
   * The transport event from which the milestone was read; `null` if it was read from an attribute of the container.
   */
  source: Event | null;
}

type EventFacts = PartialOrUndefined<
  Pick<TransportEventAttributes, 'timestamp' | 'timezone' | 'created_at' | 'invalidated_at' | 'location_locode'>
> & { readonly event: string };

/** A transport event, or a reference to a transport event that was not included. */
export type EventOrRef = EventFacts | Ref<'transport_event'>;

/** The facts from which the milestones of a container are read. */
export type ContainerFacts<Item = EventOrRef> = PartialOrUndefined<
  Pick<
    ContainerAttributes,
    | 'empty_out_at'
    | 'pol_full_in_at'
    | 'pol_vessel_loaded_at'
    | 'pol_vessel_departed_at'
    | 'pod_arrived_at'
    | 'pod_discharged_at'
    | 'pod_rail_loaded_at'
    | 'pod_rail_departed_at'
    | 'pod_full_out_at'
    | 'ind_eta_at'
    | 'ind_ata_at'
    | 'ind_rail_unloaded_at'
    | 'final_destination_full_out_at'
    | 'delivered_at'
    | 'empty_terminated_at'
    | 'pod_timezone'
    | 'final_destination_timezone'
    | 'empty_terminated_timezone'
  >
> &
  NotAShipment & {
    readonly transport_events?: readonly Item[] | undefined;
    readonly shipment?: { readonly id?: string; readonly pol_timezone?: string | null | undefined } | null | undefined;
  };

/** The transport events among the items. */
export type Included<Item> = Extract<Item, { readonly event: string }>;

/**
 * An array of transport events. The compiler rejects an array that contains only references, because they have no
 * milestones.
 */
export type WithIncluded<Item> = readonly Item[] &
  ([Item] extends [never] ? unknown : [Included<Item>] extends [never] ? { include: ['transport_events'] } : unknown);

const TRANSPORT = 'container.transport.';
const ESTIMATED = 'container.transport.estimated.';

/**
 * The journey of one container in order of time: past and expected milestones.
 *
 * The milestones are read from the `transport_events` of the container if they were included, otherwise from the
 * attributes of the container. A container has no time zone for its attributes `pol_*`. These times are in UTC, or in
 * the `pol_timezone` of the `shipment` if it was included. An array is read as the transport events of one container.
 * References are skipped.
 *
 * - An estimate is left out once the milestone has happened. If there are several estimates, the estimate that was
 *   created last is kept.
 * - Events that were invalidated, and events without a timestamp, are left out.
 * - Changes of deadlines and appointments are not milestones.
 * - A milestone may occur several times: a train arrives at every interchange, and a container may become available
 *   again.
 * - Events at the same time are in the order of `created_at`. A time without a time zone is sorted as if it were UTC.
 *
 * @throws {ConfigurationError} if the argument is missing, is a record of another type, is a reference to a container
 * that was not included, or is an array that contains only references.
 * @example
 * const container = await client.containers.get(id, { include: ['transport_events'] });
 * for (const { local, name, estimated } of milestones(container)) {
 *   console.log(local.text, name, estimated ? '(expected)' : '');
 * }
 */
export function milestones<Item extends EventOrRef>(events: WithIncluded<Item>): Milestone<Included<Item>>[];
export function milestones<Item extends EventOrRef>(container: ContainerFacts<Item>): Milestone<Included<Item>>[];
export function milestones(given: ContainerFacts | readonly EventOrRef[]): Milestone<EventFacts>[] {
  const input = isList(given) ? given : recordArgument('container', given);
  const items = isList(input) ? input : input.transport_events;
  const events = Array.isArray(items) ? items.filter(isIncluded) : [];
  if (events.length > 0) return timeline(events.map(event => milestoneOf(event, event)));
  if (!isList(input)) return timeline(attributesOf(input).map(event => milestoneOf(event, null)));
  if (!input.some(isRecord)) return [];
  throw new ConfigurationError(
    "The transport events were not included: add 'transport_events' to the include of the call.",
  );
}

function isList(input: ContainerFacts | readonly EventOrRef[]): input is readonly EventOrRef[] {
  return Array.isArray(input);
}

function isIncluded(item: EventOrRef): item is EventFacts {
  return isRecord(item) && 'event' in item && typeof item.event === 'string';
}

/** The times of a container as events, with their time zones (docs/service/records.md#milestones). */
function attributesOf(container: ContainerFacts): EventFacts[] {
  const { pod_timezone: port, final_destination_timezone: inland, empty_terminated_timezone: depot } = container;
  const lading = container.shipment?.pol_timezone === undefined ? 'UTC' : container.shipment.pol_timezone;

  return [
    { event: `${TRANSPORT}empty_out`, timestamp: container.empty_out_at, timezone: 'UTC' },
    { event: `${TRANSPORT}full_in`, timestamp: container.pol_full_in_at, timezone: lading },
    { event: `${TRANSPORT}vessel_loaded`, timestamp: container.pol_vessel_loaded_at, timezone: lading },
    { event: `${TRANSPORT}vessel_departed`, timestamp: container.pol_vessel_departed_at, timezone: lading },
    { event: `${TRANSPORT}vessel_arrived`, timestamp: container.pod_arrived_at, timezone: port },
    { event: `${TRANSPORT}vessel_discharged`, timestamp: container.pod_discharged_at, timezone: port },
    { event: `${TRANSPORT}rail_loaded`, timestamp: container.pod_rail_loaded_at, timezone: port },
    { event: `${TRANSPORT}rail_departed`, timestamp: container.pod_rail_departed_at, timezone: port },
    { event: `${TRANSPORT}full_out`, timestamp: container.pod_full_out_at, timezone: port },
    { event: `${ESTIMATED}arrived_at_inland_destination`, timestamp: container.ind_eta_at, timezone: inland },
    { event: `${TRANSPORT}arrived_at_inland_destination`, timestamp: container.ind_ata_at, timezone: inland },
    { event: `${TRANSPORT}rail_unloaded`, timestamp: container.ind_rail_unloaded_at, timezone: inland },
    { event: `${TRANSPORT}full_out`, timestamp: container.final_destination_full_out_at, timezone: inland },
    { event: `${TRANSPORT}delivered`, timestamp: container.delivered_at, timezone: 'UTC' },
    { event: `${TRANSPORT}empty_in`, timestamp: container.empty_terminated_at, timezone: depot },
  ];
}

function milestoneOf(fact: EventFacts, source: EventFacts | null): Milestone<EventFacts> | undefined {
  const { event, timestamp: at, timezone = null, location_locode: locode = null } = fact;
  if (!event.startsWith(TRANSPORT) || fact.invalidated_at) return undefined;

  const local = localTime(at, timezone);
  if (!at || local === undefined) return undefined;

  const estimated = event.startsWith(ESTIMATED);
  const name = event.slice(estimated ? ESTIMATED.length : TRANSPORT.length);
  return { name, event, estimated, at, timezone, local, locode, source };
}

function timeline(candidates: (Milestone<EventFacts> | undefined)[]): Milestone<EventFacts>[] {
  const all = candidates.filter(milestone => milestone !== undefined);
  const happened = all.filter(milestone => !milestone.estimated);
  const names = new Set(happened.map(milestone => milestone.name));

  const expected = all
    .filter(milestone => milestone.estimated && !names.has(milestone.name))
    .sort((a, b) => createdAt(a) - createdAt(b));
  // If a name occurs twice, the later entry replaces the earlier entry.
  const newest = new Map(expected.map(milestone => [milestone.name, milestone]));

  return [...happened, ...newest.values()].sort((a, b) => epochMs(a.at) - epochMs(b.at) || createdAt(a) - createdAt(b));
}

function createdAt(milestone: Milestone<EventFacts>): number {
  return epochMs(milestone.source?.created_at);
}

function epochMs(text: string | null | undefined): number {
  return readInstant(text)?.epochMs ?? 0;
}
