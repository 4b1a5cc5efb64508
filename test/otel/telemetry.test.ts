import { type Attributes, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import type { Hooks, SettledEvent } from '../../src/hooks.ts';
import type { RateLimiter } from '../../src/index.ts';
import { createTelemetry, type TelemetryOptions } from '../../src/otel/index.ts';
import { createReceiver, createRouter, createWorker, fakeDelivery, memoryInbox } from '../../src/webhooks/index.ts';
import { signWebhook } from '../../src/webhooks/testing/sign.ts';
import { clientFor, KEY, PARTY, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

class Reader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}

  /** The measured points, by the name of the metric. */
  async points(): Promise<Record<string, { attributes: Attributes; value: number }[]>> {
    const { resourceMetrics } = await this.collect();
    const metrics = resourceMetrics.scopeMetrics.flatMap(scope => scope.metrics);
    return Object.fromEntries(
      metrics.map(metric => [
        metric.descriptor.name,
        metric.dataPoints.map(({ attributes, value }) => ({
          attributes,
          // A histogram is represented by its number of values.
          value: metric.dataPointType === DataPointType.HISTOGRAM ? (value as { count: number }).count : Number(value),
        })),
      ]),
    );
  }
}

const exporter = new InMemorySpanExporter();
/** The ids of the spans in the order of their starts. The clock alone cannot distinguish the starts. */
const begun: string[] = [];

class Beginnings extends SimpleSpanProcessor {
  override onStart(span: { spanContext(): { spanId: string } }): void {
    begun.push(span.spanContext().spanId);
  }
}

const tracerProvider = new TracerProvider({ spanProcessors: [new Beginnings({ exporter })] });

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());
beforeEach(async () => {
  await tracerProvider.forceFlush();
  exporter.reset();
});

function telemetryFor(options: TelemetryOptions = {}) {
  const reader = new Reader();
  const meterProvider = new MeterProvider({ readers: [reader] });
  return { telemetry: createTelemetry({ tracerProvider, meterProvider, ...options }), reader };
}

/** The spans in the order of their starts. Each has the name of its parent. */
async function traced() {
  await tracerProvider.forceFlush();
  const spans = exporter.getFinishedSpans();
  const nameOf = new Map(spans.map(span => [span.spanContext().spanId, span.name]));
  const position = (span: ReadableSpan) => begun.indexOf(span.spanContext().spanId);
  return spans
    .toSorted((a, b) => position(a) - position(b))
    .map(({ name, kind, attributes, status, parentSpanContext }) => ({
      name,
      kind,
      attributes,
      status,
      parent: nameOf.get(parentSpanContext?.spanId ?? ''),
    }));
}

