import { LISTS } from '../../model/generated/filter-rules.ts';
import type { CustomFieldValue } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { asContainerNumber } from '../base/container-number.ts';
import { DAY, iso } from '../base/time.ts';
import { HttpError, plainErrors } from '../http/errors.ts';
import { ROLES } from '../service/party-roles.ts';
import type { Backend } from '../state/backend.ts';
import { lastRefreshedFirst } from '../state/refresh.ts';
import type { Container, CustomFieldDefinition } from '../state/store.ts';
import { viewShipment } from '../state/view.ts';
import {
  type ContainerFacts,
  containerFacts,
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
  booleanOf,
  codeList,
  codesOf,
  columnsOf,
  date,
  dayOf,
  dayTest,
  exact,
  type Filter,
  type FilterRequest,
  type Given,
  inOrder,
  malformed,
  oneWay,
  type SortValue,
  scalarOf,
  search,
  type Test,
} from './list-queries.ts';
import { isTracked } from './shipment-lists.ts';

/** A container is near its last free day if two days or less are left. */
const NEAR = 2 * DAY;

/** True if a container can still be picked up and is near its last free day, or past it. */
export function needsAttention({ backend, box }: ContainerFacts): boolean {
  if (!box.pickup_lfd || box.pod_full_out_at || box.final_destination_full_out_at) return false;
  return box.pickup_lfd.slice(0, 10) <= iso(backend.now + NEAR).slice(0, 10);
}

/**
 * A value to sort by. Containers that need attention come before all others. In both groups, the earliest last free day
 * comes first.
 */
export function attentionRank(facts: ContainerFacts): string | null {
  const day = facts.box.pickup_lfd;
  return day ? `${needsAttention(facts) ? 0 : 1} ${day}` : null;
}

type Value = (facts: ContainerFacts) => SortValue;

const dayOfRail: Value = ({ box }) => box.import_deadlines?.pickup_lfd_rail;
/** The shipping line's last free day at the inland destination. `null` if there is no inland destination. */
const dayOfLineInland: Value = ({ box, ship }) =>
  ship.destination_locode === null ? null : box.import_deadlines?.pickup_lfd_line;

/**
 * The values by which containers can be filtered or sorted. The keys are the names of filters or of tokens of `sort`.
 * Most values can be used for filters and for `sort`.
 */
