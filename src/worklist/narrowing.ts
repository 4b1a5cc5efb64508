import { containerState, goesInland } from '../domain/container-state.ts';
import { included, joined, several, short, shown, text, texts } from '../domain/record-values.ts';
import { KIND_GROUPS, KINDS, type TimelineChange, WIDER_GROUPS } from '../domain/timeline-changes.ts';
import { hintOf } from '../internal/meant-name.ts';
import { nearName } from '../internal/near-name.ts';

/** Filters for lists that are read completely. They act on the records that were read, and need no request. */

const NAMES = ['port', 'terminal', 'carrier', 'customer', 'reference'] as const;
type Name = (typeof NAMES)[number] | 'what' | 'hold';

export type Narrowing = { [N in Name]?: string | undefined };

/** The values with which the filters are compared: the values of a container, and for a change also its kind. */
export type Values = { readonly [N in (typeof NAMES)[number]]: readonly string[] } & {
  readonly hold?: readonly string[];
  readonly what?: readonly string[];
};

type Fields = { readonly [name: string]: unknown };

/**
 * The values of a container. A container belongs to its port until it leaves on a train, and then only to its destination.
 * Before that, a container that goes inland belongs to the port and to the destination.
 */
export function valuesOf(record: object): Values {
  const container = record as Fields;
  const shipment = included(container.shipment) ?? {};
  const named = (place: string) => known([shipment[`${place}_locode`], shipment[`${place}_name`]]);
  const nameOf = (place: unknown) => known([included(place)?.firms_code, included(place)?.name]);
  const destination = goesInland(container) ? named('destination') : [];
  const { stage, holds } = containerState(container);
  const hasLeftPort = INLAND.has(stage) && destination.length > 0;
  return {
    port: hasLeftPort ? destination : [...named('port_of_discharge'), ...destination],
    terminal: [...(hasLeftPort ? [] : nameOf(container.pod_terminal)), ...nameOf(container.pickup_facility)],
    carrier: known([shipment.shipping_line_scac, shipment.shipping_line_name]),
    customer: known([shipment.customer_name]),
    reference: [
      ...known([shipment.bill_of_lading_number]),
      ...texts(shipment.ref_numbers),
      ...texts(container.ref_numbers),
      ...known([container.number]),
    ],
    hold: holds.map(({ name }) => short(name) ?? 'unknown'),
  };
}

/**
 * The values of a change: the values of its container, and its kind. A change at a port also matches the filter of this
 * port after the container has left it.
 */
export function valuesOfChange(values: Values, { what, group, place, placeName }: TimelineChange): Values {
  return {
    ...values,
    port: [...values.port, ...known([place, placeName])],
    what: [what, group, WIDER_GROUPS[group] ?? group],
  };
}

/** Every known kind of change. A filter for a known kind is not misspelt, even if no change has this kind. */
export const ANY_KIND: Valued = {
  values: { port: [], terminal: [], carrier: [], customer: [], reference: [], hold: [], what: KINDS },
};

const INLAND = new Set(['on_rail', 'arrived_inland', 'at_inland']);

/** A code and a name as one value. */
function known(parts: readonly unknown[]): string[] {
  const value = joined(parts.map(text), ' ');
  return value === '' ? [] : [value];
}

/** The error for a filter with a value that no record has. The message has the existing values. */
export class UnknownValue extends Error {
  readonly filter: Name;
  readonly value: string;
  /** True if an existing value is similar, so that the value is probably misspelt. */
  readonly isNear: boolean;

  constructor(filter: Name, value: string, message: string, isNear: boolean) {
    super(message);
    this.filter = filter;
    this.value = value;
    this.isNear = isNear;
  }
}

/** An object with values for the filters. */
export interface Valued {
  readonly values: Values;
}

/**
 * Makes a function that tests a row with all filters of a call.
 *
 * @param others reads further records that may have the value of a filter. It is called only if no row has the value.
 * @throws {UnknownValue} if no row and no further record has a value. The message has the existing values. Otherwise a misspelt
 * name would look like a port where nothing is due.
 */
