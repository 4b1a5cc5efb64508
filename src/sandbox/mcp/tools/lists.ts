import { LISTS } from '../../../model/generated/filter-rules.ts';
import { FILTERED, isFrom } from '../editions.ts';
import { columnsOf, type ListedKind } from '../guides.ts';
import type { Rest, Rows } from '../rest.ts';
import { type Outcome, type Tool, ToolFailure } from '../tool.ts';
import { compactRow, containerRow, shipmentRow, trackingRequestRow } from './rows.ts';

type Args = Record<string, unknown>;

/** The arguments for which the REST interface has no filter. */
const UNSUPPORTED = ['status', 'port', 'carrier', 'updated_after'];

const MAX_ROWS = 100;
/** If a list without a filter has more records than this, its total may be an estimate. */
const RELIABLE_UP_TO = 1000;

export const listShipments: Tool = {
  name: 'list_shipments',
  guidance: guidanceFor('shipments', ['get_shipment_details']),
  async run(args, rest, edition) {
    const paths = ['port_of_lading', 'port_of_discharge', ...(args.include_containers ? ['containers'] : [])];
    const include = paths.join();
    if (isFrom(edition, '2026-11')) return filteredList('list_shipments', args, rest, include, shipmentRow);
    const filters = present({ number: args.number, tracking_stopped: args.tracking_stopped });
    const page = await rest.get('/shipments', { ...paging(args), include, ...filterQuery(filters) });
    return listed('shipment', page, page.rows.map(shipmentRow), dropped(args), Object.keys(filters).length > 0);
  },
};

export const listContainers: Tool = {
  name: 'list_containers',
  guidance: guidanceFor('containers', ['get_container']),
  async run(args, rest, edition) {
    const isPlain = isFrom(edition, '2026-10');
    const usual = isPlain ? ['shipment', 'pod_terminal'] : ['shipment', 'pod_terminal', 'pickup_facility'];
    const include = [args.include ?? usual].flat().join();
    let outcome: Outcome;
    if (isFrom(edition, '2026-11')) {
      const row = args.view === 'full' ? containerRow : compactRow;
      outcome = await filteredList('list_containers', args, rest, include, row);
    } else {
      const page = await rest.get('/containers', { ...paging(args), include });
      outcome = listed('container', page, page.rows.map(containerRow), dropped(args), false);
    }
    const links = (outcome.result.items as Args[]).map(({ id, number }) => ({
      type: 'resource_link',
      uri: `tracking://container/${id}`,
      name: `Container ${number}`,
      mimeType: 'text/markdown',
      annotations: { audience: ['user', 'assistant'] },
    }));
    return { ...outcome, links };
  },
};

export const listTrackingRequests: Tool = {
  name: 'list_tracking_requests',
  guidance: guidanceFor('tracking requests', ['track_container']),
  async run(args, rest, edition) {
    const { status, request_number, scac } = args;
    const queried = Object.entries((args.filters ?? {}) as Record<string, string>);
    const page = await rest.get('/tracking_requests', {
      ...Object.fromEntries(queried.filter(([name]) => !/^page\[(number|size)\]$/.test(name))),
      ...filterQuery(present({ status, request_number, scac })),
      ...paging(args),
    });
    const rows = page.rows.map(trackingRequestRow);
    if (isFrom(edition, '2026-11')) {
      return {
        result: {
          ...whole(page, rows),
          _metadata: pageMetadata(args, page, present({ status, request_number, scac })),
        },
      };
    }
    const ignored = args.request_type === undefined ? [] : ['request_type'];
    return listed('tracking_request', page, rows, ignored, status !== undefined || queried.length > 0);
  },
};

/** A list in the last edition. It can be filtered and sorted, and the result names the applied filters. */
async function filteredList(
  name: keyof typeof FILTERED,
  args: Args,
  rest: Rest,
  include: string,
  rowOf: typeof containerRow,
): Promise<Outcome> {
  const { filters, fields } = await filtersOf(name, args, rest);
  const sort = args.sort === undefined ? undefined : [args.sort].flat().join();
  const { tokens = [], alone = [] } = LISTS[FILTERED[name].operation]?.sort ?? {};
  const isKnown = (token: string) => tokens.includes(token.replace(/^-/, '')) || alone.includes(token);
  const unknown = sort?.split(',').find(token => !isKnown(token));
  if (unknown !== undefined) throw new ToolFailure(`${unknown} is not a known sort order.`);
  const path = name === 'list_shipments' ? '/shipments' : '/containers';
  const page = await rest.get(path, { ...paging(args), include, sort, ...filterQuery(filters) });
  const more = { ...(sort !== undefined && { sort }), ...(fields && { custom_fields: fields }) };
  return {
    result: { ...whole(page, page.rows.map(rowOf)), _metadata: { ...pageMetadata(args, page, filters), ...more } },
  };
}

