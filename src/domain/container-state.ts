import type { ContainerAttributes, TerminalFee, TerminalHold } from '../model/index.ts';
import { type NotAShipment, type PartialOrUndefined, recordArgument } from './record-argument.ts';

/**
 * The place of a container on its journey, in the order of the journey.
 *
 * - `booked`: tracked, and nothing has happened yet.
 * - `at_origin`: the empty container was collected, or the full container is at the port of lading.
 * - `on_ship`: from loading to the arrival at the port of discharge, transshipments included.
 * - `arrived_at_port`: the ship has arrived, and the container is still on board.
 * - `at_port`: discharged, at the port of discharge.
 * - `on_rail`: on a train.
 * - `arrived_inland`: the train has arrived, and the container is still on it.
 * - `at_inland`: at the inland facility.
 * - `picked_up`: the full container has left the last known terminal.
 * - `delivered`: a person has marked it as delivered.
 * - `empty_returned`: the empty container is back.
 * - `unknown`: no fact shows its place.
 */
export type ContainerStage =
  | 'booked'
  | 'at_origin'
  | 'on_ship'
  | 'arrived_at_port'
  | 'at_port'
  | 'on_rail'
  | 'arrived_inland'
  | 'at_inland'
  | 'picked_up'
  | 'delivered'
  | 'empty_returned'
  | 'unknown';

/**
 * The reason why a container cannot be picked up, or why this is not known.
 *
 * - `hold`: at least one hold is active: see `holds`.
 * - `not_available`: the terminal reports that the container is not available.
 * - `fees`: the terminal reports that the container is not available, and that there are fees: see `fees`.
 * - `availability_unknown`: the terminal does not report whether the container is available.
 * - `goes_by_rail`: the container waits at the port for the inland journey.
 * - `not_unloaded`: the container was not unloaded from its ship or train.
 * - `gone`: the container was picked up before.
 */
export type PickupReason =
  | 'hold'
  | 'not_available'
  | 'fees'
  | 'availability_unknown'
  | 'goes_by_rail'
  | 'not_unloaded'
  | 'gone';

/** The place of a container, its readiness for pickup, and the times of its departure and return. */
export interface ContainerState {
  /** Place of the container on its journey. */
  stage: ContainerStage;
  /** Readiness for pickup. `unknown` means that no source reports the readiness: do not treat it as `no`. */
  pickup: 'yes' | 'no' | 'unknown';
  /** The reasons for `no` or `unknown`, the most important first. Empty if the container can be picked up. */
  reasons: PickupReason[];
  /** The active holds; empty after the container has left. */
  holds: TerminalHold[];
  /** The fees to be paid, as the terminal lists them; empty after the container has left. Fees alone do not prevent a pickup. */
  fees: TerminalFee[];
  /** The last time at which the container left a port or an inland facility on a truck; `null` if not known. */
  gateOut: {
    /** The time, as the service sent it. */
    at: string;
    /** IANA time zone of the place; `null` if the service sent none. */
    timezone: string | null;
    /** The kind of place that the container left. */
    place: 'port' | 'inland';
  } | null;
  /** The time at which a person marked the container as delivered, as the service sent it. A gate-out is not a delivery. */
  deliveredAt: string | null;
  /** The return of the empty container; `null` if not known. */
  emptyReturn: {
    /** The time, as the service sent it. */
    at: string;
    /** IANA time zone of the place; `null` if the service sent none. */
    timezone: string | null;
  } | null;
}

export type StateFacts = PartialOrUndefined<
  Pick<
    ContainerAttributes,
    | 'current_status'
    | 'availability_known'
    | 'available_for_pickup'
    | 'holds_at_pod_terminal'
    | 'fees_at_pod_terminal'
    | 'empty_out_at'
    | 'pol_full_in_at'
    | 'pol_vessel_loaded_at'
    | 'pol_vessel_departed_at'
    | 'pod_arrived_at'
    | 'pod_discharged_at'
    | 'pod_full_out_at'
    | 'pod_rail_loaded_at'
    | 'pod_rail_departed_at'
    | 'ind_eta_at'
    | 'ind_ata_at'
    | 'ind_rail_unloaded_at'
    | 'ind_facility_lfd_on'
    | 'import_deadlines'
    | 'final_destination_full_out_at'
    | 'delivered_at'
    | 'empty_terminated_at'
    | 'pod_timezone'
    | 'final_destination_timezone'
    | 'empty_terminated_timezone'
  >
>;

