import { type ErrorAnswer, type ErrorName, NAMED_ERRORS } from '../../model/generated/named-errors.ts';
import type { Bucket } from '../state/changes.ts';

/** One element of `errors` in an error document. */
export interface ErrorObject {
  status?: string;
  source?: { pointer?: string; parameter?: string } | null;
  title?: string;
  detail?: string | null;
  code?: string | null;
  meta?: Record<string, unknown>;
}

/** An error response. Route handlers throw this error. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: ErrorObject[];

  constructor(status: number, errors: ErrorObject[]) {
    super(errors[0]?.detail ?? errors[0]?.title ?? String(status));
    this.status = status;
    this.errors = errors;
  }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** The `errors` of a response when only its status is known. */
export function plainErrors(status: number): ErrorObject[] {
  return [{ status: String(status), title: TITLES[status] ?? 'Error' }];
}

export function badRequest(parameter: string, detail: string | null): HttpError {
  return new HttpError(400, [{ status: '400', source: { parameter }, title: 'Bad Request', detail }]);
}

export function malformedBody(): HttpError {
  return new HttpError(400, [{ status: '400', title: 'Bad Request', detail: 'The request body is not valid JSON.' }]);
}

export function tooLong(detail: string): HttpError {
  return new HttpError(413, [{ status: '413', title: 'Payload Too Large', detail }]);
}

export function unsupportedType(): HttpError {
  const detail = 'The Content-Type must be application/vnd.api+json or application/json.';
  return new HttpError(415, [{ ...plainErrors(415)[0], detail }]);
}

/** The error with this name, as the service sends it. Only for names whose response has a list of errors. */
export function named(name: ErrorName): HttpError {
  const { status, body } = NAMED_ERRORS[name];
  return new HttpError(status, (body as { errors: ErrorObject[] }).errors);
}

/** The error for a role that does not exist, with the role that was sent. */
export function unknownRole(role: string): HttpError {
  const { status, errors } = named('unknown-party-role');
  return new HttpError(
    status,
    errors.map(error => ({ ...error, detail: `'${role}' is not a valid role` })),
  );
}

/** The error of each rate limit. Their texts differ. */
const LIMITED: Record<Bucket, ErrorName> = {
  default: 'rate-limited',
  createTrackingRequest: 'create-rate-limited',
  refreshContainer: 'refresh-rate-limited',
  inferNumber: 'infer-rate-limited',
};

export function limited(bucket: Bucket, seconds: number): ErrorAnswer {
  return { ...NAMED_ERRORS[LIMITED[bucket]], headers: { 'retry-after': String(seconds) } };
}

export function forbidden(detail: string): HttpError {
  return new HttpError(403, [{ status: '403', title: 'Forbidden', detail }]);
}

export function notFound(detail?: string): HttpError {
  return new HttpError(404, [{ status: '404', title: 'Not Found', ...(detail !== undefined && { detail }) }]);
}

/** @throws {HttpError} 404 if there is no record. */
export function orNotFound<T>(record: T | null | undefined): T {
  if (record === undefined || record === null) throw notFound();
  return record;
}

/** @param field The JSON pointer without `/data/`, for example `attributes/scac`. */
export function invalid(field: string, detail: string, code?: string): ErrorObject {
  return {
    status: '422',
    source: { pointer: `/data/${field}` },
    title: 'Unprocessable Entity',
    detail,
    ...(code !== undefined && { code }),
  };
}

/** The error for a missing attribute. */
export function blank(name: string): ErrorObject {
  return invalid(`attributes/${name}`, `${inWords(name)} can't be blank`, 'blank');
}

/** The error for a value that the service does not have in its list. */
export function notListed(name: string): ErrorObject {
  return invalid(`attributes/${name}`, `${inWords(name)} is not included in the list`);
}

const inWords = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export function unprocessable(...errors: ErrorObject[]): HttpError {
  return new HttpError(422, errors);
}
