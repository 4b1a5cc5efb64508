/**
 * The root of all errors of this package, and the errors of configuration, responses and connections.
 *
 * `instanceof` and `is` check a brand instead of the prototype. They therefore also recognise errors of another copy of
 * the package (ESM beside CommonJS, or two versions in one dependency tree). Errors contain only whitelisted fields: no
 * request headers and no credentials.
 */

import { printable } from './printable.ts';

const BRAND = Symbol.for('container-tracking-sdk.error');

/** The root of all errors of this package. */
export class TrackingError extends Error {
  /** Name of the class. `is` recognises errors of another copy of the package by this name. */
  static readonly brand: string = 'TrackingError';

  /** Stable code for programs: `not_found`, `timeout`, `rate_limited`, … */
  readonly code: string;

  constructor(message: string, options: { code: string; cause?: unknown }) {
    // The message may quote text from outside, which may contain control characters.
    super(printable(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    const brands: string[] = [];
    let type: { readonly brand: string } = new.target;
    for (; type.brand; type = Object.getPrototypeOf(type)) brands.push(type.brand);
    // The name is set explicitly, because a bundler may rename the class.
    const name = { value: brands[0], configurable: true, writable: true };
    Object.defineProperties(this, { name, [BRAND]: { value: brands } });
  }

  /** True for an error of this class or of a subclass, even if another copy of the package made it. */
  static is<E>(this: abstract new (...args: never[]) => E, value: unknown): value is E {
    return value instanceof this;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass that a user has written does not have its own brand. For such a subclass, the prototype is checked.
    return Object.hasOwn(this, 'brand')
      ? Object(value)[BRAND]?.includes((this as unknown as typeof TrackingError).brand) === true
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** The content for a log. The `cause` is left out: it may come from another library. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { ...(this as object), name, message };
  }
}

/**
 * The program has a mistake, such as a missing API key, a base URL without a version, or an empty id. Nothing was sent.
 */
export class ConfigurationError extends TrackingError {
  static override readonly brand: string = 'ConfigurationError';

  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'configuration', ...options });
  }
}

/** One item of an error response. Every field is optional in a response (docs/service/errors.md#bodies). */
export interface APIErrorItem {
  /** The kind of error, in a few words. */
  title: string | undefined;
  /** Description of the problem, for people. */
  detail: string | undefined;
  /** JSON pointer into the request body. */
  pointer: string | undefined;
  /** Name of a query parameter. */
  parameter: string | undefined;
  /** A word for programs. Different errors may have the same word. */
  code: string | undefined;
  /** HTTP status as text. */
  status: string | undefined;
  /** Other data of the service about the error. */
  meta: Record<string, unknown> | undefined;
}

/** The data of an {@link APIError}. */
export interface APIErrorDetails {
  /** HTTP status. */
  status: number;
  /** The errors of the body, item by item. */
  errors: APIErrorItem[];
  /** HTTP method of the request. */
  method: string;
  /** Path below the base URL. */
  path: string;
  /** Id that the service gave the request, if it sent an id. */
  requestId: string | undefined;
  /** The wait from `Retry-After`, in ms. */
  retryAfterMs: number | undefined;
  /** Attempts made. */
  attempts: number;
  /** The body: parsed if it is JSON, else its text. */
  body: unknown;
  /** The message of the error. */
  message: string;
}

/** The service responded with a status outside 2xx. */
export class APIError extends TrackingError {
  static override readonly brand: string = 'APIError';
  /** HTTP status. */
  declare readonly status: number;
  /** At least one item for every response with a body. */
  declare readonly errors: APIErrorItem[];
  /** HTTP method of the request. */
  declare readonly method: string;
  /** Path below the base URL, without the query. */
  declare readonly path: string;
  /** From the response header `x-request-id`, for the service's support. */
  declare readonly requestId: string | undefined;
  /** The wait that `Retry-After` demands, in ms; `undefined` if the service did not send this header. */
  declare readonly retryAfterMs: number | undefined;
  /** Number of attempts, including the first attempt. */
  declare readonly attempts: number;
  /** Parsed JSON, or text if the body is not JSON; `undefined` if it is empty. */
  declare readonly body: unknown;

  constructor(details: APIErrorDetails, code = 'api_error') {
    const { message, ...facts } = details;
    super(message, { code });
    Object.assign(this, facts);
  }
}

/** 400: the service does not understand a parameter. */
export class BadRequestError extends APIError {
  static override readonly brand: string = 'BadRequestError';
  constructor(details: APIErrorDetails) {
    super(details, 'bad_request');
  }
}

/** 401: the key or token is missing, wrong or revoked. */
export class AuthenticationError extends APIError {
  static override readonly brand: string = 'AuthenticationError';
  constructor(details: APIErrorDetails) {
    super(details, 'unauthorized');
  }
}

