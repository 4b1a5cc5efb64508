import type { PendingSweep } from './checkpoint.ts';
import type { RecoveryGroups } from './groups.ts';
import type { Recovered, RecoverOptions } from './options.ts';

interface Swept {
  found: NonNullable<Recovered['record']>[];
  /** The rest of the sweep. */
  next: PendingSweep;
}

/**
 * Reads everything that may have changed since a time, page by page: shipments whose tracking did not end before that time,
 * with their containers, and tracking requests. A shipment has no time of its last change, and no filter for it.
 */
export async function* sweepFrom(
  groups: RecoveryGroups,
  { since, list, after }: PendingSweep,
  { signal, priority }: RecoverOptions,
): AsyncGenerator<Swept> {
  const options = { signal, priority, pageSize: 100 };
  if (list === 'shipments') {
    const from = after ?? undefined;
    const shipments = groups.shipments.list({ ...options, include: ['containers'], from });
    for await (const { data, checkpoint } of shipments.pages()) {
      const found = data
        .filter(({ line_tracking_stopped_at: end }) => !end || Date.parse(end) >= Date.parse(since))
        .flatMap(shipment => [shipment, ...shipment.containers]);
      yield { found, next: { since, list: 'shipments', after: checkpoint } };
    }
    yield { found: [], next: { since, list: 'tracking_requests', after: null } };
  }
  // The filter may exclude the limit itself.
  const start = new Date(Date.parse(since) - 1000);
  const from = list === 'tracking_requests' && after !== null ? after : undefined;
  const requests = groups.trackingRequests.list({ ...options, filter: { updated_at: { start } }, from });
  for await (const { data, checkpoint } of requests.pages()) {
    yield { found: data, next: { since, list: 'tracking_requests', after: checkpoint } };
  }
}
