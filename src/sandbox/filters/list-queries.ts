import { DAY, iso } from '../base/time.ts';
import { badRequest } from '../http/errors.ts';
import type { Backend } from '../state/backend.ts';

/** The values of one filter in a request, in all its forms. */
export interface Given {
  /** The name of the parameter, `filter[key]`, for error messages. */
  readonly parameter: string;
  /** The value in `filter[key]=value`. If there are several, the last value. */
  scalar?: string;
  /** The values in `filter[key][]=value`. */
  readonly array: string[];
  /** The values in `filter[key][member]=value` and `filter[key][member][]=value`, by member. */
  readonly members: Map<string, Given>;
}

const PARAMETER = /^filter\[([^\][]+)\](?:\[([^\][]*)\])?(\[\])?$/;

/** The filters of a request, by their keys. */
export function givenFilters(query: URLSearchParams): Map<string, Given> {
  const filters = new Map<string, Given>();
  for (const [name, value] of query) {
    const [, key, member, end] = PARAMETER.exec(name) ?? [];
    if (key === undefined) continue;
    const filter = entryOf(filters, key, `filter[${key}]`);
    if (member === undefined) filter.scalar = value;
    else if (member === '') filter.array.push(value);
    else add(entryOf(filter.members, member, `filter[${key}][${member}]`), value, end !== undefined);
  }
  return filters;
}

/** Reads a parameter such as `q=value` as a filter. */
export function asFilter(query: URLSearchParams, name: string): Given | undefined {
  const scalar = query.getAll(name).at(-1);
  return scalar === undefined ? undefined : { parameter: name, scalar, array: [], members: new Map() };
}

function entryOf(filters: Map<string, Given>, key: string, parameter: string): Given {
  const known = filters.get(key);
  if (known !== undefined) return known;
  const added: Given = { parameter, array: [], members: new Map() };
  filters.set(key, added);
  return added;
}

function add(filter: Given, value: string, isArray: boolean): void {
  if (isArray) filter.array.push(value);
  else filter.scalar = value;
}

/** @throws {HttpError} Always: a 400 for a value, an operator or a form that a filter does not accept. */
export function malformed({ parameter }: Given, why: string): never {
  throw badRequest(parameter, `${parameter} ${why}`);
}

/** The value of a filter that takes a single value. */
export function scalarOf(given: Given): string {
  if (given.members.size > 0 || given.array.length > 0) malformed(given, 'takes one value, not a list or an object');
  return notBlank(given, given.scalar ?? '');
}

/** The values of a filter that takes a value or an array. */
export function valuesOf(given: Given): string[] {
  if (given.members.size > 0) malformed(given, 'takes a value or a list, not an object');
  const values = given.scalar === undefined ? given.array : [given.scalar, ...given.array];
  return values.map(value => notBlank(given, value));
}

function notBlank(given: Given, value: string): string {
  return value.trim() === '' ? malformed(given, 'is blank') : value;
}

/** True if a record is selected. */
export type Test<F> = (facts: F) => boolean;

/**
 * Makes the test for a filter in a request. `null` means that the filter selects all records.
 *
 * @throws {HttpError} 400 for a malformed value.
 */
export type Filter<F> = (given: Given, request: FilterRequest) => Test<F> | null;

export interface FilterRequest {
  backend: Backend;
  /** All filters of the request, by their keys. */
  filters: ReadonlyMap<string, Given>;
}

/**
 * The text of a record that a filter compares. If a record has several texts, it is enough that one of them matches.
 */
type Text = string | null | undefined | readonly (string | null)[];

const PRESENT = '@exists';
const ABSENT = '@not_exists';

/** Combines tests: a record must pass all of them, or at least one of them. */
function together<F>(tests: readonly Test<F>[], mode: 'all' | 'any'): Test<F> {
  return mode === 'all' ? facts => tests.every(test => test(facts)) : facts => tests.some(test => test(facts));
}

function listed(text: Text): string[] {
  return (typeof text === 'string' ? [text] : (text ?? [])).filter(value => value !== null);
}

/**
 * A filter for plain text, which may follow `=`. A list with commas selects records that match any of its parts. A part
 * may be `@exists` or `@not_exists`.
 *
 * @param normal Converts a text to the form in which it is compared. @default no conversion
 */
