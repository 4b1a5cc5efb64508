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

/**
 * A failure that the sandbox produces on purpose. Without `status`, `body`, `retryAfter` and `drop` the request is handled as
 * usual.
 */
export interface Fault {
  /** Which requests fail. Without it: all requests. */
  match?:
    | {
        /** The method; upper and lower case are the same. @default every method */
        method?: string | undefined;
        /**
         * The path after the version segment, such as `/shipments`, or a whole path outside it: `/mcp`, `/oauth/token`. A string
         * must be equal to all of it.
         * @default every path
         */
        path?: RegExp | string | undefined;
      }
    | undefined;
  /**
   * How many requests fail. A whole number, or `Infinity`.
   * @default 1
   */
  times?: number | undefined;
  /**
   * The sandbox answers with this status and does not handle the request.
   * @default 429 if `retryAfter` is set, otherwise 200 if `body` is set
   */
  status?: number | undefined;
  /**
   * The body of this answer. A string is sent unchanged, any other value as JSON.
   * @default an error document with the status
   */
  body?: unknown;
  /** Additional headers of the answer. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The header `Retry-After`, sent unchanged. */
  retryAfter?: number | string | undefined;
  /** An additional delay of the answer, in ms of real time. */
  delayMs?: number | undefined;
  /**
   * Breaks the connection: `before` the request is handled, or after it has been handled, in the middle of the answer's
   * body (`mid-body`). With `sandbox.fetch`, `before` rejects the call, and `mid-body` fails the reading of the body.
   */
  drop?: 'before' | 'mid-body' | undefined;
}

/** The request that a {@link FaultFunction} decides about. */
export interface FaultRequest {
  /** The method in upper case. */
  method: string;
  /** The path after the version segment, such as `/shipments`, or a whole path outside it, such as `/mcp`. */
  path: string;
}

/** Is called for each request. A fault that it returns applies to this request. */
export type FaultFunction = (request: FaultRequest) => Fault | undefined;

export interface Faults {
  add(fault: Fault): void;
  /** The fault for a request, if there is one. It counts as used then. */
  take(request: FaultRequest): Fault | undefined;
}

const FAULT_NAMES = optionNames<Fault>({
  match: true,
  times: true,
  status: true,
  body: true,
  headers: true,
  retryAfter: true,
  delayMs: true,
  drop: true,
});

/** @throws {ConfigurationError} for an unknown property, or a value that is out of range. */
export function checkFault(fault: Fault): void {
  refuseUnknownNames('A fault', objectArgument('The fault', fault, '{ status: 503 }'), FAULT_NAMES);
  const { match = {}, times = 1, status = 200, headers = {}, delayMs = 0, drop = 'before' } = fault;
  refuseUnknownNames('match', objectArgument('match', match, "{ path: '/shipments' }"), ['method', 'path']);
  wholeNumberOrInfinity(0, 'times', times);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new ConfigurationError(`status is ${describeValue(status)}; it must be from 200 to 599.`);
  }
  objectArgument('headers', headers, "{ 'x-request-id': '1' }");
  numberAtLeast(0, 'delayMs', delayMs);
  oneOf('drop', drop, ['before', 'mid-body']);
}

export function createFaults(initial: readonly Fault[] | FaultFunction = []): Faults {
  const faultFor: FaultFunction = typeof initial === 'function' ? initial : () => undefined;
  const waiting: { fault: Fault; left: number }[] = [];

  function add(fault: Fault) {
    checkFault(fault);
    waiting.push({ fault, left: fault.times ?? 1 });
  }
  if (typeof initial !== 'function') initial.forEach(add);

  return {
    add,
    take(request) {
      const entry = waiting.find(({ fault, left }) => left > 0 && matches(fault, request));
      if (entry === undefined) return faultFor(request);
      entry.left -= 1;
      return entry.fault;
    },
  };
}

function matches({ match }: Fault, request: FaultRequest): boolean {
  if (match?.method !== undefined && match.method.toUpperCase() !== request.method) return false;
  if (match?.path === undefined) return true;
  return typeof match.path === 'string' ? match.path === request.path : request.path.search(match.path) !== -1;
}
