import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import type { DateTime, TerminalFee, TerminalHold } from '../model/index.ts';
import type { PickupReason } from './container-state.ts';
import type { ContainerDeadline } from './last-free-days.ts';
import { localTime } from './local-time.ts';

/** The fields of every alert. */
interface AlertOf<Type extends 'container' | 'shipment'> {
  /**
   * Identity of the alert: the kind, the record, and what has changed. Two alerts of one source with the same key are the same
   * alert. Keep it where no two rows may have the same.
   */
  key: string;
  /** Time at which the service knew it: that of the event, or of the reading that has found it. */
  at: DateTime;
  /** Type of the record that has changed. */
  type: Type;
  /** Id of that record. */
  id: string;
  /** Number of the container, or of the bill of lading of the shipment; `null` if the notification does not have it. */
  number: string | null;
}

/** An estimate has moved to another day, later or earlier. */
export interface EstimateMoved extends AlertOf<'container' | 'shipment'> {
  kind: 'estimate_moved';
  /**
   * - `departure`: of the shipment from the port of lading.
   * - `arrival`: of the shipment at the port of discharge.
   * - `inland_arrival`: at the destination inland; of the shipment by the carrier, of the container by the railway.
   */
  estimate: 'departure' | 'arrival' | 'inland_arrival';
  /** The estimate before, as the service sent it; `null` if it is not known: notifications have only the new one. */
  from: DateTime | null;
  /** The estimate now, as the service sent it. */
  to: DateTime;
  /** IANA time zone of the place, in which the days are counted; `null` if the service gave none. */
  timezone: string | null;
  /** Calendar days from `from` to `to`: positive is later. `null` without `from`. */
  days: number | null;
  /** The first estimate, as the service sent it; `null` if it is not known. */
  first: DateTime | null;
  /** Calendar days from `first` to `to`: positive is later. `null` without `first`. */
  daysLate: number | null;
}

/** A hold is active that was not before. One that is only expected (`pending`) is not reported. */
export interface HoldAdded extends AlertOf<'container'> {
  kind: 'hold_added';
  /** The holder, such as `customs`. */
  hold: TerminalHold['name'];
  /** The words of the terminal; `null` if it has none. */
  description: string | null;
}

/** A hold is not active any more. */
export interface HoldCleared extends AlertOf<'container'> {
  kind: 'hold_cleared';
  /** The holder, such as `customs`. */
  hold: TerminalHold['name'];
  /** The words of the terminal; `null` if it has none. */
  description: string | null;
}

/** There is a fee of a type, or in a currency, that was not there before, also when the container leaves or has left. */
export interface FeeAdded extends AlertOf<'container'> {
  kind: 'fee_added';
  /** The type of the fee. `total` only where the terminal gives no details. */
  fee: TerminalFee['type'];
  /** In units of the currency. `0` means that it has no price yet. */
  amount: number;
  /** ISO 4217 code; `null` for the local currency. */
  currency: string | null;
}

/**
 * The amount of a fee has changed, as that of demurrage does each day. The last change may come when the container has left: its
 * amount is the one that is invoiced.
 */
export interface FeeChanged extends AlertOf<'container'> {
  kind: 'fee_changed';
  /** The type of the fee. `total` only where the terminal gives no details. */
  fee: TerminalFee['type'];
  /** The amount before. */
  from: number;
  /** The amount now. */
  amount: number;
  /** ISO 4217 code; `null` for the local currency. */
  currency: string | null;
}

/** A last free day is known, or is another one than before. */
export interface LastFreeDayMoved extends AlertOf<'container'> {
  kind: 'last_free_day_moved';
  /** The source that gives it. `unknown` if no source is named for it. */
  source: ContainerDeadline['source'];
  /** The day before, `YYYY-MM-DD`; `null` if there was none, or if it is not known. */
  from: string | null;
  /** The day now, `YYYY-MM-DD`. */
  to: string;
  /** IANA time zone in which it is a day; `null` if the service gave none. */
  timezone: string | null;
}

/** The container can be picked up now: `isReadyForPickup()` has become `true`. */
export interface BecameAvailable extends AlertOf<'container'> {
  kind: 'available';
}

/** The container cannot be picked up any more, or that is not known any more. A container that has left is not reported. */
export interface BecameUnavailable extends AlertOf<'container'> {
  kind: 'unavailable';
  /** Why, the most important reason first. */
  reasons: PickupReason[];
}

