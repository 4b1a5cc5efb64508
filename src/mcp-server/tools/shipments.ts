import * as z from 'zod/mini';
import { counted, included, several } from '../../domain/record-values.ts';
import type { ShipmentFilter, ShipmentSort } from '../../model/index.ts';
import { described, filledText, idOrNumber, page, shortText } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { shipmentRow, shipmentRowSchema } from '../views/rows.ts';
import { containedSchema, containedView, shipmentPage, shipmentShape, shipmentView } from '../views/shipment.ts';
import { customerIdOf } from './customers.ts';
import { documentLines, documentsOf, documentsSchema } from './documents.ts';
import { idOf } from './find.ts';
import { givenOf, listOutput, listShape, pageOf, paging, utcDays } from './list.ts';
import { withCodes } from './names.ts';
import { daysIn } from './times.ts';

/** Tools about shipments: one shipment, and a list of shipments. */

const PLACES = ['port_of_lading', 'port_of_discharge', 'pod_terminal', 'destination', 'destination_terminal'] as const;
const CONTAINERS_ON_A_PAGE = 100;

export const getShipmentDetails = defineTool({
  name: 'get_shipment_details',
  title: 'Get a shipment',
  description: 'One bill of lading or booking: carrier, ports, times, vessel, age of the data, containers, 100 a page.',
  input: () =>
    z.strictObject({
      id: idOrNumber(),
      include_containers: z.optional(described(z.boolean(), 'Default: true')),
      include_documents: z.optional(z.boolean()),
      page: page(),
    }),
  output: () =>
    z.object({
      ...shipmentShape(),
      containers: z.union([
        z.string(),
        z.object({ count: z.number(), containers: z.array(containedSchema()), cut: z.optional(z.string()) }),
      ]),
      documents: documentsSchema(),
      _metadata: z.looseObject({ presentation_guidance: z.string(), stale: z.array(z.string()) }),
    }),
  notFound: 'Call again with the bill of lading.',
  async run({ id, include_containers = true, include_documents = false, page = 1 }, context) {
    const { caller, limits, now } = context;
    const shipmentId = await idOf('shipment', id, context);
    const shipment = include_containers
      ? await caller.client.shipments.get(shipmentId, { include: [...PLACES, 'containers'] as const, ...limits() })
      : await caller.client.shipments.get(shipmentId, { include: PLACES, ...limits() });
    const view = shipmentView(shipment);
    const all: readonly object[] = shipment.containers ?? [];
    for (const each of all) if ('number' in each) caller.saw(each as { id: string; number: unknown });
    const containers = include_containers
      ? containersOf(all, page, now)
      : 'Containers: call again with include_containers: true.';
    const documents = include_documents ? await documentsOf([view.bill_of_lading], context) : undefined;
    return {
      text: [shipmentPage(view, containers), ...documentLines(documents)].join('\n'),
      result: {
        ...view,
        containers,
        documents,
        _metadata: {
          presentation_guidance: 'This status is read from the times of the voyage. Each container has its own.',
          stale: view.tracking.line_tracking_stopped_at ? ['Tracking with the shipping line has stopped.'] : [],
        },
      },
    };
  },
});

function containersOf(all: readonly object[], page: number, now: Date) {
  const start = (page - 1) * CONTAINERS_ON_A_PAGE;
  const left = all.length - start - CONTAINERS_ON_A_PAGE;
  return {
    count: all.length,
    containers: all.slice(start, start + CONTAINERS_ON_A_PAGE).map(each => containedView(included(each) ?? each, now)),
    ...(left > 0 && { cut: `${counted(left, 'more container')}: call again with page ${page + 1}.` }),
    ...(start > 0 && start >= all.length && { cut: `Page ${page} is behind the end: call again with page 1.` }),
  };
}

export const listShipments = defineTool({
  name: 'list_shipments',
  title: 'List shipments',
  description:
    'The shipments of the account, newest first, page by page. No filter by status, carrier or time of change.',
  input: () =>
    z.strictObject({
      number: z.optional(shortText('Exact; several with commas')),
      port: z.optional(shortText('Code or name of discharge')),
      customer: z.optional(filledText('Name or id')),
      pol_code: z.optional(shortText('Code or name of lading')),
      pod_arrival: z.optional(shortText('YYYY-MM-DD, or ">=today <=7.days.from_now"')),
      voyage_status: z.optional(z.enum(['on_ship', 'arrived'])),
      tracking_stopped: z.optional(z.boolean()),
      tags: z.optional(shortText()),
      sort: z.optional(z.enum(['pod_arrival', '-pod_arrival', 'tracking_stopped_at', '-tracking_stopped_at'])),
      include_containers: z.optional(z.boolean()),
      ...paging(),
    }),
  output: () => listShape(shipmentRowSchema()),
  async run(given, context) {
    const { caller, limits, readOnly } = context;
    const input = await withCodes(given, context);
    const { number, port, customer, pol_code, pod_arrival, tags, sort, include_containers = false } = input;
    const filter: ShipmentFilter = {
      ...givenOf(input, ['voyage_status', 'tracking_stopped']),
      ...(port !== undefined && { pod_code: several(port) }),
      ...(customer !== undefined && { customer_id: await customerIdOf(customer, context) }),
      ...(pol_code !== undefined && { pol_code: several(pol_code) }),
      ...(pod_arrival !== undefined && { pod_arrival: daysIn('pod_arrival', pod_arrival, context.now) as string }),
      ...(tags !== undefined && { tags: several(tags) }),
      // An older service has no filter `number`. It has a parameter `number` that takes one number.
      ...(number?.includes(',') && { number: several(number) }),
    };
    const found = await caller.client.shipments.list({
      ...pageOf(input),
      ...limits(),
      number: number?.includes(',') ? undefined : number,
      filter,
      sort: sort as ShipmentSort | undefined,
      include: include_containers ? ['containers'] : [],
    });
    return listOutput({
      what: 'shipments',
      key: 'bill_of_lading',
      input,
      found,
      readOnly,
      notes: pod_arrival ? [utcDays('pod_arrival')] : [],
      row: record => shipmentRow(record, include_containers),
    });
  },
});
