import { inSnakeCase } from '../../internal/spelled.ts';
import { BUCKET_NAMES, type BucketSnapshot } from '../../rate-limit/limiter.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { printRecords, say, tableOptions } from '../output/print.ts';

const COLUMNS: readonly Column<{ bucket: string; limit?: number; used?: number }>[] = [
  ['BUCKET', ({ bucket }) => codeCell(bucket)],
  ['LIMIT IN 60 s', ({ limit }) => limit],
  ['USED BY THIS COMMAND', ({ used }) => used],
];

export const command: Command = {
  about:
    'Makes one request to see whether the rate limit lets it pass. The service does not say how much other programs have used.',
  options: { ...tableOptions(COLUMNS), ...API_OPTIONS },
  run: values =>
    withClient(values, async (client, signal) => {
      // There is no second attempt, because the user wants to know whether the rate limit refuses a request now.
      await client.shippingLines.list({ signal, retry: false });
      const snapshot = client.rateLimit.snapshot();
      const buckets = BUCKET_NAMES.map(name => ({ bucket: inSnakeCase(name), ...forPrograms(snapshot?.[name]) }));
      await printRecords(values, buckets, COLUMNS);
      say('The service responds: the rate limit is not reached.');
    }),
};

function forPrograms(bucket: BucketSnapshot | undefined) {
  if (!bucket) return undefined;
  const { limit, windowMs, used, queued, nextFreeAt, closedUntil } = bucket;
  return {
    limit,
    window_ms: windowMs,
    used,
    queued,
    next_free_at: new Date(nextFreeAt).toISOString(),
    closed_until: closedUntil === null ? null : new Date(closedUntil).toISOString(),
  };
}
