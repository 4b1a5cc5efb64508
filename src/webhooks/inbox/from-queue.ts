import { ConfigurationError } from '../../errors.ts';
import type { Inbox, InboxEntry } from './inbox.ts';

/**
 * An inbox for a receiver that forwards deliveries to your own queue. A delivery is acknowledged when `send` has resolved. The
 * queue must drop duplicates, by `entry.id`.
 *
 * @throws {ConfigurationError} if `send` is not a function.
 * @example
 * const inbox = fromQueue(entry => queue.send({ id: entry.id, group: entry.group, body: entry.body }));
 * const receiver = createReceiver({ secrets, inbox });
 * // In the program that reads the queue:
 * await router.handle(parseNotification(message.body));
 */
export function fromQueue(send: (entry: InboxEntry) => Promise<unknown>): Pick<Inbox, 'put'> {
  if (typeof send !== 'function') throw new ConfigurationError('fromQueue() needs a function that sends.');
  return {
    async put(entry) {
      await send(entry);
      return 'stored';
    },
  };
}