describe('a call', () => {
  test('with a retry and a wait for the rate limit has a child span for each of them', async () => {
    const server = await serve(
      { status: 503, body: `the key was ${KEY}` },
      { headers: { 'x-request-id': 'req-3' }, body: PARTY },
    );
    const { telemetry, reader } = telemetryFor();
    const limiter: RateLimiter = {
      async acquire({ onQueued }) {
        onQueued?.(7);
        return { release() {} };
      },
    };
    const client = clientFor(server, { hooks: telemetry.hooks(), rateLimit: { limiter } });
    await client.parties.get('2', { headers: { 'x-own': 'secret-of-mine' } });

    const port = Number(new URL(server.baseUrl).port);
    const attempt = {
      'http.request.method': 'GET',
      'url.template': '/parties/{id}',
      'url.path': '/parties/2',
      'server.address': '127.0.0.1',
      'server.port': port,
    };
    const call = 'parties.get';
    expect(await traced()).toEqual([
      {
        name: call,
        kind: SpanKind.INTERNAL,
        attributes: {
          'container_tracking.operation': call,
          'url.template': '/parties/{id}',
          'container_tracking.attempts': 2,
          'container_tracking.queue_ms': expect.any(Number),
        },
        status: { code: SpanStatusCode.UNSET },
        parent: undefined,
      },
      wait(call),
      {
        name: 'GET /parties/{id}',
        kind: SpanKind.CLIENT,
        attributes: { ...attempt, 'http.response.status_code': 503, 'error.type': '503' },
        status: { code: SpanStatusCode.ERROR, message: expect.stringContaining('503') },
        parent: call,
      },
      wait(call),
      {
        name: 'GET /parties/{id}',
        kind: SpanKind.CLIENT,
        attributes: {
          ...attempt,
          'http.request.resend_count': 1,
          'http.response.status_code': 200,
          'container_tracking.request_id': 'req-3',
        },
        status: { code: SpanStatusCode.UNSET },
        parent: call,
      },
    ]);
    const everything = JSON.stringify([await traced(), await reader.points()]);
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain('secret-of-mine');
  });

  test.each([
    ['after a second wait for the rate limit', 7],
    ['immediately', undefined],
  ])(
    'whose token is refused and renewed has a failed span for the first attempt, if the next attempt begins %s',
    async (_, wait) => {
      const server = await serve({ status: 401 }, { body: PARTY });
      const { telemetry, reader } = telemetryFor();
      const limiter: RateLimiter = {
        async acquire({ onQueued }) {
          if (wait !== undefined) onQueued?.(wait);
          return { release() {} };
        },
      };
      const tokens = ['old', 'new'];
      const accessToken = async () => tokens.shift() ?? '';
      await clientFor(server, { accessToken, hooks: telemetry.hooks(), rateLimit: { limiter } }).parties.get('1');
      const spans = await traced();
      const waits = wait === undefined ? [] : ['wait for rate limit'];
      const attempt = [...waits, 'GET /parties/{id}'];
      expect(spans.map(({ name }) => name)).toEqual(['parties.get', ...attempt, ...attempt]);
      expect(spans.filter(({ kind }) => kind === SpanKind.CLIENT)).toMatchObject([
        {
          attributes: { 'http.response.status_code': 401, 'error.type': '401' },
          status: { code: SpanStatusCode.ERROR },
        },
        { attributes: { 'http.response.status_code': 200 }, status: { code: SpanStatusCode.UNSET } },
      ]);
      const { 'http.client.request.duration': durations = [] } = await reader.points();
      expect(durations.map(({ attributes, value }) => [attributes['error.type'], value])).toEqual([
        ['401', 1],
        [undefined, 1],
      ]);
    },
  );

  test('has counts of its attempts, retries, waits and 429 responses', async () => {
    const server = await serve({ status: 503 }, { status: 429, headers: { 'retry-after': '0.001' } }, { body: PARTY });
    const { telemetry, reader } = telemetryFor();
    await clientFor(server, { hooks: telemetry.hooks() }).parties.get('1');
    const points = await reader.points();
    const address = { 'server.address': '127.0.0.1', 'server.port': Number(new URL(server.baseUrl).port) };
    const request = { ...address, 'http.request.method': 'GET', 'url.template': '/parties/{id}' };
    expect(points['http.client.request.duration']).toEqual([
      { attributes: { ...request, 'http.response.status_code': 503, 'error.type': '503' }, value: 1 },
      { attributes: { ...request, 'http.response.status_code': 429, 'error.type': '429' }, value: 1 },
      { attributes: { ...request, 'http.response.status_code': 200 }, value: 1 },
    ]);
    const operation = { 'container_tracking.operation': 'parties.get' };
    expect(points['container_tracking.call.retries']).toEqual([
      { attributes: { ...operation, 'error.type': '503' }, value: 1 },
      { attributes: { ...operation, 'error.type': '429' }, value: 1 },
    ]);
    expect(points['container_tracking.call.rate_limited']).toEqual([
      { attributes: { ...operation, 'container_tracking.bucket': 'default' }, value: 1 },
    ]);
    expect(points['container_tracking.call.duration']).toEqual([{ attributes: operation, value: 1 }]);
  });

  test('that sends nothing still has a span with its error', async () => {
    const { telemetry } = telemetryFor();
    const client = clientFor({ baseUrl: 'http://127.0.0.1:9/v2' }, { hooks: telemetry.hooks() });
    await rejection(client.parties.get(' '));
    expect(await traced()).toMatchObject([
      {
        name: 'parties.get',
        attributes: { 'container_tracking.attempts': 0, 'error.type': expect.any(String) },
        status: { code: SpanStatusCode.ERROR, message: expect.stringContaining('id') },
      },
    ]);
  });

  test('ends its spans after an abort, and the spans do not contain the message of the reason', async () => {
    const server = await serve(() => {});
    const { telemetry } = telemetryFor();
    const giveUp = new AbortController();
    const client = clientFor(server, {
      hooks: telemetry.hooks({ onRequest: () => void setImmediate(() => giveUp.abort(new RangeError('my secret'))) }),
    });
    await rejection(client.parties.get('1', { signal: giveUp.signal }));
    expect((await traced()).map(({ name, status }) => [name, status])).toEqual([
      ['parties.get', { code: SpanStatusCode.ERROR }],
      ['GET /parties/{id}', { code: SpanStatusCode.ERROR }],
    ]);
    expect((await traced())[0]?.attributes['error.type']).toBe('RangeError');
  });

  test('is a child of the current span, and simultaneous calls are separate', async () => {
    const server = await serve({ body: PARTY });
    const { telemetry } = telemetryFor();
    const client = clientFor(server, { hooks: telemetry.hooks() });
    const tracer = tracerProvider.getTracer('test');
    await Promise.all(
      ['one', 'two'].map(name =>
        tracer.startActiveSpan(name, async span => {
          await client.shipments.get(name).catch(() => {});
          span.end();
        }),
      ),
    );
    const parents = (await traced()).filter(({ name }) => name === 'shipments.get').map(({ parent }) => parent);
    expect(parents.sort()).toEqual(['one', 'two']);
  });

  test('sends its trace context only with the option for it', async () => {
    propagation.setGlobalPropagator({
      inject: (active, carrier, setter) =>
        setter.set(carrier, 'traceparent', String(trace.getSpanContext(active)?.spanId)),
      extract: active => active,
      fields: () => ['traceparent'],
    });
    try {
      const sent = await Promise.all(
        [undefined, true].map(async propagate => {
          const server = await serve({ body: PARTY });
          const { telemetry } = telemetryFor({ propagate });
          await clientFor(server, { hooks: telemetry.hooks() }).parties.get('1');
          return server.requests[0]?.headers.traceparent;
        }),
      );
      await tracerProvider.forceFlush();
      const attempts = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
      expect(sent[0]).toBeUndefined();
      expect(attempts.map(span => span.spanContext().spanId)).toContain(sent[1]);
    } finally {
      propagation.disable();
    }
  });
});

