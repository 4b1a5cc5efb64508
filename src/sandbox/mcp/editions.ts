import { LISTS } from '../../model/generated/filter-rules.ts';
import { TOOL_LIST } from '../../model/generated/mcp-tool-list.ts';

/**
 * An edition of the hosted MCP endpoint, named after the time when it was first seen:
 *
 * - `early-2026`: the lists advertise filters that the service does not have. Results name the filters that had no
 *   effect.
 * - `2026-08`: these filters are not advertised any more, and are silently ignored. A page has at most 100 rows. Tools
 *   accept `intent`.
 * - `2026-10`: results are plain data. More than 25 rows per page and long texts are errors. `search_docs` and custom
 *   fields are new.
 * - `2026-11`: lists have filters, `sort` and short rows. `summarize_containers`, `list_parties` and `whoami` are new.
 */
export type McpEdition = 'early-2026' | '2026-08' | '2026-10' | '2026-11';

/** The editions, the oldest first. */
export const MCP_EDITIONS = ['early-2026', '2026-08', '2026-10', '2026-11'] as const satisfies readonly McpEdition[];

/** True if an edition is this edition or a later edition. */
export function isFrom(edition: McpEdition, since: McpEdition): boolean {
  return MCP_EDITIONS.indexOf(edition) >= MCP_EDITIONS.indexOf(since);
}

/** The part of a JSON schema that the tools need. */
export interface Schema {
  type?: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  description?: string;
  enum?: readonly unknown[];
  format?: 'uuid';
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  /** The schema of other properties; `false` if only the names in `properties` are allowed. */
  additionalProperties?: Schema | false;
  anyOf?: Schema[];
}

export type DescribedTool = keyof typeof TOOL_LIST;

/** The arguments of a tool. */
export interface Taken {
  inputs: Record<string, Schema>;
  required: readonly string[];
  /** True if unknown arguments are errors. If false, they are ignored. */
  isStrict: boolean;
}

/** The lists with filters. A filter in `common` can be a separate argument or a member of `advanced_filters`. */
export const FILTERED = {
  list_shipments: {
    operation: 'shipments.list',
    common: [
      ...['number', 'tracking_stopped', 'actively_tracked', 'voyage_status', 'pod_code', 'pol_code', 'pod_arrival'],
      ...['created_at', 'tags'],
    ],
  },
  list_containers: {
    operation: 'containers.list',
    common: [
      ...['number', 'current_status', 'pod_code', 'pol_code', 'shipping_line_scac', 'has_holds', 'has_fees'],
      ...['requires_attention', 'actively_tracked', 'arrival', 'pickup_lfd', 'tags', 'custom_fields'],
    ],
  },
} as const;

/** The arguments that choose and order the rows of a list. */
export function filteredInputs(name: keyof typeof FILTERED, isOrdered = true): Record<string, Schema> {
  const { operation, common } = FILTERED[name];
  const rules = LISTS[operation]?.filter?.keys ?? {};
  const all = Object.fromEntries(Object.entries(rules).map(([key, rule]) => [key, filterSchema([rule].flat())]));
  return {
    ...Object.fromEntries(common.map(key => [key, all[key] ?? {}])),
    advanced_filters: {
      type: 'object',
      properties: all,
      additionalProperties: false,
      description: 'All filters of the list. A filter in this object cannot also be a separate argument.',
    },
    include_stopped_tracking: {
      type: 'boolean',
      description:
        'True to include records that are no longer tracked. By default: false, unless a filter selects them.',
    },
    ...(isOrdered && { sort: { ...TEXTS, description: 'The sort order, such as -arrival.' } }),
  };
}

const TEXTS: Schema = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

function filterSchema([kind, ...known]: readonly string[]): Schema {
  switch (kind) {
    case 'flag':
      return { type: 'boolean' };
    case 'only_true':
      return { type: 'boolean', enum: [true] };
    case 'one':
      return { type: 'string', enum: known };
    case 'party':
      return { anyOf: [...(TEXTS.anyOf ?? []), { type: 'object' }] };
    case 'roles':
    case 'window':
    case 'custom_fields':
      return { type: 'object' };
    default:
      return TEXTS;
  }
}

