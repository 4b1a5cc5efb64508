import { ConfigurationError } from '../errors.ts';
import { describeValue, kindOf } from '../internal/arguments.ts';
import { nearName, unknownName } from '../internal/near-name.ts';
import type { FilterKind } from '../model/filter-rules.ts';
import { day, moment, momentOrDay, range } from './days.ts';

/** A filter that the caller has passed. */
export interface Given {
  /** The name in messages, such as `containers.list: filter.pickup_lfd`. */
  readonly path: string;
  /** The name of the parameter, such as `filter[pickup_lfd]`. */
  readonly name: string;
  readonly value: unknown;
  /** The known values; empty if all values are accepted. */
  readonly known: readonly string[];
}

/** Writes the parameters of a filter. @throws {ConfigurationError} for a value that the service cannot accept. */
export const KINDS: Readonly<Record<FilterKind, (given: Given) => string[]>> = {
  text: given => commaList(given, item => presence(item, given.path) ?? plainText(given, item)),
  code: given => commaList(given, item => oneOfList(given, item)),
  tags: given => commaList(given, item => oneOfList(given, item)),
  literal: given => repeated(given),
  search: given => [pair(given.name, encoded(given.path, text(given.path, given.value)))],
  one: given => [pair(given.name, encoded(given.path, knownText(given, given.value)))],
  flag: ({ name, path, value }) => [pair(name, String(flag(path, value)))],
  only_true: ({ name, path, value }) => [pair(name, String(onlyTrue(path, value)))],
  day: given => points(given, day, ','),
  instant: given => points(given, moment),
  since: given => since(given),
  window: given => window(given),
  span: given => span(given),
  party: given => party(given),
  roles: given => inside(given, inner => KINDS.text({ ...inner, known: [] }), given.known),
  custom_fields: given => inside(given, customField),
};

function pair(name: string, value: string): string {
  return `${name}=${value}`;
}

function encoded(path: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new ConfigurationError(`${path} is not well-formed text.`, { cause });
  }
}

function commaList({ name, path, value }: Given, write: (item: unknown) => string): string[] {
  const list = items(path, value).map(item => encoded(path, write(item)));
  return [pair(name, list.join(','))];
}

/** One value as an array. @throws {ConfigurationError} for an empty array. */
function items(path: string, value: unknown): readonly unknown[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new ConfigurationError(`${path} is empty; leave it out to get all.`);
  return list;
}

function text(path: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  const hint = value === null ? ' For records without a value, pass { exists: false }.' : '';
  throw new ConfigurationError(
    `${path} is ${value === '' ? 'blank' : describeValue(value)}; it must be text that is not blank.${hint}`,
  );
}

/** Text. If the filter has known values, the value must be one of them. */
function knownText({ path, known }: Given, value: unknown): string {
  if (isUnknownValue(value)) return text(path, value.unknownValue);
  const given = text(path, value);
  if (known.length === 0 || known.includes(given)) return given;
  const near = nearName(given, known);
  throw new ConfigurationError(
    `${path} is ${JSON.stringify(given)}${near ? `; did you mean ${near}?` : '.'} Known values: ${known.join(', ')}. For any other value, the service sends an empty list. For a new value, pass unknownValue(${JSON.stringify(given)}).`,
  );
}

function isUnknownValue(value: unknown): value is { unknownValue: unknown } {
  return kindOf(value) === 'Object' && 'unknownValue' in (value as object);
}

/** An item of a comma-separated list. */
function oneOfList(given: Given, value: unknown): string {
  const item = knownText(given, value);
  if (!item.includes(',')) return item;
  throw new ConfigurationError(
    `${given.path} is ${JSON.stringify(item)}; commas separate values in the query, so pass several values as an array.`,
  );
}

/** Text that contains only characters that the parser of the service can read. */
function plainText(given: Given, value: unknown): string {
  const item = oneOfList(given, value);
  if (/^[\p{L}\p{M}\p{N}_\-. &]+$/u.test(item)) return item;
  throw new ConfigurationError(
    `${given.path} is ${JSON.stringify(item)}; in this filter the service reads only letters, digits, spaces and _ - . &. Filter by an id instead, or compare the records yourself.`,
  );
}

function presence(value: unknown, path: string): string | undefined {
  if (kindOf(value) !== 'Object' || !('exists' in (value as object))) return undefined;
  const { exists, ...others } = value as { exists: unknown };
  if (typeof exists !== 'boolean') {
    throw new ConfigurationError(`${path}.exists is ${describeValue(exists)}; it must be true or false.`);
  }
  const [other] = Object.entries(others).find(([, beside]) => beside !== undefined) ?? [];
  if (other !== undefined) throw new ConfigurationError(`${path} has exists and ${other}; leave one out.`);
  return exists ? '@exists' : '@not_exists';
}

function flag(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new ConfigurationError(`${path} is ${describeValue(value)}; it must be true or false.`);
}

function onlyTrue(path: string, value: unknown): true {
  if (flag(path, value)) return true;
  throw new ConfigurationError(`${path} is false, which the service reads as true or ignores; leave it out.`);
}

