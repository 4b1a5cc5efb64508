import type { AnyTool } from '../tool.ts';
import { listChanges } from './changes.ts';
import { getContainer, listContainers, summarizeContainers } from './containers.ts';
import { listParties } from './customers.ts';
import { getContainerRoute, getContainerTransportEvents } from './journey.ts';
import { getSupportedShippingLines, whoami } from './lookups.ts';
import { searchContainer } from './search.ts';
import { getShipmentDetails, listShipments } from './shipments.ts';
import { trackContainer } from './tracking.ts';
import { listTrackingRequests } from './tracking-requests.ts';
import { worklist } from './worklist.ts';

/** All tools. Each group has its own file. */
export const TOOLS: readonly AnyTool[] = [
  worklist,
  listChanges,
  searchContainer,
  trackContainer,
  getContainer,
  getShipmentDetails,
  getContainerTransportEvents,
  getSupportedShippingLines,
  getContainerRoute,
  listShipments,
  listContainers,
  summarizeContainers,
  listTrackingRequests,
  listParties,
  whoami,
];
