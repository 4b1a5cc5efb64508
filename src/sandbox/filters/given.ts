import { badRequest } from '../http/errors.ts';

/** What a request gives to one filter, in all its forms. */
export interface Given {
  /** `filter[key]`, which errors name. */
  readonly parameter: string;
  /** `filter[key]=value`; of several, the last one. */
  scalar?: string;
  /** `filter[key][]=value` */
  readonly array: string[];
  /** `filter[key][member]=value` and `filter[key][member][]=value` */
  readonly members: Map<string, Given>;
}

const PARAMETER = /^filter\[([^\][]+)\](?:\[([^\][]*)\])?(\[\])?$/;

/** The filters of a request, by key. */
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

/** A parameter at the top level that stands for a filter. */
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

/** @throws {HttpError} 400 for a value, an operator or a form that a filter does not have. */
export function malformed({ parameter }: Given, why: string): never {
  throw badRequest(parameter, `${parameter} ${why}`);
}

/** The value of a filter that takes one. */
export function scalarOf(given: Given): string {
  if (given.members.size > 0 || given.array.length > 0) malformed(given, 'takes one value, not a list or an object');
  return notBlank(given, given.scalar ?? '');
}

/** The values of a filter that takes one, or an array. */
export function valuesOf(given: Given): string[] {
  if (given.members.size > 0) malformed(given, 'takes a value or a list, not an object');
  const values = given.scalar === undefined ? given.array : [given.scalar, ...given.array];
  return values.map(value => notBlank(given, value));
}

function notBlank(given: Given, value: string): string {
  return value.trim() === '' ? malformed(given, 'is blank') : value;
}
