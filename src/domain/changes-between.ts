import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import type { ContainerAttributes, DateTime, ShipmentAttributes } from '../model/index.ts';
import {
  type Alert,
  type AnnouncedVessel,
  alertOf,
  type EstimateMoved,
  type Finding,
  identityOfHold,
} from './alerts.ts';
import { dayNumber } from './calendar.ts';
import { hasGone, readState } from './container-state.ts';
import { rollUpHoldsAndFees } from './holds-and-fees.ts';
import { readInstant } from './instant.ts';
import { type ContainerDeadline, type DeadlineFacts, type LastFreeDays, readDeadlines } from './last-free-days.ts';
import { localTime } from './local-time.ts';
import type { PartialOrUndefined } from './record-argument.ts';

/** A container or a shipment from the client, a database or a webhook. Attributes may be missing. */
export interface ComparedRecord {
  /** Name of the resource type. */
  readonly type: string;
  /** Id of the record. */
  readonly id: string;
}

export type ContainerFacts = ComparedRecord & DeadlineFacts & PartialOrUndefined<Pick<ContainerAttributes, 'number'>>;
type ShipmentFacts = ComparedRecord & PartialOrUndefined<ShipmentAttributes>;

/**
 * Compares two states of a container or a shipment, and returns alerts for the changes. For other records, it returns
 * no alerts.
 *
 * The rules are the same as in `containerState()`, `rollUpHoldsAndFees()` and `lastFreeDays()`. Estimates are also
 * compared with the first estimates of the shipment. An attribute that is missing in one of the states counts as
 * unchanged. A `null` is a value, so it may be a change.
 *
 * @param before an earlier state of the record.
 * @param after a later state of the same record.
 * @param options.at the time at which `after` was read, as an ISO 8601 text. An example is the value of `as_of` in a
 *   row that sync has written. If you pass the same time again, the alerts have the same keys.
 * @throws {ConfigurationError} if `before` and `after` are not the same record, or if `at` is not an ISO 8601 text.
 * @example
 * for (const alert of changesBetween(before, after, { at: after.as_of })) await tell(alert);
 */
export function changesBetween(before: ComparedRecord, after: ComparedRecord, options: { at: DateTime }): Alert[] {
  const at = options?.at;
  if (readInstant(at) === undefined) {
    throw new ConfigurationError(
      `at is ${describeValue(at)}; it must be an ISO 8601 text such as 2026-03-09T03:05:00Z.`,
    );
  }
  if (!before || before.type !== after?.type || before.id !== after?.id) {
    const [one, other] = [before, after].map(record =>
      record ? `${record.type} ${record.id}` : describeValue(record),
    );
    throw new ConfigurationError(`before is ${one} and after is ${other}; they must be the same record.`);
  }
  return compare(completed(before, after), completed(after, before), at, () => at);
}

/** Fills in missing fields from the other state. */
function completed<T extends ComparedRecord>(record: T, other: T): T {
  const known = Object.entries(record).filter(([, value]) => value !== undefined);
  const [has, otherHas] = [record, other].map((each: ContainerFacts) => each.import_deadlines !== undefined);
  return { ...other, ...NO_VESSEL, ...Object.fromEntries(known), ...(has !== otherHas && NO_SOURCES) };
}

/**
 * The vessel fields are not filled in from the other state: the name of one vessel must not be compared with the IMO
 * number of another vessel.
 */
const NO_VESSEL = { pod_vessel_name: undefined, pod_vessel_imo: undefined, pod_voyage_number: undefined };

/** Removes these fields if only one state has `import_deadlines`: then only `pickup_lfd` can be compared. */
const NO_SOURCES = { import_deadlines: undefined, ind_facility_lfd_on: undefined };

/** @param stampOf returns the part of the key that distinguishes a change from later changes of the same kind. */
export function compare(
  before: ComparedRecord,
  after: ComparedRecord,
  at: DateTime,
  stampOf: (finding: Finding) => string | null,
): Alert[] {
  const { type, id } = after;
  if (type === 'container') {
    const { number } = after as ContainerFacts;
    return ofContainer(before as ContainerFacts, after as ContainerFacts).map(finding =>
      alertOf(finding, { at, type, id, number: text(number), stamp: stampOf(finding) }),
    );
  }
  if (type !== 'shipment') return [];
  const { bill_of_lading_number: number } = after as ShipmentFacts;
  return ofShipment(before as ShipmentFacts, after as ShipmentFacts).map(finding =>
    alertOf(finding, { at, type, id, number: text(number), stamp: stampOf(finding) }),
  );
}

function ofContainer(before: ContainerFacts, after: ContainerFacts): Finding[] {
  const { ind_eta_at: from, final_destination_timezone: zone } = before;
  const inland = movedEstimate(
    'inland_arrival',
    from,
    after.ind_eta_at,
    after.final_destination_timezone ?? zone,
    null,
  );
  return [
    ...pickup(before, after),
    ...holds(before, after),
    ...fees(before, after),
    ...lastFreeDays(before, after),
    ...inland,
  ];
}

function pickup(before: ContainerFacts, after: ContainerFacts): Finding[] {
  const [was, is] = [readState(before), readState(after)];
  if (was.pickup === is.pickup || hasGone(is.stage)) return [];
  if (is.pickup === 'yes') return [{ kind: 'available' }];
  return was.pickup === 'yes' ? [{ kind: 'unavailable', reasons: is.reasons }] : [];
}

