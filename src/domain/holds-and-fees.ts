import { ConfigurationError } from '../errors.ts';
import type { ContainerAttributes, TerminalFee, TerminalHold } from '../model/index.ts';
import { objects } from './container-state.ts';
import { readInstant } from './instant.ts';
import { isReference, type PartialOrUndefined } from './record-argument.ts';

/** An amount in one currency. Amounts of different currencies are never added. */
export interface Money {
  /**
   * ISO 4217 code in upper case. If it is `null`, the terminal named no currency, and the amount is in the local
   * currency.
   */
  currency: string | null;
  /** Amount in units of the currency. */
  amount: number;
}

/** A hold of a shipment, listed once for all containers that have it. */
export interface SharedHold {
  /** The holder of the containers. */
  name: TerminalHold['name'];
  /** `hold` is active, and `pending` is expected. */
  status: TerminalHold['status'];
  /** The different descriptions from the terminals, without blank descriptions. */
  descriptions: string[];
  /** The containers that have the hold. */
  containers: HeldContainer[];
}

/** Names a container in a roll-up. */
export interface HeldContainer {
  /** Id of the container; `null` if the record has none. */
  id: string | null;
  /** Number of the container; `null` if the record has none. */
  number: string | null;
}

/** The fees of one kind in one currency. */
export interface FeeSum extends Money {
  /** Kind of the fees. It is `total` only if a terminal does not list single fees. */
  type: TerminalFee['type'];
  /** Number of containers that have a fee of this kind. */
  containers: number;
}

/** The holds and fees of one container. */
export interface ContainerHoldsAndFees extends HeldContainer {
  /** Holds of the container, each listed once. */
  holds: TerminalHold[];
  /** Fees of the container, each listed once. The `total` of the terminal is included only if it is the only fee. */
  fees: TerminalFee[];
  /** Sum of the fees of the container, in each currency. */
  totals: Money[];
  /** The totals that the terminal reports. They may be more than `totals` if the terminal does not list every fee. */
  statedTotals: Money[];
}

/** The holds and fees of a shipment. */
export interface HoldsAndFees {
  /** The holds. Each hold is listed once, with the containers that have it. */
  holds: SharedHold[];
  /** The fees of all containers, added for each kind and currency. */
  fees: FeeSum[];
  /** Sum of all fees, in each currency. */
  totals: Money[];
  /** True if a fee has no price yet: the totals will rise. */
  hasUnpricedFees: boolean;
  /** The holds and fees of each container, in the order of the input. */
  containers: ContainerHoldsAndFees[];
}

type Facts = PartialOrUndefined<
  Pick<ContainerAttributes, 'number' | 'holds_at_pod_terminal' | 'fees_at_pod_terminal' | 'terminal_checked_at'>
> & { readonly id?: string | undefined };

/** A container of a shipment, or a reference to it if it was not included. */
type FactsOrRef = Facts | { readonly type: string; readonly id: string };

/**
 * The holds and fees of a shipment, rolled up from its containers.
 *
 * - A hold that several containers have is one hold. It is active on a container only with the status `hold`.
 * - Fees of different containers are added. Fees in different currencies are never added. Fees without a currency are
 *   added only to each other.
 * - The terminal's `total` repeats the other fees, so it is left out of every sum. If it is the only fee, it is the sum.
 * - A container that is passed twice counts once, in the state that the terminal reported last (`terminal_checked_at`).
 * - A fee that is listed twice on one container counts once, unless the terminal's `total` shows that it is due twice.
 * - The amount `0` means that the price is not known yet.
 *
 * @param shipment a shipment with `include: ['containers']`, or containers. References to containers are skipped.
 * @throws {ConfigurationError} if the argument has no containers, or if all its containers are references.
 * @example
 * const shipment = await client.shipments.get(id, { include: ['containers'] });
 * const { holds, totals } = rollUpHoldsAndFees(shipment);
 * for (const { name, containers } of holds) console.log(name, containers.map(({ number }) => number));
 * for (const { currency, amount } of totals) console.log(amount, currency ?? '(local currency)');
 */
export function rollUpHoldsAndFees(
  shipment: { readonly containers?: readonly FactsOrRef[] | undefined } | readonly FactsOrRef[],
): HoldsAndFees {
  const containers = newestOfEach(includedIn(shipment)).map(holdsAndFeesOf);
  const fees = containers.flatMap(container => container.fees);
  return {
    holds: sharedHolds(containers),
    fees: feeSums(containers),
    totals: added(fees),
    hasUnpricedFees: fees.some(({ amount }) => !(amountOf(amount) !== 0)),
    containers,
  };
}

