import { ConfigurationError } from '../../errors.ts';
import { abortable, sleep } from '../../internal/signal.ts';
import type { EventName, NamedEvent, Webhook, WebhookCreate, WebhookUpdate } from '../../model/index.ts';
import type { RequestOptions } from '../../options.ts';
import { namingUnknownEvents } from '../notification/unknown-events.ts';
import { byAge, isPartOf, sameAddress, sameHeaders, sameItems } from './match.ts';

/** The description of the webhook that `webhooks.ensure` finds, repairs or creates. */
export interface WebhookEnsure<E extends string = EventName> extends Omit<WebhookCreate, 'active' | 'events'> {
  /** The events for which the service sends notifications: at least one, without repetition. */
  events: readonly NamedEvent<E>[];
  /**
   * `true` removes the events of the webhook that are not in `events`. Otherwise these events stay, with a warning. The
   * reason: while two versions of a program run, the older version would remove the events of the newer version.
   * @default false
   */
  exactEvents?: boolean | undefined;
}

/** With `Pick`, the compiler compares the fields. Therefore a description with any event names is assignable. */
export type WantedWebhook = Pick<WebhookEnsure<string>, keyof WebhookEnsure<string>>;

/** The group of resources that registers webhooks. */
export interface WebhookRegistry {
  list(options: RequestOptions & { pageSize: number }): { toArray(): Promise<Webhook[]> };
  create(webhook: WebhookCreate<string>, options: RequestOptions | undefined): PromiseLike<Webhook>;
  update(id: string, attributes: WebhookUpdate<string>, options: RequestOptions | undefined): PromiseLike<Webhook>;
  delete(id: string, options: RequestOptions | undefined): PromiseLike<void>;
}

type Warn = (message: string) => void;

/**
 * Time in ms for which a process waits when other processes register the same webhook. After this time, the first
 * process has activated its webhook, or all processes see the same webhooks. `created_at` is in whole seconds, so a
 * webhook that was created later in the same second may be sorted first.
 */
const SETTLE_MS = 2000;

/** Finds, repairs or creates the one active webhook for an address and its events. It deactivates and deletes nothing. */
async function ensureWebhook(
  webhooks: WebhookRegistry,
  wanted: WantedWebhook,
  options: RequestOptions | undefined,
  warn: Warn,
): Promise<Webhook> {
  const { url, events, headers } = wanted;
  if (events === undefined) throw new ConfigurationError('events is missing.');
  const look = async () => bestFirst(await webhooksAt(webhooks, url, options), events);
  let found = await look();
  let created: Webhook | undefined;
  if (found.length === 0) {
    // The webhook is created inactive, because several processes may create a webhook at the same time, and only one of
    // these webhooks is used. So the other webhooks do not have to be deactivated.
    created = await webhooks.create({ url, events, headers, active: false }, options);
    found = await look();
  }
  if (found.length > 1 && !found.some(({ active }) => active)) {
    await sleep(SETTLE_MS, options?.signal ?? new AbortController().signal);
    found = await look();
  }
  const best = found[0] ?? created;
  // All webhooks were deleted in the meantime.
  if (!best) return ensureWebhook(webhooks, wanted, options, warn);
  // Only the response to `create` always contains the secret. A webhook is useless if its secret is unknown.
  const chosen = created && best.secret === undefined ? created : best;
  if (!chosen.active && !created) {
    warn(
      `Webhook ${chosen.id} was inactive. To get what it missed, call webhookNotifications.recover with sweep: true.`,
    );
  }
  const kept = await repair(webhooks, chosen, wanted, options, warn);
  for (const { id } of found.filter(
    other => other.active && other.id !== kept.id && isPartOf(other.events, kept.events),
  )) {
    warn(
      `Webhooks ${kept.id} and ${id} send the same events to the same address. ` +
        'Unless you are rotating, call webhooks.rotateSecret.',
    );
  }
  return kept;
}

/**
 * Runs the calls for the same address one after the other. Two simultaneous calls would both find no webhook, and would
 * create two webhooks.
 */
export function ensureInTurn(
  webhooks: WebhookRegistry,
  turns: Map<string, Promise<unknown>>,
  wanted: WantedWebhook,
  options: RequestOptions | undefined,
  warn: Warn,
): Promise<Webhook> {
  const key = new URL(wanted.url).href;
  const turn = (turns.get(key) ?? Promise.resolve())
    .then(() => ensureWebhook(webhooks, wanted, options, warn))
    .catch(error => Promise.reject(namingUnknownEvents(error, wanted.events)));
  const end = turn
    .catch(() => {})
    .then(() => {
      if (turns.get(key) === end) turns.delete(key);
    });
  turns.set(key, end);
  return options?.signal ? abortable(turn, options.signal) : turn;
}

/** The webhooks of an address: active webhooks first, then the oldest. */
export async function webhooksAt(
  webhooks: WebhookRegistry,
  url: string,
  options: RequestOptions | undefined,
): Promise<Webhook[]> {
  const all = await webhooks.list({ ...options, pageSize: 100 }).toArray();
  const found = all.filter(webhook => sameAddress(webhook.url, url));
  return found.sort((a, b) => Number(b.active) - Number(a.active) || byAge(a, b));
}

/**
 * Sorts webhooks: first those with exactly the requested events, then those that also have other events, then the rest.
 */
export function bestFirst(found: Webhook[], events: readonly string[]): Webhook[] {
  const misfit = (webhook: Webhook) => {
    if (!webhook.active) return 3;
    if (sameItems(webhook.events, events)) return 0;
    return isPartOf(events, webhook.events) ? 1 : 2;
  };
  return found.sort((a, b) => misfit(a) - misfit(b));
}

/** Activates a webhook, and adds the missing events and headers. */
async function repair(
  webhooks: WebhookRegistry,
  webhook: Webhook,
  { events, headers, exactEvents }: WantedWebhook,
  options: RequestOptions | undefined,
  warn: Warn,
): Promise<Webhook> {
  const further = webhook.events.filter(name => !events.includes(name));
  if (further.length > 0 && !exactEvents) {
    warn(
      `Webhook ${webhook.id} keeps the events ${further.join(', ')}, which this call does not name. ` +
        'To remove them, pass exactEvents: true.',
    );
  }
  const target = exactEvents ? events : [...events, ...further];
  const isGood =
    webhook.active && sameItems(webhook.events, target) && (!headers || sameHeaders(webhook.headers, headers));
  if (isGood) return webhook;
  const { secret } = webhook;
  return {
    ...(secret !== undefined && { secret }),
    ...(await webhooks.update(webhook.id, { active: true, events: target, headers }, options)),
  };
}
