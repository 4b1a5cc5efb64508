import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import type { DateTime, TerminalFee, TerminalHold } from '../model/index.ts';
import type { PickupReason } from './container-state.ts';
import type { ContainerDeadline } from './last-free-days.ts';
import { localTime } from './local-time.ts';

/** The fields of every alert. */
interface AlertOf<Type extends 'container' | 'shipment'> {
  /**
   * Identity of the alert: the kind, the record, and the change. If two alerts from the same source (notifications, or
   * one feed) have the same key, they are the same alert. Store the key in a unique column.
   */
  key: string;
  /** When the change became known: the time of the event, or the time of the reading that found the change. */
  at: DateTime;
  /** Type of the record that has changed. */
  type: Type;
  /** Id of the record that has changed. */
  id: string;
  /** Number of the container, or bill of lading number of the shipment; `null` if the notification does not have it. */
  number: string | null;
}

/** An estimate has moved to another day, later or earlier. */
export interface EstimateMoved extends AlertOf<'container' | 'shipment'> {
  kind: 'estimate_moved';
  /**
   * - `departure`: the shipment's departure from the port of lading.
   * - `arrival`: the shipment's arrival at the port of discharge.
   * - `inland_arrival`: the arrival at the inland destination. For a shipment, the carrier reports this estimate. For a
   *   container, the railway reports it.
   */
  estimate: 'departure' | 'arrival' | 'inland_arrival';
  /** The previous estimate, as the service sent it; `null` if it is not known, because notifications have only the new estimate. */
  from: DateTime | null;
  /** The new estimate, as the service sent it. */
  to: DateTime;
  /**
   * IANA time zone of the port or the destination; `null` if the service sent none. Days are counted in this time zone.
   */
  timezone: string | null;
  /** Calendar days from `from` to `to`; positive if `to` is later. `null` without `from`. */
  days: number | null;
  /** The first estimate, as the service sent it; `null` if it is not known. */
  first: DateTime | null;
  /** Calendar days from `first` to `to`; positive if `to` is later. `null` without `first`. */
  daysLate: number | null;
}

/** A hold is active now, but was not active before. A hold that is only expected (`pending`) is not reported. */
export interface HoldAdded extends AlertOf<'container'> {
  kind: 'hold_added';
  /** The holder, such as `customs`. */
  hold: TerminalHold['name'];
  /** The description by the terminal; `null` if there is none. */
  description: string | null;
}

/** A hold is no longer active. */
export interface HoldCleared extends AlertOf<'container'> {
  kind: 'hold_cleared';
  /** The holder, such as `customs`. */
  hold: TerminalHold['name'];
  /** The description by the terminal; `null` if there is none. */
  description: string | null;
}

/** The container has a fee of a new type, or in a new currency. The fee is also reported if the container has left. */
export interface FeeAdded extends AlertOf<'container'> {
  kind: 'fee_added';
  /** The type of the fee. It is `total` only if the terminal does not list single fees. */
  fee: TerminalFee['type'];
  /** Amount in units of the currency. `0` means that the price is not known yet. */
  amount: number;
  /** ISO 4217 code; `null` for the local currency. */
  currency: string | null;
}

/**
 * The amount of a fee has changed. Demurrage, for example, changes each day. If the last change comes after the
 * container has left, the new amount is the invoiced amount.
 */
export interface FeeChanged extends AlertOf<'container'> {
  kind: 'fee_changed';
  /** The type of the fee. It is `total` only if the terminal does not list single fees. */
  fee: TerminalFee['type'];
  /** The previous amount. */
  from: number;
  /** The new amount. */
  amount: number;
  /** ISO 4217 code; `null` for the local currency. */
  currency: string | null;
}

