import { ConfigurationError } from '../errors.ts';
import type { Selection } from '../filters/query.ts';
import { describeValue, kindOf, objectArgument, oneOf, plainCopy, refuseUnknownNames } from '../internal/arguments.ts';
import { unknownName } from '../internal/near-name.ts';
import { type GivenPaths, type IncludeTree, includedBy, NOTHING_INCLUDED } from '../jsonapi/include.ts';
import { isKnownTree } from '../jsonapi/link.ts';
import { joinQueries, type Query, type QueryValue, queryString } from '../jsonapi/query.ts';
import type { ResourceType } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { Secret } from './redact.ts';
import { REQUEST_OPTION_NAMES } from './settings.ts';

/** A path below the base URL with its parameters. It is not checked and not encoded yet. */
export interface Path {
  readonly parts: readonly string[];
  readonly parameters: readonly unknown[];
}

/** Makes a path from a template: path`/shipments/${id}/custom_fields`. A parameter is one segment, or another path. */
export function path(parts: TemplateStringsArray, ...parameters: unknown[]): Path {
  return { parts, parameters };
}

/**
 * The path, encoded.
 *
 * @throws {ConfigurationError} for a parameter that is not a string, is blank, or is `.` or `..`: the request would go to
 * another endpoint.
 */
export function encodePath({ parts, parameters }: Path): string {
  let encoded = parts[0] as string;
  for (let index = 0; index < parameters.length; index += 1) {
    encoded += segment(parameters[index], encoded) + (parts[index + 1] as string);
  }
  return encoded;
}

/** The path with placeholders for its parameters: `/shipments/{id}`. */
export function routeOf({ parts, parameters }: Path): string {
  return parts.reduce((route, part, index) => {
    const parameter = parameters[index - 1];
    return route + (isPath(parameter) ? routeOf(parameter) : '{id}') + part;
  });
}

function segment(value: unknown, before: string): string {
  if (typeof value !== 'string') {
    if (isPath(value)) return encodePath(value);
    throw notAnId(before, value);
  }
  const isNumber = /^([A-Z]{4}[A-Z\d]{6,12}|[A-Za-z]{4}\W?\d{6}\W?\d)$/.test(value);
  if (value.trim() === '' || value === '.' || value === '..' || isNumber) throw notAnId(before, value);
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new ConfigurationError(`The id in ${before}… is not well-formed text.`, { cause });
  }
}

function notAnId(before: string, found: unknown): ConfigurationError {
  return new ConfigurationError(
    `The id in ${before}… is ${describeValue(found)}, not an id${typeof found === 'string' ? ': search() finds it' : ''}.`,
  );
}

/** Checks the shape, because plain JavaScript may pass any object as an id. */
function isPath(value: unknown): value is Path {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Path>).parts);
}

/** A path that is already encoded. */
export function rawPath(text: string): Path {
  return { parts: [typeof text === 'string' ? text : ''], parameters: [] };
}

/** @throws {ConfigurationError} for a path that contains a query or leads outside the base URL. */
export function checkPath(text: string): void {
  const isPlain = typeof text === 'string' && /^\/(?!\/)[^\s?#\\]*$/.test(text);
  if (!isPlain || /\/(\.|%2e){1,2}(\/|$)/i.test(text)) {
    throw new ConfigurationError(
      'path must begin with one slash, without a query, a fragment or dot segments. Pass parameters as query.',
    );
  }
}

/** Names of query parameters: `true` for a single value; for an object, the names of its properties. */
export interface ParameterNames {
  readonly [name: string]: true | readonly string[];
}

/**
 * The parameter names of an options type. The compiler checks that every name is listed, and that each listed name
 * exists.
 */
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
  /** The parameters of the endpoint itself; `include` is one of them. */
  parameters: ParameterNames;
  /** Other options, which are not sent as query parameters. */
  common: readonly string[];
}

