import { counted, quoted, visible } from '../domain/record-values.ts';
import {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
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
import { hintOf } from '../internal/meant-name.ts';
import { QueueError } from '../rate-limit/limiter.ts';
import type { ServerSettings } from './options.ts';
import { RETRY, unreachable, WRONG_ADDRESS } from './unreachable.ts';

/** A failure that the model can act on. */
export interface Failure {
  error: string;
  message: string;
  retry_after_seconds?: number;
  /** The number that was probably meant. */
  expected_number?: string;
}

/** An error that this program itself reports, with advice on what the model can do next. */
export class ToolFailure extends Error {
  readonly failure: Failure;

  constructor(error: string, message: string, details: Omit<Failure, 'error' | 'message'> = {}) {
    super(message);
    this.failure = { error, message, ...details };
  }
}

/** Further advice for the model about an error, which is the cause. */
export class Advised extends Error {}

/** Adds advice to an error of a write if the service may have done what was requested. */
export function unsure(error: unknown, advice: string): unknown {
  const mayBeDone = error instanceof ConnectionError && / may have done it: /.test(error.message);
  return mayBeDone || error instanceof TimeoutError || error instanceof ServerError
    ? new Advised(advice, { cause: error })
    : error;
}

/**
 * The kind of an error, and advice for the model. This package wrote the advice. The result never contains messages of
 * the service, addresses or credentials. `undefined` if the error is a mistake of this program and does not come from
 * the service.
 *
 * @param advice what the model can do if the record does not exist, and if the request budget is used up. A call
 *   without an id of a record has no advice for a missing record.
 * @param queueMs the time in ms until the next request can be sent. It is set if the call used all its time to wait for
 *   the rate limit.
 */
export function failureOf(
  error: unknown,
  { notFound, limited }: { notFound?: string; limited?: string },
  queueMs?: number,
): Failure | undefined {
  if (error instanceof ToolFailure) return error.failure;
  const waitMs = waitOf(error);
  if (waitMs !== undefined) return rateLimited(waitMs, limited);
  const message = unreachable(error);
  if (message !== undefined) return { error: 'upstream', message };
  if (error instanceof NotFoundError && notFound !== undefined) {
    return { error: 'not_found', message: `There is no such record. ${notFound}` };
  }
  if (error instanceof AuthenticationError) {
    const message =
      'The service refused the API key or access token. Calling again does not help: the user has to check the credential. With a free plan, a key works only for whoami.';
    return { error: 'unauthorized', message };
  }
  if (error instanceof FeatureNotEnabledError) {
    const message =
      'The account does not have this paid feature. Calling again does not help; the other tools may have a part of it.';
    return { error: 'feature_not_enabled', message };
  }
  if (error instanceof PermissionDeniedError) {
    return { error: 'forbidden', message: 'The account may not do this. Calling again does not help.' };
  }
  if (error instanceof ValidationError || error instanceof BadRequestError) return refused(error);
  if (error instanceof ConfigurationError) {
    // The message comes from the check of filters and sort orders, so it can only contain values of the arguments.
    const [, problem = 'One of the arguments cannot be sent to the service. Check them.'] =
      /^\w+\.(?:list|summary): (?:filter\.)?(.*)$/s.exec(error.message) ?? [];
    return { error: 'invalid_request', message: sortProblem(problem) ?? inArguments(problem) };
  }
  if (error instanceof TimeoutError) {
    if (error.code === 'deadline' && queueMs !== undefined) return rateLimited(queueMs, limited);
    return {
      error: 'upstream',
      message: 'The service did not respond in time. One more try is sensible, but not a third one.',
    };
  }
  if (error instanceof APIError) return { error: 'upstream', message: statusMessage(error) };
  if (error instanceof ResponseFormatError) return { error: 'upstream', message: UPSTREAM };
  return undefined;
}

const inArguments = (problem: string) => problem.replace(/^[\w.]+/, name => ARGUMENTS[name] ?? name);

/**
 * The message about an unknown sort order. The most similar known name comes first. The library names each order twice,
 * with `-` and without.
 */
function sortProblem(problem: string): string | undefined {
  const [, name, list] = /^sort has no (.*); (?:did you mean .*\? T|t)here are: (.*)\.$/s.exec(problem) ?? [];
  if (name === undefined || list === undefined) return undefined;
  const known = list.split(', ').filter(each => !each.startsWith('-'));
  const wanted = name.replace(/^-/, '');
  const column = known.find(each => each === COLUMNS[wanted]);
  const meant = column ? ` Did you mean ${column}?` : hintOf(wanted, known);
  return `sort has no ${quoted(visible(name))}.${meant} It takes: ${known.join(', ')}; with - in front, the last comes first.`;
}

/** The sort orders for columns and words whose name in the service is different. */
const COLUMNS: Readonly<Record<string, string>> = {
  last_free_day: 'pickup_lfd',
  days_left: 'pickup_lfd',
  eta: 'pod_eta_at',
  pod_ata: 'pod_arrived_at',
};

/** The arguments whose names differ from the names of the service's filters. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  pod_code: 'port',
  shipping_line_scac: 'carrier',
  'updated_at.gte': 'updated_after',
  'created_at.start': 'created_after',
  'created_at.end': 'created_before',
};

/** The message if the response of the service has a wrong format. */
export const UPSTREAM = `The response of the service cannot be used. ${RETRY}`;

function statusMessage({ status }: APIError): string {
  // The target of a redirect is left out, because another server may have chosen it.
  if (status >= 300 && status < 400) return `The service responds with a redirect (${status}): ${WRONG_ADDRESS}`;
  return `The service has failed with the status ${status}. ${RETRY}`;
}

/** The kinds of failures that depend on the service, the network or the credential, and not on the arguments of a call. */
const REPORTED = new Set(['unauthorized', 'forbidden', 'rate_limited', 'upstream']);

/** Reports a failure that the operator of the server needs to know of. */
export function reportFailure(
  { onFailure }: Pick<ServerSettings, 'onFailure'>,
  tool: string,
  error: unknown,
  { error: kind, message }: Failure,
): void {
  if (REPORTED.has(kind)) onFailure(error, { tool, kind, message });
}

/** Time in ms until a request can be sent again, if the rate limit was the reason of the error. */
function waitOf(error: unknown): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs ?? 60_000;
  if (error instanceof QueueError) return error.estimatedWaitMs;
  // The `Retry-After` of the service may be longer than the deadline of the call.
  if (error instanceof TimeoutError) return error.estimatedWaitMs ?? waitOf(error.cause);
  return undefined;
}

function rateLimited(waitMs: number, advice = ''): Failure {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = `The request budget is used up. Wait ${counted(seconds, 'second')}, then make the same call again.${advice && ` ${advice}`}`;
  return { error: 'rate_limited', message, retry_after_seconds: seconds };
}

/** The names of the refused arguments come from the pointers, because messages of the service are not repeated. */
function refused({ errors }: APIError): Failure {
  const names = errors
    .map(({ pointer, parameter }) => (pointer ?? parameter ?? '').split('/').pop() ?? '')
    .filter(name => /^[a-z_]{1,40}$/.test(name));
  const which = names.length > 0 ? ` It does not accept: ${[...new Set(names)].join(', ')}.` : '';
  return { error: 'invalid_request', message: `The service refused the request.${which} Check the arguments.` };
}
