import type { Hooks, QueuedEvent, RequestEvent, ResponseEvent, RetryEvent, SettledEvent } from '../hooks.ts';
import { errorType } from './error-type.ts';
import type { Instruments } from './instruments.ts';
import {
  type Attributes,
  type Context,
  context,
  type Failure,
  failureOf,
  markFailed,
  propagation,
  type Span,
  SpanKind,
  trace,
} from './instruments.ts';

/** The server, for the attributes of spans. */
export interface Server {
  /** `server.address` and `server.port`, if they differ from the address of the requests. */
  attributes: Attributes | undefined;
  /** True if the trace context is sent, in the header `traceparent`. */
  propagates: boolean;
}

interface OpenCall {
  span: Span;
  /** The parent of the spans of this call. */
  context: Context;
  /** The span of the running attempt, or of the wait for its slot. */
  child: Span | undefined;
  sentAt: number;
  attempt: Attributes;
}

type CallFields = Pick<SettledEvent, 'callId' | 'operation' | 'route' | 'method' | 'path'>;

/** Hooks that create a span for each call, with a child for each attempt and for each wait for the rate limit. */
export class CallHooks implements Hooks {
  readonly #instruments: Instruments;
  readonly #server: Server;
  /** The calls that have begun. `onSettled`, which is the last event of every call, removes them. */
  readonly #open = new Map<string, OpenCall>();

  constructor(instruments: Instruments, server: Server) {
    this.#instruments = instruments;
    this.#server = server;
  }

  readonly onQueued = (event: QueuedEvent): void => {
    const call = this.#callOf(event);
    this.#endRefused(call);
    call.child = this.#instruments.tracer.startSpan(
      'wait for rate limit',
      { attributes: { 'container_tracking.bucket': event.bucket } },
      call.context,
    );
  };

  readonly onRequest = (event: RequestEvent): void => {
    const { method, route, attempt, headers, url } = event;
    const call = this.#callOf(event);
    this.#endRefused(call);
    call.sentAt = performance.now();
    const server = this.#server.attributes ?? addressOf(url);
    call.attempt = { ...server, 'http.request.method': method, 'url.template': route };
    const attributes = { ...call.attempt, 'url.path': pathOf(event), ...resends(attempt) };
    call.child = this.#instruments.tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.CLIENT, attributes },
      call.context,
    );
    if (!this.#server.propagates) return;
    const setter = { set: (carrier: Headers, name: string, value: string) => carrier.set(name, value) };
    propagation.inject(trace.setSpan(call.context, call.child), headers, setter);
  };

  readonly onResponse = ({ callId, status, requestId }: ResponseEvent): void => {
    const call = this.#open.get(callId);
    if (!call) return;
    call.attempt['http.response.status_code'] = status;
    call.child?.setAttribute('http.response.status_code', status);
    if (requestId !== undefined) call.child?.setAttribute('container_tracking.request_id', requestId);
  };

  readonly onRetry = ({ callId, operation, error }: RetryEvent): void => {
    const call = this.#open.get(callId);
    if (call) this.#endChild(call, failureOf(error));
    const reason = { 'container_tracking.operation': operation, 'error.type': errorType(error) };
    this.#instruments.retries.add(1, reason);
  };

  readonly onRateLimited: Hooks['onRateLimited'] = ({ operation, bucket }) => {
    this.#instruments.rateLimited.add(1, {
      'container_tracking.operation': operation,
      'container_tracking.bucket': bucket,
    });
  };

  readonly onSchemaMismatch: Hooks['onSchemaMismatch'] = ({ operation }) => {
    this.#instruments.mismatches.add(1, { 'container_tracking.operation': operation });
  };

  readonly onSettled = (event: SettledEvent): void => {
    const { callId, operation, error, attempts, queuedMs, durationMs } = event;
    const call = this.#callOf(event, Date.now() - durationMs);
    this.#open.delete(callId);
    const failure = error === undefined ? undefined : failureOf(error);
    this.#endChild(call, failure);
    call.span.setAttributes({
      'container_tracking.attempts': attempts,
      'container_tracking.queue_ms': Math.round(queuedMs),
    });
    if (failure) markFailed(call.span, failure);
    call.span.end();
    const about = {
      'container_tracking.operation': operation,
      ...(failure && { 'error.type': failure.type }),
    };
    this.#instruments.callDuration.record(durationMs / 1000, about, call.context);
    if (queuedMs > 0) this.#instruments.queueDuration.record(queuedMs / 1000, about, call.context);
  };

  /** The span of a call begins with its first event. If a call sent nothing, its only event is `onSettled`. */
  #callOf(event: CallFields, startTime?: number): OpenCall {
    const known = this.#open.get(event.callId);
    if (known) return known;
    const { operation, route } = event;
    const attributes = { 'container_tracking.operation': operation, 'url.template': route };
    const span = this.#instruments.tracer.startSpan(operation, {
      attributes,
      ...(startTime !== undefined && { startTime }),
    });
    const call: OpenCall = {
      span,
      context: trace.setSpan(context.active(), span),
      child: undefined,
      sentAt: 0,
      attempt: {},
    };
    this.#open.set(event.callId, call);
    return call;
  }

  /**
   * Ends the span of a wait, or of an attempt whose access token was rejected. After such an attempt, the client makes
   * an attempt with a new token, without a call of `onRetry`.
   */
  #endRefused(call: OpenCall): void {
    const status = call.sentAt === 0 ? undefined : call.attempt['http.response.status_code'];
    this.#endChild(call, status === undefined ? undefined : { type: String(status) });
  }

  #endChild(call: OpenCall, failure: Failure | undefined): void {
    if (!call.child) return;
    if (failure) markFailed(call.child, failure);
    call.child.end();
    call.child = undefined;
    if (call.sentAt === 0) return;
    const attributes = { ...call.attempt, ...(failure && { 'error.type': failure.type }) };
    this.#instruments.attemptDuration.record((performance.now() - call.sentAt) / 1000, attributes, call.context);
    call.sentAt = 0;
  }
}

/** `server.address` and `server.port` of a URL. */
export function addressOf(url: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'http:' ? 80 : 443) };
}

/** The path without the query, which may contain search terms of a user. */
function pathOf({ path }: CallFields): string {
  return path.split('?', 1)[0] as string;
}

function resends(attempt: number): Attributes {
  return attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {};
}
