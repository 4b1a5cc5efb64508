import { plainCopy, requiredText } from '../internal/arguments.ts';
import { includeTree } from '../jsonapi/tree.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { EventName } from '../records/event-name.ts';
import type { WebhookNotification, WebhookNotificationInclude } from '../records/webhook-notification.ts';
import type { RecoveryCheckpoint } from '../recovery/checkpoint.ts';
import type { RecoveryGroups } from '../recovery/groups.ts';
import type { Recovered, RecoverOptions, Recovery } from '../recovery/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import type { Transport } from '../transport/transport.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type PossibleIncludes,
  type WithInclude,
  type WithOptionalInclude,
} from './include.ts';
import { Resource } from './resource.ts';

/** What the service includes with notifications by itself: what the event is about, and what that points to. */
export interface WebhookNotificationDefaults
  extends ReadonlyArray<'document' | 'reference_object' | `reference_object.${DirectlyBelow}`> {}
type DirectlyBelow = Exclude<Below<WebhookNotificationInclude>, `${string}.${string}`>;
type Below<Path> = Path extends `reference_object.${infer Name}` ? Name : never;

const DEFAULT_TREE = includeTree(['reference_object.*', 'document.*']);
const NOTIFICATION = { type: 'webhook_notification', defaultTree: DEFAULT_TREE };

const EXAMPLES = { event: true } as const;

/** What the service has told the webhooks, and whether it arrived. */
export class WebhookNotifications extends Resource {
  readonly #transport: Transport;
  readonly #groups: Omit<RecoveryGroups, 'webhookNotifications'> | undefined;

  /** @param groups what `recover` reads from; a client has them. */
  constructor(transport: Transport, groups?: Omit<RecoveryGroups, 'webhookNotifications'>) {
    super(transport);
    this.#transport = transport;
    this.#groups = groups;
  }

  /**
   * All notifications. Each page is one request. There is no filter by status: look at `delivery_status` of each, or use
   * `recover`. Without an `include` the service chooses what comes along.
   */
  list<const P extends IncludePaths<WebhookNotificationInclude>>(
    options: ListOptions & WithInclude<P>,
  ): List<WebhookNotification<P>>;
  list<const P extends IncludePaths<WebhookNotificationInclude> | undefined = undefined>(
    options?: ListOptions & WithOptionalInclude<P>,
  ): List<WebhookNotification<PossibleIncludes<P, WebhookNotificationDefaults>>>;
  list(options?: ListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'webhookNotifications.list',
      ...NOTIFICATION,
      path: path`/webhook_notifications`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * One notification with its payload. Without an `include` the service chooses what comes along: as a rule what the event is
   * about, and what that points to.
   *
   * @throws {NotFoundError} if there is no such notification.
   */
  get<const P extends IncludePaths<WebhookNotificationInclude>>(
    id: string,
    options: RequestOptions & WithInclude<P>,
  ): APIPromise<WebhookNotification<P>>;
  get<const P extends IncludePaths<WebhookNotificationInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & WithOptionalInclude<P>,
  ): APIPromise<WebhookNotification<PossibleIncludes<P, WebhookNotificationDefaults>>>;
  get(id: string, options?: RequestOptions & AnyInclude): APIPromise<never> {
    return this.fetchOne({
      operation: 'webhookNotifications.get',
      ...NOTIFICATION,
      path: path`/webhook_notifications/${id}`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * Sample payloads of one event. Their ids name no records.
   *
   * @throws {ConfigurationError} without an `event`.
   * @example
   * const [sample] = await client.webhookNotifications.examples({ event: 'container.updated' });
   */
  examples(
    options: RequestOptions & { event: EventName },
  ): APIPromise<WebhookNotification<WebhookNotificationDefaults>[]> {
    return this.fetchArray({
      operation: 'webhookNotifications.examples',
      ...NOTIFICATION,
      path: path`/webhook_notifications/examples`,
      parameters: EXAMPLES,
      query: () => ({ event: requiredText('event', options?.event) }),
      options,
    });
  }

  /**
   * After an outage: finds the notifications that did not arrive and gives each container, shipment, tracking request or
   * document that they were about once, as it is now. The service does not send them again.
   *
   * Webhooks that the service has deactivated are logged, and switched on again with `repair: true`. There are no
   * notifications of that time: then a sweep gives all that may have changed.
   *
   * Store each record before you go on; `checkpoint` then goes on after it in another process, and the last one is where
   * the next recovery begins. What cannot be read is given with its `error`, and holds up nothing. Its requests are bulk,
   * within the rate limit.
   *
   * @throws {ConfigurationError} if there is neither `since` nor `from`, when the first item is asked for, or if this group was
   * made without the others.
   * @example
   * const recovery = client.webhookNotifications.recover({ since, inbox, repair: true });
   * for await (const { record, checkpoint } of recovery) {
   *   if (record) await save(record);
   *   await saveCheckpoint(checkpoint);
   * }
   * await saveCheckpoint(recovery.checkpoint); // is there also if nothing was missed
   */
  recover(options: RecoverOptions): Recovery {
    const { observer } = this.#transport;
    // Not deeper: the inbox is the caller's, with whatever state it has.
    const given = plainCopy(options, 1);
    const groups = this.#groups && { ...this.#groups, webhookNotifications: this };
    let checkpoint: RecoveryCheckpoint | undefined;
    async function* items(): AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
      const { recover } = await import('../recovery/recover.ts');
      const warn = (message: string) => observer.log('warn', message);
      return yield* recover(groups, given, warn, current => {
        checkpoint = current;
      });
    }
    return Object.defineProperty(items() as Recovery, 'checkpoint', { get: () => checkpoint });
  }
}
