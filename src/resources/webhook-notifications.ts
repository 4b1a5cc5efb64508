import { plainCopy, requiredText } from '../internal/arguments.ts';
import { includeTree } from '../jsonapi/include.ts';
import type { NamedEvent, WebhookNotification, WebhookNotificationInclude } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { RecoveryCheckpoint } from '../recovery/checkpoint.ts';
import type { Recovered, RecoverOptions, Recovery, RecoveryGroups } from '../recovery/recover-options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type PossibleIncludes,
  Resource,
  type WithInclude,
  type WithOptionalInclude,
} from './resource.ts';

/**
 * The relationships that the service includes with notifications by default: the record of the event, and its related
 * records.
 */
export interface WebhookNotificationDefaults
  extends ReadonlyArray<'document' | 'reference_object' | `reference_object.${DirectlyBelow}`> {}
type DirectlyBelow = Exclude<Below<WebhookNotificationInclude>, `${string}.${string}`>;
type Below<Path> = Path extends `reference_object.${infer Name}` ? Name : never;

const DEFAULT_TREE = includeTree(['reference_object.*', 'document.*']);
const NOTIFICATION = { type: 'webhook_notification', defaultTree: DEFAULT_TREE } as const;

const EXAMPLES = { event: true } as const;

/** The notifications that the service sent to webhooks, with the status of their delivery. */
export class WebhookNotifications extends Resource {
  readonly #transport: Transport;
  readonly #groups: Omit<RecoveryGroups, 'webhookNotifications'> | undefined;

  /** @param groups the groups that `recover` reads from. A client passes them. */
  constructor(transport: Transport, groups?: Omit<RecoveryGroups, 'webhookNotifications'>) {
    super(transport);
    this.#transport = transport;
    this.#groups = groups;
  }

  /**
   * All notifications. Each page is one request. There is no filter by status: check the `delivery_status` of each
   * notification, or use `recover`. Without an `include`, the service chooses the included records.
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
   * One notification with its payload. Without an `include`, the service usually includes the record of the event,
   * and the related records.
   *
   * @throws {NotFoundError} if the notification does not exist.
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
   * Sample payloads of one event. Their ids do not belong to existing records.
   *
   * @throws {ConfigurationError} without an `event`.
   * @example
   * const [sample] = await client.webhookNotifications.examples({ event: 'container.updated' });
   */
  examples<E extends string>(
    options: RequestOptions & { event: NamedEvent<E> },
  ): APIPromise<WebhookNotification<WebhookNotificationDefaults>[]> {
    const given: (RequestOptions & { event: string }) | undefined = options;
    return this.fetchArray({
      operation: 'webhookNotifications.examples',
      ...NOTIFICATION,
      path: path`/webhook_notifications/examples`,
      parameters: EXAMPLES,
      query: () => ({ event: requiredText('event', given?.event) }),
      options: given,
    });
  }

  /**
   * Finds the notifications that did not arrive during an outage of your endpoint. Yields the record of each such
   * notification once, in its current state. The record is a container, shipment, tracking request or document. The
   * service does not send notifications again.
   *
   * Webhooks that the service has deactivated are logged, and activated again with `repair: true`. The service creates no
   * notifications while a webhook is inactive, so the recovery then yields every record that may have changed.
   *
   * Store each record, then its `checkpoint`, before you request the next record. With a checkpoint, another process
   * can continue the recovery. The last checkpoint is also the start of the next recovery. If a record cannot be read,
   * its item has an `error`, and the recovery continues. The requests have the priority `bulk` and count in the rate
   * limit.
   *
   * @throws {ConfigurationError} when the first item is requested: if both `since` and `from` are missing, or if this
   *   group was created without the other groups.
   * @example
   * const recovery = client.webhookNotifications.recover({ since, inbox, repair: true });
   * for await (const { record, checkpoint } of recovery) {
   *   if (record) await save(record);
   *   await saveCheckpoint(checkpoint);
   * }
   * await saveCheckpoint(recovery.checkpoint); // also if nothing was missed
   */
  recover(options: RecoverOptions): Recovery {
    const { observer } = this.#transport;
    // A shallow copy, because the inbox is an object of the caller with its own state.
    const given = plainCopy(options, 1);
    const groups = this.#groups && { ...this.#groups, webhookNotifications: this };
    let checkpoint: RecoveryCheckpoint | undefined;
    async function* items(): AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
      const { recover } = await import('../workflows.ts');
      const warn = (message: string) => observer.log('warn', message);
      return yield* recover(groups, given, warn, current => {
        checkpoint = current;
      });
    }
    return Object.defineProperty(items() as Recovery, 'checkpoint', { get: () => checkpoint });
  }
}
