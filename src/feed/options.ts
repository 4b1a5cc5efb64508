import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  milliseconds,
  nonBlankStrings,
  objectArgument,
  optionalFunction,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
} from '../internal/arguments.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import type { Change, FieldOf } from './change.ts';
import type { FeedCheckpoint } from './checkpoint.ts';

/** Options of `watch`, beside `include`. */
export interface WatchOptions<R, Field extends FieldOf<R> = FieldOf<R>> {
  /**
   * The records to watch. Few are read separately, many as pages of the list, whichever takes fewer requests.
   * @default the whole list
   */
  ids?: readonly string[] | undefined;
  /**
   * Selects the records to watch. A record that does not fulfil it any more is reported as `gone`, one that begins to as
   * `appeared`. It is called for each record of each reading. If it throws, the feed ends with its error.
   * @default all
   */
  where?: ((record: R) => boolean) | undefined;
  /**
   * The fields to compare. The fewer, the smaller the checkpoint and the memory that the feed needs.
   * @default all attributes and relationships
   */
  fields?: readonly Field[] | undefined;
  /**
   * The time from the beginning of one reading of all records to that of the next, in ms. A reading may take longer if the
   * share of the budget is small or the consumer slow.
   * @default 300_000, or 3_600_000 with an `inbox`
   */
  every?: number | undefined;
  /**
   * The time from the beginning of one reading of all containers to that of the next, in ms, where the service sorts its list:
   * the readings between only read what has changed (docs/guides/feed.md). Without meaning where all are read each time: for
   * shipments, tracking requests, `ids`, `include`, and up to 100 containers.
   * @default 86_400_000
   */
  reconcile?: number | undefined;
  /**
   * The part of the request budget that the feed may use in each window, above 0 and at most 1. It uses less if other calls
   * need the budget, but one request in each window at least.
   * @default 0.2
   */
  share?: number | undefined;
  /**
   * An inbox of webhook deliveries. The feed then reads a record as soon as there is a notification about it. It handles the
   * notifications itself while it is iterated over, so the inbox must have no other worker. With a worker of your own, add
   * `feed.handler` to its router instead.
   */
  inbox?: Pick<Inbox, 'claim' | 'begin' | 'renew' | 'done' | 'fail'> | undefined;
  /** The point to continue from: the last stored `feed.checkpoint`, then the stored `checkpoint` of each item since. */
  from?: FeedCheckpoint | readonly FeedCheckpoint[] | undefined;
  /** Ends the feed. The iteration rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** The changes of records, one after the other. */
export interface Feed<R, Field extends FieldOf<R> = FieldOf<R>>
  extends AsyncGenerator<Change<R, Field>, void, undefined> {
  /**
   * The position after the last item that was handed out. Stored before that item is processed, it loses the item if the
   * process ends between the two. Stored afterwards, the item comes again then. `undefined` before the first item is taken.
   */
  readonly checkpoint: FeedCheckpoint | undefined;
  /**
   * Takes a notification of a webhook: the feed reads the record that it is about. Add it to the router of your worker. It
   * resolves when the consumer takes the item after the changes that it has led to, so a notification counts as handled only
   * then. It rejects if the record could not be read, and when the feed has ended: the worker then tries it again.
   *
   * @example
   * router.on('container.*', feed.handler);
   */
  readonly handler: (notification: { id: string }, context?: { signal?: AbortSignal | undefined }) => Promise<void>;
}

/** The same without types, checked. */
export interface CheckedOptions {
  ids: ReadonlySet<string> | undefined;
  where: ((record: unknown) => unknown) | undefined;
  fields: readonly string[] | undefined;
  include: readonly string[] | undefined;
  every: number;
  reconcile: number;
  share: number;
  inbox: Pick<Inbox, 'claim' | 'begin' | 'renew' | 'done' | 'fail'> | undefined;
  from: unknown;
  signal: AbortSignal | undefined;
}

const NAMES = optionNames<WatchOptions<object> & { include?: unknown }>({
  ids: true,
  where: true,
  fields: true,
  include: true,
  every: true,
  reconcile: true,
  share: true,
  inbox: true,
  from: true,
  signal: true,
});

/** @throws {ConfigurationError} for options that cannot work. */
export function checked(options: object): CheckedOptions {
  refuseUnknownNames('watch()', objectArgument('The argument of watch()', options, '{ every: 60_000 }'), NAMES);
  const { ids, where, fields, include, inbox, from, signal, every, reconcile, share } = options as Partial<
    WatchOptions<{ [name: string]: unknown }> & Pick<CheckedOptions, 'include'>
  >;
  if (ids !== undefined) nonBlankStrings('ids', ids);
  if (fields !== undefined && nonBlankStrings('fields', fields).length === 0) {
    throw new ConfigurationError('fields is empty, so no change could be reported.');
  }
  if (inbox !== undefined && typeof inbox?.claim !== 'function') {
    throw new ConfigurationError('inbox has no method claim.');
  }
  return {
    ids: ids && new Set(ids),
    where: optionalFunction('where', where) as CheckedOptions['where'],
    fields: fields && [...new Set(fields)].sort(),
    // An array from `dynamicInclude` stays one.
    include:
      include &&
      nonBlankStrings('include', include)
        .filter((path, i, all) => all.indexOf(path) === i)
        .sort(),
    every: milliseconds('every', every ?? (inbox ? 3_600_000 : 300_000)),
    reconcile: milliseconds('reconcile', reconcile ?? 86_400_000),
    share: shareOf(share ?? 0.2),
    inbox,
    from,
    signal: optionalSignal(signal),
  };
}

function shareOf(share: unknown): number {
  if (typeof share === 'number' && share > 0 && share <= 1) return share;
  throw new ConfigurationError(`share is ${describeValue(share)}; it must be a number above 0 and at most 1.`);
}
