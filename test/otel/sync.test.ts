import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTelemetry } from '../../src/otel/index.ts';
import { createSync } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { memoryStore } from '../sync/memory-store.ts';

class Reader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}

  /** Sums of counters, and numbers of values in histograms, by an attribute. */
  async by(metric: string, attribute: string): Promise<Record<string, number>> {
    const { resourceMetrics } = await this.collect();
    const found = resourceMetrics.scopeMetrics
      .flatMap(scope => scope.metrics)
      .find(({ descriptor }) => descriptor.name === metric);
    const isHistogram = found?.dataPointType === DataPointType.HISTOGRAM;
    return Object.fromEntries(
      (found?.dataPoints ?? []).map(({ attributes, value }) => [
        String(attributes[attribute]),
        isHistogram ? (value as { count: number }).count : Number(value),
      ]),
    );
  }
}

async function set() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const reader = new Reader();
  const telemetry = createTelemetry({ tracerProvider, meterProvider: new MeterProvider({ readers: [reader] }) });
  const bodies: string[] = [];
  const sandbox = stillSandbox({
    shipments: 3,
    fetch: async request => {
      bodies.push(await request.text());
      return new Response(null, { status: 200 });
    },
  });
  const front = await frontOf(sandbox);
  const sync = createSync({ client: front.client(), store: memoryStore(), logger: false });
  const stop = telemetry.sync(sync);
  const spans = async () => {
    await tracerProvider.forceFlush();
    return exporter.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status }));
  };
  return { sandbox, front, sync, reader, spans, stop, bodies };
}

const SOURCE = 'container_tracking.sync.source';

test('a back-fill and a reconciliation have a span each, and their rows are counted by list', async () => {
  const { sync, reader, spans } = await set();
  const filled = await sync.backfill();
  const written = await reader.by('container_tracking.sync.rows', SOURCE);
  expect(Object.keys(written)).toContain('containers');
  const lists = Object.values(written).reduce((sum, rows) => sum + rows, 0);
  expect(lists).toBe(filled?.written);
  await sync.reconcile();
  expect((await spans()).map(({ name }) => name)).toEqual(['sync backfill', 'sync reconcile']);
  expect((await spans())[0]?.attributes).toMatchObject({
    'container_tracking.sync.resumed': false,
    'container_tracking.sync.records': filled?.records,
    'container_tracking.sync.written': filled?.written,
    'container_tracking.sync.deleted': 0,
    'container_tracking.sync.requests': filled?.requests,
  });
});

test('the rows that notifications write, the delays of notifications and the delays of separate reads are counted', async () => {
  const { sandbox, sync, reader, front, bodies } = await set();
  await sync.backfill();
  const events = ['shipment.estimated.arrival', 'container.updated'] as const;
  await front.client().webhooks.create({ url: 'https://receiver.example/', active: true, events: [...events] });
  for (let day = 0; day < 30 && bodies.length < 3; day += 1) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
  // Sync reads the clock of the service only here, after the sandbox has advanced it by days.
  await sync.reconcile();
  const counted = { written: 0, reads: 0 };
  sync.on('handled', ({ written }) => {
    counted.written += written;
  });
  sync.on('read', ({ outcome }) => {
    counted.reads += Number(outcome !== 'tie');
  });
  const before = (await reader.by('container_tracking.sync.lag', SOURCE)).read ?? 0;
  for (const [index, body] of bodies.entries()) {
    const entry = { id: String(index), event: '', group: '', order: '', receivedAt: 0 };
    await sync.inbox.put({ ...entry, body: new TextEncoder().encode(body) });
  }
  await sync.reconcile();
  expect(bodies.length).toBeGreaterThan(2);
  expect(await reader.by('container_tracking.sync.lag', SOURCE)).toEqual({
    notification: bodies.length,
    read: before + counted.reads,
  });
  expect((await reader.by('container_tracking.sync.rows', SOURCE)).notification).toBe(counted.written || undefined);
});

test('the age of the data is measured when the store is filled, until the observation ends', async () => {
  const { sync, reader, stop } = await set();
  const age = async () => Object.values(await reader.by('container_tracking.sync.age', ''));
  await sync.migrate();
  expect(await age()).toEqual([]);
  await sync.backfill();
  const { readAt = Number.NaN } = await sync.status();
  vi.useFakeTimers({ toFake: ['Date'], now: readAt + 90_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await age()).toEqual([90]);
  stop();
  vi.setSystemTime(readAt + 900_000);
  expect(await age()).toEqual([90]);
});

test('a failed pass and an interrupted pass have failed spans, and the failures are counted', async () => {
  const { front, sync, reader, spans, stop } = await set();
  front.instead = (path, query) =>
    path === '/shipments' && query.get('page[size]') === '100' ? { status: 500 } : undefined;
  const controller = new AbortController();
  sync.on('error', () => {
    front.instead = () => 'hang';
    // The next attempt hangs.
    setTimeout(() => controller.abort(), 5);
  });
  await sync.run({ signal: controller.signal });
  expect(await reader.by('container_tracking.sync.errors', 'error.type')).toEqual({ 500: 1 });
  expect((await spans())[0]).toMatchObject({ name: 'sync backfill', attributes: { 'error.type': '500' } });
  front.instead = (path, query) =>
    path === '/shipments' && query.get('page[size]') === '100' ? { status: 401 } : undefined;
  await sync.backfill().catch(() => {});
  stop();
  expect((await spans())[1]).toMatchObject({ attributes: { 'error.type': 'interrupted' } });
});
