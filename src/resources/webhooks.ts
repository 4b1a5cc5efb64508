import { ConfigurationError } from '../errors.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List, ListOptions } from '../pagination/list.ts';
import type { TriggerResult, WebhookIps } from '../records/bodies.ts';
import type { Webhook, WebhookCreate, WebhookHeader, WebhookTrigger, WebhookUpdate } from '../records/webhook.ts';
import type { WebhookEventCategory } from '../records/webhook-event-category.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { isLoopback } from '../transport/origin.ts';
import { path } from '../transport/path.ts';
import { PLAIN_JSON } from '../transport/request.ts';
import { filled } from './filled.ts';
import { Resource } from './resource.ts';
import type { SelfCheck, SelfCheckOptions } from './webhook-self-check.ts';

/** The addresses that the service notifies (SPEC.md, Webhooks; api/endpoints.md section 4). */
export class Webhooks extends Resource {
  list(options?: ListOptions): List<Webhook> {
    return this.fetchList({ type: 'webhook', path: path`/webhooks`, options });
  }

  /** @throws {NotFoundError} if there is no such webhook. */
  get(id: string, options?: RequestOptions): APIPromise<Webhook> {
    return this.fetchOne({ type: 'webhook', path: path`/webhooks/${id}`, options });
  }

  /** Registers an address. The answer holds the `secret` that deliveries are signed with. */
  create(attributes: WebhookCreate, options?: RequestOptions): APIPromise<Webhook> {
    const body = () => requestDocument('webhook', checked(attributes));
    return this.fetchOne({ type: 'webhook', method: 'POST', path: path`/webhooks`, body, options });
  }

  /** Changes what is given. `active: true` switches a webhook on again that the service has deactivated. */
  update(id: string, attributes: WebhookUpdate, options?: RequestOptions): APIPromise<Webhook> {
    const body = () => requestDocument('webhook', checked(attributes), { id });
    return this.fetchOne({ type: 'webhook', method: 'PATCH', path: path`/webhooks/${id}`, body, options });
  }

  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({ method: 'DELETE', path: path`/webhooks/${id}`, options });
  }

  /** The events that the account can subscribe to, by category. */
  events(options?: RequestOptions): APIPromise<WebhookEventCategory[]> {
    return this.fetchArray({ type: 'webhook_event_category', path: path`/webhooks/events`, options });
  }

  /** The addresses that notifications come from. */
  ips(options?: RequestOptions): APIPromise<WebhookIps> {
    return this.fetchJson({ path: path`/webhooks/ips`, options });
  }

  /**
   * Makes sure that an address is notified of these events: creates the webhook, or repairs the one with this URL, which
   * the service may have deactivated. Nothing is changed where nothing is wrong.
   *
   * @example
   * const { secret } = await client.webhooks.ensure({ url, events: ['container.updated'] });
   */
  async ensure({ url, events, headers }: Omit<WebhookCreate, 'active'>, options?: RequestOptions): Promise<Webhook> {
    for await (const webhook of this.list({ ...options, pageSize: 100 })) {
      if (!sameAddress(webhook.url, url)) continue;
      const good =
        webhook.active && sameItems(webhook.events, events) && (!headers || sameHeaders(webhook.headers, headers));
      return good ? webhook : this.update(webhook.id, { active: true, events, headers }, options);
    }
    return this.create({ url, active: true, events, headers }, options);
  }

  /**
   * Has the service deliver a signed sample to an endpoint and tells what came of it. It rejects only if the service
   * cannot be asked.
   *
   * @example
   * const check = await client.webhooks.selfCheck({ url, secret });
   * if (!check.ok) console.error(check.problem, check.message);
   */
  async selfCheck(
    { url, secret, event = 'tracking_request.succeeded', header }: SelfCheckOptions,
    options?: RequestOptions,
  ): Promise<SelfCheck> {
    const delivery = await this.trigger({ url, event, secret: filled('secret', secret) }, options);
    const { judgeDelivery } = await import('./webhook-self-check.ts');
    return judgeDelivery(delivery, { secret, header });
  }

  /**
   * Sends one sample notification to any address, signed if a `secret` is given. Resolves also when the delivery failed:
   * see `succeeded`.
   */
  trigger(sample: WebhookTrigger, options?: RequestOptions): APIPromise<TriggerResult> {
    const body = () => checked(sample);
    return this.fetchJson({ method: 'POST', path: path`/webhooks/trigger`, body, contentType: PLAIN_JSON, options });
  }
}

function checked<A extends { url?: string | undefined; events?: readonly string[] | undefined }>(attributes: A): A {
  const { url, events } = attributes;
  if (url !== undefined && !deliverable(url)) {
    throw new ConfigurationError('url must be an https address: the service delivers to no other.');
  }
  if (events?.length === 0) throw new ConfigurationError('events is empty; subscribe to one event at least.');
  if (events && new Set(events).size < events.length) throw new ConfigurationError('events names an event twice.');
  return attributes;
}

/** The service may write an address in another way: with a slash at the end of a bare host, say. */
function sameAddress(some: string, other: string): boolean {
  return some === other || (URL.canParse(some) && URL.canParse(other) && new URL(some).href === new URL(other).href);
}

function sameItems(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/** The service changes the case of the names (api/webhooks.md section 1). */
function sameHeaders(some: readonly WebhookHeader[] | null | undefined, others: readonly WebhookHeader[]): boolean {
  const lines = (headers: readonly WebhookHeader[]) =>
    headers.map(({ name, value }) => `${name.toLowerCase()}: ${value}`);
  return sameItems(lines(some ?? []), lines(others));
}

/** Loopback over plain http is let through for the sandbox. */
function deliverable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
