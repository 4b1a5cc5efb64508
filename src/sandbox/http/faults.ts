import { ConfigurationError } from '../../errors.ts';
import {
  describeValue,
  numberAtLeast,
  objectArgument,
  oneOf,
  optionNames,
  refuseUnknownNames,
  wholeNumberOrInfinity,
} from '../../internal/arguments.ts';
import { nearName } from '../../internal/near-name.ts';
import { type ErrorName, NAMED_ERRORS } from '../../model/generated/named-errors.ts';
import { finiteAtLeast, isHeaderName, isHeaderValue } from '../base/checks.ts';
import { createRandom } from '../base/random.ts';
import type { Route } from './router.ts';

/**
 * A failure that the sandbox produces on purpose. Without `error`, `status`, `body`, `retryAfter`, `drop` and `stall`,
 * the request is handled as usual. A fault can be written as JSON, unless `match.path` is a regular expression.
 *
 * @example
 * const faults: Fault[] = [
 *   { route: 'GET /shipments/:id', probability: 0.05, status: 503 },
 *   { route: 'POST /tracking_requests', probability: 0.01, drop: 'mid-body' },
 *   { error: 'duplicate-request', times: 2 },
 * ];
 */
export interface Fault {
  /**
   * The requests that fail: an endpoint such as `GET /shipments/:id`, or `/shipments/:id` for every method. `:name`
   * stands for one segment. `*` at the end stands for the rest of the path.
   * @default every request
   */
  route?: string | undefined;
  /** Limits the failure to some requests, in addition to `route`. @default every request */
  match?:
    | {
        /** The method, in upper or lower case. @default every method */
        method?: string | undefined;
        /**
         * The path after the version segment, such as `/shipments`; for other paths, the whole path: `/mcp`,
         * `/oauth/token`. A string must be equal to the whole path. A regular expression may match a part of it.
         * @default every path
         */
        path?: RegExp | string | undefined;
      }
    | undefined;
  /**
   * The share of these requests that fail, from 0 to 1. The seed and the sequence number of a request decide whether
   * the request fails.
   * @default 1
   */
  probability?: number | undefined;
  /**
   * The number of requests that fail. A whole number above 0, or `Infinity`.
   * @default 1; with `probability`: Infinity
   */
  times?: number | undefined;
  /** The sandbox responds with this error of the service, and does not handle the request. See {@link ErrorName}. */
  error?: ErrorName | undefined;
  /**
   * The sandbox responds with this status and does not handle the request.
   * @default the status of `error`; 429 if `retryAfter` is set, otherwise 200 if `body` is set
   */
  status?: number | undefined;
  /**
   * The body of this response. A string is sent unchanged. Any other value is sent as JSON.
   * @default the body of `error`, or an error document with the status
   */
  body?: unknown;
  /** Additional headers of the response. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The value of the header `Retry-After`. It is sent unchanged. */
  retryAfter?: number | string | undefined;
  /** An additional delay of the response, in ms of real time. */
  delayMs?: number | undefined;
  /**
   * Breaks the connection. The value `before` breaks it before the request is handled. The value `mid-body` breaks it
   * after the request was handled, in the middle of the response's body. With `before`, the call of `sandbox.fetch`
   * rejects. With `mid-body`, reading the body fails.
   */
  drop?: 'before' | 'mid-body' | undefined;
  /**
   * Keeps the connection open and sends nothing more. The value `before` does this before the request is handled. The
   * value `mid-body` does this after the request was handled, in the middle of the response's body. Only the client can
   * end the connection.
   */
  stall?: 'before' | 'mid-body' | undefined;
}

/** The request for which a {@link FaultFunction} chooses a fault. */
export interface FaultRequest {
  /** The method in upper case. */
  method: string;
  /** The path after the version segment, such as `/shipments`; for other paths, the whole path, such as `/mcp`. */
  path: string;
}

/**
 * The sandbox calls this function for each request. The fault that it returns applies to this request only. If that
 * fault is invalid, the call of `sandbox.fetch` rejects with a `ConfigurationError`, and a server of `listen()` breaks
 * the connection.
 */
export type FaultFunction = (request: FaultRequest) => Fault | undefined;

