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
  TimeoutError,
  ValidationError,
} from '../errors.ts';
import { QueueError } from '../rate-limit/limiter.ts';

/** A failure that the model can act on. */
export interface Failure {
  error: string;
  message: string;
  retry_after_seconds?: number;
  /** The number that was probably meant. */
  expected_number?: string;
}

/** A failure of our own, with what the model can do. */
export class ToolFailure extends Error {
  readonly failure: Failure;

  constructor(error: string, message: string, details: Omit<Failure, 'error' | 'message'> = {}) {
    super(message);
    this.failure = { error, message, ...details };
  }
}

/**
 * The kind of an error and the advice about it, for a model, in our words. The service's words, addresses
 * and credentials stay here. `undefined` for what is not an error of the service: a mistake of this program.
 *
 * @param notFound what to do where there is no such record; nothing for a question that names none.
 */
export function failureOf(error: unknown, notFound: string | undefined): Failure | undefined {
  if (error instanceof ToolFailure) return error.failure;
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
  const waitMs = waitOf(error);
  if (waitMs !== undefined) return rateLimited(waitMs);
  if (error instanceof ValidationError || error instanceof BadRequestError) return refused(error);
  if (error instanceof ConfigurationError) {
    // Of the check of filters and orders, which has seen nothing but the arguments.
    const [, problem = 'One of the arguments cannot be sent to the service. Check them.'] =
      /^\w+\.(?:list|summary): (?:filter\.)?(.*)$/s.exec(error.message) ?? [];
    return { error: 'invalid_request', message: problem.replace(/^[\w.]+/, name => ARGUMENTS[name] ?? name) };
  }
  if (error instanceof TimeoutError) {
    return {
      error: 'upstream',
      message: 'The service did not respond in time. One more try is sensible, but not a third one.',
    };
  }
  if (error instanceof APIError || error instanceof ConnectionError || error instanceof ResponseFormatError) {
    return { error: 'upstream', message: UPSTREAM };
  }
  return undefined;
}

/** The arguments that stand for filters of another name. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  pod_code: 'port',
  shipping_line_scac: 'carrier',
  'updated_at.gte': 'updated_after',
  'created_at.start': 'created_after',
  'created_at.end': 'created_before',
};

/** Of a service that responds with something else than it should, too. */
export const UPSTREAM =
  'The service could not be reached, or failed. One more try is sensible in a minute, but not a third one.';

/** Time in ms until there is request budget again, if its lack was the reason. */
function waitOf(error: unknown): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs ?? 60_000;
  if (error instanceof QueueError) return error.estimatedWaitMs;
  // The `Retry-After` of the service may be longer than the time of the call.
  if (error instanceof TimeoutError) return error.estimatedWaitMs ?? waitOf(error.cause);
  return undefined;
}

function rateLimited(waitMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = `The request budget is used up. Wait ${seconds} seconds before the next call, and make fewer calls.`;
  return { error: 'rate_limited', message, retry_after_seconds: seconds };
}

/** The names of refused values are read from the pointers: the words are the service's own. */
function refused({ errors }: APIError): Failure {
  const names = errors
    .map(({ pointer, parameter }) => (pointer ?? parameter ?? '').split('/').pop() ?? '')
    .filter(name => /^[a-z_]{1,40}$/.test(name));
  const which = names.length > 0 ? ` It does not accept: ${[...new Set(names)].join(', ')}.` : '';
  return { error: 'invalid_request', message: `The service refused the request.${which} Check the arguments.` };
}