const COLUMNS: Readonly<Record<string, Value>> = {
  number: ({ container }) => container.number,
  pol: ({ ship }) => ship.port_of_lading_name,
  pod: ({ ship }) => ship.port_of_discharge_name,
  destination: ({ ship }) => ship.destination_name,
  pol_code: ({ ship }) => ship.port_of_lading_locode,
  pod_code: ({ ship }) => ship.port_of_discharge_locode,
  destination_code: ({ ship }) => ship.destination_locode,
  shipping_line_scac: ({ shipment }) => shipment.carrier.scac,
  vessel_name: ({ ship }) => ship.pod_vessel_name,
  pod_terminal_id: ({ podTerminalId }) => podTerminalId,
  current_status: ({ box }) => box.current_status,
  shipment_number: ({ shipment }) => shipment.number,

  created_at: ({ container }) => container.createdAt,
  updated_at: facts => facts.changedAt,
  last_status_refresh_at: facts => facts.refreshedAt,
  empty_out_at: ({ box }) => box.empty_out_at,
  pol_full_in_at: ({ box }) => box.pol_full_in_at,
  pol_vessel_loaded_at: ({ box }) => box.pol_vessel_loaded_at,
  pol_vessel_departed_at: ({ box }) => box.pol_vessel_departed_at,
  pol_etd_at: ({ ship }) => ship.pol_etd_at,
  pol_atd_at: ({ ship }) => ship.pol_atd_at,
  arrival: ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at,
  pod_eta_at: ({ ship }) => ship.pod_eta_at,
  pod_arrived_at: ({ box }) => box.pod_arrived_at,
  pod_discharged_at: ({ box }) => box.pod_discharged_at,
  picked_up_at: ({ box }) => box.pod_full_out_at ?? box.final_destination_full_out_at,
  delivered_at: ({ box }) => box.delivered_at,
  // The sandbox has no appointments for deliveries.
  delivery_appointment_at: () => null,
  empty_returned_at: ({ box }) => box.empty_terminated_at,
  empty_terminated_at: ({ box }) => box.empty_terminated_at,
  pod_rail_loaded_at: ({ box }) => box.pod_rail_loaded_at,
  pod_rail_departed_at: ({ box }) => box.pod_rail_departed_at,
  destination_eta_at: ({ ship }) => ship.destination_eta_at,
  destination_ata_at: ({ ship }) => ship.destination_ata_at,
  inland_destination_eta_at: ({ box }) => box.ind_eta_at,
  inland_destination_ata_at: ({ box }) => box.ind_ata_at,
  inland_destination_rail_unloaded_at: ({ box }) => box.ind_rail_unloaded_at,
  final_destination_full_out_at: ({ box }) => box.final_destination_full_out_at,
  ind_lfd: ({ box }) => box.ind_facility_lfd_on,
  pickup_lfd: ({ box }) => box.pickup_lfd,
  pickup_lfd_line_on: ({ box }) => box.import_deadlines?.pickup_lfd_line,
  pickup_lfd_line_effective_on: ({ box }) => effective(box.import_deadlines?.pod?.line),
  pickup_lfd_line_ind_on: dayOfLineInland,
  pickup_lfd_line_ind_effective_on: dayOfLineInland,
  pickup_lfd_terminal_on: ({ box }) => box.import_deadlines?.pickup_lfd_terminal,
  pickup_lfd_terminal_effective_on: ({ box }) => effective(box.import_deadlines?.pod?.facility),
  pickup_lfd_rail_on: dayOfRail,
  pickup_lfd_rail_effective_on: dayOfRail,
};

/**
 * The filters of the list of containers: one filter for each column, of the kind that the column describes, and then
 * special filters.
 */
export const CONTAINER_FILTERS: ReadonlyMap<string, Filter<ContainerFacts>> = new Map([
  ...columnFilters(),
  ...Object.entries<Filter<ContainerFacts>>({
    number: exact(({ container }) => container.number, { normal: asContainerNumber }),
    customer_id: customerId,
    customer_name: customerName,
    has_fees: bool(({ box }) => some(box.fees_at_pod_terminal)),
    has_demurrage_fees: bool(hasDemurrage),
    has_holds: bool(({ box }) => some(box.holds_at_pod_terminal)),
    has_fees_or_holds: bool(hasFeesOrHolds),
    // The value `false` selects the containers that no user has marked. In the sandbox, containers cannot be marked, so
    // `false` selects all containers.
    requires_attention: requiresAttention,
    eta_changed_in_last_24h: oneWay(facts => hasNewEstimate(facts, DAY), 'the same'),
    eta_changed_in_past_3_days: oneWay(facts => hasNewEstimate(facts, 3 * DAY), 'the same'),
    actively_tracked: bool(isTracked),
    search_by_ids: words(({ container, shipment }) => [
      container.number,
      shipment.number,
      ...container.refNumbers,
      ...(shipment.refNumbers ?? []),
    ]),
    search_by_number: words(({ container }) => [container.number]),
    search_by_shipment_number: words(({ shipment }) => [shipment.number]),
    search_by_shipment_ref_numbers: words(({ shipment }) => shipment.refNumbers ?? []),
    search_by_ref_numbers: words(({ container }) => container.refNumbers),
    search_by_owner_id: (given, request) => codeList(ownerOf(request.backend))(given, request),
    last_free_day_on: lastFreeDay,
    tags,
    tags_and: tagsAnd,
    parties,
    custom_fields: customFields,
    pod_eta_at: broken,
    pod_ata_at: broken,
  }),
]);

