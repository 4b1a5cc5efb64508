import { ConfigurationError } from '../errors.ts';
import { kindOf, objectArgument } from '../internal/arguments.ts';
import type { Query, QueryValue } from '../jsonapi/query.ts';

/** Names of query parameters: `true` for a single value, nested names for an object. */
export interface ParameterNames {
  readonly [name: string]: true | ParameterNames;
}

/** The parameter names of an options type. The compiler makes sure that no name is missing and no other name is there. */
export type ParametersOf<Options> = {
  readonly [Name in keyof Options]-?: NamesWithin<NonNullable<Options[Name]>>;
};

type NamesWithin<Value> = [Extract<Value, SingleValue>] extends [never] ? ParametersOf<Value> : true;
type SingleValue = string | number | boolean | Date | readonly unknown[];

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
  const { parameters, common } = declaration;
  const query: Record<string, QueryValue> = {};
  for (const name of Object.keys(given)) {
    const value = given[name as keyof typeof given] as QueryValue;
    if (value === undefined || common.includes(name)) continue;
    const names = declaredNames(name, parameters, name, declaration);
    if (name === 'include') continue;
    if (!Object.hasOwn(fixed, name)) checkNames(name, value, names, declaration);
    query[name] = value;
  }
  return Object.assign(query, fixed);
}

function checkNames(path: string, value: unknown, names: true | ParameterNames, declaration: Declaration): void {
  if (value === undefined || value === null) return;
  if (names === true) {
    if (Array.isArray(value) && value.length === 0)
      throw new ConfigurationError(`${path} of ${declaration.operation} is empty; leave it out to get all.`);
    if (kindOf(value) !== 'Object') return;
    throw new ConfigurationError(`${path} of ${declaration.operation} is an object; it must be a single value.`);
  }
  const [first] = Object.keys(names);
  for (const [name, inner] of Object.entries(objectArgument(path, value, `{ ${first}: … }`))) {
    const inside = `${path}.${name}`;
    if (inner !== undefined) checkNames(inside, inner, declaredNames(name, names, inside, declaration), declaration);
  }
}

function declaredNames(
  name: string,
  siblings: ParameterNames,
  path: string,
  { operation, parameters, common }: Declaration,
): true | ParameterNames {
  const names = Object.hasOwn(siblings, name) ? siblings[name] : undefined;
  if (names !== undefined) return names;
  const all = [...pathsOf(parameters), ...common];
  const parent = path.slice(0, -name.length);
  const meant = all.find(candidate => plain(lastName(candidate)) === plain(name));
  const hint = meant === undefined ? 'there are' : `did you mean ${meant}? There are`;
  const known = all.filter(candidate => candidate.startsWith(parent));
  throw new ConfigurationError(`${operation} has no option ${path}; ${hint}: ${known.join(', ')}.`);
}

/** The full paths of all names, such as `filter.created_at.start`. */
function pathsOf(names: ParameterNames, parent = ''): string[] {
  return Object.entries(names).flatMap(([name, within]) =>
    within === true ? [parent + name] : pathsOf(within, `${parent}${name}.`),
  );
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
