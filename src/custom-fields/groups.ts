import type { CustomField, CustomFieldDefinition, CustomFieldOption, CustomFieldSet } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';

/** The values on records of one type. */
export interface ValuesOfRecord {
  list(id: string, options: ListOptions): List<CustomField>;
  set(id: string, attributes: CustomFieldSet, options: RequestOptions): PromiseLike<CustomField>;
  delete(id: string, slug: string, options: RequestOptions): PromiseLike<void>;
}

/** The methods that typed custom fields need. The resource groups of a client have them. */
export interface CustomFieldGroups {
  shipments: { customFields: ValuesOfRecord };
  containers: { customFields: ValuesOfRecord };
  trackingRequests: { customFields: ValuesOfRecord };
  accounts: { customFieldDefinitions(id: string, options: ListOptions): List<CustomFieldDefinition> };
  customFieldDefinitions: { list(options: ListOptions): List<CustomFieldDefinition> };
  customFieldOptions: { list(definitionId: string, options: ListOptions): List<CustomFieldOption> };
  customFields: {
    list(
      options: ListOptions & { filter: { entity_type: 'Shipment' | 'Container' | 'TrackingRequest' } },
    ): List<CustomField>;
  };
}
