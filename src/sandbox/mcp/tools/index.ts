import type { McpEdition } from '../editions.ts';
import type { LaterTool, Tool } from '../tool.ts';
import { getContainer } from './get-container.ts';
import { getContainerRoute } from './get-container-route.ts';
import { getContainerTransportEvents } from './get-container-transport-events.ts';
import { getShipmentDetails } from './get-shipment-details.ts';
import { getSupportedShippingLines } from './get-supported-shipping-lines.ts';
import { laterTools } from './later.ts';
import { listContainers, listShipments, listTrackingRequests } from './lists.ts';
import { searchContainer } from './search-container.ts';
import { trackContainer } from './track-container.ts';

/** The tools of every edition. */
export const tools: Tool[] = [
  searchContainer,
  trackContainer,
  getContainer,
  getShipmentDetails,
  getContainerTransportEvents,
  getSupportedShippingLines,
  getContainerRoute,
  listShipments,
  listContainers,
  listTrackingRequests,
];

/** The tools of an edition. */
export function toolsOf(edition: McpEdition): (Tool | LaterTool)[] {
  return [...tools, ...laterTools.filter(tool => tool.editions.includes(edition))];
}
