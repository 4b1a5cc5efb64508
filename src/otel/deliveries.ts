import type { Inbox, InboxEntry } from '../webhooks/inbox/inbox.ts';
import type { Notification } from '../webhooks/notification/notification.ts';
import type { Rejection } from '../webhooks/receive/receiver-options.ts';
import type { HandlerContext, Router } from '../webhooks/work/router.ts';
import { errorType } from './error-type.ts';
import type { Instruments } from './instruments.ts';
import { type Attributes, context, failureOf, markFailed, type Span, SpanKind, trace } from './instruments.ts';

const SYSTEM = { 'messaging.system': 'container_tracking' };

/** The compiler makes sure that no reason is missing. */
const REASONS: Record<Exclude<Rejection['reason'], 'stored' | 'duplicate'>, 1> = {
  missing_signature: 1,
  several_signatures: 1,
  malformed_signature: 1,
  mismatch: 1,
  bad_payload: 1,
  not_raw: 1,
  incomplete: 1,
  too_slow: 1,
  too_large: 1,
  unavailable: 1,
  not_post: 1,
};

/**
 * Counts the requests that a receiver refuses. Each counter begins with 0, because an alert cannot see that a counter
 * appears with the value 1.
 */
export function countRefusals({ refusals }: Instruments): (rejection: Rejection) => void {
  const count = (reason: string, number: number) => refusals.add(number, { 'container_tracking.reason': reason });
  for (const reason of Object.keys(REASONS)) count(reason, 0);
  return ({ reason, error }) => {
    // A mismatch without an error is the forged sample of `webhooks.selfCheck`.
    if (reason !== 'mismatch' || error !== undefined) count(reason, 1);
  };
}

/** Creates a span for each delivery that is stored. */
export function tracedInbox({ tracer, deliveries, storingDuration }: Instruments, inbox: Pick<Inbox, 'put'>) {
  const count = (outcome: string, number: number) => deliveries.add(number, { 'container_tracking.outcome': outcome });
  for (const outcome of ['stored', 'duplicate', 'failed']) count(outcome, 0);
  return {
    async put(entry: InboxEntry): Promise<'stored' | 'duplicate'> {
      const operation = { ...SYSTEM, 'messaging.operation.type': 'send', 'messaging.operation.name': 'put' };
      const about = { ...operation, 'messaging.destination.name': entry.event };
      const attributes = {
        ...about,
        'messaging.message.id': entry.id,
        'messaging.message.body.size': entry.body.length,
      };
      const span = tracer.startSpan(`put ${entry.event}`, { kind: SpanKind.PRODUCER, attributes });
      return measured(
        span,
        () => inbox.put(entry),
        (seconds, failure, outcome) => {
          if (outcome !== undefined) span.setAttribute('container_tracking.outcome', outcome);
          storingDuration.record(seconds, { ...about, ...failure });
          count(outcome ?? 'failed', 1);
        },
      );
    },
  };
}

/** Creates a span for each notification that is handled. */
export function tracedRouter(instruments: Instruments, router: Pick<Router, 'handle'>) {
  const { tracer, processDuration, deliveryLag } = instruments;
  return {
    async handle(notification: Notification, handling?: HandlerContext): Promise<void> {
      const { id, event } = notification;
      const operation = { ...SYSTEM, 'messaging.operation.type': 'process', 'messaging.operation.name': 'handle' };
      const about = { ...operation, 'messaging.destination.name': event };
      const attempt = { 'container_tracking.attempt': handling?.attempt ?? 1 };
      const lag = Date.now() - Date.parse(notification.created_at ?? '');
      if (Number.isFinite(lag)) deliveryLag.record(Math.max(0, lag) / 1000, { 'messaging.destination.name': event });
      const attributes = { ...about, 'messaging.message.id': id, ...attempt };
      const span = tracer.startSpan(`handle ${event}`, { kind: SpanKind.CONSUMER, attributes });
      await measured(
        span,
        () => router.handle(notification, handling),
        (seconds, failure) => {
          processDuration.record(seconds, { ...about, ...failure });
        },
      );
    },
  };
}

/** Runs the work in the context of the span, and ends the span with it. */
async function measured<T>(
  span: Span,
  work: () => Promise<T>,
  record: (seconds: number, failure: Attributes, value: T | undefined) => void,
): Promise<T> {
  const startedAt = performance.now();
  const end = (failure: Attributes, value?: T) => {
    record((performance.now() - startedAt) / 1000, failure, value);
    span.end();
  };
  try {
    const value = await context.with(trace.setSpan(context.active(), span), work);
    end({}, value);
    return value;
  } catch (error) {
    markFailed(span, failureOf(error));
    end({ 'error.type': errorType(error) });
    throw error;
  }
}
