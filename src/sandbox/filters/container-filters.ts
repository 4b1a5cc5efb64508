import { asContainerNumber } from '../base/container-number.ts';
import { DAY, iso } from '../base/time.ts';
import { HttpError, plainErrors } from '../http/errors.ts';
import { viewShipment } from '../state/view.ts';
import { needsAttention } from './attention.ts';
import { customFields } from './custom-field-filter.ts';
import {
  type ContainerFacts,
  customerId,
  effective,
  ownerOf,
  partiesByOwner,
  partiesOf,
  tags,
  tagsAnd,
} from './facts.ts';
import {
  bool,
  codeList,
  date,
  dayOf,
  exact,
  type Filter,
  type FilterRequest,
  type Given,
  malformed,
  oneWay,
  search,
} from './filter-values.ts';
import { parties } from './party-filter.ts';
import { isTracked } from './shipment-filters.ts';

const terminalDays = ({ box }: ContainerFacts) => box.import_deadlines;

/** The filters of the list of containers. */
export const CONTAINER_FILTERS = new Map<string, Filter<ContainerFacts>>([
  ['number', exact(({ container }) => container.number, { normal: asContainerNumber })],
  ['pol', exact(({ ship }) => ship.port_of_lading_name)],
  ['pod', exact(({ ship }) => ship.port_of_discharge_name)],
  ['destination', exact(({ ship }) => ship.destination_name)],
  ['pol_code', exact(({ ship }) => ship.port_of_lading_locode)],
  ['pod_code', exact(({ ship }) => ship.port_of_discharge_locode)],
  ['destination_code', exact(({ ship }) => ship.destination_locode)],
  ['shipping_line_scac', exact(({ shipment }) => shipment.carrier.scac)],
  ['customer_id', customerId],
  ['customer_name', customerName],
  ['vessel_name', exact(({ ship }) => ship.pod_vessel_name)],
  ['pod_terminal_id', exact(({ podTerminalId }) => podTerminalId)],

  ['current_status', exact(({ box }) => box.current_status)],
  ['has_fees', bool(({ box }) => some(box.fees_at_pod_terminal))],
  ['has_demurrage_fees', bool(hasDemurrage)],
  ['has_holds', bool(({ box }) => some(box.holds_at_pod_terminal))],
  ['has_fees_or_holds', bool(hasFeesOrHolds)],
  // Nobody can mark a container in the sandbox: `false` selects all.
  ['requires_attention', requiresAttention],
  ['eta_changed_in_last_24h', oneWay(facts => hasNewEstimate(facts, DAY), 'the same')],
  ['eta_changed_in_past_3_days', oneWay(facts => hasNewEstimate(facts, 3 * DAY), 'the same')],
  ['actively_tracked', bool(isTracked)],

  [
    'search_by_ids',
    search(
      ({ container, shipment }) => [
        container.number,
        shipment.number,
        ...container.refNumbers,
        ...(shipment.refNumbers ?? []),
      ],
      { mark: true },
    ),
  ],
  ['search_by_number', search(({ container }) => [container.number], { mark: true })],
  ['search_by_shipment_number', search(({ shipment }) => [shipment.number], { mark: true })],
  ['search_by_shipment_ref_numbers', search(({ shipment }) => shipment.refNumbers ?? [], { mark: true })],
  ['search_by_ref_numbers', search(({ container }) => container.refNumbers, { mark: true })],
  ['search_by_owner_id', (given, request) => codeList(ownerOf(request.backend))(given, request)],

  ['created_at', date(({ container }) => iso(container.createdAt))],
  ['updated_at', date(facts => iso(facts.changedAt))],
  ['empty_out_at', date(({ box }) => box.empty_out_at)],
  ['pol_full_in_at', date(({ box }) => box.pol_full_in_at)],
  ['pol_vessel_loaded_at', date(({ box }) => box.pol_vessel_loaded_at)],
  ['pol_vessel_departed_at', date(({ box }) => box.pol_vessel_departed_at)],
  ['pol_etd_at', date(({ ship }) => ship.pol_etd_at)],
  ['pol_atd_at', date(({ ship }) => ship.pol_atd_at)],
  ['arrival', date(({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at)],
  ['pod_arrived_at', date(({ box }) => box.pod_arrived_at)],
  ['pod_discharged_at', date(({ box }) => box.pod_discharged_at)],
  ['picked_up_at', date(({ box }) => box.pod_full_out_at ?? box.final_destination_full_out_at)],
  ['delivered_at', date(({ box }) => box.delivered_at)],
  ['empty_returned_at', date(({ box }) => box.empty_terminated_at)],
  ['pod_rail_departed_at', date(({ box }) => box.pod_rail_departed_at)],
  ['inland_destination_eta_at', date(({ box }) => box.ind_eta_at)],
  ['inland_destination_ata_at', date(({ box }) => box.ind_ata_at)],
  ['inland_destination_rail_unloaded_at', date(({ box }) => box.ind_rail_unloaded_at)],
  ['final_destination_full_out_at', date(({ box }) => box.final_destination_full_out_at)],
  ['pickup_lfd', date(({ box }) => box.pickup_lfd)],
  ['pickup_lfd_line_on', date(facts => terminalDays(facts)?.pickup_lfd_line)],
  ['pickup_lfd_terminal_on', date(facts => terminalDays(facts)?.pickup_lfd_terminal)],
  ['pickup_lfd_rail_on', date(facts => terminalDays(facts)?.pickup_lfd_rail)],
  ['pickup_lfd_line_effective_on', date(facts => effective(terminalDays(facts)?.pod?.line))],
  ['pickup_lfd_terminal_effective_on', date(facts => effective(terminalDays(facts)?.pod?.facility))],

  ['last_free_day_on', lastFreeDay],
  ['tags', tags],
  ['tags_and', tagsAnd],
  ['parties', parties],
  ['custom_fields', customFields],

  ['pod_eta_at', broken],
  ['pod_ata_at', broken],
]);

/** `undefined` for a list that was not reported. */
function some(list: readonly unknown[] | null | undefined): boolean | undefined {
  return list ? list.length > 0 : undefined;
}

function hasFeesOrHolds({ box }: ContainerFacts): boolean | undefined {
  const [fees, holds] = [some(box.fees_at_pod_terminal), some(box.holds_at_pod_terminal)];
  if (fees || holds) return true;
  return fees === false && holds === false ? false : undefined;
}

/** Containers without data from a terminal are left out. */
function hasDemurrage({ box }: ContainerFacts): boolean | undefined {
  if (box.fees_at_pod_terminal?.some(({ type }) => type === 'demurrage')) return true;
  return box.fees_at_pod_terminal && box.terminal_checked_at ? false : undefined;
}

function requiresAttention(given: Given, request: FilterRequest): ((facts: ContainerFacts) => boolean) | null {
  const needs = bool(needsAttention)(given, request);
  return given.scalar === 'true' ? needs : null;
}

/** An estimated arrival, at the port of discharge or inland, has changed in this time. */
function hasNewEstimate({ backend, shipment }: ContainerFacts, ago: number): boolean {
  const { at, voyage } = viewShipment(backend, shipment);
  return [voyage.eta, voyage.destinationEta].some(estimates =>
    estimates.some(
      ({ reportedAt, value }, index) =>
        index > 0 && reportedAt > backend.now - ago && reportedAt <= at && value !== estimates[index - 1]?.value,
    ),
  );
}

const CAN_BE_PICKED_UP: readonly (string | null | undefined)[] = ['available', 'not_available', 'off_dock'];

/** From the first day to the second one, among the containers that can be picked up at the port. */
function lastFreeDay(given: Given, { backend }: FilterRequest): (facts: ContainerFacts) => boolean {
  const [from, to] = given.array;
  const isRange = given.array.length === 2 && given.scalar === undefined && given.members.size === 0;
  if (!isRange || from === undefined || to === undefined) malformed(given, 'takes an array of two dates');
  const [first, last] = [dayOf(given, from, backend), dayOf(given, to, backend)];
  return facts => {
    const { box, ship } = facts;
    if (!CAN_BE_PICKED_UP.includes(box.current_status) || !isTracked(facts)) return false;
    if (ship.destination_locode !== null && ship.destination_locode !== ship.port_of_discharge_locode) return false;
    const day = box.pickup_lfd?.slice(0, 10);
    return day !== undefined && first <= day && day <= last;
  };
}

function customerName(given: Given, request: FilterRequest): ReturnType<Filter<ContainerFacts>> {
  const { backend } = request;
  const roles = partiesByOwner(backend, ({ role }) => role === 'customer');
  const names = ({ shipment }: ContainerFacts) =>
    partiesOf(shipment, roles, true).map(id => backend.store.parties.get(id)?.companyName ?? null);
  return exact(names)(given, request);
}

/** The service answers with an error even for a well-formed value. */
function broken(): never {
  throw new HttpError(500, plainErrors(500));
}