/** Writes values unchanged, including commas. For several values, the parameter is repeated. */
function repeated({ path, name, value }: Given): string[] {
  const list = items(path, value).map(item => encoded(path, text(path, item)));
  return list.length === 1 ? [pair(name, list[0] as string)] : list.map(item => pair(`${name}[]`, item));
}

/** @param separator separator between several values; `undefined` if only one value is possible. */
function points(given: Given, read: typeof day, separator?: ','): string[] {
  const { path, name, value } = given;
  const exists = presence(value, path);
  if (exists !== undefined) return [pair(name, encoded(path, exists))];
  if (kindOf(value) === 'Object') return bounds(given, range(path, value as object, read));
  if (Array.isArray(value) && separator === undefined) {
    throw new ConfigurationError(`${path} is an array; pass one moment, or a range such as { gte: '…', lt: '…' }.`);
  }
  const list = items(path, value).map(item => encoded(path, read(path, item).text));
  return [pair(name, list.join(separator))];
}

/** Writes two bounds as a repeated parameter. The service applies both bounds. */
function bounds({ path, name }: Given, list: readonly string[]): string[] {
  const isOne = list.length === 1;
  return list.map(bound => pair(isOne ? name : `${name}[]`, encoded(path, bound)));
}

function since(given: Given): string[] {
  const { path, value } = given;
  const { gt, gte } = Object(value);
  if (kindOf(value) === 'Object' && (gt ?? gte) !== undefined) return points(given, moment);
  throw new ConfigurationError(`${path} needs a lower bound: pass { gte: '2026-10-01T00:00:00Z' }.`);
}

/** Writes a range of exactly two days. */
function window(given: Given): string[] {
  const { path, name, value } = given;
  const { gte, lte, ...others } = Object(value);
  if (kindOf(value) !== 'Object' || gte === undefined || lte === undefined || Object.keys(others).length > 0) {
    throw new ConfigurationError(`${path} needs two days: pass { gte: '2026-10-01', lte: '2026-10-07' }.`);
  }
  range(path, { gte, lte }, day);
  return [gte, lte].map(bound => pair(`${name}[]`, encoded(path, day(path, bound).text)));
}

function span({ path, name, value }: Given): string[] {
  if (kindOf(value) !== 'Object') {
    throw new ConfigurationError(`${path} is ${describeValue(value)}; it must be an object such as { start, end }.`);
  }
  const { start, end, ...others } = value as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknownName(path, other, ['start', 'end']);
  if ((start ?? undefined) === undefined && (end ?? undefined) === undefined) {
    throw new ConfigurationError(`${path} has no bound; leave it out to get all.`);
  }
  const parameters = Object.entries({ start, end }).flatMap(([side, at]) =>
    at === undefined ? [] : [pair(`${name}[${side}]`, encoded(path, momentOrDay(`${path}.${side}`, at).text))],
  );
  range(path, { gte: start, lte: end }, momentOrDay);
  return parameters;
}

function party(given: Given): string[] {
  const { name, path, value } = given;
  if (kindOf(value) !== 'Object') return KINDS.code(given);
  const { all, ...others } = value as { all: unknown };
  if (!Array.isArray(all) || Object.keys(others).length > 0) {
    throw new ConfigurationError(`${path} is not an id, an array of ids, or { all: […] }.`);
  }
  const ids = items(path, all).map(id => encoded(path, oneOfList(given, id)));
  return [pair(`${name}[operator]`, 'all'), ...ids.map(id => pair(`${name}[value][]`, id))];
}

/** Writes the filters of an object, each with a separate name. */
function inside(
  { path, name, value }: Given,
  write: (given: Given) => string[],
  known: readonly string[] = [],
): string[] {
  if (kindOf(value) !== 'Object') {
    throw new ConfigurationError(`${path} is ${describeValue(value)}; it must be an object.`);
  }
  return Object.entries(value as object).flatMap(([key, item]) => {
    if (item === undefined) return [];
    if (known.length > 0 && !known.includes(key)) throw unknownName(path, key, known);
    if (key.trim() === '' || /[[\]]/.test(key)) {
      throw new ConfigurationError(`${path} has the key ${JSON.stringify(key)}, which a query cannot hold.`);
    }
    return write({
      path: `${path}.${key}`,
      name: `${name}[${encoded(path, key)}]`,
      value: item,
      known: [],
    });
  });
}

/**
 * Writes the filter of a custom field. The data type of the field is not known here, so the type of the value decides.
 */
function customField(given: Given): string[] {
  const { path, name, value } = given;
  if (typeof value === 'boolean') return [pair(name, String(value))];
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return [pair(name, String(value))];
    throw new ConfigurationError(`${path} is ${value}; it must be a finite number.`);
  }
  if (kindOf(value) !== 'Object') return KINDS.code(given);
  const exists = presence(value, path);
  if (exists !== undefined) return [pair(name, encoded(path, exists))];
  const list = range(path, value as object, day);
  if (list.length === 1) return bounds(given, list);
  throw new ConfigurationError(`${path} has two bounds; the service accepts only one bound for a custom field.`);
}