/**
 * The state of a container: its place, its readiness for pickup with the reasons, and its departure and return.
 * `isReadyForPickup()`, the pickups of `sync` and the MCP server use the same rule.
 *
 * - If a time shows that the container left, this time takes precedence over `current_status`. `current_status` takes
 *   precedence over all other times. A status that this version does not know is ignored.
 * - `pod_full_out_at` does not end a journey that continues inland.
 * - A container at a terminal can be picked up if the terminal reports the container as available and no hold is
 *   active. Fees do not prevent the pickup.
 * - If no source reports the availability, `pickup` is `unknown`. It is `no` only if a known fact prevents a pickup: a hold,
 *   a ship, a train, or the inland journey.
 *
 * @param container a container from the client, a webhook or a database. Keys may be missing.
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included.
 * @example
 * const { stage, pickup, reasons, holds } = containerState(container);
 * if (pickup === 'no') console.log(stage, reasons, holds.map(({ name }) => name));
 */
export function containerState(container: StateFacts & NotAShipment): ContainerState {
  return readState(recordArgument('container', container));
}

/** The state that follows from these facts. It never throws. */
export function readState(facts: StateFacts): ContainerState {
  const stage = stageOf(facts);
  const { pickup, reasons } = pickupOf(facts, stage);
  const isGone = hasGone(stage);
  return {
    stage,
    pickup,
    reasons,
    holds: isGone ? [] : activeHolds(facts),
    fees: isGone ? [] : objects(facts.fees_at_pod_terminal),
    gateOut: gateOutOf(facts),
    deliveredAt: text(facts.delivered_at),
    emptyReturn: timeOf(facts.empty_terminated_at, facts.empty_terminated_timezone),
  };
}

/** True if the container was picked up, whatever happened later. */
export function hasGone(stage: ContainerStage): boolean {
  return ['picked_up', 'delivered', 'empty_returned'].includes(stage);
}

/**
 * True if the record has facts about a rail journey. The time zone of the destination alone does not show how the
 * container gets there.
 */
export function hasRailFacts(facts: StateFacts): boolean {
  return isText(facts.ind_eta_at) || hasBeenOnRail(facts);
}

function stageOf(facts: StateFacts): ContainerStage {
  const { current_status: status } = facts;
  if (isText(facts.empty_terminated_at) || status === 'empty_returned') return 'empty_returned';
  if (isText(facts.delivered_at) || status === 'delivered') return 'delivered';
  const hasLeftPort = isText(facts.pod_full_out_at) && !goesInland(facts);
  if (isText(facts.final_destination_full_out_at) || status === 'picked_up' || hasLeftPort) return 'picked_up';

  const byTimes = stageByTimes(facts);
  switch (status) {
    case 'available':
    case 'not_available':
    case 'grounded':
    case 'off_dock':
      return hasComeInland(facts) ? 'at_inland' : 'at_port';
    case 'awaiting_inland_transfer':
      return 'at_port';
    case 'on_rail':
      return byTimes === 'arrived_inland' || byTimes === 'at_inland' ? byTimes : 'on_rail';
    case 'on_ship':
      return byTimes === undefined || byTimes === 'at_origin' ? 'on_ship' : byTimes;
    case 'new':
      return byTimes ?? 'booked';
    default:
      // Without a known status, the report of the terminal is the latest fact.
      return isReleased(facts) && isBefore(byTimes) ? 'at_port' : (byTimes ?? 'unknown');
  }
}

/** True if the container was not yet unloaded from the ship that goes to the port of discharge. */
function isBefore(stage: ContainerStage | undefined): boolean {
  return stage === undefined || ['booked', 'at_origin', 'on_ship', 'arrived_at_port'].includes(stage);
}

/**
 * The stage of the latest step that has a time. If an inland terminal reports a container as available, the container
 * is at that place, even if no step says so.
 */
function stageByTimes(facts: StateFacts): ContainerStage | undefined {
  if (isText(facts.ind_rail_unloaded_at)) return 'at_inland';
  if (isText(facts.ind_ata_at)) return isReleased(facts) ? 'at_inland' : 'arrived_inland';
  if (isText(facts.pod_rail_loaded_at) || isText(facts.pod_rail_departed_at)) return 'on_rail';
  if (isText(facts.pod_full_out_at)) {
    if (isReleased(facts)) return 'at_inland';
    // The container left the port on a truck to a rail ramp. Its gate-out at the ramp is not known yet.
    return hasRailDeadline(facts) ? 'unknown' : 'picked_up';
  }
  if (isText(facts.pod_discharged_at)) return 'at_port';
  if (isText(facts.pod_arrived_at)) return 'arrived_at_port';
  if (isText(facts.pol_vessel_loaded_at) || isText(facts.pol_vessel_departed_at)) return 'on_ship';
  if (isText(facts.pol_full_in_at) || isText(facts.empty_out_at)) return 'at_origin';
  return undefined;
}

