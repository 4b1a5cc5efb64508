import { atLeast, knownNames, limitOf, namesOf, objectArgument, oneOf, shown } from '../../arguments.ts';
import { ConfigurationError } from '../../errors.ts';

/** A failure to be met on purpose. What it does not set goes on as usual. */
export interface Fault {
  /** Which requests it befalls; all of them without it. */
  match?:
    | {
        /** The method in upper case; any without it. */
        method?: string | undefined;
        /** Below the version segment: `/shipments`. A string has to equal the whole path. */
        path?: RegExp | string | undefined;
      }
    | undefined;
  /**
   * How many requests it befalls.
   * @default 1
   */
  times?: number | undefined;
  /**
   * Answers with this status, and the service does nothing.
   * @default 429 with `retryAfter`, 200 with `body`
   */
  status?: number | undefined;
  /** Of that answer: a text is sent as it is, everything else as JSON. Without it the error document of the status. */
  body?: unknown;
  /** Added to the answer. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The header `Retry-After`, sent as it is. */
  retryAfter?: number | string | undefined;
  /** Makes the answer later, in ms of real time. */
  delayMs?: number | undefined;
  /**
   * Breaks the connection: `before` the service does anything, or in the middle of the answer's body (`mid-body`), when
   * it has done all. Over `fetch` the call rejects, or the reading of the body does.
   */
  drop?: 'before' | 'mid-body' | undefined;
}

/** The request that a fault may befall. */
export interface FaultRequest {
  /** The method in upper case. */
  method: string;
  /** Below the version segment. */
  path: string;
}

/** Asked for each request. */
export type FaultFunction = (request: FaultRequest) => Fault | undefined;

export interface Faults {
  add(fault: Fault): void;
  /** The fault that befalls a request; it is used up by that. */
  take(request: FaultRequest): Fault | undefined;
}

const FAULT_NAMES = namesOf<Fault>({
  match: true,
  times: true,
  status: true,
  body: true,
  headers: true,
  retryAfter: true,
  delayMs: true,
  drop: true,
});

/** @throws {ConfigurationError} for what is no fault. */
export function checkFault(fault: Fault): void {
  knownNames('A fault', objectArgument('The fault', fault, '{ status: 503 }'), FAULT_NAMES);
  const { match = {}, times = 1, status = 200, headers = {}, delayMs = 0, drop = 'before' } = fault;
  knownNames('match', objectArgument('match', match, "{ path: '/shipments' }"), ['method', 'path']);
  limitOf(0, 'times', times);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new ConfigurationError(`status is ${shown(status)}; it must be from 200 to 599.`);
  }
  objectArgument('headers', headers, "{ 'x-request-id': '1' }");
  atLeast(0, 'delayMs', delayMs);
  oneOf('drop', drop, ['before', 'mid-body']);
}

export function createFaults(initial: readonly Fault[] | FaultFunction = []): Faults {
  const ask: FaultFunction = typeof initial === 'function' ? initial : () => undefined;
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
      if (entry === undefined) return ask(request);
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
