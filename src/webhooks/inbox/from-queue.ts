import { ConfigurationError } from '../../errors.ts';
import { objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';
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
export function fromQueue(send: (entry: InboxEntry) => Promise<unknown>): Pick<Inbox, 'put'>;
/**
 * An inbox for a receiver, and for `recover` with `requeue: true`. `has` resolves to true if the queue has, or once
 * had, a message with this `id`. If the queue has forgotten the message, `recover` sends the notification again.
 *
 * @throws {ConfigurationError} if `send` or `has` is not a function.
 * @example
 * const inbox = fromQueue(send, { has: async id => (await queue.getJob(id)) !== undefined });
 * const recovery = client.webhookNotifications.recover({ since, inbox, requeue: true });
 */
export function fromQueue(
  send: (entry: InboxEntry) => Promise<unknown>,
  options: Pick<Inbox, 'has'>,
): Pick<Inbox, 'put' | 'has'>;
export function fromQueue(
  send: (entry: InboxEntry) => Promise<unknown>,
  options: Partial<Pick<Inbox, 'has'>> = {},
): Pick<Inbox, 'put'> & Partial<Pick<Inbox, 'has'>> {
  if (typeof send !== 'function') throw new ConfigurationError('fromQueue() needs a function that sends.');
  refuseUnknownNames('fromQueue()', objectArgument('fromQueue()', options, '{ has: async id => … }'), ['has']);
  const { has } = options;
  if (has !== undefined && typeof has !== 'function') throw new ConfigurationError('has must be a function.');
  const inbox: Pick<Inbox, 'put'> & Partial<Pick<Inbox, 'has'>> = {
    async put(entry) {
      await send(entry);
      return 'stored';
    },
    ...(has && { has }),
  };
  // A worker and sync look for this method first. It is not enumerable, so it does not appear in logs and copies.
  return Object.defineProperty(inbox, 'claim', { get: refuseToClaim });
}

function refuseToClaim(): never {
  throw new ConfigurationError('A queue has a consumer of its own: call router.handle() there.');
}