/**
 * The query parameters among the options of a call. Unknown names cause an error, because the service ignores them.
 * With a misspelt filter, a list would contain every record of the account.
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
  throw unknownName(operation, name, [...Object.keys(parameters), ...common], 'option ');
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The media type of every body, except the body of the webhook trigger. */
const JSON_API = 'application/vnd.api+json';
export const PLAIN_JSON = 'application/json';

/** One call, as a method of a resource group declares it. */
export interface Endpoint {
  /** The method of the client that is called, such as `shipments.list`. */
  operation: string;
  /** @default 'GET' */
  method?: Method;
  path: Path;
  /** The options of the call: query parameters of the endpoint and `RequestOptions` in one object. */
  options?: object | undefined;
  /** The query parameters of the endpoint, including `include`. Other parameters cause an error. */
  parameters?: ParameterNames | undefined;
  /** Query parameters that are always sent. They replace options of the same name. */
  query?: () => Query;
  body?: () => unknown;
  /** @default 'application/vnd.api+json' */
  contentType?: typeof JSON_API | typeof PLAIN_JSON;
  /**
   * `true` if the request is idempotent, so that it may be sent again.
   * @default false for POST and PATCH, true for other methods
   */
  repeatable?: boolean;
  /** The types that the primary data may have. */
  type?: string | readonly string[];
  /** The schema of the primary data, if it is not the schema of its type. */
  schema?: ResourceType;
  /** The include tree that the service uses when the call has no `include`. */
  defaultTree?: IncludeTree | undefined;
  /** True if the response may lack `type` and `id`. */
  anonymous?: boolean;
  /** Parts of a response that, like the credential, must not appear in errors and must not be passed to hooks. */
  secrets?: readonly Secret[] | undefined;
}

/** The expected content of the response. */
export interface ExpectedAnswer {
  /** Types of the primary data; empty for plain JSON. */
  readonly types: readonly string[];
  readonly schema: ResourceType | undefined;
  readonly tree: IncludeTree;
  /** True if the caller chose the included records. Otherwise the service chose them. */
  readonly asked: boolean;
  readonly anonymous: boolean;
}

/** The call as plain values. The arguments of the caller are not read again. */
export interface ResolvedEndpoint {
  readonly method: Method;
  /** Path below the base URL, encoded, without the query. */
  readonly path: string;
  readonly template: Path;
  /** The method of the client that was called, such as `shipments.list`. */
  readonly operation: string;
  /** The query string with its `?`. For a list, it does not contain the page. */
  query: string;
  /** The query string without `include`. */
  filters: string;
  /** Checks the filters and the sort order of a list, and adds them to `query` and `filters`. */
  select?: (() => Promise<void>) | undefined;
  readonly body: string | undefined;
  readonly contentType: string | undefined;
  readonly repeatable: boolean;
  /** True if the response is returned and its body was not read. */
  readonly isUnread?: (response: Response) => boolean;
  readonly expected: ExpectedAnswer;
  readonly secrets?: readonly Secret[] | undefined;
  readonly options: RequestOptions;
}

/** A call that cannot be made. Its promise rejects with the reason. */
export interface InvalidCall extends Pick<ResolvedEndpoint, 'method' | 'path' | 'query' | 'template' | 'operation'> {
  readonly error: unknown;
}

const UNREPEATABLE: readonly Method[] = ['POST', 'PATCH'];
const NO_OPTIONS = {};
const NO_PARAMETERS = {};

/**
 * Reads and checks a call immediately. An error is returned and not thrown, because the promise of the call rejects
 * with this error.
 *
 * @param common names of the options that the call has in addition to the parameters of its endpoint.
 */
export function resolveEndpoint(
  endpoint: Endpoint,
  common: readonly string[] = REQUEST_OPTION_NAMES,
): ResolvedEndpoint | InvalidCall {
  try {
    return resolveOrThrow(endpoint, common);
  } catch (error) {
    const { method = 'GET', path, operation } = endpoint;
    return { error, method, path: routeOf(path), query: '', template: path, operation };
  }
}