function holds(before: ContainerFacts, after: ContainerFacts): Finding[] {
  const [was, is] = [heldBy(before), heldBy(after)];
  const added = [...is].filter(([identity]) => !was.has(identity));
  const cleared = [...was].filter(([identity]) => !is.has(identity));
  return [
    ...added.map(([, hold]): Finding => ({ kind: 'hold_added', ...hold })),
    ...cleared.map(([, hold]): Finding => ({ kind: 'hold_cleared', ...hold })),
  ];
}

function heldBy(container: ContainerFacts): Map<string, { hold: string; description: string | null }> {
  return new Map(
    readState(container).holds.map(({ name: hold, description }) => [
      identityOfHold(hold, text(description)),
      { hold, description: text(description) },
    ]),
  );
}

/** The changes of fees. Changes after the container has left are included, because the last sum is the invoiced sum. */
function fees(before: ContainerFacts, after: ContainerFacts): Finding[] {
  const was = feesOf(before);
  return feesOf(after).flatMap(({ type: fee, currency, amount }): Finding[] => {
    const known = was.find(each => each.type === fee && each.currency === currency);
    if (known === undefined) return [{ kind: 'fee_added', fee, amount, currency }];
    return known.amount === amount ? [] : [{ kind: 'fee_changed', fee, from: known.amount, amount, currency }];
  });
}

function feesOf(container: ContainerFacts) {
  return rollUpHoldsAndFees([container]).fees;
}

/** Any value is correct, because the number of remaining days is not used here. */
const ANY_TIME = 0;

export function deadlinesOf(container: DeadlineFacts): LastFreeDays {
  return readDeadlines(container, new Date(ANY_TIME));
}

function lastFreeDays(before: ContainerFacts, after: ContainerFacts): Finding[] {
  const [was, is] = [deadlinesOf(before), deadlinesOf(after)];
  const isUnnamed = is.earliest?.source === 'unknown' && before.pickup_lfd !== after.pickup_lfd;
  return [
    ...movedDay(was.line, is.line),
    ...movedDay(was.terminal, is.terminal),
    ...movedDay(was.railway, is.railway),
    ...(isUnnamed ? movedDay(was.earliest, is.earliest) : []),
  ];
}

/** A day whose deadline has ended is not reported. */
export function movedDay(was: ContainerDeadline | null, is: ContainerDeadline | null): Finding[] {
  if (is === null || is.hasEnded || was?.at === is.at || was?.date === is.date) return [];
  return [
    { kind: 'last_free_day_moved', source: is.source, from: was?.date ?? null, to: is.date, timezone: is.timezone },
  ];
}

function ofShipment(before: ShipmentFacts, after: ShipmentFacts): Finding[] {
  const { pol_timezone: lading, pod_timezone: port, destination_timezone: inland } = after;
  return [
    ...movedEstimate('departure', before.pol_etd_at, after.pol_etd_at, lading, after.pol_original_etd_at),
    ...movedEstimate('arrival', before.pod_eta_at, after.pod_eta_at, port, after.pod_original_eta_at),
    ...movedEstimate(
      'inland_arrival',
      before.destination_eta_at,
      after.destination_eta_at,
      inland,
      after.destination_original_eta_at,
    ),
    ...otherVessel(before, after),
  ];
}

/** An estimate that becomes known, or is removed, has not moved. */
function movedEstimate(
  estimate: EstimateMoved['estimate'],
  from: DateTime | null | undefined,
  to: DateTime | null | undefined,
  zone: string | null | undefined,
  first: DateTime | null | undefined,
): Finding[] {
  if (!from || !to || !daysBetween(from, to, zone)) return [];
  return [estimateAlert(estimate, from, to, zone, first)];
}

export function estimateAlert(
  estimate: EstimateMoved['estimate'],
  from: DateTime | null,
  to: DateTime,
  zone: string | null | undefined,
  first: DateTime | null | undefined,
): Finding {
  return {
    kind: 'estimate_moved',
    estimate,
    from,
    to,
    timezone: text(zone),
    days: daysBetween(from, to, zone),
    first: text(first),
    daysLate: daysBetween(first, to, zone),
  };
}

/** Calendar days between two times, counted in the time zone `zone`; `null` if one of the times is not known. */
export function daysBetween(
  from: DateTime | null | undefined,
  to: DateTime | null | undefined,
  zone: string | null | undefined,
): number | null {
  const [start, end] = [localTime(from, zone), localTime(to, zone)];
  return start && end ? dayNumber(end.date) - dayNumber(start.date) : null;
}

/** The text; `null` if it is blank, or not a text. */
export function text(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null;
}

/** A vessel that becomes known is not a change. After the arrival, a vessel no longer changes. */
function otherVessel(before: ShipmentFacts, after: ShipmentFacts): Finding[] {
  const [from, to] = [vesselOf(before), vesselOf(after)];
  if (after.pod_ata_at || !isOther(from, to)) return [];
  const days = daysBetween(before.pod_eta_at, after.pod_eta_at, after.pod_timezone);
  if (!after.pol_atd_at) return [{ kind: 'rolled', from, to, days }];
  return days !== null && days > 0 ? [{ kind: 'transshipment_missed', from, to, days }] : [];
}

function vesselOf({ pod_vessel_name, pod_vessel_imo, pod_voyage_number }: ShipmentFacts): AnnouncedVessel {
  return { name: text(pod_vessel_name), imo: text(pod_vessel_imo), voyage: text(pod_voyage_number) };
}

/** Compares IMO numbers first, because names are spelled in many ways. */
function isOther(from: AnnouncedVessel, to: AnnouncedVessel): boolean {
  if (from.imo !== null && to.imo !== null) return from.imo !== to.imo;
  return from.name !== null && to.name !== null && from.name.toUpperCase() !== to.name.toUpperCase();
}
