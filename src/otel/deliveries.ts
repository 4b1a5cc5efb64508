import type { Inbox, InboxEntry } from '../webhooks/inbox/inbox.ts';
import type { Notification } from '../webhooks/notification/notification.ts';
import type { HandlerContext, Router } from '../webhooks/work/router.ts';
import type { Instruments } from './instruments.ts';
import {
  type Attributes,
  context,
  errorType,
  failureOf,
  markFailed,
  type Span,
  SpanKind,
  trace,
} from './instruments.ts';

const SYSTEM = { 'messaging.system': 'container_tracking' };

/** Creates a span for each delivery that is stored. */
export function tracedInbox({ tracer, deliveries, storingDuration }: Instruments, inbox: Pick<Inbox, 'put'>) {
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
          deliveries.add(1, { 'container_tracking.outcome': outcome ?? 'failed' });
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
