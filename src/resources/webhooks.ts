import { ConfigurationError } from '../errors.ts';
import { nonBlankStrings, objectArgument, plainCopy, requiredText } from '../internal/arguments.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { TriggerResult, WebhookIps } from '../records/bodies.ts';
import type { Webhook, WebhookCreate, WebhookEnsure, WebhookTrigger, WebhookUpdate } from '../records/webhook.ts';
import type { WebhookEventCategory } from '../records/webhook-event-category.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { PLAIN_JSON } from '../transport/endpoint.ts';
import { isLoopback } from '../transport/origin.ts';
import { path } from '../transport/path.ts';
import type { Transport } from '../transport/transport.ts';
import type { SelfCheck, SelfCheckOptions } from '../webhooks/registration/self-check.ts';
import { Resource } from './resource.ts';

/** The addresses that the service notifies of events. */
export class Webhooks extends Resource {
  readonly #transport: Transport;
  /** Ends of the calls of `ensure` that are under way, by address. */
  readonly #ensuring = new Map<string, Promise<unknown>>();

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  /** All webhooks. Each page is one request. */
  list(options?: ListOptions): List<Webhook> {
    return this.fetchList({ operation: 'webhooks.list', type: 'webhook', path: path`/webhooks`, options });
  }

  /**
   * One webhook.
   *
   * @throws {NotFoundError} if there is no such webhook.
   */
  get(id: string, options?: RequestOptions): APIPromise<Webhook> {
    return this.fetchOne({ operation: 'webhooks.get', type: 'webhook', path: path`/webhooks/${id}`, options });
  }

  /**
   * Registers an address. The answer holds the `secret` that deliveries are signed with. `ensure` does not make a second one
   * for the same address.
   *
   * @throws {ConfigurationError} for an address that is missing or not https, and for events that are empty or repeated.
   */
  create(attributes: WebhookCreate, options?: RequestOptions): APIPromise<Webhook> {
    const body = () => requestDocument('webhook', creatable(attributes));
    return this.fetchOne({
      operation: 'webhooks.create',
      type: 'webhook',
      method: 'POST',
      path: path`/webhooks`,
      body,
      options,
    });
  }

  /**
   * Changes what is given. `active: true` switches a webhook on again that the service has deactivated.
   *
   * @throws {NotFoundError} if there is no such webhook.
   */
  update(id: string, attributes: WebhookUpdate, options?: RequestOptions): APIPromise<Webhook> {
    const body = () => requestDocument('webhook', checked(attributes), { id });
    return this.fetchOne({
      operation: 'webhooks.update',
      type: 'webhook',
      method: 'PATCH',
      path: path`/webhooks/${id}`,
      body,
      options,
    });
  }

  /**
   * Deletes a webhook.
   *
   * @throws {NotFoundError} if there is no such webhook.
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({ operation: 'webhooks.delete', method: 'DELETE', path: path`/webhooks/${id}`, options });
  }

  /** The events that the account can subscribe to, by category. */
  events(options?: RequestOptions): APIPromise<WebhookEventCategory[]> {
    return this.fetchArray({
      operation: 'webhooks.events',
      type: 'webhook_event_category',
      path: path`/webhooks/events`,
      options,
    });
  }

  /** The IPv4 addresses that notifications come from. They change: read them again from time to time, daily for example. */
  ips(options?: RequestOptions): APIPromise<WebhookIps> {
    return this.fetchJson({ operation: 'webhooks.ips', path: path`/webhooks/ips`, options });
  }

  /**
   * Makes sure that an address is notified of these events: creates the webhook, or repairs the one with this URL, which
   * the service may have deactivated. Nothing is changed where nothing is wrong.
   *
   * Where several webhooks have this URL, the oldest of those that fit best is kept. Others that are active and have no event
   * beyond these would only tell the same again, under other ids: they are switched off with a warning. None is deleted.
   *
   * A webhook that was inactive has missed what happened meanwhile, which is logged: see `webhookNotifications.recover`.
   *
   * @throws {ConfigurationError} without a `url` or `events`.
   * @example
   * const { secret } = await client.webhooks.ensure({ url, events: ['container.updated'] });
   */
  async ensure(webhook: WebhookEnsure, options?: RequestOptions): Promise<Webhook> {
    const wanted = creatable(plainCopy(webhook));
    if (wanted.events === undefined) throw new ConfigurationError('events is missing.');
    const given = plainCopy(options);
    const { ensureWebhook, inTurn } = await import('../webhooks/registration/ensure.ts');
    const warn = (message: string) => this.#transport.observer.log('warn', message);
    const ensure = () => ensureWebhook(this, wanted, given, warn);
    return inTurn(this.#ensuring, new URL(wanted.url).href, ensure, given?.signal);
  }

  /**
   * Has the service deliver a sample to an endpoint, first with a wrong signature, then with the right one, and tells what
   * came of it. It rejects only if the service cannot be asked.
   *
   * The endpoint cannot tell a sample from a notification: one is refused and logged there, the other reaches the handlers,
   * with ids of records that may not exist.
   *
   * @example
   * const check = await client.webhooks.selfCheck({ url, secret });
   * if (!check.ok) console.error(check.problem, check.message);
   */
  async selfCheck(check: SelfCheckOptions, options?: RequestOptions): Promise<SelfCheck> {
    // Read now: what the caller changes later changes nothing.
    const [asked, given] = [plainCopy(check), plainCopy(options)];
    const { selfCheck } = await import('../webhooks/registration/self-check.ts');
    return selfCheck(this, asked, given);
  }

  /**
   * Sends one sample notification to any address, signed if a `secret` is given. Resolves also when the delivery failed:
   * see `succeeded`.
   */
  trigger(sample: WebhookTrigger, options?: RequestOptions): APIPromise<TriggerResult> {
    const body = () => {
      const { url, event } = checked(objectArgument('The sample', sample, '{ url, event }'));
      requiredText('url', url);
      requiredText('event', event);
      return sample;
    };
    return this.fetchJson({
      operation: 'webhooks.trigger',
      method: 'POST',
      path: path`/webhooks/trigger`,
      body,
      contentType: PLAIN_JSON,
      options,
    });
  }
}

/** @throws {ConfigurationError} for what the service would refuse to create. */
function creatable<A extends Omit<WebhookCreate, 'active'>>(attributes: A): A {
  checked(attributes);
  requiredText('url', attributes.url);
  return attributes;
}

function checked<A extends WebhookUpdate>(attributes: A): A {
  const { url, events } = objectArgument('The webhook', attributes, '{ url, events }');
  if (url !== undefined && !deliverable(url)) {
    throw new ConfigurationError('url must be an https address: the service delivers to no other.');
  }
  if (events === undefined) return attributes;
  nonBlankStrings('events', events);
  if (events.length === 0) throw new ConfigurationError('events is empty; subscribe to one event at least.');
  if (new Set(events).size < events.length) throw new ConfigurationError('events names an event twice.');
  return attributes;
}

/** Loopback over plain http is let through for the sandbox. */
function deliverable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
