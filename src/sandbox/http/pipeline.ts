import { type Follower, follow, sleep, unfollow } from '../../internal/signal.ts';
import { type ErrorAnswer, NAMED_ERRORS } from '../../model/generated/named-errors.ts';
import type { Ids } from '../base/random.ts';
import { type Accounts, type Backend, runAgenda } from '../state/backend.ts';
import type { Changes, LoggedRequest } from '../state/changes.ts';
import type { Clock } from '../state/clock.ts';
import { createCall, PREFIX } from './call.ts';
import { corsHeaders, EVERYBODY, preflight, type Visitors } from './cors.ts';
import { type ErrorObject, forbidden, HttpError, limited, named, plainErrors } from './errors.ts';
import type { Fault, Faults } from './faults.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Match, Router } from './router.ts';

/** The latest requests, the oldest first. */
export interface RequestLog {
  readonly entries: readonly LoggedRequest[];
  /** @returns The number of requests before this request, including requests that the log has dropped. */
  add(request: LoggedRequest): number;
  /** The number of requests since the start, including requests that the log has dropped. */
  count: number;
  readonly bodies: BodyLog;
}

export function createLog(keep = 10_000): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    entries,
    count: 0,
    bodies: createBodyLog(),
    add(request) {
      entries.push(request);
      if (entries.length > keep) entries.shift();
      return this.count++;
    },
  };
}

