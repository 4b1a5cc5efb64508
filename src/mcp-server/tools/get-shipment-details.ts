import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { included } from '../views/place.ts';
import { boxSchema, boxView, shipmentShape, shipmentView } from '../views/shipment.ts';
import { id, intent, page } from './inputs.ts';

const PLACES = ['port_of_lading', 'port_of_discharge', 'pod_terminal', 'destination', 'destination_terminal'] as const;
const CONTAINERS_ON_A_PAGE = 100;

export const getShipmentDetails = defineTool({
  name: 'get_shipment_details',
  title: 'Get a shipment',
  description:
    'One bill of lading or booking: carrier, ports, estimated and actual times, vessel, how fresh the data is, and its containers (100 at a time).',
  input: () =>
    s.object({
      id: id('shipment'),
      include_containers: s.optional(s.boolean().describe('With the containers: true unless given.')),
      page: page(),
      intent: intent(),
    }),
  output: () =>
    s.object({
      ...shipmentShape(),
      containers: s.either(
        s.string(),
        s.object({ count: s.number(), containers: s.array(boxSchema()), cut: s.optional(s.string()) }),
      ),
      _metadata: s.object({
        shipment_status: s.string(),
        includes_loaded: s.array(s.string()),
        presentation_guidance: s.string(),
        stale: s.array(s.string()),
      }),
    }),
  contract: {
    purpose: 'One shipment with its voyage and its containers.',
    can_answer: ['when the ship leaves and arrives', 'which containers belong to it', 'whether it is still tracked'],
    requires_more_data: ['holds and fees of a container', 'the timeline of a container'],
    relevant_fields: ['status', 'routing', 'vessel_at_pod', 'containers', 'tracking'],
    presentation_guidance: 'Begin with the estimated or actual arrival, in local time. Name what is an estimate.',
    suggested_follow_ups: ['Read one of its containers.'],
    suggested_tools: ['get_container', 'get_container_transport_events'],
  },
  notFound: 'Use search_container with the bill of lading to find the id of the shipment.',
  async run({ id, include_containers = true, page = 1 }, { caller, limits, now }) {
    const shipment = include_containers
      ? await caller.client.shipments.get(id, { include: [...PLACES, 'containers'] as const, ...limits() })
      : await caller.client.shipments.get(id, { include: PLACES, ...limits() });
    const view = shipmentView(shipment);
    const boxes: readonly object[] = shipment.containers ?? [];
    for (const box of boxes) if ('number' in box) caller.saw(box as { id: string; number: unknown });
    return {
      result: {
        ...view,
        containers: include_containers ? containersOf(boxes, page, now) : 'Call again with include_containers: true.',
        _metadata: {
          shipment_status: view.status,
          includes_loaded: [...PLACES, ...(include_containers ? ['containers'] : [])],
          presentation_guidance: 'A status here is read from the times of the voyage. That of a box is on the box.',
          stale: view.tracking.line_tracking_stopped_at ? ['Tracking with the shipping line has stopped.'] : [],
        },
      },
    };
  },
});

function containersOf(boxes: readonly object[], page: number, now: Date) {
  const start = (page - 1) * CONTAINERS_ON_A_PAGE;
  const left = boxes.length - start - CONTAINERS_ON_A_PAGE;
  return {
    count: boxes.length,
    containers: boxes.slice(start, start + CONTAINERS_ON_A_PAGE).map(box => boxView(included(box) ?? box, now)),
    ...(left > 0 && { cut: `${left} more containers: call again with page ${page + 1}.` }),
  };
}
