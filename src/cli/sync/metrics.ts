import type { ServerResponse } from 'node:http';
import type { TrackingClient } from '../../client.ts';
import { errorType } from '../../otel/error-type.ts';
import type { Sync } from '../../sync/index.ts';

/**
 * Returns a function that responds with metrics of a sync, in the text format of Prometheus. The response has only the
 * metrics for which there are alerts. The names are the same as the names of the metrics of
 * `container-tracking-sdk/otel` in Prometheus.
 */
export function metricsOf(
  sync: Pick<Sync, 'readAt' | 'on'>,
  { rateLimit }: Pick<TrackingClient, 'rateLimit'>,
): (response: ServerResponse) => void {
  // Prometheus sees an increase only if it has seen an earlier value.
  const errors = new Map([['401', 0]]);
  const count = ({ error }: { error: unknown }) => {
    const type = errorType(error);
    errors.set(type, (errors.get(type) ?? 0) + 1);
  };
  sync.on('error', count);
  sync.on('skipped', count);
  return async response => {
    // The alert on the age also fires if the age is missing.
    const readAt = await sync.readAt().catch(() => undefined);
    const age = readAt === undefined ? '' : `container_tracking_sync_age_seconds ${secondsTo(Date.now(), readAt)}\n`;
    const closed = Object.entries(rateLimit.snapshot() ?? {}).map(
      ([bucket, { closedUntil }]) =>
        `container_tracking_budget_closed_seconds{container_tracking_bucket="${bucket}"} ${secondsTo(closedUntil ?? 0, Date.now())}\n`,
    );
    const failed = Array.from(
      errors,
      ([type, times]) => `container_tracking_sync_errors_total{error_type=${JSON.stringify(type)}} ${times}\n`,
    );
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(
      `# TYPE container_tracking_sync_age_seconds gauge
${age}# TYPE container_tracking_budget_closed_seconds gauge
${closed.join('')}# TYPE container_tracking_sync_errors_total counter
${failed.join('')}`,
    );
  };
}

function secondsTo(later: number, earlier: number): number {
  return Math.max(0, later - earlier) / 1000;
}