/** A vessel as a shipment names it. */
export interface AnnouncedVessel {
  /** Its name. */
  name: string | null;
  /** Its IMO number. */
  imo: string | null;
  /** Number of the voyage. */
  voyage: string | null;
}

/** The shipment has not left yet, and will arrive on another vessel than announced. */
export interface Rolled extends AlertOf<'shipment'> {
  kind: 'rolled';
  /** The vessel to the port of discharge that was announced. */
  from: AnnouncedVessel;
  /** The vessel now. */
  to: AnnouncedVessel;
  /** Calendar days by which the estimated arrival is later than before; `null` if one of the estimates is not known. */
  days: number | null;
}

/** The shipment is on its way, and will arrive on another vessel than announced, a day later than before or more. */
export interface TransshipmentMissed extends AlertOf<'shipment'> {
  kind: 'transshipment_missed';
  /** The vessel to the port of discharge that was announced. */
  from: AnnouncedVessel;
  /** The vessel now. */
  to: AnnouncedVessel;
  /** Calendar days by which the estimated arrival is later than before. */
  days: number;
}

/** Something that people want to know. Plain data; narrow it by `kind`. Later versions may add kinds. */
export type Alert =
  | EstimateMoved
  | HoldAdded
  | HoldCleared
  | FeeAdded
  | FeeChanged
  | LastFreeDayMoved
  | BecameAvailable
  | BecameUnavailable
  | Rolled
  | TransshipmentMissed;

/** Keys that were seen: a `Set`, or anything with its two methods. */
export interface SeenKeys {
  /** Tells whether a key was added. */
  has(key: string): boolean;
  /** Adds a key. */
  add(key: string): unknown;
}

/**
 * Drops alerts that were reported before: the service sends some changes twice, and a delivery may be repeated. In a database, a
 * unique column does the same: `INSERT INTO alerts (key, …) … ON CONFLICT (key) DO NOTHING`.
 *
 * @param seen the keys of the alerts that were reported. The function adds to it.
 * @throws {ConfigurationError} if `seen` has no methods `has` and `add`.
 * @example
 * const seen = new Set<string>();
 * for (const alert of changesOf(notification).filter(onlyNew(seen))) await tell(alert);
 */
export function onlyNew(seen: SeenKeys): (alert: { readonly key: string }) => boolean {
  if (typeof seen?.has !== 'function' || typeof seen.add !== 'function') {
    throw new ConfigurationError(`seen is ${describeValue(seen)}; it must be a Set, or have its methods has and add.`);
  }
  return ({ key }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}

/** An alert before it has what all alerts have. */
export type Finding = { [A in Alert as A['kind']]: Omit<A, keyof AlertOf<'container'>> }[Alert['kind']];

/** The record that has changed, and when. */
export interface Origin {
  at: DateTime;
  type: 'container' | 'shipment';
  id: string;
  number: string | null;
  /**
   * Tells two changes of the same kind apart, such as two releases of one container. Without it, the alert is the same however
   * often it comes.
   */
  stamp: string | null;
}

export function alertOf(finding: Finding, { at, type, id, number, stamp }: Origin): Alert {
  const key = [finding.kind, id, ...identityOf(finding), stamp].filter(part => part !== null).join('/');
  return { ...finding, key, at, type, id, number } as Alert;
}

function identityOf(finding: Finding): (string | number | null)[] {
  switch (finding.kind) {
    case 'estimate_moved':
      return [finding.estimate, localTime(finding.to, finding.timezone)?.date ?? finding.to];
    case 'hold_added':
    case 'hold_cleared':
      return [identityOfHold(finding.hold, finding.description)];
    case 'fee_added':
      return [finding.fee, finding.currency];
    case 'fee_changed':
      return [finding.fee, finding.currency, finding.amount];
    case 'last_free_day_moved':
      return [finding.source, finding.to];
    case 'available':
    case 'unavailable':
      return [];
    case 'rolled':
    case 'transshipment_missed':
      return [finding.to.imo ?? finding.to.name];
  }
}

/** One hold of a name is the same however it is worded. `other` stands for different ones, which differ only in their words. */
export function identityOfHold(name: string, description: string | null): string {
  return name === 'other' ? `other: ${description ?? ''}` : name;
}