function includedIn(shipment: Parameters<typeof rollUpHoldsAndFees>[0]): Facts[] {
  const list = (Array.isArray as (value: unknown) => value is readonly FactsOrRef[])(shipment)
    ? shipment
    : shipment?.containers;
  const all = objects(list);
  const included = all.filter(container => !isReference(container));
  if (Array.isArray(list) && (included.length === 0) === (all.length === 0)) return included;
  throw new ConfigurationError(
    "The containers of the shipment were not included: add 'containers' to the include of the call.",
  );
}

function newestOfEach(containers: readonly Facts[]): Facts[] {
  const newest = new Map<unknown, Facts>();
  for (const container of containers) {
    const key = container.id ?? container.number ?? container;
    const known = newest.get(key);
    if (known === undefined || checkedAt(container) >= checkedAt(known)) newest.set(key, container);
  }
  return [...newest.values()];
}

function checkedAt({ terminal_checked_at }: Facts): number {
  return readInstant(terminal_checked_at)?.epochMs ?? 0;
}

function holdsAndFeesOf(container: Facts): ContainerHoldsAndFees {
  const given = objects(container.fees_at_pod_terminal);
  const stated = unique(given.filter(({ type }) => type === 'total'));
  const items = given.filter(({ type }) => type !== 'total');
  const fees = items.length === 0 ? stated : withoutRepeats(items, stated);
  return {
    id: container.id ?? null,
    number: container.number ?? null,
    holds: unique(objects(container.holds_at_pod_terminal)),
    fees,
    totals: added(fees),
    statedTotals: added(stated),
  };
}

/** Counts equal fees as one fee, unless the terminal's total is the sum of all listed fees, repeated fees included. */
function withoutRepeats(items: TerminalFee[], stated: TerminalFee[]): TerminalFee[] {
  const once = unique(items);
  if (once.length === items.length) return items;
  const all = added(items);
  const areAllDue = added(stated).some(
    ({ currency, amount }) => all.find(sum => sum.currency === currency)?.amount === amount,
  );
  return areAllDue ? items : once;
}

function unique<T extends TerminalFee | TerminalHold>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(item => {
    const key = JSON.stringify(
      'amount' in item ? [item.type, amountOf(item.amount), currencyOf(item)] : [item.name, item.status, wordsOf(item)],
    );
    return !seen.has(key) && seen.add(key);
  });
}

function sharedHolds(containers: readonly ContainerHoldsAndFees[]): SharedHold[] {
  const shared = new Map<string, SharedHold>();
  for (const { id, number, holds } of containers) {
    for (const each of holds) {
      const { name, status } = each;
      const key = JSON.stringify([name, status]);
      const hold = shared.get(key) ?? { name, status, descriptions: [], containers: [] };
      shared.set(key, hold);
      const words = wordsOf(each);
      if (words && !hold.descriptions.includes(words)) hold.descriptions.push(words);
      // If one container has two holds with the same name and status, they differ only in their descriptions.
      if (hold.containers.at(-1)?.id !== id || hold.containers.at(-1)?.number !== number)
        hold.containers.push({ id, number });
    }
  }
  return [...shared.values()];
}

function wordsOf({ description }: TerminalHold): string {
  return typeof description === 'string' ? description.trim() : '';
}

function feeSums(containers: readonly ContainerHoldsAndFees[]): FeeSum[] {
  const types = new Set(containers.flatMap(({ fees }) => fees.map(({ type }) => type)));
  return Array.from(types, type => {
    const ofType = containers.map(({ fees }) => fees.filter(fee => fee.type === type));
    return added(ofType.flat()).map(({ currency, amount }) => ({
      type,
      currency,
      amount,
      containers: ofType.filter(fees => fees.some(fee => currencyOf(fee) === currency)).length,
    }));
  }).flat();
}

/** Sums are rounded to six decimals, because sums of binary fractions would have more. */
const UNITS = 1e6;

function added(fees: readonly TerminalFee[]): Money[] {
  const units = new Map<string | null, number>();
  for (const fee of fees) {
    const currency = currencyOf(fee);
    units.set(currency, (units.get(currency) ?? 0) + Math.round(amountOf(fee.amount) * UNITS));
  }
  return Array.from(units, ([currency, sum]) => ({ currency, amount: sum / UNITS }));
}

function currencyOf({ currency_code }: TerminalFee): string | null {
  return (typeof currency_code === 'string' && currency_code.trim().toUpperCase()) || null;
}

/** The amount of a fee. A value that is not a number counts as a missing price. */
function amountOf(amount: unknown): number {
  const number = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}
