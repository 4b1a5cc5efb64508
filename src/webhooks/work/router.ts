import { ConfigurationError } from '../../errors.ts';
import { consoleLogger } from '../../internal/console-logger.ts';
import { EVENT_NAMES, type EventName } from '../../model/generated/event-names.ts';
import { report, type WebhookLogger } from '../log.ts';
import { isEventName } from '../notification/is-event-name.ts';
import type { EventPattern, Notification, NotificationOf } from '../notification/notification.ts';
import { remarkOn } from '../notification/unknown-events.ts';

/** The second argument of a handler. */
export interface HandlerContext {
  /** The number of this attempt: 1 for the first. */
  attempt: number;
  /**
   * Aborted when the handler has taken longer than `handlerTimeoutMs`, and when the lease has ended. The lease ends if
   * the process was paused or could not reach the inbox for `leaseMs`. Another worker may then claim the notification.
   * If another worker has claimed it, the result of the handler is ignored.
   */
  signal?: AbortSignal | undefined;
  /**
   * The number of the claim, a fencing token: a later claim of the same container has a higher number. Some handlers cannot
   * be stopped. Such a handler should write the number together with the record, and the store should refuse lower
   * numbers. An outdated handler that writes late then changes nothing. `undefined` if the inbox does not number its
   * claims.
   *
   * @example
   * router.on('container.*', async (n, { fence }) => {
   *   const { rowCount } = await db.query('update containers set status = $2, fence = $3 where id = $1 and fence <= $3', …);
   *   if (rowCount === 0) throw new Error('A newer claim has already written.');
   * });
   */
  fence?: number | undefined;
}

/** Handles a notification. The attempt has failed if the handler throws or its promise rejects. */
export type Handler<N extends Notification = Notification> = (notification: N, context: HandlerContext) => unknown;

/** Handles the notifications about an event, or about a family of events. */
export type EventHandler<P extends EventName | EventPattern> = (
  notification: NotificationOf<P>,
  context: HandlerContext,
) => unknown;

/** Passes each notification on to the handler for its event. */
export interface Router {
  /**
   * Sets the handler of an event, or of a family of events such as `container.transport.*`. For each notification, only the
   * most specific handler is called: the handler of the event itself, otherwise the handler of the longest pattern.
   *
   * A name of type `string` may be the name of an event that this version does not know, for example from `webhooks.events()`.
   * Such a name is logged, because it may be misspelt. A family with known events receives only known events.
   *
   * @throws {ConfigurationError} if the name is empty or has a `*` before its end, if the name already has a handler, and if
   * the handler is not a function.
   */
  // Only the pattern determines the type. Without `NoInfer`, the compiler compares each handler with the notifications
  // of all events.
  on<P extends EventName | EventPattern>(pattern: P, handler: NoInfer<EventHandler<P>>): Router;
  on<P extends string>(pattern: string extends P ? P : EventName | EventPattern, handler: Handler): Router;
  /**
   * Sets the handler of all other events, including events that this version does not know.
   *
   * @throws {ConfigurationError} if there already is such a handler, and if the handler is not a function.
   */
  otherwise(handler: Handler): Router;
  /** Calls the handler and waits for it. A notification without a handler counts as handled. */
  handle(notification: Notification, context?: HandlerContext): Promise<void>;
}

/** Options of {@link createRouter}. */
export interface RouterOptions {
  /** Receives a warning for each name that is not known. `false` for no warnings. @default console */
  logger?: false | Pick<WebhookLogger, 'warn'> | undefined;
}

/**
 * Sends each notification to its handler.
 *
 * @example
 * const router = createRouter()
 *   .on('container.updated', n => save(n.reference_object.changeset))
 *   .on('container.transport.*', n => saveMilestone(n.reference_object))
 *   .otherwise(n => log(n.event));
 */
export function createRouter({ logger = consoleLogger }: RouterOptions = {}): Router {
  const handlers = new Map<string, Handler<never>>();
  const known = [...new Set(EVENT_NAMES.flatMap(patternsOf))];
  const router: Router = {
    on(pattern: string, handler: Handler<never>) {
      if (typeof pattern !== 'string' || !/^[^*\s]+(\.\*)?$/.test(pattern)) {
        throw new ConfigurationError(`"${String(pattern)}" matches no event; a family is written container.*.`);
      }
      if (!known.includes(pattern)) report(logger, 'warn', 'The router', remarkOn(pattern, known));
      return add(pattern, handler);
    },
    otherwise: handler => add(OTHERWISE, handler),
    async handle(notification, context = { attempt: 1 }) {
      const { event } = notification;
      // A family with known events gets only these events, because its handler has the types of these events.
      const patterns = patternsOf(event).filter(name => name === event || isEventName(event) || !known.includes(name));
      const handler = [...patterns, OTHERWISE].map(name => handlers.get(name)).find(Boolean);
      await (handler as Handler | undefined)?.(notification, context);
    },
  };
  return router;

  function add(pattern: string, handler: Handler<never>): Router {
    if (typeof handler !== 'function' || handlers.has(pattern)) {
      throw new ConfigurationError(`${pattern || 'otherwise()'} needs one handler.`);
    }
    handlers.set(pattern, handler);
    return router;
  }
}

/** No event has this name. */
const OTHERWISE = '';

/** The names under which a handler of the event can be set, the most specific first: the event, then its families. */
function patternsOf(event: string): string[] {
  const parts = event.split('.');
  const families = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`);
  return [event, ...families.reverse()];
}
