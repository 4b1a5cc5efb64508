import * as z from 'zod/mini';
import { LISTS } from '../../model/generated/filter-rules.ts';
import type { TrackingRequestListOptions } from '../../resources/tracking-requests.ts';
import { shortText } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { trackingRequestRow, trackingRequestRowSchema } from '../views/rows.ts';
import { givenOf, listOutput, listShape, pageOf, paging } from './list.ts';
import { withCodes } from './names.ts';
import { momentIn } from './times.ts';

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
          start: start && momentIn('created_after', start, now),
          end: end && momentIn('created_before', end, now),
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
