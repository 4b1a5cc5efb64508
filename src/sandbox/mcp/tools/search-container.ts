import type { Rest, Row } from '../rest.ts';
import type { Tool } from '../tool.ts';

export const searchContainer: Tool = {
  name: 'search_container',
  guidance: {
    purpose: 'Finds the ids that other tools need.',
    can_answer: ['Which containers and shipments have this number?'],
    requires_more_data: ['What is the state of a container?'],
    relevant_fields: ['containers', 'shipments', 'total_results'],
    presentation_guidance: 'Name the carrier with each hit. Say so if a number belongs to several containers.',
    suggested_follow_ups: ['Where is this container?'],
    suggested_tools: ['get_container', 'get_shipment_details'],
  },
  async run({ query }, rest) {
    const { rows } = await rest.get('/search', { query: String(query).trim() });
    return { result: searchResult(rows) };
  },
};

/** The hits by their kind. Tracking requests are left out. */
export function searchResult(rows: Row[]) {
  const boxes = rows.filter(row => ['cargo', 'container'].includes(String(row.attributes.entity_type)));
  const numbers = boxes.map(row => row.attributes.number);
  const containers = boxes.map(({ id, attributes }) => ({
    id,
    container_number: attributes.number,
    status: 'unknown',
    shipping_line: attributes.scac ?? 'Unknown',
    pod_terminal: attributes.port_of_discharge_name,
    pol_terminal: attributes.port_of_lading_name,
    destination: attributes.port_of_discharge_name,
    ...(numbers.filter(number => number === attributes.number).length > 1 && { duplicate_number: true }),
  }));
  const shipments = rows
    .filter(row => row.attributes.entity_type === 'shipment')
    .map(({ id, attributes }) => ({
      id,
      ref_numbers: attributes.ref_numbers ?? [],
      shipping_line: attributes.scac ?? 'Unknown',
      container_count: attributes.containers_count ?? 0,
    }));
  return { containers, shipments, total_results: containers.length + shipments.length };
}

/** The hits of a search that are containers. */
export async function findContainers(rest: Rest, number: string): Promise<Row[]> {
  const { rows } = await rest.get('/search', { query: number });
  return rows.filter(row => ['cargo', 'container'].includes(String(row.attributes.entity_type)));
}
