// Written by `npm run generate` from description/. Do not edit.

import type { ToolName } from './mcp-tools.ts';

/** Facts about a tool that are known before a call. */
interface ToolDeclaration {
  /** The names of the arguments. The service silently ignores other arguments. */
  readonly names: readonly string[];
  /** The required argument, a text. */
  readonly required?: string;
  /** True if a second call does no more than the first. */
  readonly repeatable: boolean;
}

/** The tools by their names. */
export const TOOLS: Readonly<Record<ToolName, ToolDeclaration>> = {
  search_container: { names: ['intent', 'query'], required: 'query', repeatable: true },
  track_container: {
    names: ['intent', 'number', 'numberType', 'scac', 'refNumbers'],
    required: 'number',
    repeatable: false,
  },
  get_container: { names: ['intent', 'id', 'include'], required: 'id', repeatable: true },
  get_shipment_details: { names: ['intent', 'id', 'include_containers'], required: 'id', repeatable: true },
  get_container_transport_events: { names: ['intent', 'id'], required: 'id', repeatable: true },
  get_supported_shipping_lines: { names: ['intent', 'search'], repeatable: true },
  get_container_route: { names: ['intent', 'id'], required: 'id', repeatable: true },
  list_shipments: {
    names: [
      'intent',
      'page',
      'page_size',
      'status',
      'port',
      'carrier',
      'updated_after',
      'include_containers',
      'number',
      'tracking_stopped',
    ],
    repeatable: true,
  },
  list_containers: {
    names: ['intent', 'page', 'page_size', 'status', 'port', 'carrier', 'updated_after', 'include'],
    repeatable: true,
  },
  list_tracking_requests: {
    names: ['intent', 'page', 'page_size', 'filters', 'status', 'request_type'],
    repeatable: true,
  },
};

export function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