export async function testOf(
  rows: readonly Valued[],
  input: Narrowing,
  others: (name: Name) => Promise<readonly Valued[]>,
): Promise<(row: Valued) => boolean> {
  const tests: ((row: Valued) => boolean)[] = [];
  for (const [key, value = ''] of Object.entries(filtersOf(input))) {
    const name = key as Name;
    const whole = { part: value, isIn: matcherOf(value) };
    const parts = several(value).map(part => ({ part, isIn: matcherOf(part) }));
    const unknownIn = (known: readonly Valued[], wanted: readonly (typeof whole)[]) =>
      wanted.find(({ isIn }) => !known.some(({ values }) => values[name]?.some(isIn)));
    const isRead = !unknownIn(rows, [whole]) || !unknownIn(rows, parts);
    const known = isRead ? rows : [...rows, ...(await others(name))];
    const wanted = unknownIn(known, [whole]) ? parts : [whole];
    const unknown = unknownIn(known, wanted);
    if (unknown && known.length > 0) throw unknownValue(name, unknown.part, known);
    tests.push(({ values }) => wanted.some(({ isIn }) => values[name]?.some(isIn)));
  }
  return row => tests.every(test => test(row));
}

/** The filters of a call. */
export const filtersOf = (input: Narrowing): Narrowing =>
  Object.fromEntries(
    ([...NAMES, 'what', 'hold'] as const).flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]])),
  );

/**
 * A text of one or two letters matches only the beginning of a word, or the initials of a name. So LA matches USLAX Los
 * Angeles, and does not match Oakland.
 */
export function matcherOf(part: string): (value: string) => boolean {
  const wanted = folded(part);
  if (wanted.length >= 3) return value => folded(value).includes(wanted);
  return value => {
    const words = folded(value).split(' ');
    const initials = words.map(word => word.charAt(0)).join('');
    return words.some(word => word.startsWith(wanted)) || initials === wanted || initials.slice(1) === wanted;
  };
}

/** The text in lower case, with one space in place of each group of punctuation or spaces. */
export function folded(value: string): string {
  return value
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Tests if a word of a value is similar to a word of a misspelt text. */
export function nearTo(part: string): (value: string) => boolean {
  const words = folded(part)
    .split(' ')
    .filter(word => word.length > 3);
  const lettersOf = (word: string) => [...word].sort().join('');
  return value => {
    const others = folded(value).split(' ');
    // Swapped letters are two changes for `nearName`, but a common mistake.
    return words.some(word => nearName(word, others) !== undefined || others.map(lettersOf).includes(lettersOf(word)));
  };
}

const MOST_VALUES = 10;
const KIND_ADVICE = `${KIND_GROUPS.join(', ')}; or a part of a kind of change, such as "Vessel departed".`;

function unknownValue(name: Name, part: string, rows: readonly Valued[]): UnknownValue {
  if (name === 'what') {
    const unknown = `what has no value ${shown(short(part) ?? '')}.${hintOf(part, KINDS)}`;
    return new UnknownValue(name, part, `${unknown} It must be one of: ${KIND_ADVICE}`, true);
  }
  const counts = new Map<string, number>();
  for (const { values } of rows)
    for (const value of values[name] ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isNear = nearTo(part);
  const all = [...counts.keys()];
  // A code without a name is left out if the same code has a name.
  const values = all
    .filter(value => !all.some(other => other.startsWith(`${value} `)))
    .sort((a, b) => Number(isNear(b)) - Number(isNear(a)) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const more = values.length - MOST_VALUES;
  const likely = values.slice(0, MOST_VALUES).map(value => shown(short(value) ?? ''));
  const others =
    values.length > 0
      ? `The lists have: ${likely.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
      : `No row has a ${name}.`;
  const isMisspelt = all.some(isNear);
  const hint = isMisspelt ? `Did you mean ${likely[0]}?` : 'If it is spelled right, there is none.';
  const text = `${name}: nothing in these lists matches ${shown(short(part) ?? '')}. ${hint} ${others}`;
  return new UnknownValue(name, part, text, isMisspelt);
}
