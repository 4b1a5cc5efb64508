import { abortable } from '../../internal/signal.ts';
import type { RequestOptions } from '../../options.ts';
import type { Webhook, WebhookEnsure, WebhookUpdate } from '../../records/webhook.ts';
import { byAge, isPartOf, sameAddress, sameHeaders, sameItems } from './match.ts';

/** The group of resources that registers webhooks. */
export interface WebhookRegistry {
  list(options: RequestOptions & { pageSize: number }): { toArray(): Promise<Webhook[]> };
  create(webhook: WebhookEnsure & { active: boolean }, options: RequestOptions | undefined): PromiseLike<Webhook>;
  update(id: string, attributes: WebhookUpdate, options: RequestOptions | undefined): PromiseLike<Webhook>;
}

type Warn = (message: string) => void;

/** Finds, repairs or creates the one active webhook for an address and its events. */
export async function ensureWebhook(
  webhooks: WebhookRegistry,
  wanted: WebhookEnsure,
  options: RequestOptions | undefined,
  warn: Warn,
): Promise<Webhook> {
  const [first, ...rest] = await withUrl(webhooks, wanted, options);
  if (first) return keep(webhooks, first, rest, wanted, options, warn);
  const created = await webhooks.create({ ...wanted, active: true }, options);
  // Another process may have created a webhook too. Both processes then find and keep the same one.
  const [kept = created, ...others] = await withUrl(webhooks, wanted, options);
  // Only the answer to the creation always contains the secret.
  return keep(webhooks, kept.id === created.id ? created : kept, others, wanted, options, warn);
}

/** Runs the work of one key one after the other: two at the same time would find no webhook and create two. */
export function inTurn<T>(
  turns: Map<string, Promise<unknown>>,
  key: string,
  task: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(task);
  const end = turn
    .catch(() => {})
    .then(() => {
      if (turns.get(key) === end) turns.delete(key);
    });
  turns.set(key, end);
  return signal ? abortable(turn, signal) : turn;
}

/** The best comes first. */
async function withUrl(
  webhooks: WebhookRegistry,
  { url, events }: WebhookEnsure,
  options: RequestOptions | undefined,
): Promise<Webhook[]> {
  const all = await webhooks.list({ ...options, pageSize: 100 }).toArray();
  const misfit = (webhook: Webhook) => (webhook.active ? Number(!sameItems(webhook.events, events)) : 2);
  const found = all.filter(webhook => sameAddress(webhook.url, url));
  return found.sort((a, b) => misfit(a) - misfit(b) || byAge(a, b));
}

/** Repairs a webhook if needed, and deactivates webhooks that would send duplicates. */
async function keep(
  webhooks: WebhookRegistry,
  webhook: Webhook,
  others: Webhook[],
  { events, headers }: WebhookEnsure,
  options: RequestOptions | undefined,
  warn: Warn,
): Promise<Webhook> {
  const isGood =
    webhook.active && sameItems(webhook.events, events) && (!headers || sameHeaders(webhook.headers, headers));
  const kept = isGood ? webhook : await webhooks.update(webhook.id, { active: true, events, headers }, options);
  if (!webhook.active) {
    warn(
      `Webhook ${webhook.id} was inactive. To get what it missed, call webhookNotifications.recover with sweep: true.`,
    );
  }
  for (const { id } of others.filter(({ active, events: its }) => active && isPartOf(its, events))) {
    warn(`Webhook ${id} is deactivated: webhook ${webhook.id} sends the same events to the same address.`);
    await webhooks.update(id, { active: false }, options);
  }
  return kept;
}
