import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isIdentifier, isRecord } from '../jsonapi/document.ts';
import type { DateTime } from '../model/index.ts';
import { type Alert, alertOf, type EstimateMoved, type Finding, type Origin } from './alerts.ts';
import {
  type ContainerFacts,
  compare,
  daysBetween,
  deadlinesOf,
  estimateAlert,
  movedDay,
  text,
} from './changes-between.ts';
import { readState } from './container-state.ts';
import { isReference } from './record-argument.ts';

/** A notification of a webhook. */
export interface ChangeNotification {
  /** Name of the resource type. */
  readonly type: 'webhook_notification';
  /** Name of the event. */
  readonly event: string;
}

/** An item of a feed. */
export interface ChangedItem {
  /** Kind of the item. Only `changed` has alerts. */
  readonly kind: string;
  /** Time of the reading. */
  readonly at: DateTime;
}

type Fields = Readonly<Record<string, unknown>>;
type Identified = { readonly id: string; readonly number?: unknown; readonly bill_of_lading_number?: unknown };

/**
 * The alerts of a change: an estimate has moved, a hold was added or cleared, a fee was added or has changed, a last free day has
 * moved, a container became available or unavailable, a shipment was rolled to another vessel or has missed its transshipment.
 * A change that it does not recognise has no alerts.
 *
 * - In a notification, it reads the `changeset`, the estimate and the deadline. Some notifications do not contain the
 *   previous value, and some do not contain the number of the container: `docs/guides/alerts.md` lists the gaps.
 * - In an item of a feed with the kind `changed`, it compares the two readings of the record. If a reading has several
 *   changed fields, each of its items leads to the same alerts.
 *
 * The same alert may be returned more than once: {@link onlyNew} drops the repeats.
 *
 * @param change a notification, or an item of `containers.watch()` or `shipments.watch()`.
 * @throws {ConfigurationError} for any other value, such as `undefined` or a container.
 * @example
 * router.on('container.*', notification => {
 *   for (const alert of changesOf(notification)) if (alert.kind === 'hold_added') console.log(alert.number, alert.hold);
 * });
 */
export function changesOf(change: ChangeNotification | ChangedItem): Alert[] {
  const given: unknown = change;
  const facts: Fields = isRecord(given) ? given : {};
  if (text(facts.kind) === null && text(facts.event) === null) {
    const what = isRecord(given) && text(given.type) ? `a record of the type ${given.type}` : describeValue(given);
    throw new ConfigurationError(`The change is ${what}; it must be a notification, or an item of a feed.`);
  }
  const alerts = facts.kind === 'changed' ? ofReading(facts) : ofNotification(facts);
  // A notification may contain the same last free day twice, and only one of the two has the previous day. The alert
  // with the previous day is kept.
  return [...new Map([...alerts].reverse().map(alert => [alert.key, alert])).values()].reverse();
}

function ofReading({ record, previous, field, before, at, since }: Fields): Alert[] {
  if (!isIdentifier(record)) return [];
  // `previous` does not contain a field that was absent in the previous reading. The earlier value of such a field is
  // `before`.
  const earlier = { ...record, ...(previous as object), [String(field)]: before };
  return compare(earlier, record, text(at) ?? '', () => text(since));
}

function ofNotification({ event, reference_object, container, shipment, created_at }: Fields): Alert[] {
  const about: Fields = isRecord(reference_object) ? reference_object : {};
  const box = zoned([container, about.container].find(isIdentifier), text(about.timezone));
  const name = text(event) ?? '';
  const estimate = Object.hasOwn(ESTIMATES, name) ? ESTIMATES[name] : undefined;
  const reportedAt = text(about.created_at) ?? text(created_at) ?? '';
  if (estimate !== undefined) {
    const bill = [shipment, about.shipment].find(isIdentifier);
    return ofEstimate(estimate, about, estimate === 'inland_arrival' ? box : bill, bill, reportedAt);
  }
  if (box === undefined) return [];
  if (isRecord(about.changeset)) return ofChangeset(box, about.changeset, text(about.timestamp) ?? reportedAt);
  if (name.startsWith('container.pickup_lfd')) return ofDeadline(box, name, about, reportedAt);
  if (/^container\.transport\.(?:not_)?available$/.test(name)) return ofAvailability(box, name, about, reportedAt);
  return [];
}

/** If the container was not included, it gets the time zone of the event, and its days are read in this time zone. */
function zoned(container: ContainerFacts | undefined, zone: string | null): ContainerFacts | undefined {
  const isNamed = container !== undefined && isReference(container);
  return isNamed ? { ...container, pod_timezone: zone, final_destination_timezone: zone } : container;
}

const ESTIMATES: Readonly<Record<string, EstimateMoved['estimate'] | undefined>> = {
  'shipment.estimated.arrival': 'arrival',
  'container.transport.estimated.vessel_arrived': 'arrival',
  'container.transport.estimated.vessel_departed': 'departure',
  'container.transport.estimated.arrived_at_inland_destination': 'inland_arrival',
};