export interface Pipeline {
  accounts: Accounts;
  clock: Clock;
  /** Ids that belong to no account. */
  ids: Ids;
  router: Router;
  /** For paths that do not begin with the version segment: the MCP endpoint and its authorization server. */
  outside: Router;
  /** `null` if there is no limit. */
  rateLimit: RateLimit | null;
  /** The latency of a request, in ms, by the sequence number of the request. */
  latency: (request: number) => number;
  faults: Faults;
  log: RequestLog;
  changes: Changes;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Handles one request in this order: visitor, log, fault, latency, credentials, rate limit, route. Rejects when the
 * signal aborts.
 */
export async function answer(
  pipeline: Pipeline,
  request: Request,
  signal?: AbortSignal,
  from: Visitors = EVERYBODY,
): Promise<Response> {
  const { clock, router, faults, changes } = pipeline;
  signal?.throwIfAborted();
  const refusal = from.refusalOf(request);
  if (refusal !== null) return refused(forbidden(refusal));
  if (request.method === 'OPTIONS') return preflight(request, from);
  const url = new URL(request.url);
  const isOurs = url.pathname.startsWith(`${PREFIX}/`);
  const path = isOurs ? url.pathname.slice(PREFIX.length) : url.pathname;
  const isHead = request.method === 'HEAD';
  const match = (isOurs ? router : pipeline.outside)(isHead ? 'GET' : request.method, path);
  const bucket = match?.route.bucket ?? 'default';
  const logged: LoggedRequest = {
    method: request.method,
    path,
    query: Object.fromEntries(url.searchParams),
    status: null,
    bucket,
    at: clock.elapsed(),
    account: null,
  };
  const number = pipeline.log.add(logged) + 1;
  const requestId = pipeline.ids.of('request', number);
  changes.emit({ type: 'request', request: logged });

  const fault = faults.take({ method: request.method, path }, number);
  if (fault?.drop === 'before') throw connectionReset();
  if (fault?.stall === 'before') await stalled(signal);
  const latency = pipeline.latency(number) + (fault?.delayMs ?? 0);
  await pause(latency / 2, signal);

  const noteAccount = ({ account }: Backend) => {
    logged.account = account.name;
  };

  async function handle(): Promise<Answer> {
    const prepared = fault && preparedAnswer(fault);
    // As in the service, the response for an unknown path is a page, even if the credentials are not valid.
    if (match === undefined && prepared === undefined) return sent(NAMED_ERRORS['unknown-path']);
    let backend = match && accountOfAddress(pipeline.accounts, match);
    if (!match?.route.signed) {
      const key = keyOf(request);
      backend = pipeline.accounts.withKey(key);
      if (backend === undefined || !canOpen(backend, request)) throw named('unauthorized');
      noteAccount(backend);
      const wait = pipeline.rateLimit?.count(key, bucket, clock.elapsed()) ?? null;
      if (wait !== null) return sent(limited(bucket, Math.max(1, Math.ceil(wait / 1000))));
    }
    if (match === undefined || backend === undefined || prepared !== undefined)
      return prepared ?? sent(NAMED_ERRORS['unknown-path']);
    refuseByPlan(backend, match);

    runAgenda(backend);
    const call = createCall(backend, request, url, match.params, noteAccount, from.isForeign(request), text =>
      pipeline.log.bodies.note(number, { request: text }),
    );
    const { body, ...reply } = await changes.during(() => match.route.handle(call));
    if (body instanceof Uint8Array) return { ...reply, body: new Uint8Array(body) };
    return { ...reply, body: body === undefined ? null : JSON.stringify(body) };
  }

  const { status, headers, body } = await handle().catch(failure);
  logged.status = status;
  if (typeof body === 'string') pipeline.log.bodies.note(number, { response: body });
  changes.emit({ type: 'request', request: logged });
  await pause(latency / 2, signal);
  signal?.throwIfAborted();
  const sentHeaders = new Headers({
    ...(body !== null && JSON_API),
    'x-request-id': requestId,
    // The service's clock may be far from the clock of this machine.
    date: new Date(clock.now()).toUTCString(),
    ...corsHeaders(request, from),
  });
  // `set` treats upper and lower case in header names as equal, so a fault can replace any header.
  for (const [name, value] of Object.entries({ ...headers, ...fault?.headers })) sentHeaders.set(name, value);
  const sentBody = body === null || isHead ? null : cutShort(body, fault, signal);
  return new Response(sentBody, { status, headers: sentHeaders });
}

const JSON_API = { 'content-type': 'application/vnd.api+json' };

/** The response to a visitor who may not use the sandbox. The emulated service does not get the request. */
function refused(error: HttpError): Response {
  return new Response(errorBody(error.errors), { status: error.status, headers: { ...JSON_API, vary: 'origin' } });
}

/** Rejects when the signal aborts. */
function pause(ms: number, signal: AbortSignal = NEVER): Promise<void> | undefined {
  return ms > 0 ? sleep(ms, signal) : undefined;
}

const NEVER = new AbortController().signal;

function keyOf(request: Request): string {
  return /^(?:Token|Bearer) (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}

/** A request may name an account in `x-account-id`. This account must be the account of the key. */
function canOpen({ ids }: Backend, { headers }: Request): boolean {
  return [null, ids.of('account')].includes(headers.get('x-account-id'));
}

/** @throws {HttpError} 401 for a route that the plan of the account does not allow. */
export function refuseByPlan({ settings }: Backend, { route }: Match): void {
  if (route.signed || settings.plan === 'customer') return;
  if (settings.plan === 'locked') throw named('billing-locked');
  if (!route.free) throw named('free-plan');
}

/** The account that a signed address belongs to. Requests to such an address do not have a key. */
function accountOfAddress({ all, first }: Accounts, { route, params }: Match): Backend {
  return all.find(backend => route.isAddressOf?.(backend, params)) ?? first;
}

const errorBody = (errors: ErrorObject[]) => JSON.stringify({ errors });

/** A response with an error. `headers` may replace the content type. */
function sent({ status, headers = {}, body }: ErrorAnswer): Answer {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The response of a fault, if the fault replaces the response of the service. */
function preparedAnswer({ error, status, body, retryAfter }: Fault): Answer | undefined {
  if ([error, status, body, retryAfter].every(part => part === undefined)) return undefined;
  const known = error && NAMED_ERRORS[error];
  const answered = status ?? known?.status ?? (retryAfter === undefined ? 200 : 429);
  const isEmpty = [204, 205, 304].includes(answered);
  const answer = sent({ status: answered, body: body ?? known?.body ?? { errors: plainErrors(answered) } });
  return {
    ...answer,
    headers: { ...known?.headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) },
    body: isEmpty ? null : answer.body,
  };
}

function failure(error: unknown): Answer {
  if (error instanceof HttpError) return { status: error.status, body: errorBody(error.errors) };
  return { status: 500, body: errorBody([{ ...plainErrors(500)[0], detail: String(error) }]) };
}

/** The error with which `fetch` rejects when the server closes the connection. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

/** Rejects when the signal aborts. Until then, the promise is pending. */
function stalled(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * The body of the response. If a fault breaks the body: the first half, and then a broken connection (`drop`), or
 * nothing more until the signal aborts (`stall`).
 */
function cutShort(
  body: string | Uint8Array<ArrayBuffer>,
  fault: Fault | undefined,
  signal: AbortSignal | undefined,
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const drops = fault?.drop === 'mid-body';
  if (!drops && fault?.stall !== 'mid-body') return body;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  let reader: Follower;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, bytes.length / 2));
      reader = { aborted: reason => controller.error(reason) };
      if (signal) follow(signal, reader);
    },
    pull(controller) {
      // This promise never resolves, so the body stalls.
      if (!drops) return new Promise<void>(() => {});
      if (signal) unfollow(signal, reader);
      controller.error(connectionReset());
      return undefined;
    },
    cancel() {
      if (signal) unfollow(signal, reader);
    },
  });
}

/** The bodies of a request and of its response, as texts. `null` if there is no body, or if the body is not JSON. */
export interface Bodies {
  request: string | null;
  response: string | null;
}

/** The bodies of the latest requests, by the number of the request. */
interface BodyLog {
  of(request: number): Bodies | undefined;
  note(request: number, part: Partial<Bodies>): void;
}

const KEPT = 60;
const MAX_LENGTH = 50_000;

function createBodyLog(): BodyLog {
  const byRequest = new Map<number, Bodies>();
  return {
    of: request => byRequest.get(request),
    note(request, part) {
      const bodies = byRequest.get(request) ?? { request: null, response: null };
      byRequest.set(request, bodies);
      for (const oldest of byRequest.keys()) if (oldest <= request - KEPT) byRequest.delete(oldest);
      if (part.request) bodies.request = shortened(part.request);
      if (part.response) bodies.response = shortened(part.response);
    },
  };
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n… (${text.length} characters)` : text;
}
