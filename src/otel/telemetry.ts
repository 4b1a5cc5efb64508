import { ConfigurationError } from '../errors.ts';
import type { Hooks } from '../hooks.ts';
import { objectArgument, optionalFunction, optionNames, refuseUnknownNames } from '../internal/arguments.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import type { Rejection } from '../webhooks/receive/receiver-options.ts';
import type { Router } from '../webhooks/work/router.ts';
import { addressOf, CallHooks } from './call-hooks.ts';
import { countRefusals, tracedInbox, tracedRouter } from './deliveries.ts';
import { type Observed, observe } from './gauges.ts';
import { createInstruments, type MeterProvider, type TracerProvider } from './instruments.ts';
import { type ObservedSync, observeSync } from './sync.ts';

/** Options of {@link createTelemetry}. */
export interface TelemetryOptions {
  /** Creates the spans. @default the global provider */
  tracerProvider?: TracerProvider | undefined;
  /** Creates the metrics. @default the global provider */
  meterProvider?: MeterProvider | undefined;
  /**
   * The address for `server.address` and `server.port`, for example the address of the service behind a gateway.
   * @default the address of each request
   */
  baseUrl?: string | undefined;
  /** Sends the trace context with each request, in the header `traceparent`. @default false */
  propagate?: boolean | undefined;
}

/** Connects clients, receivers and workers to OpenTelemetry. */
export interface Telemetry {
  /**
   * The hooks for a client. They create a span for each call, named after its operation, with a child span for each wait for the
   * rate limit and for each attempt.
   *
   * @param own your hooks, which are also called.
   * @throws {ConfigurationError} if `own` is not an object.
   */
  hooks(own?: Hooks): Hooks;
  /** The inbox for a receiver: it creates a span for each delivery. */
  inbox(inbox: Pick<Inbox, 'put'>): Pick<Inbox, 'put'>;
  /**
   * The `onRejected` for a receiver. It counts the refused requests by their reason.
   *
   * @param own your handler, which is also called.
   * @throws {ConfigurationError} if `own` is not a function.
   */
  onRejected(own?: (rejection: Rejection) => unknown): (rejection: Rejection) => unknown;
  /**
   * The router for a worker: it creates a span for each notification. Calls of a client in a handler become children of
   * this span.
   */
  router(router: Pick<Router, 'handle'>): Pick<Router, 'handle'>;
  /**
   * Begins to measure the use of the rate limit and the depth of an inbox. Returns a function that ends the
   * measurements.
   */
  observe(observed: Observed): () => void;
  /**
   * Begins to trace a sync: a span for each back-fill and each reconciliation, the number of written rows, their delay, and
   * the age of the data.
   * Returns a function that ends the tracing.
   */
  sync(sync: ObservedSync): () => void;
}

const OPTIONS = optionNames<TelemetryOptions>({
  tracerProvider: true,
  meterProvider: true,
  baseUrl: true,
  propagate: true,
});

/**
 * Connects clients, receivers and workers to OpenTelemetry. No secret is recorded: no header, no query, no body, and no
 * message of an error from other code. Needs `@opentelemetry/api`. Spans have parents only if a context manager is
 * registered. The SDKs of OpenTelemetry register one.
 *
 * @throws {ConfigurationError} for an unknown option, and for a `baseUrl` that is not an address.
 * @example
 * const telemetry = createTelemetry();
 * const client = new TrackingClient({ hooks: telemetry.hooks() });
 * const receiver = createReceiver({ secrets, inbox: telemetry.inbox(inbox), onRejected: telemetry.onRejected() });
 * const worker = createWorker({ inbox, router: telemetry.router(router) });
 * telemetry.observe({ client, inbox });
 */
export function createTelemetry(options: TelemetryOptions = {}): Telemetry {
  refuseUnknownNames('createTelemetry', objectArgument('options', options, '{ baseUrl }'), OPTIONS);
  const { tracerProvider, meterProvider, baseUrl, propagate = false } = options;
  if (baseUrl !== undefined && !URL.canParse(baseUrl))
    throw new ConfigurationError('baseUrl is not an address: leave it out, or pass the address of the service.');
  const server = { attributes: baseUrl === undefined ? undefined : addressOf(baseUrl), propagates: propagate };
  const instruments = createInstruments(tracerProvider, meterProvider);
  return {
    hooks: (own = {}) =>
      bothHooks(
        new CallHooks(instruments, server),
        objectArgument('The argument of hooks()', own, '{ onSettled: event => … }'),
      ),
    inbox: inbox => tracedInbox(instruments, inbox),
    onRejected: (own = () => {}) =>
      inTurn(countRefusals(instruments), optionalFunction('The argument of onRejected()', own)),
    router: router => tracedRouter(instruments, router),
    observe: observed => observe(instruments, observed),
    sync: sync => observeSync(instruments, sync),
  };
}

type Hook<E = never> = (event: E) => unknown;

/**
 * Merges the hooks of the user with the hooks of this package. Our hooks are called even if a hook of the user throws.
 */
export function bothHooks(ours: Hooks, own: Hooks): Hooks {
  const names = new Set([...Object.keys(ours), ...Object.keys(own)]) as Set<keyof Hooks>;
  return Object.fromEntries(
    Array.from(names, name => {
      const [our, users] = [ours[name], own[name]] as [Hook | undefined, unknown];
      // A value that is not a function is not called here: the client rejects it with an error.
      if (typeof users !== 'function') return [name, users ?? our];
      return [name, our ? inTurn(our, users.bind(own)) : users.bind(own)];
    }),
  );
}

function inTurn<E>(our: Hook<E>, users: Hook<E>): Hook<E> {
  return event => {
    try {
      // The result may be a promise. It is returned, so that the client sees its rejection.
      return users(event);
    } finally {
      our(event);
    }
  };
}