function* columnFilters(): Generator<[string, Filter<ContainerFacts>]> {
  const { keys } = defined(LISTS['containers.list']?.filter);
  for (const [key, rule] of Object.entries(keys)) {
    const [kind] = [rule].flat();
    const value = COLUMNS[key];
    if (value === undefined) continue;
    if (kind === 'day') yield [key, date(value)];
    else yield [key, exact(facts => value(facts)?.toString())];
  }
}

function words(textsOf: (facts: ContainerFacts) => readonly string[]): Filter<ContainerFacts> {
  return search(textsOf, { mark: true });
}

/** True if a list has entries; `undefined` if the list was not reported. */
function some(list: readonly unknown[] | null | undefined): boolean | undefined {
  return list ? list.length > 0 : undefined;
}

function hasFeesOrHolds({ box }: ContainerFacts): boolean | undefined {
  const [fees, holds] = [some(box.fees_at_pod_terminal), some(box.holds_at_pod_terminal)];
  if (fees || holds) return true;
  return fees === false && holds === false ? false : undefined;
}

/**
 * For a container without data from a terminal, the result is `undefined`, which matches neither `true` nor `false`.
 */
function hasDemurrage({ box }: ContainerFacts): boolean | undefined {
  if (box.fees_at_pod_terminal?.some(({ type }) => type === 'demurrage')) return true;
  return box.fees_at_pod_terminal && box.terminal_checked_at ? false : undefined;
}

function requiresAttention(given: Given, request: FilterRequest): ((facts: ContainerFacts) => boolean) | null {
  const needs = bool(needsAttention)(given, request);
  return given.scalar === 'true' ? needs : null;
}

/** True if an estimated arrival at the port of discharge or inland has changed within the last `ago` ms. */
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

/**
 * Selects containers that can be picked up at the port and whose last free day is between two days. Both days are
 * included.
 */