export function exact<F>(
  textOf: (facts: F) => Text,
  { array = 'all', normal = text => text }: { array?: 'all' | 'any'; normal?: (text: string) => string } = {},
): Filter<F> {
  return given => {
    const tests = valuesOf(given).map(value => {
      const accepted = parts(given, value);
      const texts = new Set(accepted.filter(part => !part.startsWith('@')).map(normal));
      return (facts: F) => {
        const own = listed(textOf(facts));
        if (own.length === 0) return accepted.includes(ABSENT);
        return accepted.includes(PRESENT) || own.some(text => texts.has(normal(text)));
      };
    });
    return together(tests, array);
  };
}

const PLAIN = /^[\p{L}\p{N}_\-. &]+$/u;

function parts(given: Given, value: string): string[] {
  const list = (value.includes(',') ? value : value.replace(/^=/, '')).split(',').map(part => part.trim());
  for (const part of list) {
    if (part === PRESENT || part === ABSENT) continue;
    if (!PLAIN.test(part)) malformed(given, `has ${JSON.stringify(part)}, which is not plain text`);
  }
  return list;
}

/** A filter for any text. The whole text must be equal. An array selects records that match any of its values. */
export function literal<F>(textOf: (facts: F) => string): Filter<F> {
  return given => {
    const texts = new Set(valuesOf(given));
    return facts => texts.has(textOf(facts));
  };
}

/** A filter for ids or codes. A list with commas or an array selects records that match any of its values. */
export function code<F>(textOf: (facts: F) => Text): Filter<F> {
  return given => {
    const codes = codesOf(given);
    return facts => listed(textOf(facts)).some(text => codes.has(text));
  };
}

/** A filter like {@link code}, but an array is an error. */
export function codeList<F>(textOf: (facts: F) => Text): Filter<F> {
  const filter = code(textOf);
  return (given, request) => {
    scalarOf(given);
    return filter(given, request);
  };
}

export function codesOf(given: Given): Set<string> {
  return new Set(
    valuesOf(given)
      .flatMap(value => value.split(','))
      .map(part => part.trim()),
  );
}

/**
 * A filter for words. Each word of the filter must be the beginning of a word in the record's texts. The order of the
 * words, and upper and lower case, do not matter.
 */
export function search<F>(textsOf: (facts: F) => readonly (string | null)[], { mark = false } = {}): Filter<F> {
  return given => {
    const value = scalarOf(given);
    const prefixes = wordsIn(mark ? value.replace(/^~/, '') : value);
    if (prefixes.length === 0) malformed(given, 'has no word');
    return facts => {
      const words = textsOf(facts).flatMap(text => wordsIn(text ?? ''));
      return prefixes.every(prefix => words.some(word => word.startsWith(prefix)));
    };
  };
}

