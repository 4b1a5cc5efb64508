import type * as z from 'zod/mini';
import {
  getContainer,
  getContainerRoute,
  getContainerTransportEvents,
  searchContainer,
  trackContainer,
} from './container-tool-results.ts';
import type { SchemaMismatch } from './mismatch.ts';
import { Mismatches } from './mismatches.ts';
import { compile } from './predicate.ts';
import {
  getShipmentDetails,
  getSupportedShippingLines,
  listContainers,
  listShipments,
  listTrackingRequests,
} from './shipment-tool-results.ts';

/** The schema of every result, by the name of the tool. */
export const toolResults = {
  search_container: searchContainer,
  track_container: trackContainer,
  get_container: getContainer,
  get_shipment_details: getShipmentDetails,
  get_container_transport_events: getContainerTransportEvents,
  get_supported_shipping_lines: getSupportedShippingLines,
  get_container_route: getContainerRoute,
  list_shipments: listShipments,
  list_containers: listContainers,
  list_tracking_requests: listTrackingRequests,
} satisfies Record<string, z.ZodMiniType>;

/** Where the result of a tool does not fit its schema. The results of other tools pass. */
export function checkToolResult(tool: string, result: unknown): SchemaMismatch[] {
  const mismatches = new Mismatches();
  if (Object.hasOwn(toolResults, tool)) {
    const schema = toolResults[tool as keyof typeof toolResults];
    if (!compile(schema)(result)) mismatches.addOf(result, tool, schema);
  }
  return mismatches.all();
}
