import assert from 'node:assert/strict';
import { INVALID_SPAN_CONTEXT, trace } from '@opentelemetry/api';
import { TrackingClient } from 'container-tracking-sdk';
import { createTelemetry } from 'container-tracking-sdk/otel';

const spans = [];
const span = new Proxy(trace.wrapSpanContext(INVALID_SPAN_CONTEXT), {
  get: (target, name) => (name === 'isRecording' ? () => true : target[name].bind(target)),
});
const startSpan = name => {
  spans.push(name);
  return span;
};
assert.ok(trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) }));
const telemetry = createTelemetry();
const client = new TrackingClient({ baseUrl: process.env.BASE_URL, apiKey: 'sandbox', hooks: telemetry.hooks() });
await client.shippingLines.list().toArray();
assert.ok(spans.includes('shippingLines.list'), `The spans are ${spans}.`);
client.close();