describe('the hooks of the user', () => {
  test('are called in addition to those of the telemetry, with their own `this`', async () => {
    const server = await serve({ body: PARTY });
    const { telemetry } = telemetryFor();
    class Own implements Hooks {
      readonly #seen: string[] = [];
      onSettled({ operation }: SettledEvent) {
        this.#seen.push(operation);
      }
      static seenBy = (own: Own) => own.#seen;
    }
    const own = new Own();
    await clientFor(server, { hooks: telemetry.hooks(own) }).parties.get('1');
    expect(Own.seenBy(own)).toEqual(['parties.get']);
    expect(await traced()).toHaveLength(2);
  });

  test('do not lose a span if they throw', async () => {
    const server = await serve({ body: PARTY });
    const { telemetry } = telemetryFor();
    const fail = () => {
      throw new Error('mine');
    };
    await clientFor(server, { hooks: telemetry.hooks({ onRequest: fail, onSettled: fail }) }).parties.get('1');
    expect((await traced()).map(({ name }) => name)).toEqual(['parties.get', 'GET /parties/{id}']);
  });
});

describe('a delivery', () => {
  test('has a span for its storage and for each handling, with the calls of the handler as children', async () => {
    const server = await serve({ body: PARTY });
    const { telemetry, reader } = telemetryFor();
    const client = clientFor(server, { hooks: telemetry.hooks() });
    const inbox = memoryInbox({ ephemeral: true });
    const delivery = fakeDelivery('container.updated');
    const event = 'container.updated';
    const { id } = delivery.data;
    const body = new TextEncoder().encode(JSON.stringify(delivery));
    const entry = { id, event, group: 'g', order: '1', body, receivedAt: Date.now() };
    const put = telemetry.inbox(inbox);
    expect([await put.put(entry), await put.put(entry)]).toEqual(['stored', 'duplicate']);

    let tries = 0;
    const router = createRouter().otherwise(async () => {
      tries += 1;
      if (tries === 1) throw new TypeError('not yet');
      await client.parties.get('1');
    });
    let handled = () => {};
    const allHandled = new Promise<void>(resolve => {
      handled = resolve;
    });
    const worker = createWorker({
      inbox: {
        claim: options => inbox.claim(options),
        renew: (claim, options) => inbox.renew(claim, options),
        fail: (claim, options) => inbox.fail(claim, options),
        done: claim => inbox.done(claim).finally(handled),
      },
      router: telemetry.router(router),
      minDelay: 1,
      pollMs: 5,
      logger: false,
    }).start();
    await allHandled;
    await worker.stop();

    const message = { 'messaging.system': 'container_tracking', 'messaging.message.id': id };
    expect(await traced()).toMatchObject([
      {
        name: `put ${event}`,
        kind: SpanKind.PRODUCER,
        attributes: { ...message, 'container_tracking.outcome': 'stored' },
      },
      { name: `put ${event}`, attributes: { 'container_tracking.outcome': 'duplicate' } },
      {
        name: `handle ${event}`,
        kind: SpanKind.CONSUMER,
        attributes: { ...message, 'container_tracking.attempt': 1, 'error.type': 'TypeError' },
        status: { code: SpanStatusCode.ERROR },
      },
      {
        name: `handle ${event}`,
        attributes: { 'container_tracking.attempt': 2 },
        status: { code: SpanStatusCode.UNSET },
      },
      { name: 'parties.get', parent: `handle ${event}` },
      { name: 'GET /parties/{id}', parent: 'parties.get' },
    ]);
    const points = await reader.points();
    expect(points['container_tracking.deliveries']).toEqual([
      { attributes: { 'container_tracking.outcome': 'stored' }, value: 1 },
      { attributes: { 'container_tracking.outcome': 'duplicate' }, value: 1 },
      { attributes: { 'container_tracking.outcome': 'failed' }, value: 0 },
    ]);
    expect(points['container_tracking.delivery.lag']?.[0]?.value).toBe(2);
    expect(points['messaging.process.duration']?.map(({ value }) => value)).toEqual([1, 1]);
  });

  test('that the inbox cannot store causes a failed span, and the receiver gets the error', async () => {
    const { telemetry, reader } = telemetryFor();
    const inbox = telemetry.inbox({ put: async () => Promise.reject(new Error('disk')) });
    const entry = { id: '1', event: 'e', group: 'g', order: '1', body: new Uint8Array(), receivedAt: 0 };
    expect(await rejection(inbox.put(entry))).toMatchObject({ message: 'disk' });
    expect(await traced()).toMatchObject([
      { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'Error' } },
    ]);
    expect((await reader.points())['container_tracking.deliveries']).toContainEqual({
      attributes: { 'container_tracking.outcome': 'failed' },
      value: 1,
    });
  });

  test('that the receiver refuses is counted by its reason, and a handler of the user is called too', async () => {
    const { telemetry, reader } = telemetryFor();
    const seen: unknown[] = [];
    const receiver = createReceiver({
      secrets: ['right'],
      inbox: memoryInbox({ ephemeral: true }),
      onRejected: telemetry.onRejected(({ reason }) => {
        seen.push(reason);
        throw new Error('mine');
      }),
      logger: false,
    });
    const body = JSON.stringify(fakeDelivery('container.updated'));
    const headers = { 'x-svc-webhook-signature': await signWebhook({ secret: 'wrong', body }) };
    const post = (init: RequestInit) => receiver.fetch(new Request('http://host/', { method: 'POST', ...init }));
    await post({ body, headers });
    await post({ body, headers });
    await post({ body });

    expect(seen).toEqual(['mismatch', 'mismatch', 'missing_signature']);
    const refused = (await reader.points())['container_tracking.deliveries.refused'] ?? [];
    const counts = Object.fromEntries(
      refused.map(({ attributes, value }) => [attributes['container_tracking.reason'], value]),
    );
    expect(counts).toMatchObject({ mismatch: 2, missing_signature: 1, unavailable: 0 });
    expect(Object.keys(counts)).toHaveLength(11);
  });

  test('that `webhooks.selfCheck` signs wrongly is not counted as refused', async () => {
    const { telemetry, reader } = telemetryFor();
    telemetry.onRejected()({ status: 401, reason: 'mismatch', error: undefined });
    const refused = (await reader.points())['container_tracking.deliveries.refused'] ?? [];
    expect(refused.every(({ value }) => value === 0)).toBe(true);
  });
});

