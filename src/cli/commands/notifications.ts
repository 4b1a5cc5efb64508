import type { DynamicInclude, WebhookNotification } from '../../model/index.ts';
import { type Command, choiceOption } from '../command.ts';
import { Cell } from '../output/cell.ts';
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
    if (state === undefined) return client.webhookNotifications.list(options);
    // The size of a page follows --limit. The state is selected here, in the command, and perhaps only a few of many
    // notifications have this state.
    return ofState(client.webhookNotifications.list({ ...options, pageSize: 100 }), state);
  },
  get: (client, id, options) => client.webhookNotifications.get(id, options),
  includeExample: 'reference_object',
  columns: [
    ['ID', ({ id }) => shortId(id), 'whole'],
    ['EVENT', ({ event }) => event, 'key'],
    ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
    ['DELIVERY', ({ delivery_status }) => delivery_status],
    ['ABOUT', ({ reference_object: about }) => about && subjectCell(about), 'whole'],
    ['URL', ({ webhook }) => textIn(webhook, 'url'), 'text', ['webhook']],
  ],
};

const shortId = (id: string) => new Cell(id.slice(0, 8), id);

const subjectCell = ({ type, id }: { type: string; id: string }) =>
  new Cell(`${type} ${id.slice(0, 8)}`, `${type} ${id}`);

async function* ofState(all: AsyncIterable<Notification>, state: string): AsyncGenerator<Notification> {
  for await (const notification of all) if (notification.delivery_status === state) yield notification;
}

export const list: Command = listCommand(notifications);
export const get: Command = getCommand(notifications);
