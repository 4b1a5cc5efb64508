import type { DynamicInclude, WebhookNotification } from '../../model/index.ts';
import type { Command } from '../command.ts';
import { timeHere } from '../output/times.ts';
import { getCommand, listCommand, type RecordGroup } from '../records.ts';

const notifications: RecordGroup<WebhookNotification<DynamicInclude>> = {
  type: 'webhook_notification',
  list: (client, { filter: _, sort: __, ...options }) => client.webhookNotifications.list(options),
  get: (client, id, options) => client.webhookNotifications.get(id, options),
  includeExample: 'reference_object',
  columns: [
    ['ID', ({ id }) => id, 'whole'],
    ['EVENT', ({ event }) => event],
    ['DELIVERY', ({ delivery_status }) => delivery_status],
    ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
    ['ABOUT', ({ reference_object: about }) => about && `${about.type} ${about.id}`, 'whole'],
  ],
};

export const list: Command = listCommand(notifications);
export const get: Command = getCommand(notifications);
