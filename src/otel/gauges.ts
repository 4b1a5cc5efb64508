import type { BucketName, BucketSnapshot } from '../rate-limit/limiter.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import type { Instruments } from './instruments.ts';

/** The objects that the gauges read at each export of metrics. */
export interface Observed {
  /**
   * The client for the gauges of the rate limit. A custom limiter without `snapshot` is not measured. The object is read at each
   * export, so if you replace its `client`, the gauges follow.
   */
  client?:
    | {
        /** The limiter of the client. */
        rateLimit: {
          /** The state of each window; `undefined` if the client has no limiter. */
          snapshot(): Record<BucketName, BucketSnapshot> | undefined;
        };
      }
    | undefined;
  /** The inbox for the gauges of its depth. An inbox without `stats()` is not measured. */
  inbox?: Pick<Inbox, 'stats'> | undefined;
  /**
   * Name of the client or the inbox, for a process that has several of them. It is sent as the attribute
   * `container_tracking.name`.
   * @default none
   */
  name?: string | undefined;
}

/**
 * Creates the gauges. The gauges read nothing until metrics are exported. At each export, they measure the client of
 * that moment.
 */
export function observe({ meter }: Instruments, observed: Observed): () => void {
  const { name } = observed;
  const named = name === undefined ? {} : { 'container_tracking.name': name };
  const gauge = (suffix: string, unit: string, description: string) =>
    meter.createObservableGauge(`container_tracking.${suffix}`, { unit, description });
  const limit = gauge('budget.limit', '{request}', 'Requests that the rate limit allows in a window.');
  const used = gauge('budget.used', '{request}', 'Slots of the rate limit that are not free.');
  const queued = gauge('budget.queued', '{call}', 'Calls that wait for the rate limit.');
  const closed = gauge('budget.closed', 's', 'Time until a bucket that a 429 has closed opens again; 0 if it is open.');
  const entries = gauge('inbox.entries', '{entry}', 'Entries of the inbox: open, or given up.');

  const budget: Parameters<typeof meter.addBatchObservableCallback>[0] = result => {
    for (const [bucket, state] of Object.entries(observed.client?.rateLimit.snapshot() ?? {})) {
      const about = { ...named, 'container_tracking.bucket': bucket };
      // A limit may be infinite.
      if (Number.isFinite(state.limit)) result.observe(limit, state.limit, about);
      result.observe(used, state.used, about);
      result.observe(queued, state.queued, about);
      result.observe(closed, Math.max(0, (state.closedUntil ?? 0) - Date.now()) / 1000, about);
    }
  };
  const depth: typeof budget = async result => {
    const stats = await observed.inbox?.stats?.();
    if (!stats) return;
    result.observe(entries, stats.open, { ...named, 'container_tracking.state': 'open' });
    result.observe(entries, stats.dead, { ...named, 'container_tracking.state': 'dead' });
  };
  const ofBudget = [limit, used, queued, closed];
  meter.addBatchObservableCallback(budget, ofBudget);
  meter.addBatchObservableCallback(depth, [entries]);
  return () => {
    meter.removeBatchObservableCallback(budget, ofBudget);
    meter.removeBatchObservableCallback(depth, [entries]);
  };
}
