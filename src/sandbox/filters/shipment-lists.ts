import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Shipment } from '../state/store.ts';
import { currentEstimate, viewShipment } from '../state/view.ts';
import {
  customerId,
  ownerOf,
  partiesByOwner,
  partiesOf,
  type ShipmentFacts,
  shipmentFacts,
  type TrackedFacts,
  tags,
  tagsAnd,
} from './facts.ts';
import {
  bool,
  code,
  codesOf,
  columnsOf,
  date,
  exact,
  type Filter,
  type Given,
  inOrder,
  instant,
  instantBound,
  literal,
  malformed,
  oneWay,
  type SortValue,
  scalarOf,
  search,
  valuesOf,
} from './list-queries.ts';

/** The attribute `created_at` has no fractions of a second, so the filter compares whole seconds. */
const inSeconds = (time: number) => Math.floor(time / 1000) * 1000;

export const isTracked = ({ backend, shipment }: TrackedFacts) => viewShipment(backend, shipment).stoppedAt === null;

/** The filters of the list of shipments. */
export const SHIPMENT_FILTERS = new Map<string, Filter<ShipmentFacts>>([
  [
    'q',
    search(({ shipment: { number, refNumbers, containers } }) => [
      number,
      ...(refNumbers ?? []),
      ...containers.map(box => box.number),
    ]),
  ],
  ['number', literal(({ shipment }) => shipment.number)],
  ['created_at', instant(({ shipment }) => inSeconds(shipment.createdAt))],
  ['actively_tracked', bool(isTracked)],
  ['tracking_stopped', bool(facts => !isTracked(facts))],
  ['voyage_status', voyageStatus],
  ['arriving_today', oneWay(arrivesToday, 'nothing')],
  ['pod_ata_at', date(({ ship }) => ship.pod_ata_at)],
  ['pod_arrival', date(({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at)],
  ['pod_code', code(({ ship }) => ship.port_of_discharge_locode)],
  ['pod_eta_changed_at', etaChanged],
  ['pod_terminal_id', exact(({ podTerminalId }) => podTerminalId, { array: 'any' })],
  ['pol_code', code(({ ship }) => ship.port_of_lading_locode)],
  ['owner_id', (given, request) => code(ownerOf(request.backend))(given, request)],
  ['creator_id', exact(({ backend }) => backend.ids.of('account'))],
  ['customer_id', customerId],
  // The sandbox has no products.
  ['product', search(() => [])],
  ['party_id', partyId],
  ['tags', (given, request) => (request.filters.has('tag') ? null : tags(given, request))],
  ['tags_and', tagsAnd],
  ['tag', tags],
]);

function voyageStatus(given: Given): (facts: ShipmentFacts) => boolean {
  const status = scalarOf(given);
  if (status === 'arrived') return ({ ship }) => ship.pod_ata_at !== null;
  if (status === 'on_ship') return ({ ship }) => ship.pod_ata_at === null && ship.pod_voyage_number !== null;
  return malformed(given, 'must be arrived or on_ship');
}

function arrivesToday({ backend, ship }: ShipmentFacts): boolean {
  const today = iso(backend.now).slice(0, 10);
  const arrivals = [ship.pod_ata_at, ship.pod_eta_at, ship.destination_ata_at, ship.destination_eta_at];
  return arrivals.some(time => time?.startsWith(today));
}

/** Selects shipments under way whose estimated day of arrival, in local time, has changed since the lower bound. */
function etaChanged(given: Given, { backend }: { backend: Backend }): (facts: ShipmentFacts) => boolean {
  const bounds = valuesOf(given).map(value => instantBound(given, value));
  const isLower = ({ operator }: { operator: string }) => !operator.startsWith('<');
  const since = Math.max(...bounds.filter(isLower).map(({ value }) => value));
  const until = Math.min(...bounds.filter(bound => !isLower(bound)).map(({ value }) => value));
  if (since === -Infinity) malformed(given, 'needs a lower bound');
  if (until <= since) malformed(given, 'needs an upper bound after the lower one');
  return facts => {
    const { shipment, ship } = facts;
    if (!isTracked(facts) || ship.pod_ata_at !== null || ship.pod_eta_at === null) return false;
    const { at, voyage } = viewShipment(backend, shipment);
    const first = voyage.eta[0]?.value ?? null;
    const before = currentEstimate(voyage.eta, Math.max(since, shipment.createdAt)) ?? first;
    const after = currentEstimate(voyage.eta, Math.min(until, at));
    if (before === null || after === null) return false;
    const dayOf = (time: number) => backend.calendar.midnight(voyage.pod.timeZone, time);
    return dayOf(before) !== dayOf(after);
  };
}

const OPERATORS = ['any', 'all'];

/**
 * Selects shipments by a party in any role. In the object form, `value` contains the parties, and `operator` decides if
 * a shipment needs all of them.
 */
function partyId(given: Given, { backend }: { backend: Backend }): (facts: ShipmentFacts) => boolean {
  const value = given.members.get('value');
  const operator = given.members.get('operator');
  const mode = operator === undefined ? 'any' : scalarOf(operator);
  if (!OPERATORS.includes(mode)) malformed(operator ?? given, 'must be any or all');
  const isObject = value !== undefined || operator !== undefined;
  if (isObject && value === undefined) malformed(given, 'has no value');
  const ids = [...codesOf(value ?? given)];
  const roles = partiesByOwner(backend);
  return ({ shipment }) => {
    const parties = partiesOf(shipment, roles, true);
    const has = (id: string) => parties.includes(id);
    return mode === 'all' ? ids.every(has) : ids.some(has);
  };
}

/**
 * The value by which each token of `sort` sorts. With `created_at`, with `-created_at` and without `sort`, the newest
 * shipments come first.
 */
const VALUES = new Map<string, (facts: ShipmentFacts) => SortValue>([
  ['pod_arrival', ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at],
  ['tracking_stopped_at', ({ ship }) => ship.line_tracking_stopped_at],
]);

/**
 * The shipments in the order of `sort`, which is a single token. With an unknown token, the newest shipments come
 * first.
 */
export function shipmentsInOrder(backend: Backend, newestFirst: Shipment[], sort: string | null): Shipment[] {
  const columns = sort?.includes(',') ? [] : columnsOf(sort, VALUES, 1);
  return columns.length === 0 ? newestFirst : inOrder(newestFirst, columns, shipmentFacts(backend));
}
