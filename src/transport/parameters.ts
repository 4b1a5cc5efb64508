import { ConfigurationError } from '../errors.ts';
import { describeValue, kindOf, objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import type { Query, QueryValue } from '../jsonapi/query.ts';

/** Names of query parameters: `true` for a single value, the names in it for an object. */
export interface ParameterNames {
  readonly [name: string]: true | readonly string[];
}

/** The parameter names of an options type. The compiler makes sure that no name is missing and no other name is there. */
export type ParametersOf<Options> = {
  readonly [Name in keyof Options]-?: Name extends 'filter' | 'sort' ? true : NamesWithin<NonNullable<Options[Name]>>;
};

type NamesWithin<Value> = [Extract<Value, SingleValue>] extends [never] ? readonly (keyof Value)[] : true;
type SingleValue = string | number | boolean | Date | readonly unknown[];

/** Options that are checked elsewhere. */
const ELSEWHERE = ['include', 'filter', 'sort'];

/** The parameters and options that a call may have. */
export interface Declaration {
  /** The method of the client that is called, for messages. */
  operation: string;
  /** The parameters of the endpoint itself, `include` among them. */
  parameters: ParameterNames;
  /** Other options, which are not sent as query parameters. */
  common: readonly string[];
}

/**
 * The query parameters among the options of a call. Unknown names are refused, because the service ignores them: with a
 * misspelt filter, a list would give every record of the account.
 *
 * @param fixed parameters that the endpoint sets itself. They replace options of the same name, whose values are not checked.
 * @throws {ConfigurationError} for a name that the endpoint does not have.
 */
export function queryParameters(given: object, declaration: Declaration, fixed: Query): Query {
  const { common } = declaration;
  const query: Record<string, QueryValue> = {};
  for (const name of Object.keys(given)) {
    const value = given[name as keyof typeof given] as QueryValue;
    if (value === undefined || common.includes(name)) continue;
    const names = declaredNames(name, declaration);
    if (ELSEWHERE.includes(name)) continue;
    if (!Object.hasOwn(fixed, name)) checkNames(`${name} of ${declaration.operation}`, value, names);
    query[name] = value;
  }
  return Object.assign(query, fixed);
}

function checkNames(path: string, value: unknown, names: true | readonly string[]): void {
  if ((value ?? undefined) === undefined) return;
  if (names !== true) refuseUnknownNames(path, objectArgument(path, value, `{ ${names[0]}: … }`), names);
  else if (kindOf(value) === 'Object' || (Array.isArray(value) && value.length === 0))
    throw new ConfigurationError(`${path} is ${describeValue(value)}, not a value.`);
}

function declaredNames(name: string, { operation, parameters, common }: Declaration): true | readonly string[] {
  const names = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (names !== undefined) return names;
  const all = [...Object.keys(parameters), ...common];
  const meant = all.find(candidate => plain(candidate) === plain(name));
  const hint = meant === undefined ? 'there are' : `did you mean ${meant}? There are`;
  throw new ConfigurationError(`${operation} has no option ${name}; ${hint}: ${all.join(', ')}.`);
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
