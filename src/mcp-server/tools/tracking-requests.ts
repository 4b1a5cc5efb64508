import * as z from 'zod/mini';
import { readInstant } from '../../domain/instant.ts';
import { quoted, visible } from '../../domain/record-values.ts';
import { LISTS } from '../../model/generated/filter-rules.ts';
import type { TrackingRequestListOptions } from '../../resources/tracking-requests.ts';
import { ToolFailure } from '../failure.ts';
import { shortText } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { trackingRequestRow, trackingRequestRowSchema } from '../views/rows.ts';
import { givenOf, listOutput, listShape, pageOf, paging } from './list.ts';
import { withCodes } from './names.ts';

/** The service accepts only times here. `3.days.ago` is therefore converted: to a day, which begins at midnight in UTC. */
function dayIn(name: string, value: string, now: Date): string {
  const [, days] = /^(?:today|(\d{1,4})\.days?\.ago)$/.exec(value) ?? [];
  if (value === 'today' || days !== undefined) {
    return new Date(now.getTime() - Number(days ?? 0) * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
  }
  if (readInstant(value)) return value;
  const message = `${name} is ${quoted(visible(value))}; it must be a day such as 2026-10-01, today or 3.days.ago.`;
  throw new ToolFailure('invalid_request', message);
}

export const listTrackingRequests = defineTool({
  name: 'list_tracking_requests',
  title: 'List tracking requests',
  description:
    'The numbers that were given to track, newest first, with their outcome, and why a number failed. awaiting_manifest may last a week: not a failure.',
  input: () => {
    const [, ...statuses] = (LISTS['trackingRequests.list']?.filter?.keys.status ?? []) as string[];
    return z.strictObject({
      request_number: z.optional(shortText()),
      status: z.optional(z.enum(statuses)),
      scac: z.optional(shortText()),
      created_after: z.optional(shortText('YYYY-MM-DD')),
      created_before: z.optional(shortText()),
      ...paging(),
    });
  },
  output: () => listShape(trackingRequestRowSchema()),
  async run(given, context) {
    const { caller, limits, now, readOnly } = context;
    const input = await withCodes(given, context);
    const { created_after: start, created_before: end } = input;
    const filter = {
      ...givenOf(input, ['request_number', 'status', 'scac']),
      ...((start ?? end) !== undefined && {
        created_at: {
          start: start && dayIn('created_after', start, now),
          end: end && dayIn('created_before', end, now),
        },
      }),
    };
    const found = await caller.client.trackingRequests.list({
      ...pageOf(input),
      ...limits(),
      filter: filter as TrackingRequestListOptions['filter'],
    });
    return listOutput({
      what: 'tracking_requests',
      key: 'request_number',
      input,
      found,
      readOnly,
      row: trackingRequestRow,
    });
  },
});
