import type { Route } from '../http/router.ts';
import { accountRoutes } from './account-routes.ts';
import { containerRoutes } from './container-routes.ts';
import { customFieldRoutes } from './custom-field-routes.ts';
import { documentRoutes } from './document-routes.ts';
import { placeRoutes } from './place-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { shipmentRoutes } from './shipment-routes.ts';
import { trackingRequestRoutes } from './tracking-request-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** All endpoints, one file for each group. The order matters: the first route that matches is taken. */
export const routes: Route[] = [
  ...shipmentRoutes,
  ...containerRoutes,
  ...trackingRequestRoutes,
  ...webhookRoutes,
  ...accountRoutes,
  ...placeRoutes,
  ...searchRoutes,
  ...customFieldRoutes,
  ...documentRoutes,
];