export interface Faults {
  add(fault: Fault): void;
  /**
   * Returns the fault for a request, if there is one, and counts it as used.
   *
   * @param number The sequence number of the request.
   */
  take(request: FaultRequest, number: number): Fault | undefined;
  /** The faults, each with the number of requests to which it still applies. */
  readonly waiting: { fault: Fault; left: number }[];
}

const FAULT_NAMES = optionNames<Fault>({
  route: true,
  match: true,
  probability: true,
  times: true,
  error: true,
  status: true,
  body: true,
  headers: true,
  retryAfter: true,
  delayMs: true,
  drop: true,
  stall: true,
});

/** The properties that change the response to a request. The other properties select requests. */
const EFFECTS = ['error', 'status', 'body', 'headers', 'retryAfter', 'delayMs', 'drop', 'stall'] as const;

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * @throws {ConfigurationError} for an unknown property, a value that is out of range, and a fault that has no effect.
 */
export function checkFault(fault: Fault): void {
  refuseUnknownNames('A fault', objectArgument('The fault', fault, '{ status: 503 }'), FAULT_NAMES);
  if (EFFECTS.every(name => fault[name] === undefined)) {
    throw new ConfigurationError(`A fault needs at least one of: ${EFFECTS.join(', ')}.`);
  }
  const { match = {}, times = 1, status = 200, headers = {}, delayMs = 0, drop = 'before', stall = 'before' } = fault;
  refuseUnknownNames('match', objectArgument('match', match, "{ path: '/shipments' }"), ['method', 'path']);
  if (match.method !== undefined) oneOf('match.method', match.method.toUpperCase(), METHODS);
  wholeNumberOrInfinity(1, 'times', times);
  if (numberAtLeast(0, 'probability', fault.probability ?? 0) > 1) {
    throw new ConfigurationError(`probability is ${fault.probability}; it must be from 0 to 1.`);
  }
  if (fault.route !== undefined && !/^(?:[A-Za-z]+ )?\//.test(String(fault.route))) {
    throw new ConfigurationError(`route is ${describeValue(fault.route)}; it must be like 'GET /shipments/:id'.`);
  }
  if (fault.error !== undefined) oneOf('error', fault.error, Object.keys(NAMED_ERRORS));
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new ConfigurationError(`status is ${describeValue(status)}; it must be from 200 to 599.`);
  }
  for (const [name, value] of Object.entries(objectArgument('headers', headers, "{ 'x-request-id': '1' }"))) {
    if (isHeaderName(name) && isHeaderValue(String(value))) continue;
    throw new ConfigurationError(
      `headers has ${describeValue(name)} with ${describeValue(value)}, which is not valid in HTTP.`,
    );
  }
  if (!isHeaderValue(String(fault.retryAfter ?? ''))) {
    throw new ConfigurationError(`retryAfter is ${describeValue(fault.retryAfter)}; it must be a single line.`);
  }
  finiteAtLeast(0, 'delayMs', delayMs);
  oneOf('drop', drop, ['before', 'mid-body']);
  oneOf('stall', stall, ['before', 'mid-body']);
}

/**
 * @param saved The faults of a saved sandbox.
 * @param routes The routes of the sandbox. A fault's `route` must match requests on at least one of them.
 */
export function createFaults(
  initial: readonly Fault[] | FaultFunction = [],
  seed: number,
  routes: readonly Pick<Route, 'method' | 'path'>[],
  saved: Faults['waiting'] = [],
): Faults {
  const check = (fault: Fault) => {
    checkFault(fault);
    if (fault.route !== undefined) requireKnownRoute(fault.route, routes);
    if (typeof fault.match?.path === 'string') requireKnownPath(fault.match.path, fault, routes);
  };
  const faultFor: FaultFunction = request => {
    const fault = typeof initial === 'function' ? initial(request) : undefined;
    if (fault) check(fault);
    return fault;
  };
  const waiting = [...saved];

  function add(fault: Fault) {
    check(fault);
    waiting.push({ fault, left: fault.times ?? (fault.probability === undefined ? 1 : Infinity) });
  }
  if (typeof initial !== 'function') initial.forEach(add);

  return {
    add,
    waiting,
    take(request, number) {
      const entry = waiting.find(
        ({ fault, left }, index) => left > 0 && matches(fault, request) && isDrawn(fault, seed, number, index),
      );
      if (entry === undefined) return faultFor(request);
      entry.left -= 1;
      return entry.fault;
    },
  };
}

