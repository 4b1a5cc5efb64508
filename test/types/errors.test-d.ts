import { expectTypeOf } from 'vitest';
import { ConflictError, NotFoundError, RateLimitError, TrackingError } from '../../src/index.ts';

declare const error: unknown;

// `is` narrows the type to its class, whatever the constructor of the class is.
if (TrackingError.is(error)) expectTypeOf(error).toEqualTypeOf<TrackingError>();
if (NotFoundError.is(error)) expectTypeOf(error.status).toEqualTypeOf<number>();
if (ConflictError.is(error)) expectTypeOf(error.existingDocumentId).toEqualTypeOf<string | undefined>();

// `instanceof` narrows the type in the same way.
if (error instanceof RateLimitError) expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();

// @ts-expect-error: an error of the root class has no status.
if (TrackingError.is(error)) error.status;
