import { type MeterProvider, metrics, type Span, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api';
import { TrackingError } from '../errors.ts';
import { VERSION } from '../version.ts';

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

/** In seconds, as the conventions for HTTP recommend. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** In seconds. A call may wait for the rate limit for minutes, and a delivery may be repeated for hours. */
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
    attemptDuration: seconds('http.client.request.duration', 'Attempts, from sending to the end of the body.', SECONDS),
    callDuration: seconds('container_tracking.call.duration', 'Calls, with their queueing and retries.', SECONDS),
    queueDuration: seconds('container_tracking.call.queue.duration', 'Waiting for the rate limit.', LONG_SECONDS),
    retries: meter.createCounter('container_tracking.call.retries', {
      unit: '{retry}',
      description: 'Attempts that were followed by another.',
    }),
    rateLimited: meter.createCounter('container_tracking.call.rate_limited', {
      unit: '{answer}',
      description: 'Answers of 429.',
    }),
    mismatches: meter.createCounter('container_tracking.schema_mismatches', {
      unit: '{mismatch}',
      description: 'Answers that do not match their schema.',
    }),
    deliveries: meter.createCounter('container_tracking.deliveries', {
      unit: '{delivery}',
      description: 'Deliveries that reached the inbox, by outcome.',
    }),
    storingDuration: seconds('messaging.client.operation.duration', 'Storing a delivery in the inbox.', SECONDS),
    processDuration: seconds('messaging.process.duration', 'Handling a notification.', SECONDS),
    deliveryLag: seconds(
      'container_tracking.delivery.lag',
      'From the moment at which the service recorded an event to the moment at which its handler begins.',
      LONG_SECONDS,
    ),
    syncRows: meter.createCounter('container_tracking.sync.rows', {
      unit: '{row}',
      description: 'Rows of the synced store that were added or changed.',
    }),
    syncLag: seconds(
      'container_tracking.sync.lag',
      'From the moment at which the service knew of a change to the committed row.',
      LONG_SECONDS,
    ),
    syncErrors: meter.createCounter('container_tracking.sync.errors', {
      unit: '{error}',
      description: 'What failed and is tried again, and what cannot be read.',
    }),
  };
}

/** The value of the attribute `error.type`: a short name from a small set. */
export function errorType(error: unknown): string {
  if (error instanceof TrackingError && 'status' in error) return String(error.status);
  if (error instanceof TrackingError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** The facts about a failure in a span. */
export interface Failure {
  /** The value of the attribute `error.type`. */
  type: string;
  message?: string | undefined;
}

/**
 * Only the messages of this package's own errors are recorded, because they contain no credential. The message of another
 * error may quote a secret.
 */
export function failureOf(error: unknown): Failure {
  return { type: errorType(error), message: error instanceof TrackingError ? error.message : undefined };
}

/** Marks a span as failed. */
export function markFailed(span: Span, { type, message }: Failure): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}