const FIRST = {
  departure: 'pol_original_etd_at',
  arrival: 'pod_original_eta_at',
  inland_arrival: 'destination_original_eta_at',
} as const;

/** The notification lacks the previous estimate, so only the first estimate can show a move. */
function ofEstimate(
  estimate: EstimateMoved['estimate'],
  about: Fields,
  record: unknown,
  shipment: unknown,
  at: DateTime,
): Alert[] {
  if (!isIdentifier(record)) return [];
  const first = isRecord(shipment) ? text(shipment[FIRST[estimate]]) : null;
  const to = text(about.estimated_timestamp) ?? text(about.timestamp);
  const zone = text(about.timezone);
  if (to === null || !daysBetween(first, to, zone)) return [];
  const type = estimate === 'inland_arrival' ? 'container' : 'shipment';
  const { id, number, bill_of_lading_number }: Identified = record;
  const origin: Origin = { at, type, id, number: text(number ?? bill_of_lading_number), stamp: null };
  return [alertOf(estimateAlert(estimate, null, to, zone, first), origin)];
}

function ofChangeset(container: ContainerFacts, changeset: Fields, at: DateTime): Alert[] {
  const [before, after] = [stateOf(container, changeset, 0), stateOf(container, changeset, 1)];
  const alerts = compare(before, after, at, stampOf(at));
  const { pickup_lfd } = changeset;
  if (!Array.isArray(pickup_lfd)) return alerts;
  return [...alerts, ...told(unnamedDay(after, text(pickup_lfd[0]), text(pickup_lfd[1])), after, at)];
}

/** The other deadlines of the container show the source of `pickup_lfd`: see `unnamedDay`. */
function stateOf(container: ContainerFacts, changeset: Fields, side: 0 | 1): ContainerFacts {
  const fields: Record<string, unknown> = { ...container };
  for (const [name, pair] of Object.entries(changeset)) {
    if (!Array.isArray(pair)) continue;
    if (name === 'pickup_lfd') fields[name] = pair[1];
    else if (name.startsWith('pickup_lfd_'))
      fields.import_deadlines = withDay(fields.import_deadlines, name, pair[side]);
    else fields[name === OLD_HOLDS ? 'holds_at_pod_terminal' : name] = pair[side];
  }
  return { ...(fields as object), id: container.id, type: container.type };
}

const OLD_HOLDS = 'pod_terminal_holds';

/** Removes the block `pod`, because it repeats this day. */
function withDay(deadlines: unknown, name: string, day: unknown): object {
  return { ...Object(deadlines), pod: undefined, [name]: day };
}

function ofDeadline(container: ContainerFacts, event: string, about: Fields, at: DateTime): Alert[] {
  const value = text(about.value_timestamp) ?? text(about.value);
  const name = event.slice('container.'.length, -'.changed'.length);
  if (name === 'pickup_lfd')
    return told(unnamedDay(container, null, value ?? text(container.pickup_lfd)), container, at);
  const withValue = (day: DateTime | null) => stateOf(container, { [name]: [day] }, 0);
  return compare(withValue(null), withValue(value), at, stampOf(at));
}

/**
 * The day in `pickup_lfd`, with the source whose deadline is equal to this day. If no deadline is equal, the source is
 * unknown.
 */
function unnamedDay(container: ContainerFacts, before: DateTime | null, day: DateTime | null): Finding[] {
  const { line, terminal, railway } = deadlinesOf(container);
  const named = [line, terminal, railway].find(each => each !== null && Date.parse(each.at) === Date.parse(day ?? ''));
  const only = { ...container, import_deadlines: undefined, ind_facility_lfd_on: undefined };
  const dayOf = (pickup_lfd: DateTime | null) => deadlinesOf({ ...only, pickup_lfd }).earliest;
  const moved = movedDay(dayOf(before), dayOf(day));
  return named && moved.length > 0 ? movedDay(null, named) : moved;
}

/** At a port, the `changeset` of the terminal shows availability. At an inland place, only the event shows it. */
function ofAvailability(container: ContainerFacts, event: string, about: Fields, at: DateTime): Alert[] {
  if (readState(container).stage !== 'at_inland') return [];
  const isAvailable = event.endsWith('.available');
  const withWord = (available_for_pickup: boolean) => ({
    ...container,
    available_for_pickup,
    availability_known: true,
  });
  return compare(withWord(!isAvailable), withWord(isAvailable), text(about.timestamp) ?? at, stampOf(at));
}

function told(findings: Finding[], { id, number }: ContainerFacts, at: DateTime): Alert[] {
  return findings.map(finding =>
    alertOf(finding, { at, type: 'container', id, number: text(number), stamp: stampOf(at)(finding) }),
  );
}

/** Several notifications contain the same last free day, each at a different time. */
function stampOf(at: DateTime): (finding: Finding) => string | null {
  return ({ kind }) => (kind === 'last_free_day_moved' ? null : at);
}
