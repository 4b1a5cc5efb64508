import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { shipmentRow, shipmentRowSchema } from '../views/rows.ts';
import { droppedFilters, intent, page, pageSize, shortText } from './inputs.ts';
import { givenOf, listAnswer, listDisplay, listShape } from './list.ts';
import { pageOf } from './paging.ts';

const DROPPED = ['status', 'port', 'carrier', 'updated_after'];

export const listShipments = defineTool({
  name: 'list_shipments',
  title: 'List shipments',
  description:
    'The shipments of the account, newest first, page by page. Can filter by number and by whether tracking has stopped. For one number search_container is better.',
  input: () =>
    s.object({
      ...droppedFilters(),
      number: s.optional(shortText().describe('Exact bill of lading or booking number.')),
      tracking_stopped: s.optional(s.boolean().describe('Only those whose tracking has stopped, or has not.')),
      include_containers: s.optional(s.boolean().describe('With the ids and numbers of containers.')),
      page: page(),
      page_size: pageSize(),
      intent: intent(),
    }),
  output: () => s.object(listShape(shipmentRowSchema())),
  contract: {
    purpose: 'A worklist of shipments.',
    can_answer: ['which shipments there are', 'when they arrive', 'which are no longer tracked'],
    requires_more_data: ['holds and deadlines of containers'],
    relevant_fields: ['items.billOfLading', 'items.podEtaAt', 'items.tracking'],
    presentation_guidance: 'Show a table. Say which page it is.',
    suggested_follow_ups: ['Read one shipment.', 'Ask for the next page.'],
    suggested_tools: ['get_shipment_details', 'list_containers'],
    display: listDisplay(
      ['billOfLading', 'shippingLineScac', 'portOfDischargeName', 'podEtaAt', 'podAtaAt'],
      'The account has no such shipment.',
      [
        {
          intent: 'stopped tracking',
          when_user_asks: ['what is no longer updated'],
          columns: ['billOfLading', 'shippingLineScac', 'lineTrackingLastSucceededAt'],
        },
      ],
    ),
  },
  async run(input, { caller, limits }) {
    const { number, tracking_stopped, include_containers = false } = input;
    const asked = pageOf(input);
    const found = await caller.client.shipments.list({
      ...asked,
      ...limits(),
      number,
      ...(tracking_stopped !== undefined && { filter: { tracking_stopped } }),
      include: include_containers ? ['containers'] : [],
    });
    return listAnswer({
      page: found,
      asked,
      row: shipmentRow,
      dropped: givenOf(input, DROPPED),
      filtered: number !== undefined || tracking_stopped !== undefined,
    });
  },
});
