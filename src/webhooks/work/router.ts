import { ConfigurationError } from '../../errors.ts';
import { EVENT_NAMES, type EventName } from '../../records/event-name.ts';
import { isEventName } from '../notification/is-event-name.ts';
import type { EventPattern, Notification, NotificationOf } from '../notification/notification.ts';
import type { HandlerContext } from './handle-claim.ts';

/** Handles notifications. What it returns is awaited; what it throws means another attempt. */
export type Handler<N extends Notification = Notification> = (notification: N, context: HandlerContext) => unknown;

/** Handles the notifications about an event, or about a family of events. */
export type EventHandler<P extends EventName | EventPattern> = (
  notification: NotificationOf<P>,
  context: HandlerContext,
) => unknown;

/** Passes each notification on to the handler for its event. */
export interface Router {
  /**
   * Handles an event, or a family such as `container.transport.*`. Only the handler that fits best is called: the name
   * itself, else the longest pattern.
   *
   * @throws {ConfigurationError} for a name or a pattern of no known event, for one that has a handler already, and without
   * a handler.
   */
  on<P extends EventName | EventPattern>(pattern: P, handler: EventHandler<P>): Router;
  /**
   * Handles what has no handler of its own, and every event that this version does not know, whatever its name.
   *
   * @throws {ConfigurationError} the second time, and without a handler.
   */
  otherwise(handler: Handler): Router;
  /** Calls the handler and waits for it. Without one the notification counts as handled. */
  handle(notification: Notification, context?: HandlerContext): Promise<void>;
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
export function createRouter(): Router {
  const handlers = new Map<string, Handler<never>>();
  const router: Router = {
    on(pattern, handler) {
      if (!EVENT_NAMES.some(name => patternsOf(name).includes(pattern))) {
        throw new ConfigurationError(`No known event is named ${pattern}.`);
      }
      return add(pattern, handler);
    },
    otherwise: handler => add(OTHERWISE, handler),
    async handle(notification, context = { attempt: 1 }) {
      const { event } = notification;
      const patterns: string[] = isEventName(event) ? patternsOf(event) : [];
      const pattern = [...patterns, OTHERWISE].find(candidate => handlers.has(candidate)) ?? '';
      const handler = handlers.get(pattern) as Handler | undefined;
      await handler?.(notification, context);
    },
  };
  return router;

  function add(pattern: string, handler: Handler<never>): Router {
    if (typeof handler !== 'function' || handlers.has(pattern)) {
      throw new ConfigurationError(`${pattern} needs one handler.`);
    }
    handlers.set(pattern, handler);
    return router;
  }
}

const OTHERWISE = 'otherwise';

/** What an event can be handled by, the best first: its name, then its families from the smallest on. */
function patternsOf(event: string): string[] {
  const parts = event.split('.');
  const families = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`);
  return [event, ...families.reverse()];
}
