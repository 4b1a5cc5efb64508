import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as documents from '../src/documents/document-errors.ts';
// @ts-expect-error: the query loads a second copy of the module, like two versions in one dependency tree.
import * as documentsCopy from '../src/documents/document-errors.ts?copy';
import * as base from '../src/errors.ts';
// @ts-expect-error: as above.
import * as baseCopy from '../src/errors.ts?copy';
import * as rateLimit from '../src/rate-limit/limiter.ts';
// @ts-expect-error: as above.
import * as rateLimitCopy from '../src/rate-limit/limiter.ts?copy';
import * as tracking from '../src/tracking/tracking-errors.ts';
// @ts-expect-error: as above.
import * as trackingCopy from '../src/tracking/tracking-errors.ts?copy';
import * as webhooks from '../src/webhooks/verify/verification-error.ts';
// @ts-expect-error: as above.
import * as webhooksCopy from '../src/webhooks/verify/verification-error.ts?copy';

const errors = { ...base, ...rateLimit, ...documents, ...tracking, ...webhooks };
type Copy = typeof errors;
const copy: Copy = {
  ...baseCopy,
  ...rateLimitCopy,
  ...documentsCopy,
  ...trackingCopy,
  ...webhooksCopy,
};

const details: base.APIErrorDetails = {
  status: 422,
  errors: [],
  method: 'GET',
  path: '/x',
  requestId: 'r',
  retryAfterMs: undefined,
  attempts: 2,
  body: { a: 1 },
  message: 'GET /x: 422',
};

/** One error of each class, with the names of the ancestors of its class. */
function everyError(from: Copy): [error: base.TrackingError, ancestors: string[]][] {
  const request = { type: 'tracking_request', id: '1', request_number: 'N', scac: null, status: 'pending' };
  const trackingRequest = request as unknown as ConstructorParameters<Copy['TrackingFailedError']>[0];
  const inferred = { shipping_line: { decision: 'no_prediction', candidates: [] } };
  const format = { status: 200, method: 'GET', path: '/x', requestId: undefined };
  return [
    [new from.TrackingError('m', { code: 'c' }), []],
    [new from.ConfigurationError('m'), []],
    [new from.APIError(details), []],
    [new from.BadRequestError(details), ['APIError']],
    [new from.AuthenticationError(details), ['APIError']],
    [new from.PermissionDeniedError(details), ['APIError']],
    [new from.FeatureNotEnabledError(details), ['PermissionDeniedError', 'APIError']],
    [new from.NotFoundError(details), ['APIError']],
    [new from.ConflictError(details), ['APIError']],
    [new from.ValidationError(details), ['APIError']],
    [new from.RateLimitError(details), ['APIError']],
    [new from.ServerError(details), ['APIError']],
    [new from.ConnectionError('m'), []],
    [new from.TimeoutError('m', { code: 'timeout', limitMs: 5 }), ['ConnectionError']],
    [new from.QueueError('m', { code: 'queue_full', estimatedWaitMs: 5 }), []],
    [new from.ResponseFormatError('m', format), []],
    [new from.TrackingFailedError(trackingRequest), []],
    [new from.TrackingPendingError(trackingRequest, 5), []],
    [new from.WebhookVerificationError('mismatch', 'm'), []],
    [new from.InferenceError('N', inferred as unknown as ConstructorParameters<Copy['InferenceError']>[1]), []],
  ];
}

const classes = Object.values(errors).filter(
  value => typeof value === 'function' && value.prototype instanceof Error,
) as (typeof errors.TrackingError)[];

test('a second copy of the package has separate classes', () => {
  expect(copy.TrackingError).not.toBe(errors.TrackingError);
});

describe.each([
  ['this copy', errors],
  ['another copy', copy],
])('errors of %s', (_, from) => {
  test.each(everyError(from))(
    'are recognized only by instanceof and is() of their class and its ancestors: %s',
    (error, above) => {
      for (const type of classes) {
        const expected = [error.name, ...above, 'TrackingError'].includes(type.name);
        expect([type.name, error instanceof type]).toEqual([type.name, expected]);
        expect([type.name, type.is(error)]).toEqual([type.name, expected]);
      }
      expect(error).toBeInstanceOf(Error);
    },
  );

  test.each(everyError(from))('have name, code, message and stack: %s', error => {
    expect(error.name).toMatch(/^[A-Z]\w+Error$/);
    expect(error.code).toMatch(/^[a-z_]+$/);
    expect(String(error)).toBe(`${error.name}: ${error.message}`);
    expect(error.stack).toContain(error.message);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: error.name,
      code: error.code,
      message: error.message,
    });
  });
});

test.each([
  undefined,
  null,
  5,
  'TrackingError',
  {},
  new Error('x'),
  { name: 'TrackingError', code: 'timeout' },
  () => {},
])('%o is not a TrackingError', value => {
  expect(errors.TrackingError.is(value)).toBe(false);
  expect((value as object) instanceof errors.TrackingError).toBe(false);
});

test('the name of an error does not depend on the name of its class, which a bundler may change', () => {
  const Minified = class a extends errors.NotFoundError {};
  expect(new Minified(details).name).toBe('NotFoundError');
});

test('the error of a derived class is recognized by its prototype', () => {
  class MyError extends errors.ConfigurationError {}
  expect(new MyError('m')).toBeInstanceOf(MyError);
  expect(new MyError('m')).toBeInstanceOf(errors.ConfigurationError);
  expect(MyError.is(new errors.ConfigurationError('m'))).toBe(false);
});

test('the cause is kept, and left out of JSON', () => {
  const cause = new Error('inner');
  const error = new errors.ConnectionError('m', { cause, attempts: 3 });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain('inner');
  expect(inspect(error)).toContain('inner');
});

test('without a cause, the property does not exist', () => {
  expect('cause' in new errors.ConfigurationError('m')).toBe(false);
  expect('cause' in new errors.ConnectionError('m')).toBe(false);
});
