/**
 * The intended differences between the client and the service, each with its reason. A test fails for any other difference.
 */

/** Operations whose method has another name, or that have no method. */
export const METHOD_OF: Record<string, { method: string | null; reason: string }> = {
  'containers.updateLegacy': {
    method: null,
    reason: 'the same edit as `containers.update`, which names the container in the path',
  },
  'vessels.getByImo': { method: 'vessels.get', reason: 'one method accepts the id or the IMO number' },
};

/** The types of arguments that a method takes as separate parameters, and not as one object. */
export const SEPARATE_ARGUMENTS: Record<string, string[]> = {
  'trackingRequests.inferNumber': ['string'],
  'shipments.customFields.update': ['custom_field_value'],
  'containers.customFields.update': ['custom_field_value'],
  'trackingRequests.customFields.update': ['custom_field_value'],
  search: ['string'],
};

/** Bodies with a single key. The method accepts the value of this key, which has this type. */
export const UNWRAPPED: Record<string, string> = { 'directUploads.create': 'direct_upload_create' };

/** Query parameters that have another type in the client: a list instead of a text with commas. */
export const TAKEN_AS: Record<string, Record<string, string>> = {
  'documents.list': { 'filter[document_types]': 'string[]' },
};

/** Methods that make other calls, and that are not operations of the service. */
export const HELPERS: Record<string, string> = {
  'containers.watch': 'polls the list for changes',
  'customFields.typed': 'reads and writes values by their definitions',
  'documents.download': 'requests the address and loads the file',
  'documents.upload': 'creates a slot, sends the bytes, creates the document',
  'documents.uploadMany': 'uploads many files',
  'documents.waitFor': 'polls one document',
  'shippingLines.byScac': 'reads the list, which it caches for an hour',
  'shippingLines.find': 'reads the list, which it caches for an hour',
  'shipments.watch': 'polls the list for changes',
  'trackingRequests.createOrFind': 'creates, and looks the number up if it exists',
  'trackingRequests.waitFor': 'polls one tracking request',
  'trackingRequests.watch': 'polls the list for changes',
  'webhookNotifications.recover': 'finds the records of missed notifications',
  'webhooks.ensure': 'lists, then creates or updates',
  'webhooks.rotateSecret': 'creates, activates, deletes',
  'webhooks.selfCheck': 'triggers a sample delivery',
};

/** Routes of the sandbox that are not operations of the service. */
export const SANDBOX_ONLY: Record<string, string> = {
  'GET /rails/active_storage/disk/{}': 'the file behind a download address',
  'PUT /rails/active_storage/disk/{}': 'the storage of an upload slot: `directUploads.put`',
};

/** Relationships that no endpoint can include, so that the sandbox does not know their targets. */
export const NEVER_INCLUDED: Record<string, string> = {
  'custom_field.definition': 'the endpoints of custom fields have no `include`',
  'custom_field.entity': 'the endpoints of custom fields have no `include`',
  'custom_field_definition.account': 'the endpoints of definitions have no `include`',
  'custom_field_definition.fields': 'the endpoints of definitions have no `include`',
  'custom_field_definition.options': 'the endpoints of definitions have no `include`',
  'webhook_notification.webhook_notification_logs': 'no source shows such a record',
};

/** Operations that the OpenAPI document cannot have, each with its reason. */
export const NOT_IN_OPENAPI: Record<string, string> = {
  'directUploads.put': 'its address is a value in another response',
  'vessels.getByImo': 'its path has the same form as the path of `vessels.get`',
};

/**
 * Types whose TypeScript and schema are written by hand: a response may have features of kinds that this version does
 * not have.
 */
export const TYPES_BY_HAND: ReadonlySet<string> = new Set(['map', 'map_feature']);

/**
 * Bodies whose TypeScript is written by hand. `TrackingRequestCreate` has a `scac`, or lets the service find the
 * carrier.
 */
export const BODIES_BY_HAND: ReadonlySet<string> = new Set(['TrackingRequestCreate']);

/**
 * The only check for these types is that the value is an object. `response_contract` and `result_metadata` are guidance
 * for a model. Some versions of the service leave them out, so a result without them must be accepted.
 */
export const UNCHECKED: ReadonlySet<string> = new Set(['response_contract', 'result_metadata']);