/** The arguments of an edition that differ from the arguments of the described tool. `null` removes an argument. */
type Changes = Record<string, Schema | null>;

const UNSUPPORTED = { status: null, port: null, carrier: null, updated_after: null };
const DEPRECATED: Schema = { type: 'string', description: 'Deprecated: use number.' };
const SCAC = '^[A-Za-z]{4}$';
/** For each tool: the argument that is ignored even if unknown arguments are errors. */
export const UNCHECKED: Partial<Record<string, string>> = { list_tracking_requests: 'intent' };

const PLAIN: Partial<Record<DescribedTool, Changes>> = {
  search_container: { query: { maxLength: 128 } },
  track_container: {
    number: { minLength: 1, maxLength: 64 },
    numberType: { enum: ['container', 'bill_of_lading', 'booking_number'] },
    scac: { pattern: SCAC },
    refNumbers: { maxItems: 10, items: { type: 'string', maxLength: 64 } },
  },
  get_container: {
    include: { items: { type: 'string', enum: ['shipment', 'pod_terminal', 'transport_events', 'custom_fields'] } },
  },
  get_shipment_details: {
    include_custom_fields: { type: 'boolean', description: 'True to load the custom fields. By default: false.' },
  },
  list_shipments: UNSUPPORTED,
  list_containers: {
    ...UNSUPPORTED,
    include: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['shipment', 'pod_terminal'] } },
  },
  list_tracking_requests: {
    filters: null,
    request_type: null,
    status: { enum: ['created', 'pending', 'succeeded', 'failed'] },
    request_number: { type: 'string', maxLength: 64, description: 'The number that is tracked.' },
    scac: { type: 'string', pattern: SCAC, description: 'SCAC of the carrier.' },
  },
};

const CHANGES: Record<McpEdition, Partial<Record<DescribedTool, Changes>>> = {
  'early-2026': { list_shipments: { number: null, tracking_stopped: null } },
  '2026-08': {
    track_container: { containerNumber: DEPRECATED, bookingNumber: DEPRECATED },
    list_shipments: UNSUPPORTED,
    list_containers: UNSUPPORTED,
  },
  '2026-10': PLAIN,
  '2026-11': {
    ...PLAIN,
    list_shipments: { ...UNSUPPORTED, ...filteredInputs('list_shipments') },
    list_containers: {
      ...PLAIN.list_containers,
      ...filteredInputs('list_containers'),
      view: { type: 'string', enum: ['compact', 'full'], description: "The size of a row. By default: 'compact'." },
    },
  },
};

/** The arguments that a tool accepts in an edition. */
export function takenBy(name: DescribedTool, edition: McpEdition): Taken {
  const { inputs, required }: { inputs: Record<string, Schema>; required: readonly string[] } = TOOL_LIST[name];
  const changes: Changes = { ...CHANGES[edition][name] };
  if (edition !== '2026-08') changes.intent = null;
  if (isFrom(edition, '2026-10') && 'page_size' in inputs) {
    changes.page_size = { maximum: 25, description: 'Rows per page, at most 25. By default: 25.' };
  }
  const names = new Set([...Object.keys(inputs), ...Object.keys(changes)]);
  const taken = [...names].flatMap(input => {
    const change = changes[input];
    return change === null ? [] : [[input, { ...inputs[input], ...change }] as const];
  });
  const isStrict =
    (isFrom(edition, '2026-10') && name === 'list_tracking_requests') ||
    (isFrom(edition, '2026-11') && (name === 'list_shipments' || name === 'list_containers'));
  const isAliased = edition === '2026-08' && name === 'track_container';
  return { inputs: Object.fromEntries(taken), required: isAliased ? [] : required, isStrict };
}