function resolveOrThrow(endpoint: Endpoint, common: readonly string[]): ResolvedEndpoint {
  const given: object = endpoint.options ?? NO_OPTIONS;
  const filters = filtersOf(endpoint, given, common);
  const { include } = given as { include?: unknown };
  const asked = include === undefined ? undefined : includedBy(include);
  const method = endpoint.method === undefined ? 'GET' : oneOf('method', endpoint.method, METHODS);
  const body = endpoint.body && serializeBody(method, endpoint.body());
  const { type = [] } = endpoint;
  const call: ResolvedEndpoint = {
    method,
    path: encodePath(endpoint.path),
    template: endpoint.path,
    operation: endpoint.operation,
    query: asked ? joinQueries(asked.query, filters) : filters,
    filters,
    body,
    contentType: body === undefined ? undefined : (endpoint.contentType ?? JSON_API),
    repeatable: endpoint.repeatable ?? !UNREPEATABLE.includes(method),
    expected: {
      types: typeof type === 'string' ? [type] : type,
      schema: endpoint.schema,
      tree: asked?.tree ?? endpoint.defaultTree ?? NOTHING_INCLUDED,
      asked: asked !== undefined,
      anonymous: endpoint.anonymous === true,
    },
    secrets: endpoint.secrets,
    options: requestOptions(given),
  };
  call.select = selector(call, given);
  return call;
}

/**
 * Adds the filters and the sort order to the query, once. The checks are loaded with the first filter, and with the
 * first include path that is not known or has several segments.
 */
function selector(
  call: ResolvedEndpoint,
  { filter, sort, query, include }: Selection & { include?: GivenPaths },
): ResolvedEndpoint['select'] {
  const { tree, types, asked } = call.expected;
  const mayBeUnknown = asked && !include?.isOpen && !isKnownTree(tree, types);
  if (!mayBeUnknown && (filter ?? sort ?? query ?? undefined) === undefined) return undefined;
  // Changes by the caller after the call have no effect.
  const selection = plainCopy({ filter, sort, query }, 5);
  let added: Promise<void> | undefined;
  return () => {
    added ??= import('../filters/query.ts').then(({ refuseInclude, selectionQuery }) => {
      if (mayBeUnknown) refuseInclude(`${call.operation}: include`, tree, types);
      const text = selectionQuery(call.operation, selection);
      call.query = joinQueries(call.query, text);
      call.filters = joinQueries(call.filters, text);
    });
    return added;
  };
}

/** The options of a request among all options of a call. */
export function requestOptions({
  signal,
  timeout,
  deadline,
  headers,
  retry,
  priority,
}: RequestOptions): RequestOptions {
  return { signal, timeout, deadline, headers, retry, priority };
}

function filtersOf({ operation, query, parameters }: Endpoint, given: object, common: readonly string[]): string {
  if (given === NO_OPTIONS) return query ? queryString(query()) : '';
  objectArgument('The argument for options', given, '{ timeout: 10_000 }');
  const declaration = { operation, parameters: parameters ?? NO_PARAMETERS, common };
  return queryString(queryParameters(given, declaration, query?.() ?? NO_PARAMETERS));
}

/** The body as JSON. @throws {ConfigurationError} if the body cannot be sent unchanged. */
function serializeBody(method: Method, content: unknown): string | undefined {
  if (content === undefined) return undefined;
  if (method === 'GET' || method === 'HEAD') throw new ConfigurationError(`A ${method} request cannot have a body.`);
  let text: string | undefined;
  try {
    text = JSON.stringify(content, refuseUnwritable);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError('The body cannot be written as JSON.', { cause });
  }
  if (text === undefined) throw new ConfigurationError(`The body is a ${typeof content}, which is not JSON.`);
  return text;
}

/** Throws an error for a value that JSON would replace by `null`: for the service, `null` deletes a value. */
function refuseUnwritable(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const given = this[name];
  const isLost = typeof value === 'number' ? !Number.isFinite(value) : value === null && given instanceof Date;
  if (!isLost) return value;
  throw new ConfigurationError(`${name || 'The body'} is ${given}, which JSON cannot hold.`);
}
