import type { Route } from '../http/router.ts';
import { accountRoutes } from './accounts.ts';
import { containerRoutes } from './containers.ts';
import { customFieldDefinitionRoutes } from './custom-field-definitions.ts';
import { customFieldRoutes } from './custom-fields.ts';
import { directUploadRoutes } from './direct-uploads.ts';
import { documentSchemaRoutes } from './document-schemas.ts';
import { documentRoutes } from './documents.ts';
import { emailSubmissionRoutes } from './email-submissions.ts';
import { partyRoutes } from './parties.ts';
import { partyRoleRoutes } from './party-roles.ts';
import { placeRoutes } from './places.ts';
import { routingRoutes } from './routing.ts';
import { searchRoutes } from './search.ts';
import { shipmentRoutes } from './shipments.ts';
import { shippingLineRoutes } from './shipping-lines.ts';
import { trackingRequestRoutes } from './tracking-requests.ts';
import { vesselRoutes } from './vessels.ts';
import { webhookNotificationRoutes } from './webhook-notifications.ts';
import { webhookRoutes } from './webhooks.ts';

/** All endpoints, one file for each group. The order matters: the first route that matches is taken. */
export const routes: Route[] = [
  ...shipmentRoutes,
  ...containerRoutes,
  ...routingRoutes,
  ...trackingRequestRoutes,
  ...webhookRoutes,
  ...webhookNotificationRoutes,
  ...accountRoutes,
  ...partyRoutes,
  ...partyRoleRoutes,
  ...shippingLineRoutes,
  ...placeRoutes,
  ...vesselRoutes,
  ...searchRoutes,
  ...customFieldDefinitionRoutes,
  ...customFieldRoutes,
  ...directUploadRoutes,
  ...documentRoutes,
  ...emailSubmissionRoutes,
  ...documentSchemaRoutes,
];