describe('the gauges', () => {
  test('report the use of the rate limit and the depth of the inbox, until they are stopped', async () => {
    const server = await serve({ body: PARTY });
    const { telemetry, reader } = telemetryFor();
    const client = clientFor(server, { rateLimit: { windowMs: 60_000, limits: { default: 7 } } });
    const inbox = memoryInbox({ ephemeral: true });
    const entry = { event: 'e', group: 'g', order: '1', body: new Uint8Array(), receivedAt: 0 };
    await inbox.put({ ...entry, id: '1' });
    await inbox.put({ ...entry, id: '2', poison: 'no' });
    let asked = 0;
    const counted = {
      stats: async () => {
        asked += 1;
        return { open: 0, dead: 0, ...(await inbox.stats?.()) };
      },
    };
    const stop = telemetry.observe({ client, inbox: counted, name: 'main' });
    await client.parties.get('1');

    const about = { 'container_tracking.name': 'main', 'container_tracking.bucket': 'default' };
    const points = await reader.points();
    expect(points['container_tracking.budget.used']).toContainEqual({ attributes: about, value: 1 });
    expect(points['container_tracking.budget.limit']).toContainEqual({ attributes: about, value: 7 });
    expect(points['container_tracking.inbox.entries']).toEqual([
      { attributes: { 'container_tracking.name': 'main', 'container_tracking.state': 'open' }, value: 1 },
      { attributes: { 'container_tracking.name': 'main', 'container_tracking.state': 'dead' }, value: 1 },
    ]);
    stop();
    await reader.points();
    expect(asked).toBe(1);
  });

  test('report for how many seconds a 429 has closed each bucket', async () => {
    const server = await serve({ status: 429, headers: { 'retry-after': '3600' } });
    const { telemetry, reader } = telemetryFor();
    const client = clientFor(server, { hooks: telemetry.hooks(), rateLimit: {} });
    telemetry.observe({ client });
    await rejection(client.parties.get('1'));
    await rejection(client.parties.get('1'));

    const points = await reader.points();
    expect(points['container_tracking.call.rate_limited']?.[0]?.value).toBe(1);
    const closed = Object.fromEntries(
      (points['container_tracking.budget.closed'] ?? []).map(({ attributes, value }) => [
        attributes['container_tracking.bucket'],
        value,
      ]),
    );
    expect(closed).toMatchObject({ createTrackingRequest: 0, inferNumber: 0, refreshContainer: 0 });
    expect(closed.default).toBeGreaterThan(3590);
    expect(closed.default).toBeLessThanOrEqual(3601);
  });

  test('follow a client that is replaced in the observed object', async () => {
    const server = await serve({ status: 200 });
    const { telemetry, reader } = telemetryFor();
    const tracking = { client: clientFor(server, { rateLimit: { limits: { default: 7 } } }) };
    telemetry.observe(tracking);
    tracking.client = tracking.client.withOptions({ apiKey: 'new', rateLimit: { limits: { default: 9 } } });
    const limits = (await reader.points())['container_tracking.budget.limit'];
    const about = { 'container_tracking.bucket': 'default' };
    expect(limits?.filter(({ attributes }) => attributes['container_tracking.bucket'] === 'default')).toEqual([
      { attributes: about, value: 9 },
    ]);
  });

  test('leave out an inbox that cannot count', async () => {
    const { telemetry, reader } = telemetryFor();
    telemetry.observe({ inbox: {} });
    expect((await reader.points())['container_tracking.inbox.entries'] ?? []).toEqual([]);
  });
});

