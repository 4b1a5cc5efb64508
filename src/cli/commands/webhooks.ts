import type { TrackingClient } from '../../client.ts';
import { hintOf, meantName } from '../../internal/meant-name.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';
import type { Webhook } from '../../model/index.ts';
import { bestFirst, webhooksAt } from '../../webhooks/registration/ensure.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import {
  ambiguous,
  type Command,
  type CommandError,
  choiceOption,
  failed,
  listOption,
  neededOption,
  notFound,
  type OptionValues,
  textOption,
  wrongUsage,
} from '../command.ts';
import { confirmed, YES_OPTION } from '../confirm.ts';
import { openingOf } from '../found-by-search.ts';
import type { Column } from '../output/columns.ts';
import { FIELDS_OPTION, printChanged, printRecord, say } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { listing } from '../records.ts';
import { idBeginning, needsWholeId } from '../short-ids.ts';
import { checkReachable } from '../webhook-url.ts';

const COLUMNS: readonly Column<Webhook>[] = [
  ['ID', ({ id }) => id, 'whole'],
  ['URL', ({ url }) => url],
  ['ACTIVE', ({ active }) => active],
  ['EVENTS', ({ events }) => events.length],
  ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
];

/** The secret is printed only with `--show-secret`. */
const SECRET: Column<Webhook> = ['SECRET', ({ secret }) => secret, 'whole'];

/** The columns for one webhook, with its events. */
const DETAILS = [
  ...COLUMNS.map(
    (column): Column<Webhook> => (column[0] === 'EVENTS' ? ['EVENTS', ({ events }) => eventsText(events)] : column),
  ),
  SECRET,
];

/** If a webhook has more events than this number, the events are counted by group. */
const MOST_NAMES = 5;

/** `17 of 46: container.transport (all 15), container (2 of 8)`. */
function eventsText(events: readonly string[]): string {
  const isAll = EVENT_NAMES.every(name => events.includes(name));
  if (isAll) return `all ${events.length} events`;
  if (events.length <= MOST_NAMES) return events.join(', ');
  const all = countsOf(EVENT_NAMES);
  const groups = [...countsOf(events)].map(([group, count]) => {
    const most = all.get(group) ?? count;
    return `${group} (${count === most ? `all ${most}` : `${count} of ${most}`})`;
  });
  return `${events.length} of ${EVENT_NAMES.length}: ${groups.join(', ')}`;
}

function countsOf(events: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) {
    const [group = ''] = /^container\.transport|^\w+/.exec(event) ?? [];
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

const SECRET_OPTION = {
  'show-secret': { type: 'boolean', help: 'the secret that deliveries are signed with, which is hidden otherwise' },
} as const satisfies Command['options'];

const URL_OPTION = {
  type: 'string',
  value: 'URL',
  help: 'the https address that deliveries are sent to; only a sandbox reaches http://localhost',
} as const;

const CHANGE_OPTIONS = {
  event: { type: 'string', value: 'EVENT', multiple: true, help: 'an event to subscribe to', values: EVENT_NAMES },
  active: { type: 'string', value: 'on|off', help: 'off: nothing is delivered', values: ['on', 'off'] },
} as const satisfies Command['options'];

/**
 * Hides the secret and the values of headers, so that they do not get into a log by accident. Headers may be
 * credentials.
 */
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

/**
 * Warns about an unknown event, because a newer service may have it.
 *
 * @throws {CommandError} for a misspelt event.
 */
export function checkEvent(event: string): void {
  if ((EVENT_NAMES as readonly string[]).includes(event)) return;
  const hint = hintOf(event, EVENT_NAMES);
  if (meantName(event, EVENT_NAMES)) throw wrongUsage(`There is no event ${event}.${hint}`);
  say(
    `This version does not know the event ${event}.${hint || ' The help of the command lists the known events.'}`,
    'warning',
  );
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
  about: 'The first six characters of an id, or more, are enough if no other id begins with them.',
  options: { ...SECRET_OPTION, ...FIELDS_OPTION, ...API_OPTIONS },
  arguments: ['ID|URL'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const id = await idAt(client, name, signal, true);
      await printRecord(values, shown(values, await client.webhooks.get(id, { signal })), DETAILS);
    }),
};

