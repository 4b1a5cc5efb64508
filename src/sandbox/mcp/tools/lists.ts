import { columnsOf, type ListedKind } from '../columns.ts';
import type { Rows } from '../rest.ts';
import type { Outcome, Tool } from '../tool.ts';
import { containerRow, shipmentRow, trackingRequestRow } from './rows.ts';

/** What the REST interface has no filter for. */
const UNSUPPORTED = ['status', 'port', 'carrier', 'updated_after'];

const MAX_ROWS = 100;
/** The total of a longer list without a filter is an estimate. */
const RELIABLE_UP_TO = 1000;

export const listShipments: Tool = {
  name: 'list_shipments',
  guidance: guidanceFor('shipments', ['get_shipment_details']),
  async run(args, rest) {
    const include = ['port_of_lading', 'port_of_discharge', ...(args.include_containers ? ['containers'] : [])];
    const stopped = args.tracking_stopped;
    const page = await rest.get('/shipments', {
      ...paging(args),
      include: include.join(),
      number: text(args.number),
      'filter[tracking_stopped]': typeof stopped === 'boolean' ? String(stopped) : undefined,
    });
    const applied = [args.number, stopped].some(value => value !== undefined);
    return listed('shipment', page, page.rows.map(shipmentRow), dropped(args), applied);
  },
};

export const listContainers: Tool = {
  name: 'list_containers',
  guidance: guidanceFor('containers', ['get_container']),
  async run(args, rest) {
    const include = text(args.include) ?? 'shipment,pod_terminal,pickup_facility';
    const page = await rest.get('/containers', { ...paging(args), include });
    const rows = page.rows.map(containerRow);
    return {
      ...listed('container', page, rows, dropped(args), false),
      links: rows.map(({ id, number }) => ({
        type: 'resource_link',
        uri: `tracking://container/${id}`,
        name: `Container ${number}`,
        mimeType: 'text/markdown',
        annotations: { audience: ['user', 'assistant'] },
      })),
    };
  },
};

export const listTrackingRequests: Tool = {
  name: 'list_tracking_requests',
  guidance: guidanceFor('tracking requests', ['track_container']),
  async run(args, rest) {
    const given = Object.entries((args.filters ?? {}) as Record<string, string>);
    const filters = Object.fromEntries(given.filter(([name]) => !/^page\[(number|size)\]$/.test(name)));
    const page = await rest.get('/tracking_requests', {
      ...filters,
      ...(args.status !== undefined && { 'filter[status]': text(args.status) }),
      ...paging(args),
    });
    const ignored = args.request_type === undefined ? [] : ['request_type'];
    const applied = args.status !== undefined || given.length > 0;
    return listed('tracking_request', page, page.rows.map(trackingRequestRow), ignored, applied);
  },
};

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

function paging({ page = 1, page_size = 25 }: Record<string, unknown>) {
  return { 'page[number]': Number(page), 'page[size]': Math.min(Number(page_size), MAX_ROWS) };
}

function dropped(args: Record<string, unknown>): string[] {
  return UNSUPPORTED.filter(name => args[name] !== undefined);
}

function listed(
  kind: ListedKind,
  { links, meta }: Rows,
  items: Record<string, unknown>[],
  ignored: string[],
  isFiltered: boolean,
): Outcome {
  const total = Number(meta?.total);
  return {
    result: {
      items,
      ...(links && { links }),
      ...(meta && { meta }),
      ...(kind !== 'tracking_request' && { unsupportedFilters: ignored }),
    },
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
        selection_strategy: 'Take the columns that answer the question.',
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
      'Show a table. Say which filters had no effect, and that a list without a filter has everything.',
    suggested_follow_ups: ['Tell me more about the first one.'],
    suggested_tools: tools,
  };
}
