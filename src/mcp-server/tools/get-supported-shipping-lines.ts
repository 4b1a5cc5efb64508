import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { text } from '../views/read.ts';
import { intent, shortText } from './inputs.ts';
import { MAX_CHARACTERS } from './paging.ts';

/** The service's own carrier for tests is none to recommend. */
const TEST_SCAC = 'TEST';

export const getSupportedShippingLines = defineTool({
  name: 'get_supported_shipping_lines',
  title: 'List the carriers that can be tracked',
  description:
    'The carriers that can be tracked, with the SCAC that track_container needs. Search by a part of a code or a name.',
  input: () =>
    s.object({
      search: s.optional(shortText().describe('Part of a SCAC or a name. Upper and lower case are the same.')),
      intent: intent(),
    }),
  output: () =>
    s.object({
      total_lines: s.number(),
      shipping_lines: s.array(
        s.object({
          scac: s.string(),
          name: s.string(),
          short_name: s.optional(s.string()),
          bol_prefix: s.optional(s.string()),
          notes: s.optional(s.string()),
        }),
      ),
      cut: s.optional(s.string()),
      _metadata: s.object({
        presentation_guidance: s.string(),
        error: s.optional(s.string()),
        remediation: s.optional(s.string()),
      }),
    }),
  contract: {
    purpose: 'Carriers and their codes.',
    can_answer: ['whether a carrier can be tracked', 'which SCAC it has'],
    requires_more_data: [],
    relevant_fields: ['shipping_lines.scac', 'shipping_lines.name'],
    presentation_guidance: 'Give the name and the SCAC.',
    suggested_follow_ups: ['Start tracking with the SCAC.'],
    suggested_tools: ['track_container'],
  },
  async run({ search = '' }, { caller, limits }) {
    const wanted = search.trim().toLowerCase();
    const lines = (await caller.shippingLines(limits()))
      .map(line => ({
        scac: text(line.scac) ?? '',
        name: text(line.name) ?? text(line.scac) ?? '',
        short_name: text(line.short_name) ?? undefined,
        bol_prefix: text(line.bol_prefix) ?? undefined,
        notes: notesOf(line),
      }))
      .filter(
        ({ scac, name, short_name = '' }) =>
          scac !== TEST_SCAC && [scac, name, short_name].some(value => value.toLowerCase().includes(wanted)),
      )
      .sort((a, b) => a.name.localeCompare(b.name));
    const shown = fitting(lines);
    return {
      result: {
        total_lines: lines.length,
        shipping_lines: shown,
        ...(shown.length < lines.length && {
          cut: `${lines.length - shown.length} carriers were left out: search for a part of the name.`,
        }),
        _metadata: {
          presentation_guidance:
            lines.length === 0
              ? 'No carrier fits: it cannot be tracked, or it is written differently.'
              : 'Sorted by name.',
        },
      },
    };
  },
});

/** What the carrier cannot be asked. */
function notesOf(line: object): string | undefined {
  const support = line as Record<string, unknown>;
  const missing = [
    support.bill_of_lading_tracking_support === false && 'bill of lading',
    support.booking_number_tracking_support === false && 'booking',
    support.container_number_tracking_support === false && 'container',
  ].filter(kind => kind !== false);
  return missing.length > 0 ? `No tracking by ${missing.join(', ')} number.` : undefined;
}

function fitting<Line>(lines: Line[]): Line[] {
  let length = 0;
  const end = lines.findIndex(line => {
    length += JSON.stringify(line).length + 1;
    return length > MAX_CHARACTERS;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