/**
 * The given id, or the id of the webhook with the given address.
 *
 * @param reads true for a command that only reads. Such a command also accepts the beginning of an id.
 * @throws {CommandError} if no webhook has the address, or several have it.
 */
async function idAt(client: TrackingClient, name: string, signal: AbortSignal, reads = false): Promise<string> {
  if (!URL.canParse(name)) {
    const id = await idBeginning(name, () => client.webhooks.list({ pageSize: 100, signal }));
    if (id !== undefined && !reads) throw needsWholeId('webhook', id);
    return id ?? name;
  }
  const found = await webhooksAt(client.webhooks, name, { signal });
  const [first, second] = found;
  if (!first) throw notFound(`There is no webhook with the address ${name}.`);
  if (!second) return first.id;
  const openings = found.map(({ id, active }) => `${openingOf('webhook', id)} (${active ? 'active' : 'inactive'})`);
  throw ambiguous(
    `${name} is the address of several webhooks. Use the id:\n${openings.join('\n')}`,
    found.map(({ id, url, active }) => ({ type: 'webhook', id, url, active })),
  );
}

export const create: Command = {
  about:
    'If the address already has a webhook, the webhook is not changed. If it lacks an event or is inactive, the command fails, and prints the difference. With --change, the webhook gets what it lacks. The secret is printed with --show-secret only.',
  options: {
    url: URL_OPTION,
    event: { ...CHANGE_OPTIONS.event, help: 'an event to subscribe to, all unless given' },
    change: {
      type: 'boolean',
      help: 'an existing webhook of the address gets the events that it lacks, and becomes active',
    },
    ...SECRET_OPTION,
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal, access) => {
      const events = values.event === undefined ? EVENT_NAMES : eventsOf(values);
      const url = neededOption(values, 'url');
      checkReachable(url, access);
      const [before] = bestFirst(await webhooksAt(client.webhooks, url, { signal }), events);
      const difference = before && differenceOf(before, events);
      if (before && difference && values.change !== true) throw asItIs(before, difference);
      const isNew = before === undefined;
      const webhook = isNew || difference ? await client.webhooks.ensure<string>({ url, events }, { signal }) : before;
      say(isNew ? 'Created.' : difference ? `Changed: ${difference}.` : 'Already there: nothing was changed.');
      await printChanged(values, shown(values, webhook), DETAILS);
    }),
};

/** Returns a text that says what a webhook lacks. The text is empty if the webhook lacks nothing. */
function differenceOf({ active, events }: Webhook, wanted: readonly string[]): string {
  const missing = wanted.filter(event => !events.includes(event));
  const list = missing.length > 5 ? [...missing.slice(0, 5), `${missing.length - 5} others`] : missing;
  return [!active && 'active again', missing.length > 0 && `also sends ${list.join(', ')}`].filter(Boolean).join('; ');
}

function asItIs({ id, active, events }: Webhook, difference: string): CommandError {
  const state = `${active ? 'active' : 'inactive'}, with ${events.length} of ${EVENT_NAMES.length} events`;
  return failed(
    `The address has the webhook ${id} already (${state}). It was not changed. The difference: ${difference}. To change it, use --change, or: container-tracking webhooks update ${id} --event …`,
  );
}

export const update: Command = {
  options: {
    url: URL_OPTION,
    ...CHANGE_OPTIONS,
    ...SECRET_OPTION,
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['ID|URL'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal, access) => {
      const [url, active] = [textOption(values, 'url'), activeOf(values)];
      const events = values.event === undefined ? undefined : eventsOf(values);
      if ([url, active, events].every(each => each === undefined)) {
        throw wrongUsage('There is nothing to update: use --url, --event or --active.');
      }
      checkReachable(url, access);
      const id = await idAt(client, name, signal);
      const webhook = await client.webhooks.update<string>(id, { url, active, events }, { signal });
      await printChanged(values, shown(values, webhook), DETAILS);
    }),
};

export const remove: Command = {
  options: { ...YES_OPTION, ...API_OPTIONS },
  arguments: ['ID|URL'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const id = await idAt(client, name, signal);
      await confirmed(values, `Delete the webhook ${id}${id === name ? '' : ` with the address ${name}`}?`, signal);
      await client.webhooks.delete(id, { signal });
      say(`The webhook ${id} is deleted.`);
    }),
};
