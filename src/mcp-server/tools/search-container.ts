import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { number, text, texts } from '../views/read.ts';
import { intent } from './inputs.ts';

const MAX_HITS = 'At most 25 hits: with so many, search for more of the number.';

export const searchContainer = defineTool({
  name: 'search_container',
  title: 'Search containers and shipments',
  description:
    'Finds containers and shipments of the account by container number, bill of lading, booking or reference. Start here when you have a number and need an id. At most 25 hits.',
  input: () =>
    s.object({
      query: s.string({ minLength: 1, maxLength: 200 }).describe('The number or reference, or a part of it.'),
      intent: intent(),
    }),
  output: () => {
    const optionalText = s.optional(s.string());
    return s.object({
      containers: s.array(
        s.object({
          id: s.string(),
          container_number: s.nullable(s.string()),
          status: s.string(),
          shipping_line: s.string(),
          pod_terminal: optionalText,
          pol_terminal: optionalText,
          destination: optionalText,
          duplicate_number: s.optional(s.boolean()),
        }),
      ),
      shipments: s.array(
        s.object({
          id: s.string(),
          ref_numbers: s.array(s.string()),
          shipping_line: s.string(),
          container_count: s.number(),
        }),
      ),
      total_results: s.number(),
      cut: s.optional(s.string()),
    });
  },
  contract: {
    purpose: 'From a number to the ids of containers and shipments.',
    can_answer: ['whether a number is tracked', 'which id it has'],
    requires_more_data: ['status, deadlines and events'],
    relevant_fields: ['containers.id', 'containers.container_number', 'shipments.id'],
    presentation_guidance:
      'The status of a hit is unknown as a rule: do not tell it. The same number on two journeys is two containers.',
    suggested_follow_ups: ['Read the container or the shipment that was found.'],
    suggested_tools: ['get_container', 'get_shipment_details', 'track_container'],
  },
  async run({ query }, { caller, limits }) {
    const hits = (await caller.client.search(query.trim(), limits())).map(
      hit => hit as unknown as Record<string, unknown>,
    );
    const boxes = hits.filter(({ entity_type }) => entity_type === 'cargo' || entity_type === 'container');
    const numbers = boxes.map(box => text(box.number));
    const containers = boxes.map(box => {
      const own = text(box.number);
      caller.saw({ id: text(box.id) ?? '', number: own });
      const discharge = text(box.port_of_discharge_name) ?? undefined;
      return {
        id: text(box.id) ?? '',
        container_number: own,
        status: text(box.status) ?? 'unknown',
        shipping_line: text(box.scac) ?? 'Unknown',
        pod_terminal: discharge,
        pol_terminal: text(box.port_of_lading_name) ?? undefined,
        destination: discharge,
        ...(numbers.filter(other => other === own).length > 1 && { duplicate_number: true }),
      };
    });
    const shipments = hits
      .filter(({ entity_type }) => entity_type === 'shipment')
      .map(hit => ({
        id: text(hit.id) ?? '',
        ref_numbers: [...new Set([...texts([hit.number]), ...texts(hit.ref_numbers)])],
        shipping_line: text(hit.scac) ?? 'Unknown',
        container_count: number(hit.containers_count) ?? 0,
      }));
    const total = containers.length + shipments.length;
    return {
      result: { containers, shipments, total_results: total, ...(hits.length >= 25 && { cut: MAX_HITS }) },
    };
  },
});
