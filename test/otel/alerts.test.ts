/** Compares the alert rules of the guide about observability with the metrics that the package and the programs export. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createTelemetry } from '../../src/otel/index.ts';
import { createRouter, fakeNotification, memoryInbox } from '../../src/webhooks/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { ROOT } from '../../support/docs/pages.ts';
import { serve } from '../../support/server.ts';

type Labels = Record<string, string>;

class Reader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}

  /** The labels of each series, with its name in Prometheus as `__name__`. */
  async series(): Promise<Labels[]> {
    const { resourceMetrics } = await this.collect();
    return resourceMetrics.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap(({ descriptor: { name, unit }, dataPointType, dataPoints }) => {
        const isHistogram = dataPointType === DataPointType.HISTOGRAM;
        const ending = isHistogram ? '_count' : dataPointType === DataPointType.SUM ? '_total' : '';
        return dataPoints.flatMap(({ attributes }) =>
          // One exporter adds the unit to the name, and another exporter does not.
          ['', ...(unit === 's' ? ['_seconds'] : [])].map(seconds => ({
            __name__: inPrometheus(name) + seconds + ending,
            ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [inPrometheus(key), String(value)])),
          })),
        );
      });
  }
}

const inPrometheus = (name: string) => name.replaceAll('.', '_');
const read = (page: string) => readFileSync(join(ROOT, 'docs/guides', page), 'utf8');

/** The rules, each with the selectors of its expression. */
const [, yaml = ''] = /```yaml\n(groups:[\s\S]*?)```/.exec(read('observability.md')) ?? [];
const RULES: { alert: string; selectors: string[] }[] = parse(yaml).groups[0].rules.map(
  ({ alert, expr }: { alert: string; expr: string }) => ({
    alert,
    selectors: expr.match(/\b\w*tracking_\w+(?:\{[^}]*\})?|\{[^}]*\}/g) ?? [],
  }),
);

/** True if a selector of PromQL selects the series. */
function selects(selector: string, series: Labels): boolean {
  const [, name, matchers = ''] = /^(\w*)(?:\{([^}]*)\})?$/.exec(selector) ?? [];
  if (name && name !== series.__name__) return false;
  return [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].every(
    ([, label = '', operator = '', text = '']) => {
      const value = series[label] ?? '';
      const isEqual = operator.includes('~') ? new RegExp(`^(?:${text})$`).test(value) : value === text;
      return isEqual !== operator.startsWith('!');
    },
  );
}

async function exported(): Promise<Labels[]> {
  const reader = new Reader();
  const telemetry = createTelemetry({ meterProvider: new MeterProvider({ readers: [reader] }) });
  const server = await serve({ status: 401 }, { status: 429 });
  const client = clientFor(server, { hooks: telemetry.hooks(), retry: false, rateLimit: {} });
  const inbox = memoryInbox({ ephemeral: true });
  telemetry.observe({ client, inbox });
  telemetry.inbox(inbox);
  telemetry.onRejected();
  const refused = await rejection(client.parties.get('2'));
  await rejection(client.parties.get('2'));
  const router = createRouter().otherwise(() => Promise.reject(refused));
  await rejection(telemetry.router(router).handle(fakeNotification('container.updated')));
  telemetry.sync({
    on(type, listener) {
      if (type === 'error') listener({ type, error: refused } as never);
      return () => {};
    },
    readAt: async () => 0,
  });
  const program = read('kubernetes-and-systemd.md').matchAll(/createCounter\('(\w+)'\)/g);
  return [...(await reader.series()), ...Array.from(program, ([, name]) => ({ __name__: `${name}_total` }))];
}

test('each selector of an alert selects a series that is exported', async () => {
  const series = await exported();
  const selectors = RULES.flatMap(({ alert, selectors }) => selectors.map(selector => ({ alert, selector })));
  expect(RULES.filter(({ selectors }) => selectors.length === 0)).toEqual([]);
  expect(selectors.filter(({ selector }) => !series.some(each => selects(selector, each)))).toEqual([]);
});
