import type { DynamicInclude, TrackingRequest } from '../../model/index.ts';
import type { Command } from '../command.ts';
import { getCommand, listCommand, type RecordGroup } from '../records.ts';

const trackingRequests: RecordGroup<TrackingRequest<DynamicInclude>> = {
  operation: 'trackingRequests.list',
  list: (client, options) => client.trackingRequests.list(options),
  get: (client, id, options) => client.trackingRequests.get(id, options),
  filterExample: 'status=failed',
  includeExample: 'tracked_object',
  columns: [
    ['ID', ({ id }) => id],
    ['NUMBER', ({ request_number }) => request_number],
    ['KIND', ({ request_type }) => request_type],
    ['CARRIER', ({ scac }) => scac],
    ['STATUS', ({ status }) => status],
    ['REASON', ({ failed_reason }) => failed_reason],
    ['CREATED', ({ created_at }) => created_at],
  ],
};

export const list: Command = listCommand(trackingRequests);
export const get: Command = getCommand(trackingRequests);