function isDrawn({ probability }: Fault, seed: number, number: number, index: number): boolean {
  return probability === undefined || createRandom(seed, 'fault', number, index).chance(probability);
}

function matches({ route, match }: Fault, request: FaultRequest): boolean {
  if (route !== undefined && !isOnRoute(route, request)) return false;
  if (match?.method !== undefined && match.method.toUpperCase() !== request.method) return false;
  if (match?.path === undefined) return true;
  return typeof match.path === 'string' ? match.path === request.path : request.path.search(match.path) !== -1;
}

/** True if the fault's route matches the method and the path. */
function isOnRoute(route: string, { method, path }: Pick<FaultRequest, 'method' | 'path'>): boolean {
  const [template = '', only] = route.split(' ').reverse();
  if (only !== undefined && only.toUpperCase() !== method) return false;
  const [wanted, given] = [template.split('/'), path.split('/')];
  const isOpen = wanted.at(-1) === '*';
  if (isOpen) wanted.pop();
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, index) => (segment.startsWith(':') ? given[index] !== '' : segment === given[index]));
}

/** @throws {ConfigurationError} for a route that no request can match, because this fault would never happen. */
function requireKnownRoute(route: string, routes: readonly Pick<Route, 'method' | 'path'>[]): void {
  // The fault's route may have a value in the place of a parameter such as `:id`.
  const mayMeet = ({ method, path }: Pick<Route, 'method' | 'path'>) => {
    const values = route.replace(/^\S+ /, '').split('/');
    const filled = path.split('/').map((segment, index) => (segment.startsWith(':') ? (values[index] ?? '') : segment));
    return isOnRoute(route, { method, path: filled.join('/') });
  };
  if (routes.some(mayMeet)) return;
  const known = routes.map(({ method, path }) => `${method} ${path}`);
  const [, method = 'GET', path = ''] = /^(?:(\S+) )?(?:\/v\d+(?=\/))?(.*)$/.exec(route) ?? [];
  const wanted = `${method.toUpperCase()} ${path}`;
  const near =
    known.find(each => each === wanted) ?? nearName(wanted, known) ?? known.find(each => endsLike(each, wanted));
  throw new ConfigurationError(
    `route is ${describeValue(route)}, which matches no request to the sandbox${near ? `; did you mean '${near}'?` : '.'} For any other path use match: { path }.`,
  );
}

/**
 * A fault with a body may be for any path, because it can stand for an endpoint that the sandbox does not have.
 *
 * @throws {ConfigurationError} for any other path that no request can match, because this fault would never happen.
 */
function requireKnownPath(path: string, { body }: Fault, routes: readonly Pick<Route, 'path'>[]): void {
  const given = `match.path is ${describeValue(path)}, which matches no request to the sandbox`;
  if (/\/(?::|\*$)/.test(path)) throw new ConfigurationError(`${given}; for a path with :names or *, use route.`);
  if (routes.some(route => isOnRoute(route.path, { method: '', path }))) return;
  const known = routes.map(route => route.path);
  const end = path.replace(/^\/v\d+(?=\/)/, '');
  const near = known.find(each => each === end) ?? nearName(end, known) ?? known.find(each => each.endsWith(end));
  if (near === undefined && body !== undefined) return;
  const meant = near ?? beginsLike(end, known);
  const hint = meant && `; did you mean ${meant.includes(':') ? 'route: ' : ''}'${meant}'?`;
  throw new ConfigurationError(
    `${given}${hint ?? '.'} For a path that the sandbox does not have, set body or use a regular expression.`,
  );
}

/** The known path that shares the most segments with the beginning of a path, if the first segment is the same. */
function beginsLike(path: string, known: readonly string[]): string | undefined {
  const segments = path.split('/');
  for (let count = segments.length; count > 1; count -= 1) {
    const beginning = segments.slice(0, count).join('/');
    const found = known.find(each =>
      isOnRoute(each.split('/').slice(0, count).join('/'), { method: '', path: beginning }),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for `POST /a/b/c` and `POST /c`: the second path differs only because the first segments are missing. */
function endsLike(route: string, wanted: string): boolean {
  const [method = '', path = ''] = wanted.split(' ');
  return path.length > 1 && route.startsWith(`${method} `) && route.endsWith(path);
}