/** True if the journey continues after the port, by any means. */
export function goesInland(facts: StateFacts): boolean {
  const { current_status: status, final_destination_timezone } = facts;
  const isOnItsWay = status === 'awaiting_inland_transfer' || status === 'on_rail';
  return isOnItsWay || hasRailFacts(facts) || hasRailDeadline(facts) || isText(final_destination_timezone);
}

function hasRailDeadline({ import_deadlines, ind_facility_lfd_on }: StateFacts): boolean {
  return isText(import_deadlines?.pickup_lfd_rail) || isText(ind_facility_lfd_on);
}

/** For a container at a terminal: true if this terminal is the inland terminal. */
function hasComeInland(facts: StateFacts): boolean {
  return isText(facts.pod_full_out_at) || hasBeenOnRail(facts);
}

function hasBeenOnRail(facts: StateFacts): boolean {
  const { pod_rail_loaded_at, pod_rail_departed_at, ind_ata_at, ind_rail_unloaded_at } = facts;
  return [pod_rail_loaded_at, pod_rail_departed_at, ind_ata_at, ind_rail_unloaded_at].some(isText);
}

function pickupOf(facts: StateFacts, stage: ContainerStage): Pick<ContainerState, 'pickup' | 'reasons'> {
  if (hasGone(stage)) return { pickup: 'no', reasons: ['gone'] };
  if (stage === 'on_rail' || stage === 'arrived_inland') return { pickup: 'no', reasons: ['not_unloaded'] };
  const held: PickupReason[] = activeHolds(facts).length > 0 ? ['hold'] : [];
  if (isBefore(stage)) return { pickup: 'no', reasons: ['not_unloaded', ...held] };
  if (isReleased(facts)) return held.length > 0 ? { pickup: 'no', reasons: held } : { pickup: 'yes', reasons: [] };
  if (facts.current_status === 'awaiting_inland_transfer') return { pickup: 'no', reasons: [...held, 'goes_by_rail'] };
  if (isRefused(facts)) {
    const due: PickupReason[] = objects(facts.fees_at_pod_terminal).length > 0 ? ['fees'] : [];
    return { pickup: 'no', reasons: [...held, ...due, 'not_available'] };
  }
  return { pickup: held.length > 0 ? 'no' : 'unknown', reasons: [...held, 'availability_unknown'] };
}

/** True if the terminal reports the container as available. Webhook payloads may lack `availability_known`. */
function isReleased({ availability_known, available_for_pickup }: StateFacts): boolean {
  return available_for_pickup === true && availability_known !== false;
}

function isRefused({ availability_known, available_for_pickup }: StateFacts): boolean {
  return available_for_pickup === false && (availability_known === true || availability_known === undefined);
}

function activeHolds({ holds_at_pod_terminal }: StateFacts): TerminalHold[] {
  return objects(holds_at_pod_terminal).filter(({ status }) => status === 'hold');
}

function gateOutOf(facts: StateFacts): ContainerState['gateOut'] {
  const inland = timeOf(facts.final_destination_full_out_at, facts.final_destination_timezone);
  if (inland !== null) return { ...inland, place: 'inland' };
  const port = timeOf(facts.pod_full_out_at, facts.pod_timezone);
  return port && { ...port, place: 'port' };
}

function timeOf(at: unknown, timezone: unknown): { at: string; timezone: string | null } | null {
  return isText(at) ? { at, timezone: text(timezone) } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function text(value: unknown): string | null {
  return isText(value) ? value : null;
}

/** The objects in a value that should be a list of objects. The service may send any value. */
export function objects<T extends object>(list: readonly T[] | null | undefined): T[] {
  return Array.isArray(list) ? list.filter(item => typeof item === 'object' && item !== null) : [];
}

/**
 * True if a container can be picked up: the terminal reports that it is available, no hold is active
 * (docs/service/records.md#readiness), and no known fact shows that the container has left, or is on a ship or a train.
 * The result is the same as `containerState(container).pickup === 'yes'`. `containerState()` also returns the reasons,
 * and distinguishes “no” from “not known”.
 *
 * If `availability_known` is `false`, the result is `false`: the service has no data from the terminal, so
 * `available_for_pickup` is meaningless. If `availability_known` is missing in a webhook payload, it counts as `true`.
 * A hold that is only expected (`pending`) does not count, and fees do not count.
 *
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included.
 */
export function isReadyForPickup(container: StateFacts & NotAShipment): boolean {
  return containerState(container).pickup === 'yes';
}
