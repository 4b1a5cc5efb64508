import type { McpEdition } from '../editions.ts';
import type { LaterTool, Tool } from '../tool.ts';
import { getContainer, getContainerRoute, getContainerTransportEvents } from './containers.ts';
import { laterTools } from './later.ts';
import { listContainers, listShipments, listTrackingRequests } from './lists.ts';
import { getSupportedShippingLines, searchContainer } from './search.ts';
import { getShipmentDetails } from './shipments.ts';
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