function lastFreeDay(given: Given, { backend }: FilterRequest): (facts: ContainerFacts) => boolean {
  const [from, to] = given.array;
  const isRange = given.array.length === 2 && given.scalar === undefined && given.members.size === 0;
  if (!isRange || from === undefined || to === undefined) malformed(given, 'must be an array of two dates');
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

/** A filter with which the service always fails, even if the value is well-formed. */
function broken(): never {
  throw new HttpError(500, plainErrors(500));
}

const PRESENT = '@exists';
const ABSENT = '@not_exists';

/** Selects containers by the parties that have a role on the container or its shipment. Unknown roles are ignored. */
export function parties(given: Given, { backend }: { backend: Backend }): Test<ContainerFacts> | null {
  if (given.scalar !== undefined || given.array.length > 0) malformed(given, 'must be an object whose keys are roles');
  const tests = [...given.members].filter(([role]) => ROLES.includes(role)).map(entry => roleTest(backend, ...entry));
  return tests.length === 0 ? null : facts => tests.every(test => test(facts));
}

function roleTest(backend: Backend, role: string, given: Given): Test<ContainerFacts> {
  const ids = codesOf(given);
  const roles = partiesByOwner(backend, other => other.role === role);
  return ({ container, shipment }) => {
    const own = roles.get(container.id) ?? [];
    // The carrier that picks up a container has its role on the container, never on the shipment.
    const found = role === 'pickup_dray_carrier' ? own : [...own, ...partiesOf(shipment, roles, role === 'customer')];
    if (ids.has(found.length > 0 ? PRESENT : ABSENT)) return true;
    return found.some(id => ids.has(id));
  };
}

type ValueTest = (values: readonly CustomFieldValue[]) => boolean;

/** Selects containers by the custom fields of the container or of its shipment. Unknown slugs are ignored. */
export function customFields(given: Given, { backend }: { backend: Backend }): Test<ContainerFacts> | null {
  if (given.scalar !== undefined || given.array.length > 0) malformed(given, 'must be an object whose keys are slugs');
  const tests = [...given.members].flatMap(([slug, wanted]) => fieldTest(backend, slug, wanted) ?? []);
  return tests.length === 0 ? null : facts => tests.every(test => test(facts));
}

function fieldTest(backend: Backend, slug: string, given: Given): Test<ContainerFacts> | null {
  const definitions = backend.store.customFieldDefinitions
    .newestFirst()
    .filter(definition => definition.slug === slug && definition.entityType !== 'TrackingRequest');
  const [definition] = definitions;
  const test = definition && valueTest(definition, given, backend);
  if (!test) return null;
  const values = new Map<string, CustomFieldValue[]>();
  for (const { definition: its, entity, value } of backend.store.customFields.newestFirst()) {
    if (value !== null && definitions.includes(its)) values.set(entity.id, [...(values.get(entity.id) ?? []), value]);
  }
  return ({ container, shipment }) => test([...(values.get(container.id) ?? []), ...(values.get(shipment.id) ?? [])]);
}

/** @returns `null` if lists cannot be filtered by fields of this data type. */
function valueTest({ dataType }: CustomFieldDefinition, given: Given, backend: Backend): ValueTest | null {
  const wanted = scalarOf(given);
  if (dataType === 'reference') return null;
  if (wanted === '@exists') return values => values.length > 0;
  if (wanted === '@not_exists') return values => values.length === 0;
  switch (dataType) {
    case 'short_text':
    case 'enum':
    case 'enum_multi':
      return contains(wanted.split(','));
    case 'boolean': {
      const value = booleanOf(given);
      return values => values.includes(value);
    }
    case 'number':
    case 'decimal': {
      const number = /^-?\d+(?:\.\d+)?$/.test(wanted) ? Number(wanted) : malformed(given, 'must be a number');
      return values => values.includes(number);
    }
    case 'date':
    case 'datetime': {
      const isDay = dayTest(given, wanted, backend);
      return values => values.some(value => isDay(utc(String(value))));
    }
  }
}

/** Selects values that contain any of the texts. Upper and lower case are different. */
function contains(texts: string[]): ValueTest {
  return values => {
    if (texts.includes(values.length > 0 ? '@exists' : '@not_exists')) return true;
    return values.flat().some(value => texts.some(text => String(value).includes(text)));
  };
}

/** Converts a date and time with a UTC offset to UTC, so that it can be compared with the value in the filter. */
function utc(value: string): string {
  return value.length > 10 ? new Date(value).toISOString() : value;
}

/** A token that cannot be combined with other tokens, and has no descending form. */
const ATTENTION = 'attention_priority';

const SORT = defined(LISTS['containers.list']?.sort);
const SORTED = new Map(Object.entries(COLUMNS).filter(([token]) => SORT.tokens.includes(token)));

/** The containers in the order of `sort`. Without `sort`, they have the service's default order. */
export function containersInOrder(backend: Backend, newestFirst: Container[], sort: string | null): Container[] {
  const factsOf = containerFacts(backend);
  if (sort === ATTENTION) {
    return inOrder(newestFirst, [{ value: attentionRank, isDescending: false }], factsOf);
  }
  const columns = columnsOf(sort, SORTED, SORT.most);
  const [first] = columns;
  if (first === undefined) return lastRefreshedFirst(backend, newestFirst);
  if (columns.length === 1 && sorts('last_status_refresh_at', first)) {
    const ordered = lastRefreshedFirst(backend, newestFirst);
    return first.isDescending ? ordered : ordered.reverse();
  }
  return inOrder(tieBroken(newestFirst, columns), columns, factsOf);
}

type Column = ReturnType<typeof columnsOf<ContainerFacts>>[number];

function sorts(token: string, { value }: Column): boolean {
  return value === COLUMNS[token];
}

/**
 * Decides the order of containers with equal values: many containers can be created or changed at the same time if the
 * clock stands still.
 */
function tieBroken(newestFirst: Container[], columns: Column[]): Container[] {
  if (columns.some(column => sorts('updated_at', column))) {
    return newestFirst.toSorted((a, b) => (b.touch ?? 0) - (a.touch ?? 0));
  }
  const isOldestFirst = columns.some(column => sorts('created_at', column) && !column.isDescending);
  return isOldestFirst ? newestFirst.toReversed() : newestFirst;
}
