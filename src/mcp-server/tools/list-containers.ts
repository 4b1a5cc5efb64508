import { ToolFailure } from '../failure.ts';
import { containerUri } from '../resources/uri.ts';
import * as s from '../schema/build.ts';
import { defineTool } from '../tool.ts';
import { containerRow, containerRowSchema } from '../views/rows.ts';
import { droppedFilters, intent, page, pageSize, shortText } from './inputs.ts';
import { givenOf, listAnswer, listDisplay, listShape } from './list.ts';
import { pageOf } from './paging.ts';

const DROPPED = ['status', 'port', 'carrier', 'updated_after'];
const ALWAYS = ['shipment', 'pod_terminal', 'pickup_facility'] as const;
const PATHS = [...ALWAYS, 'transport_events'] as const;

export const listContainers = defineTool({
  name: 'list_containers',
  title: 'List containers',
  description:
    'The containers of the account, page by page, with status, availability, deadlines and their shipment. The service cannot filter this list: for one number use search_container.',
  input: () =>
    s.object({
      ...droppedFilters(),
      include: s.optional(
        shortText().describe(`What to load beside the rows, with commas between: ${PATHS.join(', ')}.`),
      ),
      page: page(),
      page_size: pageSize(),
      intent: intent(),
    }),
  output: () => s.object(listShape(containerRowSchema())),
  contract: {
    purpose: 'A worklist of containers.',
    can_answer: ['which containers there are', 'which can be picked up', 'which have deadlines, holds or fees'],
    requires_more_data: ['the days left, with how fresh they are', 'the timeline'],
    relevant_fields: ['items.number', 'items.currentStatus', 'items.location', 'items.demurrage'],
    presentation_guidance: 'Show a table. Say which page it is. pickupLfdLocal is the last free day at the place.',
    suggested_follow_ups: ['Read one container.', 'Ask for the next page.'],
    suggested_tools: ['get_container', 'get_container_transport_events'],
    display: listDisplay(
      ['number', 'currentStatus', 'availableForPickup', 'pickupLfd', 'shipment.billOfLading'],
      'The account has no container on this page.',
      [
        {
          intent: 'pickup',
          when_user_asks: ['what can be picked up', 'which deadlines are near'],
          columns: [
            'number',
            'availableForPickup',
            'pickupLfd',
            'holdsCount',
            'feesCount',
            'terminals.podTerminal.name',
          ],
        },
        {
          intent: 'rail',
          when_user_asks: ['what travels inland'],
          columns: ['number', 'podRailCarrierScac', 'indEtaAt', 'indAtaAt'],
        },
      ],
    ),
  },
  async run(input, { caller, limits, now }) {
    const asked = pageOf(input);
    const withEvents = pathsIn(input.include).includes('transport_events');
    const include = withEvents ? ([...ALWAYS, 'transport_events'] as const) : ALWAYS;
    const found = await caller.client.containers.list({ ...asked, ...limits(), include, sort: '-created_at' });
    for (const container of found.data) caller.saw(container);
    const answer = listAnswer({
      page: found,
      asked,
      row: record => containerRow(record, now),
      dropped: givenOf(input, DROPPED),
      filtered: false,
    });
    const links = answer.result.items.map(({ id, number }) => ({
      type: 'resource_link' as const,
      uri: containerUri(id),
      name: `Container ${number ?? id}`,
      mimeType: 'text/markdown',
      annotations: { audience: ['user' as const, 'assistant' as const] },
    }));
    return { ...answer, links };
  },
});

/** @throws {ToolFailure} that names the paths there are. */
function pathsIn(include = ''): string[] {
  const paths = include
    .split(',')
    .map(path => path.trim())
    .filter(Boolean);
  const unknown = paths.filter(path => !(PATHS as readonly string[]).includes(path));
  if (unknown.length === 0) return paths;
  throw new ToolFailure('invalid_request', `include takes no ${unknown.join(', ')}; it takes: ${PATHS.join(', ')}.`);
}