/** 403: the account may not do this. */
export class PermissionDeniedError extends APIError {
  static override readonly brand: string = 'PermissionDeniedError';
  constructor(details: APIErrorDetails, code = 'forbidden') {
    super(details, code);
  }
}

/** 403 for a feature that the account has not bought, such as routing data (docs/service/errors.md#features). */
export class FeatureNotEnabledError extends PermissionDeniedError {
  static override readonly brand: string = 'FeatureNotEnabledError';
  constructor(details: APIErrorDetails) {
    super(details, 'feature_not_enabled');
  }
}

/** 404: the record or the path does not exist. */
export class NotFoundError extends APIError {
  static override readonly brand: string = 'NotFoundError';
  constructor(details: APIErrorDetails) {
    super(details, 'not_found');
  }
}

/** 409: the same document is stored already. */
export class ConflictError extends APIError {
  static override readonly brand: string = 'ConflictError';
  /** Id of the stored document that has the same bytes, if the service sent this id. */
  declare readonly existingDocumentId: string | undefined;
  /** Name of the stored document, if the service sent it. */
  declare readonly existingDocumentName: string | undefined;

  constructor(details: APIErrorDetails) {
    super(details, 'conflict');
    this.existingDocumentId = textIn(details.errors, 'existing_document_id');
    this.existingDocumentName = textIn(details.errors, 'existing_document_name');
  }
}

function textIn(errors: APIErrorItem[], key: string): string | undefined {
  const value = errors.find(item => item.meta?.[key] !== undefined)?.meta?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** 422: the service rejected a value. `errors[].pointer` names the value. */
export class ValidationError extends APIError {
  static override readonly brand: string = 'ValidationError';
  constructor(details: APIErrorDetails) {
    super(details, 'invalid');
  }
}

/**
 * 429: the request budget is spent, for example by another program with the same key. `retryAfterMs` is the wait until
 * the next attempt.
 */
export class RateLimitError extends APIError {
  static override readonly brand: string = 'RateLimitError';
  constructor(details: APIErrorDetails) {
    super(details, 'rate_limited');
  }
}

/** 5xx. */
export class ServerError extends APIError {
  static override readonly brand: string = 'ServerError';
  constructor(details: APIErrorDetails) {
    super(details, 'server_error');
  }
}

/**
 * The client received no response, or only its beginning: the host name did not resolve, or the connection was refused
 * or interrupted. The `cause` is the reason.
 */
export class ConnectionError extends TrackingError {
  static override readonly brand: string = 'ConnectionError';
  /** Number of attempts, including the first attempt. */
  declare readonly attempts: number;

  constructor(message: string, options: { code?: string; cause?: unknown; attempts?: number } = {}) {
    super(message, { code: options.code ?? 'connection', cause: options.cause });
    this.attempts = options.attempts ?? 1;
  }
}

/**
 * An attempt took longer than `timeout` (code `timeout`), or the whole call took longer than `deadline` (code
 * `deadline`).
 */
export class TimeoutError extends ConnectionError {
  static override readonly brand: string = 'TimeoutError';
  /** The limit that was exceeded, in ms. */
  declare readonly limitMs: number;
  /** Minimum wait for a slot of the rate limit, in ms, if that wait caused the error. */
  declare readonly estimatedWaitMs: number | undefined;

  constructor(
    message: string,
    options: {
      code: 'timeout' | 'deadline';
      limitMs: number;
      attempts?: number;
      estimatedWaitMs?: number;
      cause?: unknown;
    },
  ) {
    super(message, options);
    this.limitMs = options.limitMs;
    this.estimatedWaitMs = options.estimatedWaitMs;
  }
}

/**
 * A 2xx response that cannot be read: not JSON, empty, or not JSON:API. With `validation: 'strict'`, also a response
 * that does not match its schema.
 */
export class ResponseFormatError extends TrackingError {
  static override readonly brand: string = 'ResponseFormatError';
  /** HTTP status. */
  declare readonly status: number;
  /** HTTP method of the request. */
  declare readonly method: string;
  /** Path below the base URL. */
  declare readonly path: string;
  /** Id that the service gave the request, if it sent an id. */
  declare readonly requestId: string | undefined;
  /** The places that do not match the schema, each with its path. Empty if the error has another reason. */
  declare readonly mismatches: readonly unknown[];
  /**
   * True if the response does not have the form of the service at all: a page in HTML, an empty body, or JSON without
   * `data`. A proxy may have sent it, for example during maintenance, so a later call may succeed.
   */
  declare readonly isForeign: boolean;

  constructor(
    message: string,
    options: {
      status: number;
      method: string;
      path: string;
      requestId: string | undefined;
      mismatches?: readonly unknown[];
      isForeign?: boolean;
      cause?: unknown;
    },
  ) {
    const { cause, ...facts } = options;
    super(message, { code: 'response_format', cause });
    Object.assign(this, { mismatches: [], isForeign: false }, facts);
  }
}
