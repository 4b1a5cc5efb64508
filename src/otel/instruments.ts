import { type MeterProvider, metrics, type Span, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api';
import { TrackingError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { errorType } from './error-type.ts';

/** The only file that imports the API of OpenTelemetry. */
export {
  type Attributes,
  type Context,
  context,
  type MeterProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

const SCOPE = 'container-tracking-sdk';

/** Boundaries of a histogram in seconds, as the conventions for HTTP recommend. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/**
 * Boundaries of a histogram in seconds. A call may wait for the rate limit for minutes, and a delivery may be repeated
 * for hours.
 */
const LONG_SECONDS = [0.01, 0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 900, 3600, 14_400, 86_400];

export type Instruments = ReturnType<typeof createInstruments>;

/** The tracer, and one instrument for each metric. */
export function createInstruments(tracers: TracerProvider = trace, meters: MeterProvider = metrics) {
  const meter = meters.getMeter(SCOPE, VERSION);
  const seconds = (name: string, description: string, boundaries: number[]) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries: boundaries } });
  return {
    meter,
    tracer: tracers.getTracer(SCOPE, VERSION),
    attemptDuration: seconds(
      'http.client.request.duration',
      'Duration of an attempt, until the end of the response body.',
      SECONDS,
    ),
    callDuration: seconds(
      'container_tracking.call.duration',
      'Duration of a call, with its waits and retries.',
      SECONDS,
    ),
    queueDuration: seconds(
      'container_tracking.call.queue.duration',
      'Time that a call waits for the rate limit.',
      LONG_SECONDS,
    ),
    retries: meter.createCounter('container_tracking.call.retries', {
      unit: '{retry}',
      description: 'Attempts that were followed by another attempt.',
    }),
    rateLimited: meter.createCounter('container_tracking.call.rate_limited', {
      unit: '{answer}',
      description: 'Responses with status 429.',
    }),
    mismatches: meter.createCounter('container_tracking.schema_mismatches', {
      unit: '{mismatch}',
      description: 'Responses that do not match their schema.',
    }),
    deliveries: meter.createCounter('container_tracking.deliveries', {
      unit: '{delivery}',
      description: 'Deliveries that reached the inbox, by outcome.',
    }),
    refusals: meter.createCounter('container_tracking.deliveries.refused', {
      unit: '{request}',
      description: 'Requests that the receiver refused, by reason.',
    }),
    storingDuration: seconds(
      'messaging.client.operation.duration',
      'Time for storing a delivery in the inbox.',
      SECONDS,
    ),
    processDuration: seconds('messaging.process.duration', 'Time for handling a notification.', SECONDS),
    deliveryLag: seconds(
      'container_tracking.delivery.lag',
      'Time from the event, as the service recorded it, to the start of its handler.',
      LONG_SECONDS,
    ),
    syncRows: meter.createCounter('container_tracking.sync.rows', {
      unit: '{row}',
      description: 'Rows of the synced store that were added or changed.',
    }),
    syncLag: seconds(
      'container_tracking.sync.lag',
      'Time between a change, at the moment that the service recorded, and the commit of the changed row.',
      LONG_SECONDS,
    ),
    syncAge: meter.createObservableGauge('container_tracking.sync.age', {
      unit: 's',
      description: 'Time since which changes may be missing in the synced store.',
    }),
    syncErrors: meter.createCounter('container_tracking.sync.errors', {
      unit: '{error}',
      description: 'Failures that are tried again, and records that cannot be read.',
    }),
  };
}

/** The facts that a span records about a failure. */
export interface Failure {
  /** The value of the attribute `error.type`. */
  type: string;
  message?: string | undefined;
}

/**
 * Only the messages of the errors of this package are recorded, because these messages contain no credential. The
 * message of another error may quote a secret.
 */
export function failureOf(error: unknown): Failure {
  return { type: errorType(error), message: error instanceof TrackingError ? error.message : undefined };
}

/** Marks a span as failed. */
export function markFailed(span: Span, { type, message }: Failure): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}
