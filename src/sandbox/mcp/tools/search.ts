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

export const getSupportedShippingLines: Tool = {
  name: 'get_supported_shipping_lines',
  guidance: {
    purpose: 'Finds the SCAC of a carrier before tracking.',
    can_answer: ['Is this carrier supported?', 'What is its SCAC?'],
    requires_more_data: [],
    relevant_fields: ['shipping_lines'],
    presentation_guidance: 'Give SCAC and name.',
    suggested_follow_ups: ['Track a number of this carrier.'],
    suggested_tools: ['track_container'],
  },
  async run({ search }, rest) {
    const wanted = String(search ?? '').toLowerCase();
    const { rows } = await rest.get('/shipping_lines');
    const lines = rows
      .map(({ attributes: { scac, name, short_name, bol_prefix } }) => ({ scac, name, short_name, bol_prefix }))
      .filter(({ scac }) => scac !== TEST_CARRIER)
      .filter(({ scac, name, short_name }) =>
        [scac, name, short_name].some(text => String(text).toLowerCase().includes(wanted)),
      )
      .toSorted((a, b) => String(a.name).localeCompare(String(b.name)));
    return {
      result: {
        total_lines: lines.length,
        shipping_lines: lines,
        _metadata: { presentation_guidance: getSupportedShippingLines.guidance.presentation_guidance },
      },
    };
  },
};

const TEST_CARRIER = 'TEST';