/**
 * The filters of a call: separate arguments and members of `advanced_filters`. The names of custom fields are replaced
 * by slugs.
 *
 * @throws {ToolFailure} if a filter is in both places, or two filters contradict each other.
 */
export async function filtersOf(name: keyof typeof FILTERED, args: Args, rest: Rest) {
  const top = present(Object.fromEntries(FILTERED[name].common.map(key => [key, args[key]])));
  const advanced = present((args.advanced_filters ?? {}) as Args);
  const twice = Object.keys(advanced).find(key => key in top);
  if (twice !== undefined) throw new ToolFailure(`${twice} is both in advanced_filters and a separate argument.`);
  const filters: Args = { ...top, ...advanced };
  if ('tag' in filters && 'tags' in filters) throw new ToolFailure('tag and tags cannot be used together.');
  if (!args.include_stopped_tracking && !('actively_tracked' in filters) && !('tracking_stopped' in filters)) {
    filters.actively_tracked = true;
  }
  if (!('custom_fields' in top)) return { filters };
  const definitions = await rest.get('/custom_field_definitions', { 'filter[entity_type]': 'Container' });
  const fields = Object.entries(top.custom_fields as Args).map(([field, value]) => {
    const found = definitions.rows.find(({ attributes: a }) => a.api_slug === field || a.display_name === field);
    if (found === undefined) throw new ToolFailure(`There is no custom field ${field}.`);
    return { field, api_slug: String(found.attributes.api_slug), data_type: found.attributes.data_type, value };
  });
  filters.custom_fields = Object.fromEntries(fields.map(({ api_slug, value }) => [api_slug, value]));
  return { filters, fields };
}

/** The query parameters of filters. */
export function filterQuery(filters: Args): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(filters).flatMap(([key, value]) => parameters(`filter[${key}]`, value)));
}

function parameters(name: string, value: unknown): [string, string | string[]][] {
  if (Array.isArray(value)) return [[`${name}[]`, value.map(String)]];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, inner]) => parameters(`${name}[${member}]`, inner));
}

function present(args: Args): Args {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

function paging({ page = 1, page_size = 25 }: Args) {
  return { 'page[number]': Number(page), 'page[size]': Math.min(Number(page_size), MAX_ROWS) };
}

function dropped(args: Args): string[] {
  return UNSUPPORTED.filter(name => args[name] !== undefined);
}

function whole({ links, meta }: Rows, items: Args[]): Args {
  return { items, ...(links && { links }), ...(meta && { meta }) };
}

/**
 * If the service does not send a link to the next page, this server does not know whether there is another page, so
 * `has_more` is null.
 */
function pageMetadata({ page = 1, page_size = 25 }: Args, { links }: Rows, applied_filters: Args): Args {
  const next = typeof links?.next === 'string' ? links.next : undefined;
  const [, number] = /page\[number\]=(\d+)/.exec(decodeURIComponent(next ?? '')) ?? [];
  return {
    applied_filters,
    ...{ page, page_size, has_more: next === undefined ? null : true },
    ...(number !== undefined && { next_page: Number(number) }),
  };
}

function listed(kind: ListedKind, page: Rows, items: Args[], ignored: string[], isFiltered: boolean): Outcome {
  const total = Number(page.meta?.total);
  return {
    result: { ...whole(page, items), ...(kind !== 'tracking_request' && { unsupportedFilters: ignored }) },
    contract: {
      display: {
        preferred_format: 'table',
        table_when_rows_gte: 2,
        max_rows: 25,
        default_columns: columnsOf(kind).slice(0, 6),
        sort: [],
        empty_state: 'There are none.',
        column_catalog_resource: 'tracking://docs/list-display-columns',
        column_sets: [],
        selection_strategy: 'Choose the columns that answer the question.',
      },
      ...(ignored.length > 0 && { dropped_filters: ignored }),
      ...(Number.isFinite(total) && { total_is_reliable: isFiltered || total <= RELIABLE_UP_TO }),
    },
  };
}

function guidanceFor(what: string, tools: string[]): Tool['guidance'] {
  return {
    purpose: `Lists the ${what} of the account.`,
    can_answer: [`Which ${what} are there?`],
    requires_more_data: ['What is the state of one of them?'],
    relevant_fields: ['items', 'meta'],
    presentation_guidance:
      'Show a table. Name the filters without effect. If none had an effect, say that the list has all records.',
    suggested_follow_ups: ['Tell me more about the first one.'],
    suggested_tools: tools,
  };
}