test('the telemetry does nothing without a provider, and calls succeed', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server, { hooks: createTelemetry().hooks() });
  expect(await client.parties.get('1')).toMatchObject({ company_name: 'Sample Imports' });
});

test.each([null, 'onSettled', 5])('the telemetry refuses the hooks %j', own => {
  const { telemetry } = telemetryFor();
  expect(() => telemetry.hooks(own as never)).toThrow(ConfigurationError);
  expect(() => telemetry.hooks(own as never)).toThrow('The argument of hooks() is');
});

test('the telemetry refuses a handler of refused deliveries that is not a function', () => {
  const { telemetry } = telemetryFor();
  expect(() => telemetry.onRejected({} as never)).toThrow('The argument of onRejected() is an object');
});

test.each([
  ['an unknown option', { tracer: 1 } as TelemetryOptions, /tracer/],
  ['a base URL that is not an address', { baseUrl: 'host' }, /baseUrl/],
])('the telemetry refuses %s', (_, options, message) => {
  expect(() => createTelemetry(options)).toThrow(ConfigurationError);
  expect(() => createTelemetry(options)).toThrow(message);
});

function wait(parent: string) {
  return {
    name: 'wait for rate limit',
    kind: SpanKind.INTERNAL,
    attributes: { 'container_tracking.bucket': 'default' },
    status: { code: SpanStatusCode.UNSET },
    parent,
  };
}
