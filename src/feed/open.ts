import { plainCopy } from '../internal/arguments.ts';
import { leaveAtOnce } from '../internal/leave-at-once.ts';
import type { Transport } from '../transport/transport.ts';
import type { FeedGroup } from './groups.ts';
import type { Feed } from './options.ts';
import type { Session } from './session.ts';
import type { Shared } from './spare-budget.ts';

/** Opens a feed of the records of a group. The code of feeds is loaded when it is first used. */
export function openFeed(
  transport: Transport,
  group: FeedGroup,
  type: string,
  shared: Shared,
  options: object = {},
): Feed<never> {
  const given = plainCopy(options, 2);
  // The inbox is not copied, because it is an object of the caller and has a state.
  const { inbox } = Object(options) as { inbox?: object };
  if (inbox && given !== options) Object.assign(given, { inbox });
  const left = new AbortController();
  let session: Session | undefined;
  async function load(): Promise<Session> {
    const { Session } = await import('./session.ts');
    session ??= new Session(transport, group, type, shared, given, left.signal);
    return session;
  }
  async function* items() {
    yield* (await load()).items();
  }
  const feed = leaveAtOnce(items(), left);
  return Object.defineProperties(feed as unknown as Feed<never>, {
    checkpoint: { get: () => session?.checkpoint },
    handler: {
      value: async (notification: { id: string }, context?: { signal?: AbortSignal }) =>
        (await load()).handle(notification, context?.signal),
    },
  });
}
