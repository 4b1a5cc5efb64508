import type { TrackingRequestListOptions } from '../../resources/tracking-requests.ts';
import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { trackingRequestRow, trackingRequestRowSchema } from '../views/rows.ts';
import { intent, page, pageSize, shortText } from './inputs.ts';
import { givenOf, listAnswer, listDisplay, listShape } from './list.ts';
import { pageOf } from './paging.ts';

type Filter = NonNullable<TrackingRequestListOptions['filter']>;

const PLAIN = ['request_number', 'status', 'scac'] as const;
const SPANS = ['created_at', 'updated_at'] as const;

export const listTrackingRequests = defineTool({
  name: 'list_tracking_requests',
  title: 'List tracking requests',
  description:
    'The numbers that were given to track, newest first, with their outcome: pending, awaiting_manifest, created, failed or tracking_stopped. Use it to find what could not be tracked and why.',
  input: () =>
    s.object({
      filters: s.optional(
        s
          .texts(shortText(), { maxProperties: 50 })
          .describe(
            'Filters of the service: request_number, status, scac, q, and created_at or updated_at with [start] or [end], such as "created_at[start]". Others are named as dropped.',
          ),
      ),
      status: s.optional(shortText().describe('Only those with this status.')),
      request_type: s.optional(
        shortText().describe('Kind of number. The service cannot filter by it: the answer names it as dropped.'),
      ),
      page: page(),
      page_size: pageSize(),
      intent: intent(),
    }),
  output: () => s.object(listShape(trackingRequestRowSchema())),
  contract: {
    purpose: 'A worklist of tracking requests.',
    can_answer: ['what has been asked to be tracked', 'what has failed and why', 'what is still pending'],
    requires_more_data: ['the state of the shipment that came of it'],
    relevant_fields: ['items.requestNumber', 'items.status', 'items.failedReason'],
    presentation_guidance: 'Show a table. awaiting_manifest can last a week and is no failure.',
    suggested_follow_ups: ['Read the shipment of a request.'],
    suggested_tools: ['get_shipment_details', 'track_container'],
    display: listDisplay(
      ['requestNumber', 'requestType', 'status', 'scac', 'failedReason'],
      'There is no such tracking request.',
    ),
  },
  async run(input, { caller, limits }) {
    const asked = pageOf(input);
    const { filter, q, dropped } = filtersIn({
      ...input.filters,
      ...(input.status !== undefined && { status: input.status }),
    });
    const found = await caller.client.trackingRequests.list({ ...asked, ...limits(), filter, q });
    return listAnswer({
      page: found,
      asked,
      row: trackingRequestRow,
      dropped: [...givenOf(input, ['request_type']), ...dropped],
      filtered: Object.keys(filter).length > 0 || q !== undefined,
    });
  },
});

/** Names with or without `filter[…]` around them. The page has arguments of its own. */
function filtersIn(raw: Record<string, string>): { filter: Filter; q: string | undefined; dropped: string[] } {
  const filter: Record<string, string | object> = {};
  const dropped: string[] = [];
  let q: string | undefined;
  for (const [key, value] of Object.entries(raw)) {
    const [name = '', end] = key.replace(/^filter\[([^\]]*)\]/, '$1').split(/[[\]]/);
    if (key === 'q') q = value;
    else if (isOneOf(PLAIN, name) && end === undefined) filter[name] = value;
    else if (isOneOf(SPANS, name) && (end === 'start' || end === 'end'))
      filter[name] = { ...Object(filter[name]), [end]: value };
    else dropped.push(key.slice(0, 100));
  }
  // The client refuses values that are not known.
  return { filter: filter as Filter, q, dropped };
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
