import {
  APIError,
  type APIErrorDetails,
  type APIErrorItem,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  FeatureNotEnabledError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../errors.ts';
import { abortable } from '../internal/signal.ts';
import { isRecord, parseJson } from '../jsonapi/document.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import { credentialName } from './auth.ts';
import type { Call, Exchange } from './call.ts';
import type { Redactor } from './redact.ts';
import { retryAfterOf } from './retries.ts';

/**
 * Upper bound for the characters of a description, because a message is one line of a log. `errors` and `body` contain
 * the rest.
 */
const MAX_DESCRIPTION_LENGTH = 1000;

export interface FailedAnswer {
  response: Response;
  text: string;
  method: string;
  url: string;
  path: string;
  attempts: number;
  redactor: Redactor;
  /** The Authorization header of the request, if the request was for the service. */
  authorization?: string;
  /** The longest `Retry-After` that the call waits for, in ms. */
  maxRetryAfter?: number;
}

/** The error for a response with a status outside 2xx. It contains only allowed parts of the response. */
export function failureOf(failed: FailedAnswer): APIError {
  const { response, text, method, url, path, attempts, redactor, authorization } = failed;
  const { status } = response;
  const body = redactor.value(readBody(text));
  const errors = errorItems(body);
  const doubt = authorization && status === 404 && typeof body === 'string' ? doubtfulAddress(url) : '';
  const details: APIErrorDetails = {
    status,
    errors,
    method,
    path,
    requestId: requestIdOf(response, redactor),
    retryAfterMs: retryAfterOf(response),
    attempts,
    body,
    message: `${method} ${path}: ${redactor.text(status + redirection(response, url) + describe(response, errors) + adviceOn(failed)).replace(/^(\d+) \1\b/, '$1')}${doubt}`,
  };
  if (status === 403 && errors.some(saysNotEnabled)) return new FeatureNotEnabledError(details);
  return new (CLASSES[status] ?? (status >= 500 ? ServerError : APIError))(details);
}

const CLASSES: { readonly [status: number]: new (details: APIErrorDetails) => APIError } = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

export function requestIdOf(response: Response, redactor: Redactor): string | undefined {
  const id = response.headers.get('x-request-id');
  return id === null ? undefined : redactor.text(id);
}

function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Reads every form of error that the service uses: a list or a string in `errors` or `error`, `message`, `detail`, HTML. */
function errorItems(body: unknown): APIErrorItem[] {
  if (body === undefined) return [];
  if (!isRecord(body)) return [item({ title: summary(textOf(body)) })];
  for (const listed of [body.errors, body.error]) {
    if (Array.isArray(listed) && listed.length > 0) {
      return listed.map(entry => item(isRecord(entry) ? entry : { title: textOf(entry) }));
    }
    if (isRecord(listed)) return [item(listed)];
    if (typeof listed === 'string') return [item({ title: listed, detail: body.message ?? body.detail })];
  }
  return [item({ ...body, detail: body.detail ?? body.message })];
}

function item(entry: Record<string, unknown>): APIErrorItem {
  const source = isRecord(entry.source) ? entry.source : {};
  return {
    title: text(entry.title),
    detail: text(entry.detail),
    pointer: text(source.pointer),
    parameter: text(source.parameter),
    code: text(entry.code),
    status: text(entry.status),
    meta: isRecord(entry.meta) ? entry.meta : undefined,
  };
}

/**
 * Text for any value. Lists and objects become JSON: their conversion to text would call a property `toString` that the
 * service may have sent.
 */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A summary of an error page: its title if it is HTML, otherwise its first words. */
function summary(page: string): string {
  // Only the start is searched: if a page has many `<`, the time of the patterns grows with the square of the length.
  const start = page.slice(0, 4096);
  const title = /<title[^>]*>([^<]*)</i.exec(start)?.[1] ?? start.replace(/<[^>]*>/g, ' ');
  return title.replace(/\s+/g, ' ').trim().slice(0, 200);
}

/**
 * True if the error is about a feature that is not enabled. Only its text distinguishes it from other errors with
 * status 403.
 */
function saysNotEnabled({ title, detail }: APIErrorItem): boolean {
  return /not enabled|feature/i.test(`${title} ${detail}`);
}

function describe(response: Response, errors: APIErrorItem[]): string {
  const said = errors
    .map(({ title, detail, code, pointer, parameter }) => {
      const words = detail || title || code;
      const where = pointer ?? parameter;
      return words && where ? `${words} (${where})` : words;
    })
    .filter(Boolean);
  if (said.length > 0) return ` ${said.join('; ').slice(0, MAX_DESCRIPTION_LENGTH)}`;
  return response.statusText ? ` ${response.statusText}` : '';
}

/**
 * The name of the credential that was sent, or the wait that the service demands. The text never
 * contains the credential or a part of it.
 */
function adviceOn({ response, url, authorization, maxRetryAfter = Infinity }: FailedAnswer): string {
  const wait = retryAfterOf(response);
  if (response.status === 401 && authorization) {
    const [scheme, secret] = authorization.split(' ');
    const name = credentialName(scheme === 'Token' ? 'apiKey' : 'accessToken', secret);
    return ` (${name} was sent to ${new URL(url).host})`;
  }
  if (wait === undefined) return '';
  const reason = wait > maxRetryAfter ? `; retry.maxRetryAfter is ${maxRetryAfter / 1000} s` : '';
  return ` (retry after ${wait / 1000} s${reason})`;
}

function redirection(response: Response, url: string): string {
  // A browser hides the status and the target of a redirect.
  if (response.type === 'opaqueredirect') return ' redirect, not followed';
  const location = response.headers.get('location');
  if (response.status < 300 || response.status >= 400 || !location) return '';
  const target = URL.canParse(location, url) ? new URL(location, url).origin : 'an address that cannot be read';
  return ` redirect to ${target}, not followed;`;
}

/** The error for a response that arrived but cannot be used. */
export function formatError(
  { call, response, redactor }: Exchange,
  message: string,
  details: { mismatches?: readonly SchemaMismatch[]; isForeign?: boolean } = {},
): ResponseFormatError {
  const { method, path } = call.endpoint;
  return new ResponseFormatError(`${method} ${path}: ${message}`, {
    status: response.status,
    method,
    path,
    requestId: requestIdOf(response, redactor),
    ...details,
  });
}

/**
 * A hint for a response that no API would send. This is not masked, because it is the address of the request, without
 * the query.
 */
export function doubtfulAddress(url: string): string {
  return `; ${url.split('?')[0]} does not look like the service: check baseUrl`;
}

export function timeoutError({ endpoint, timeout, attempts }: Call): TimeoutError {
  const { method, path } = endpoint;
  const when = attempts === 0 ? 'nothing was sent' : `attempt ${attempts}`;
  return new TimeoutError(`${method} ${path}: no complete response within ${timeout} ms (${when})`, {
    code: 'timeout',
    limitMs: timeout,
    attempts,
  });
}

export function deadlineError(
  { endpoint, deadline, attempts }: Call,
  details: { estimatedWaitMs?: number; cause?: unknown } = {},
): TimeoutError {
  const { method, path } = endpoint;
  const { estimatedWaitMs, cause } = details;
  const why =
    estimatedWaitMs === undefined
      ? cause instanceof Error && cause.message
      : `the rate limit has no free slot in this time (at least ${Math.ceil(estimatedWaitMs)} ms to wait)`;
  return new TimeoutError(`${method} ${path}: not done within the deadline of ${deadline} ms${why ? `: ${why}` : ''}`, {
    code: 'deadline',
    limitMs: deadline,
    attempts,
    ...details,
  });
}

/**
 * The error for a request that got no response, or only the beginning of a response. If the code that explains the
 * failure cannot be loaded, the error has no explanation.
 */
export async function connectionError(
  { endpoint, url, attempts }: Call,
  error: Error,
  isCut: boolean,
  signal: AbortSignal,
): Promise<ConnectionError> {
  const { method, path, repeatable } = endpoint;
  const { reason, cause } = await abortable(
    import('../internal/connection-hints.ts').then(({ explain }) => explain(error, 'service', url, isCut, !repeatable)),
    signal,
  ).catch(() => ({ reason: error.message, cause: error }));
  const event = isCut
    ? 'the response could not be read to its end'
    : `no response from the service at ${new URL(url).host}`;
  return new ConnectionError(`${method} ${path}: ${event} (attempt ${attempts}): ${reason}`, { cause, attempts });
}
