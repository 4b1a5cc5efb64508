import { BUCKET_NAMES } from '../../rate-limit/limiter.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { printRecords, say, TABLE_OPTIONS } from '../output/print.ts';

export const command: Command = {
  about:
    'Makes one request to see whether the rate limit lets it pass. The service does not say how much other programs have used.',
  options: { ...TABLE_OPTIONS, ...API_OPTIONS },
  run: values =>
    withClient(values, async (client, signal) => {
      // Refused at once where a call would otherwise wait: the answer is what the user wants to know.
      await client.shippingLines.list({ signal, retry: false });
      const snapshot = client.rateLimit.snapshot();
      const buckets = BUCKET_NAMES.map(bucket => ({ bucket, ...snapshot?.[bucket] }));
      await printRecords(values, buckets, [
        ['BUCKET', ({ bucket }) => bucket],
        ['LIMIT IN 60 s', ({ limit }) => limit],
        ['USED BY THIS COMMAND', ({ used }) => used],
      ]);
      say('The service responds: the rate limit is not reached.');
    }),
};
