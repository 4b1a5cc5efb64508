import { ConfigurationError } from '../errors.ts';
import { nonBlankStrings, objectArgument, plainCopy, requiredText } from '../internal/arguments.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type {
  TriggerResult,
  Webhook,
  WebhookCreate,
  WebhookEventCategory,
  WebhookIps,
  WebhookTrigger,
  WebhookUpdate,
} from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { PLAIN_JSON, path } from '../transport/endpoint.ts';
import { isLoopback } from '../transport/settings.ts';
import type { Transport } from '../transport/transport.ts';
import type { WebhookEnsure } from '../webhooks/registration/ensure.ts';
import type { SecretRotation } from '../webhooks/registration/rotate.ts';
import type { SelfCheck, SelfCheckOptions } from '../webhooks/registration/self-check.ts';
import { Resource } from './resource.ts';

/** The addresses to which the service sends notifications of events. */
export class Webhooks extends Resource {
  readonly #transport: Transport;
  /** The running calls of `ensure`, by address. */
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
   * @throws {NotFoundError} if the webhook does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<Webhook> {
    return this.fetchOne({ operation: 'webhooks.get', type: 'webhook', path: path`/webhooks/${id}`, options });
  }

  /**
   * Registers an address. The result has the `secret` with which deliveries are signed. Use `ensure` to avoid a second
   * webhook for the same address.
   *
   * @throws {ConfigurationError} for an address that is missing or not https, and for events that are empty or repeated.
   */
  create<E extends string>(attributes: WebhookCreate<E>, options?: RequestOptions): APIPromise<Webhook> {
    const body = () => requestDocument('webhook', this.#spelt(creatable(attributes)));
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
   * Changes only the attributes that are passed. `active: true` activates a webhook that the service has deactivated.
   *
   * @throws {NotFoundError} if the webhook does not exist.
   */
  update<E extends string>(id: string, attributes: WebhookUpdate<E>, options?: RequestOptions): APIPromise<Webhook> {
    const body = () => requestDocument('webhook', this.#spelt(checked(attributes)), { id });
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
   * @throws {NotFoundError} if the webhook does not exist.
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

  /** The IPv4 addresses that notifications come from. They can change, so read them regularly, for example daily. */
  ips(options?: RequestOptions): APIPromise<WebhookIps> {
    return this.fetchJson({ operation: 'webhooks.ips', path: path`/webhooks/ips`, options });
  }

  /**
   * Makes sure that an address receives the notifications of these events. Creates the webhook, or repairs the existing
   * webhook with this URL. The service may have deactivated the existing webhook. A correct webhook is not changed.
   *
   * This method never deactivates or deletes a webhook. It removes events only with `exactEvents`. If several webhooks
   * have this URL, it uses the active webhook that fits best. If several webhooks fit equally well, the method uses the
   * oldest of them. If another active webhook with this URL sends the same events, the method logs a warning: each
   * notification comes twice, with two ids.
   *
   * Several processes may call this method at the same time: each process gets an active webhook, with its secret.
   * If several processes create a webhook at the same time, they wait 2 s, and agree on one of these webhooks. The
   * other webhooks stay inactive.
   *
   * An inactive webhook misses notifications. If the webhook was inactive, a warning is logged: see
   * `webhookNotifications.recover`.
   *
   * @throws {ConfigurationError} without a `url` or `events`.
   * @example
   * const { secret } = await client.webhooks.ensure({ url, events: ['container.updated'] });
   */
  async ensure<E extends string>(webhook: WebhookEnsure<E>, options?: RequestOptions): Promise<Webhook> {
    const wanted = this.#spelt(creatable(plainCopy(webhook)));
    const given = plainCopy(options);
    const { ensureInTurn } = await import('../workflows.ts');
    const warn = (message: string) => this.#transport.observer.log('warn', message);
    return ensureInTurn(this, this.#ensuring, wanted, given, warn);
  }

  /**
   * Replaces the webhooks of an address by a new webhook with a new secret. It creates the new webhook inactive, calls
   * `deploy` with the secrets, activates the new webhook when `deploy` has resolved, and then deletes the old webhooks.
   * The new webhook has the events of the old webhooks that were active, and the headers of the oldest active webhook.
   * If no webhook was active, it has the events of all old webhooks, and the headers of the oldest webhook.
   *
   * At each moment, the receivers have the secret of an active webhook. If the call fails, or if the process ends, call
   * this method again: it starts from the beginning, and also deletes the webhooks that the earlier call has left.
   * While two webhooks are active, notifications come twice, with two ids.
   *
   * @throws {ConfigurationError} if `url` or `deploy` is missing, or if no webhook has the URL.
   * @example
   * await client.webhooks.rotateSecret({ url, deploy: async ({ secrets }) => deployReceivers(secrets) });
   */
  async rotateSecret(rotation: SecretRotation, options?: RequestOptions): Promise<Webhook> {
    const [asked, given] = [plainCopy(rotation), plainCopy(options)];
    const { rotateSecret } = await import('../workflows.ts');
    return rotateSecret(this, asked, given);
  }

  /**
   * Makes the service deliver two samples to an endpoint. The first sample has a wrong signature, the second sample has
   * the right signature. The result contains the outcome. The call rejects only if a request to the service fails.
   *
   * The endpoint cannot distinguish a sample from a notification. It should refuse and log the first sample. The second sample
   * reaches the handlers, with ids of records that may not exist.
   *
   * @example
   * const check = await client.webhooks.selfCheck({ url, secret });
   * if (!check.ok) console.error(check.problem, check.message);
   */
  async selfCheck<E extends string>(check: SelfCheckOptions<E>, options?: RequestOptions): Promise<SelfCheck> {
    // The value is copied now, so that later changes by the caller have no effect.
    const [asked, given] = [plainCopy(check), plainCopy(options)];
    const { selfCheck } = await import('../workflows.ts');
    return selfCheck(this, asked, given);
  }

  /**
   * Makes the service send one sample notification to any address, signed if `secret` is set. The call also resolves if
   * the delivery failed: see `succeeded`.
   */
  trigger<E extends string>(sample: WebhookTrigger<E>, options?: RequestOptions): APIPromise<TriggerResult> {
    const body = () => {
      const { url, event } = checked(objectArgument('The sample', sample, '{ url, event }'));
      requiredText('url', url);
      this.#spelt({ events: [requiredText('event', event)] });
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

  /**
   * Warns of events that are not known. The names of events are loaded here. Programs without webhooks therefore do not
   * load them.
   */
  #spelt<A extends { events?: readonly string[] | undefined }>(attributes: A): A {
    import('../webhooks/notification/unknown-events.ts')
      .then(unknown => unknown.logUnknownEvents(attributes.events, this.#transport.observer))
      .catch(() => {});
    return attributes;
  }
}

/** @throws {ConfigurationError} for attributes that the service would refuse. */
function creatable<A extends Omit<WebhookCreate<string>, 'active'>>(attributes: A): A {
  checked(attributes);
  requiredText('url', attributes.url);
  return attributes;
}

function checked<A extends Omit<WebhookUpdate<string>, 'active'>>(attributes: A): A {
  const { url, events } = objectArgument('The webhook', attributes, '{ url, events }');
  if (url !== undefined && !deliverable(url)) {
    throw new ConfigurationError('url must be an https address.');
  }
  if (events === undefined) return attributes;
  nonBlankStrings('events', events);
  if (events.length === 0) throw new ConfigurationError('events is empty.');
  if (new Set(events).size < events.length) throw new ConfigurationError('events names an event twice.');
  return attributes;
}

/** True for https. Plain http is allowed for loopback addresses, which the sandbox uses. */
function deliverable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
