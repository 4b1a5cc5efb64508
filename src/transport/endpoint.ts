import { ConfigurationError } from '../errors.ts';
import type { Selection } from '../filters/query.ts';
import { objectArgument, oneOf, plainCopy } from '../internal/arguments.ts';
import { includedBy } from '../jsonapi/include.ts';
import { type Query, queryString } from '../jsonapi/query.ts';
import { type IncludeTree, NOTHING_INCLUDED } from '../jsonapi/tree.ts';
import type { ResourceType } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import { type ParameterNames, queryParameters } from './parameters.ts';
import { encodePath, type Path, routeOf } from './path.ts';
import { REQUEST_OPTION_NAMES } from './settings.ts';
import type { Secret } from './spellings.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The media type of every body, except that of the webhook trigger. */
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
  /** The query parameters that the endpoint has, `include` among them. Others are refused. */
  parameters?: ParameterNames | undefined;
  /** Query parameters that are always sent. They replace options of the same name. */
  query?: () => Query;
  body?: () => unknown;
  /** @default 'application/vnd.api+json' */
  contentType?: typeof JSON_API | typeof PLAIN_JSON;
  /**
   * Whether the request is idempotent, so that it may be sent again.
   * @default false for POST and PATCH, true for other methods
   */
  repeatable?: boolean;
  /** The types that the primary data may have. */
  type?: string | readonly string[];
  /** The schema of the primary data, if it is not the schema of its type. */
  schema?: ResourceType;
  /** What the service includes when the call has no `include`. */
  defaultTree?: IncludeTree | undefined;
  /** The answer may lack `type` and `id`. */
  anonymous?: boolean;
  /** What errors and hooks must not show of an answer, besides the credential. */
  secrets?: readonly Secret[] | undefined;
}

/** What the answer should contain. */
export interface ExpectedAnswer {
  /** Types of the primary data; empty for plain JSON. */
  readonly types: readonly string[];
  readonly schema: ResourceType | undefined;
  readonly tree: IncludeTree;
  /** Whether the caller asked for this tree. Otherwise the service chooses what to include. */
  readonly asked: boolean;
  readonly anonymous: boolean;
}

/** The call as plain values. What the caller passed is not read again. */
export interface ResolvedEndpoint {
  readonly method: Method;
  /** Below the base URL, encoded, without the query. */
  readonly path: string;
  readonly template: Path;
  /** The method of the client that was called, such as `shipments.list`. */
  readonly operation: string;
  /** With its `?`. The query of a list does not contain the page. */
  query: string;
  /** The query without `include`. */
  filters: string;
  /** Checks the filters and the order of a list, and adds them to `query` and `filters`. */
  select?: (() => Promise<void>) | undefined;
  readonly body: string | undefined;
  readonly contentType: string | undefined;
  readonly repeatable: boolean;
  /** Whether a response is given with its body unread. */
  readonly isUnread?: (response: Response) => boolean;
  readonly expected: ExpectedAnswer;
  readonly secrets?: readonly Secret[] | undefined;
  readonly options: RequestOptions;
}

/** A call that cannot be made: its promise rejects with the reason. */
export interface InvalidCall extends Pick<ResolvedEndpoint, 'method' | 'path' | 'query' | 'template' | 'operation'> {
  readonly error: unknown;
}

const REPEATABLE_METHODS: readonly Method[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const NO_OPTIONS = {};
const NO_PARAMETERS = {};

/**
 * Reads and checks a call at once. An error is not thrown but returned: the promise of the call rejects with it.
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
  const method = oneOf('method', endpoint.method ?? 'GET', METHODS);
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
    repeatable: endpoint.repeatable ?? REPEATABLE_METHODS.includes(method),
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

/** Adds the filters and the order to the query, once. The checks are loaded with the first filter. */
function selector(call: ResolvedEndpoint, { filter, sort, query }: Selection): ResolvedEndpoint['select'] {
  if ((filter ?? sort ?? query ?? undefined) === undefined) return undefined;
  // What the caller changes after the call has no effect.
  const selection = plainCopy({ filter, sort, query }, 5);
  let added: Promise<void> | undefined;
  return () => {
    added ??= import('../filters/query.ts').then(({ selectionQuery }) => {
      const text = selectionQuery(call.operation, selection);
      call.query = joinQueries(call.query, text);
      call.filters = joinQueries(call.filters, text);
    });
    return added;
  };
}

/** The call for one page of a list. */
export function withPage(
  list: ResolvedEndpoint | InvalidCall,
  page: () => Query,
  options: RequestOptions,
): ResolvedEndpoint | InvalidCall {
  if ('error' in list) return list;
  try {
    const query = joinQueries(list.query, queryString({ page: page() }));
    return { ...list, query, options: requestOptions(options) };
  } catch (error) {
    return { ...list, error };
  }
}

function requestOptions({ signal, timeout, deadline, headers, retry, priority }: RequestOptions): RequestOptions {
  return { signal, timeout, deadline, headers, retry, priority };
}

/** Two query strings as one. */
function joinQueries(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}&${second.slice(1)}`;
}

function filtersOf({ operation, query, parameters }: Endpoint, given: object, common: readonly string[]): string {
  if (given === NO_OPTIONS) return query ? queryString(query()) : '';
  objectArgument('The argument for options', given, '{ timeout: 10_000 }');
  const declaration = { operation, parameters: parameters ?? NO_PARAMETERS, common };
  return queryString(queryParameters(given, declaration, query?.() ?? NO_PARAMETERS));
}

/** The body as JSON. @throws {ConfigurationError} if the body cannot be sent as it is. */
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

/** JSON would hold `null` instead, which deletes a value in the service. */
function refuseUnwritable(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const given = this[name];
  const isLost = typeof value === 'number' ? !Number.isFinite(value) : value === null && given instanceof Date;
  if (!isLost) return value;
  throw new ConfigurationError(`${name || 'The body'} is ${given}, which JSON cannot hold.`);
}
