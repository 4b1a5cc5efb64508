import type { DynamicInclude, WebhookNotification } from '../../model/index.ts';
import { type Command, choiceOption } from '../command.ts';
import { textIn } from '../output/facts.ts';
import { timeHere } from '../output/times.ts';
import { getCommand, listCommand, type RecordGroup } from '../records.ts';

type Notification = WebhookNotification<DynamicInclude>;

const DELIVERIES = ['pending', 'succeeded', 'failed'] as const;

const notifications: RecordGroup<Notification> = {
  type: 'webhook_notification',
  options: {
    delivery: {
      type: 'string',
      value: 'STATE',
      help: `only those whose delivery is ${DELIVERIES.join(' or ')}. The service has no such filter: all pages are read until --limit is reached`,
      values: DELIVERIES,
    },
  },
  list(client, { filter: _, sort: __, ...options }, values) {
    const state = choiceOption(values, 'delivery', DELIVERIES);
    const all: AsyncIterable<Notification> = client.webhookNotifications.list(options);
    return state === undefined ? all : ofState(all, state);
  },
  get: (client, id, options) => client.webhookNotifications.get(id, options),
  includeExample: 'reference_object',
  columns: [
    ['ID', ({ id }) => id, 'whole'],
    ['EVENT', ({ event }) => event],
    ['DELIVERY', ({ delivery_status }) => delivery_status],
    ['URL', ({ webhook }) => textIn(webhook, 'url'), 'text', ['webhook']],
    ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
    ['ABOUT', ({ reference_object: about }) => about && `${about.type} ${about.id}`, 'whole'],
  ],
};

async function* ofState(all: AsyncIterable<Notification>, state: string): AsyncGenerator<Notification> {
  for await (const notification of all) if (notification.delivery_status === state) yield notification;
}

export const list: Command = listCommand(notifications);
export const get: Command = getCommand(notifications);
