import type { Backend } from '../state/backend.ts';
import { lastRefreshedFirst } from '../state/refresh.ts';
import type { Container } from '../state/store.ts';
import { attentionRank } from './attention.ts';
import { type ContainerFacts, containerFacts, effective } from './facts.ts';
import { columnsOf, inOrder, type SortValue } from './order.ts';

const MOST_TOKENS = 3;
/** It stands alone, and has no descending form. */
const ATTENTION = 'attention_priority';

/** What each token of `sort` sorts by. */
const VALUES = new Map<string, (facts: ContainerFacts) => SortValue>([
  ['arrival', ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at],
  ['created_at', ({ container }) => container.createdAt],
  ['updated_at', facts => facts.changedAt],
  ['shipment_number', ({ shipment }) => shipment.number],
  ['destination_ata_at', ({ ship }) => ship.destination_ata_at],
  ['destination_eta_at', ({ ship }) => ship.destination_eta_at],
  ['empty_terminated_at', ({ box }) => box.empty_terminated_at],
  ['final_destination_full_out_at', ({ box }) => box.final_destination_full_out_at],
  ['last_status_refresh_at', facts => facts.refreshedAt],
  ['picked_up_at', ({ box }) => box.pod_full_out_at ?? box.final_destination_full_out_at],
  ['delivered_at', ({ box }) => box.delivered_at],
  // The sandbox has no appointments for deliveries.
  ['delivery_appointment_at', () => null],
  ['pickup_lfd', ({ box }) => box.pickup_lfd],
  ['pickup_lfd_line_on', ({ box }) => box.import_deadlines?.pickup_lfd_line],
  ['pickup_lfd_line_effective_on', ({ box }) => effective(box.import_deadlines?.pod?.line)],
  ['pickup_lfd_line_ind_effective_on', facts => inlandDayOfLine(facts)],
  ['pickup_lfd_line_ind_on', facts => inlandDayOfLine(facts)],
  ['ind_lfd', ({ box }) => box.ind_facility_lfd_on],
  ['pickup_lfd_rail_on', ({ box }) => box.import_deadlines?.pickup_lfd_rail],
  ['pickup_lfd_rail_effective_on', ({ box }) => box.import_deadlines?.pickup_lfd_rail],
  ['pickup_lfd_terminal_on', ({ box }) => box.import_deadlines?.pickup_lfd_terminal],
  ['pickup_lfd_terminal_effective_on', ({ box }) => effective(box.import_deadlines?.pod?.facility)],
  ['pod_arrived_at', ({ box }) => box.pod_arrived_at],
  ['pod_discharged_at', ({ box }) => box.pod_discharged_at],
  ['pod_eta_at', ({ ship }) => ship.pod_eta_at],
  ['inland_destination_rail_unloaded_at', ({ box }) => box.ind_rail_unloaded_at],
  ['inland_destination_eta_at', ({ box }) => box.ind_eta_at],
  ['inland_destination_ata_at', ({ box }) => box.ind_ata_at],
  ['pod_rail_loaded_at', ({ box }) => box.pod_rail_loaded_at],
  ['pol_full_in_at', ({ box }) => box.pol_full_in_at],
  ['empty_out_at', ({ box }) => box.empty_out_at],
  ['pol_vessel_loaded_at', ({ box }) => box.pol_vessel_loaded_at],
  ['pol_vessel_departed_at', ({ box }) => box.pol_vessel_departed_at],
]);

/** The shipping line's day counts at the inland destination, if there is one. */
function inlandDayOfLine({ box, ship }: ContainerFacts): SortValue {
  return ship.destination_locode === null ? null : box.import_deadlines?.pickup_lfd_line;
}

/** The containers in the order of `sort`, or of the service's default. */
export function containersInOrder(backend: Backend, newestFirst: Container[], sort: string | null): Container[] {
  const factsOf = containerFacts(backend);
  if (sort === ATTENTION) {
    return inOrder(newestFirst, [{ value: attentionRank, isDescending: false }], factsOf);
  }
  const columns = columnsOf(sort, VALUES, MOST_TOKENS);
  const [only] = columns;
  if (only === undefined || (columns.length === 1 && sorts('last_status_refresh_at', only) && only.isDescending)) {
    return lastRefreshedFirst(backend, newestFirst);
  }
  return inOrder(tieBroken(newestFirst, columns), columns, factsOf);
}

type Column = ReturnType<typeof columnsOf<ContainerFacts>>[number];

function sorts(token: string, { value }: Column): boolean {
  return value === VALUES.get(token);
}

/** The order of those that are equal: many can be created, or changed, at the same time of a clock that stands still. */
function tieBroken(newestFirst: Container[], columns: Column[]): Container[] {
  if (columns.some(column => sorts('updated_at', column))) {
    return newestFirst.toSorted((a, b) => (b.touch ?? 0) - (a.touch ?? 0));
  }
  const isOldestFirst = columns.some(column => sorts('created_at', column) && !column.isDescending);
  return isOldestFirst ? newestFirst.toReversed() : newestFirst;
}
