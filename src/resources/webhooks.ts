import { ConfigurationError } from '../errors.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List, ListOptions } from '../pagination/list.ts';
import type { TriggerResult, WebhookIps } from '../records/bodies.ts';
import type { Webhook, WebhookCreate, WebhookTrigger, WebhookUpdate } from '../records/webhook.ts';
import type { WebhookEventCategory } from '../records/webhook-event-category.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { isLoopback } from '../transport/origin.ts';
import { path } from '../transport/path.ts';
import { PLAIN_JSON } from '../transport/request.ts';
import { Resource } from './resource.ts';

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

/** Loopback over plain http is let through for the sandbox. */
function deliverable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
