import { EVENT_NAMES } from '../../model/generated/event-names.ts';
import type { Webhook } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import {
  type Command,
  choiceOption,
  hintOf,
  listOption,
  neededOption,
  type OptionValues,
  textOption,
  wrongUsage,
} from '../command.ts';
import { confirmed, YES_OPTION } from '../confirm.ts';
import type { Column } from '../output/columns.ts';
import { FIELDS_OPTION, printRecord, say } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { listing } from '../records.ts';

const COLUMNS: readonly Column<Webhook>[] = [
  ['ID', ({ id }) => id, 'whole'],
  ['URL', ({ url }) => url],
  ['ACTIVE', ({ active }) => active],
  ['EVENTS', ({ events }) => events.length],
  ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
];

/** Of one webhook, with the names of its events. */
const DETAILS = COLUMNS.map(
  (column): Column<Webhook> => (column[0] === 'EVENTS' ? ['EVENTS', ({ events }) => events] : column),
);

const SECRET_OPTION = {
  'show-secret': { type: 'boolean', help: 'the secret that deliveries are signed with, which is hidden otherwise' },
} as const satisfies Command['options'];

const CHANGE_OPTIONS = {
  event: { type: 'string', value: 'EVENT', multiple: true, help: 'an event to subscribe to', values: EVENT_NAMES },
  active: { type: 'string', value: 'on|off', help: 'off: nothing is delivered', values: ['on', 'off'] },
} as const satisfies Command['options'];

/** Never in a log by accident. Headers may be credentials too. */
function shown(values: OptionValues, webhook: Webhook): Webhook {
  if (values['show-secret'] === true) return webhook;
  const { secret, headers, ...rest } = webhook;
  return { ...rest, ...(headers && { headers: headers.map(header => ({ ...header, value: '***' })) }) };
}

function activeOf(values: OptionValues): boolean | undefined {
  const active = choiceOption(values, 'active', ['on', 'off']);
  return active === undefined ? undefined : active === 'on';
}

function eventsOf(values: OptionValues): string[] {
  const events = listOption(values, 'event');
  for (const event of events) checkEvent(event);
  return events;
}

/** @throws {CommandError} for an event that this version does not know and that looks like one that it knows. */
export function checkEvent(event: string): void {
  const hint = (EVENT_NAMES as readonly string[]).includes(event) ? '' : hintOf(event, EVENT_NAMES);
  if (hint) throw wrongUsage(`There is no event ${event}.${hint}`);
}

export const list: Command = listing({
  options: SECRET_OPTION,
  columns: COLUMNS,
  list: (client, page, values) => hidden(values, client.webhooks.list(page)),
});

async function* hidden(
  values: OptionValues,
  webhooks: AsyncIterable<Webhook>,
): AsyncGenerator<Webhook, void, undefined> {
  for await (const webhook of webhooks) yield shown(values, webhook);
}

export const get: Command = {
  options: { ...SECRET_OPTION, ...FIELDS_OPTION, ...API_OPTIONS },
  arguments: ['ID'],
  run: (values, [id = '']) =>
    withClient(values, async (client, signal) => {
      await printRecord(values, shown(values, await client.webhooks.get(id, { signal })), DETAILS);
    }),
};

export const create: Command = {
  about:
    'An active webhook for the address that has the events is used again. The secret is printed with --show-secret only.',
  options: {
    url: { type: 'string', value: 'URL', help: 'the https address that deliveries are sent to' },
    event: CHANGE_OPTIONS.event,
    ...SECRET_OPTION,
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal) => {
      const events = values.event === undefined ? EVENT_NAMES : eventsOf(values);
      const webhook = await client.webhooks.ensure<string>({ url: neededOption(values, 'url'), events }, { signal });
      await printRecord(values, shown(values, webhook), DETAILS);
    }),
};

export const update: Command = {
  options: {
    url: { type: 'string', value: 'URL', help: 'the https address that deliveries are sent to' },
    ...CHANGE_OPTIONS,
    ...SECRET_OPTION,
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['ID'],
  run: (values, [id = '']) =>
    withClient(values, async (client, signal) => {
      const [url, active] = [textOption(values, 'url'), activeOf(values)];
      const events = values.event === undefined ? undefined : eventsOf(values);
      if ([url, active, events].every(each => each === undefined)) {
        throw wrongUsage('There is nothing to update: use --url, --event or --active.');
      }
      const webhook = await client.webhooks.update<string>(id, { url, active, events }, { signal });
      await printRecord(values, shown(values, webhook), DETAILS);
    }),
};

export const remove: Command = {
  options: { ...YES_OPTION, ...API_OPTIONS },
  arguments: ['ID'],
  run: (values, [id = '']) =>
    withClient(values, async (client, signal) => {
      await confirmed(values, `Delete the webhook ${id}?`, signal);
      await client.webhooks.delete(id, { signal });
      say(`The webhook ${id} is deleted.`);
    }),
};
