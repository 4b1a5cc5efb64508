import * as s from '../schema/build.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { containerShape, containerView } from '../views/container.ts';
import { id, intent } from './inputs.ts';

const PATHS = ['shipment', 'pod_terminal', 'transport_events'] as const;

export const getContainer = defineTool({
  name: 'get_container',
  title: 'Get a container',
  description:
    'One container: status, place, whether it can be picked up and why not, when it left the terminal, was delivered and came back empty, last free day with the days left at the terminal, holds, fees, rail and its shipment. Include transport_events for how many events there are and the latest.',
  input: () =>
    s.object({
      id: id('container'),
      include: s.optional(
        s
          .array(s.oneOf(PATHS))
          .describe('What to load beside the container. The shipment and the terminal always come.'),
      ),
      intent: intent(),
    }),
  output: () => s.object(containerShape()),
  contract: {
    purpose: 'The state of one container.',
    can_answer: ['where it is', 'whether it can be picked up', 'when the last free day is', 'what holds it'],
    requires_more_data: ['the timeline', 'the legs of the voyage', 'the other containers of its shipment'],
    relevant_fields: ['status', 'pickup', 'journey', 'location', 'demurrage', '_metadata.stale'],
    presentation_guidance:
      'Give times in the local time of the place. Where urgency_suppressed is true, give the reason and no urgency. Do not compute fees from daily rates.',
    suggested_follow_ups: ['Ask for the timeline.', 'Ask for the shipment.'],
    suggested_tools: ['get_container_transport_events', 'get_shipment_details', 'get_container_route'],
  },
  notFound: 'Use search_container with the container number to find the id.',
  async run({ id, include = [] }, context) {
    return { result: await containerDetails(id, include.includes('transport_events'), context) };
  },
});

export async function containerDetails(id: string, withEvents: boolean, { caller, limits, now }: ToolContext) {
  const base = ['shipment', 'pod_terminal'] as const;
  const container = withEvents
    ? await caller.client.containers.get(id, { include: [...base, 'transport_events'] as const, ...limits() })
    : await caller.client.containers.get(id, { include: base, ...limits() });
  caller.saw(container);
  return containerView(container, now);
}
