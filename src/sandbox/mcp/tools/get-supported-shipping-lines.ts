import type { Tool } from '../tool.ts';

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