/** A last free day has become known, or has changed. */
export interface LastFreeDayMoved extends AlertOf<'container'> {
  kind: 'last_free_day_moved';
  /** The source of the day; `unknown` if the service does not name the source. */
  source: ContainerDeadline['source'];
  /** The previous day, `YYYY-MM-DD`; `null` if there was none, or if it is not known. */
  from: string | null;
  /** The new day, `YYYY-MM-DD`. */
  to: string;
  /** IANA time zone of the day; `null` if the service sent none. */
  timezone: string | null;
}

/** The container can be picked up now: `isReadyForPickup()` has become `true`. */
export interface BecameAvailable extends AlertOf<'container'> {
  kind: 'available';
}

/**
 * The container can no longer be picked up, or its readiness for pickup is no longer known. A container that has
 * left is not reported.
 */
export interface BecameUnavailable extends AlertOf<'container'> {
  kind: 'unavailable';
  /** The reasons, the most important first. */
  reasons: PickupReason[];
}

/** A vessel, as the shipment describes it. */
export interface AnnouncedVessel {
  /** Name of the vessel. */
  name: string | null;
  /** IMO number of the vessel. */
  imo: string | null;
  /** Number of the voyage. */
  voyage: string | null;
}

/** The shipment has not left yet, and will arrive on a different vessel than announced. */
export interface Rolled extends AlertOf<'shipment'> {
  kind: 'rolled';
  /** The previously announced vessel to the port of discharge. */
  from: AnnouncedVessel;
  /** The new vessel. */
  to: AnnouncedVessel;
  /** Calendar days by which the new estimated arrival is later; `null` if one of the estimates is not known. */
  days: number | null;
}

/** The shipment is on its way. It will arrive on a different vessel than announced, and at least one day later. */
export interface TransshipmentMissed extends AlertOf<'shipment'> {
  kind: 'transshipment_missed';
  /** The previously announced vessel to the port of discharge. */
  from: AnnouncedVessel;
  /** The new vessel. */
  to: AnnouncedVessel;
  /** Calendar days by which the new estimated arrival is later. */
  days: number;
}

/** A change that people want to know about. It is plain data; narrow it by `kind`. Later versions may add kinds. */
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

/** Keys of alerts that were reported: a `Set`, or any object with these two methods. */
export interface SeenKeys {
  /** Returns true if the key was added before. */
  has(key: string): boolean;
  /** Adds a key. */
  add(key: string): unknown;
}

/**
 * Drops alerts that were reported before, because the service sends some changes twice, and a delivery may be repeated. In a
 * database, a unique column does the same: `INSERT INTO alerts (key, …) … ON CONFLICT (key) DO NOTHING`.
 *
 * @param seen the keys of the alerts that were reported. The function adds new keys to `seen`.
 * @throws {ConfigurationError} unless `seen` has the methods `has` and `add`.
 * @example
 * const seen = new Set<string>();
 * for (const alert of changesOf(notification).filter(onlyNew(seen))) await tell(alert);
 */
export function onlyNew(seen: SeenKeys): (alert: { readonly key: string }) => boolean {
  if (typeof seen?.has !== 'function' || typeof seen.add !== 'function') {
    throw new ConfigurationError(
      `seen is ${describeValue(seen)}; it must be a Set, or an object with the methods has and add.`,
    );
  }
  return ({ key }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}

/** An alert without the fields that all alerts have. */
export type Finding = { [A in Alert as A['kind']]: Omit<A, keyof AlertOf<'container'>> }[Alert['kind']];

/** The record that has changed, and the time of the change. */
export interface Origin {
  at: DateTime;
  type: 'container' | 'shipment';
  id: string;
  number: string | null;
  /**
   * Distinguishes two changes of the same kind, such as two releases of one container. Without a stamp, repeated changes have the
   * same key.
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

/**
 * Identity of a hold. Holds with the same name are one hold, even if their descriptions differ. The description is a
 * part of the identity only for the name `other`.
 */
export function identityOfHold(name: string, description: string | null): string {
  return name === 'other' ? `other: ${description ?? ''}` : name;
}