/** The words of a text. Spaces, commas and other punctuation separate them. */
function wordsIn(text: string): string[] {
  return text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * A filter with the values `true` and `false`. @param stateOf Returns `undefined` if a record matches neither value.
 */
export function bool<F>(stateOf: (facts: F) => boolean | undefined): Filter<F> {
  return given => {
    const wanted = booleanOf(given);
    return facts => stateOf(facts) === wanted;
  };
}

/** A filter whose value `true` selects records. The value `false` selects the same records, or has no effect. */
export function oneWay<F>(test: Test<F>, onFalse: 'the same' | 'nothing'): Filter<F> {
  return given => (booleanOf(given) || onFalse === 'the same' ? test : null);
}

export function booleanOf(given: Given): boolean {
  const value = scalarOf(given);
  return value === 'true' || (value !== 'false' && malformed(given, 'must be true or false'));
}

type Operator = '=' | '<' | '<=' | '>' | '>=';

export interface Bound<T> {
  operator: Operator;
  value: T;
}

const OPERATOR = /^(?:[<>]=?|=)/;

export function holds<T extends string | number>(own: T, { operator, value }: Bound<T>): boolean {
  switch (operator) {
    case '=':
      return own === value;
    case '<':
      return own < value;
    case '<=':
      return own <= value;
    case '>':
      return own > value;
    case '>=':
      return own >= value;
  }
}

/** Splits a value into its operator and the rest. */
function split(value: string): [operator: Operator | undefined, rest: string] {
  const [operator] = OPERATOR.exec(value) ?? [];
  return [operator as Operator | undefined, value.slice(operator?.length ?? 0)];
}

/**
 * A filter for days. The days are compared with the day of a time, in UTC. A record must match all values of an array.
 */
export function date<F>(timeOf: (facts: F) => string | number | null | undefined): Filter<F> {
  return (given, { backend }) =>
    together(
      valuesOf(given).map(value => {
        const isDay = dayTest(given, value, backend);
        return (facts: F) => {
          const time = timeOf(facts) ?? null;
          return isDay(typeof time === 'number' ? iso(time) : time);
        };
      }),
      'all',
    );
}

export function dayTest(given: Given, value: string, backend: Backend): (time: string | null) => boolean {
  if (value === PRESENT) return time => time !== null;
  if (value === ABSENT) return time => time === null;
  const [operator, rest] = split(value);
  if (operator === undefined) {
    const days = rest.split(',').map(day => dayOf(given, day, backend));
    return time => time !== null && days.includes(time.slice(0, 10));
  }
  const bound = { operator, value: dayOf(given, rest, backend) };
  return time => time !== null && holds(time.slice(0, 10), bound);
}

/** A day as `YYYY-MM-DD`. In the sandbox, `today` is the present day in UTC. */
export function dayOf(given: Given, text: string, { now }: Backend): string {
  if (text === 'today') return iso(now).slice(0, 10);
  const [, count, direction] = /^(\d{1,5})\.days?\.(ago|from_now)$/.exec(text) ?? [];
  if (count !== undefined) {
    return iso(now + (direction === 'ago' ? -1 : 1) * Number(count) * DAY).slice(0, 10);
  }
  const parsed = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(parsed) && iso(parsed).startsWith(text)) return text;
  return malformed(given, `has ${JSON.stringify(text)}, which is not a date`);
}

/** A filter for times with a UTC offset. A record must match all values of an array. */
export function instant<F>(timeOf: (facts: F) => number | null): Filter<F> {
  return given =>
    together(
      valuesOf(given).map(value => {
        if (value === PRESENT) return (facts: F) => timeOf(facts) !== null;
        if (value === ABSENT) return (facts: F) => timeOf(facts) === null;
        const bound = instantBound(given, value);
        return (facts: F) => {
          const own = timeOf(facts);
          return own !== null && holds(own, bound);
        };
      }),
      'all',
    );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

export function instantBound(given: Given, text: string): Bound<number> {
  const [operator = '=', rest] = split(text);
  const value = INSTANT.test(rest) ? Date.parse(rest) : Number.NaN;
  if (Number.isNaN(value)) malformed(given, `has ${JSON.stringify(rest)}, which is not a time with a UTC offset`);
  return { operator, value };
}

/** A value to sort by. Records without a value come last, in both directions. */
export type SortValue = string | number | null | undefined;

interface Column<F> {
  value(facts: F): SortValue;
  isDescending: boolean;
}

/** The columns that `sort` names. Unknown tokens are left out. `most` is the upper bound of the number of columns. */
export function columnsOf<F>(
  sort: string | null,
  values: ReadonlyMap<string, (facts: F) => SortValue>,
  most: number,
): Column<F>[] {
  return (sort ?? '')
    .split(',')
    .flatMap(token => {
      const isDescending = token.startsWith('-');
      const value = values.get(isDescending ? token.slice(1) : token);
      return value === undefined ? [] : [{ value, isDescending }];
    })
    .slice(0, most);
}

/** The records in the order of the columns. Records with equal values keep their order. */
export function inOrder<T, F>(records: readonly T[], columns: readonly Column<F>[], factsOf: (record: T) => F): T[] {
  const entries = records.map(record => {
    const facts = factsOf(record);
    return { record, values: columns.map(({ value }) => value(facts) ?? null) };
  });
  entries.sort((a, b) => {
    for (const [index, { isDescending }] of columns.entries()) {
      const order = compare(a.values[index] ?? null, b.values[index] ?? null, isDescending);
      if (order !== 0) return order;
    }
    return 0;
  });
  return entries.map(({ record }) => record);
}

function compare(a: string | number | null, b: string | number | null, isDescending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b === isDescending ? 1 : -1;
}
