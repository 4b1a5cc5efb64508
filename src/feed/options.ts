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

/** Options of `watch`, except `include`. */
export interface WatchOptions<R, Field extends FieldOf<R> = FieldOf<R>> {
  /**
   * The records to watch. They are read separately or as pages of the list, whichever takes fewer requests.
   * @default the whole list
   */
  ids?: readonly string[] | undefined;
  /**
   * Selects the records to watch. A record that no longer fulfils this condition is reported as `gone`. A record that
   * begins to fulfil it is reported as `appeared`. The function is called for each record of each reading. If it
   * throws, the feed ends with its error.
   * @default all
   */
  where?: ((record: R) => boolean) | undefined;
  /**
   * The fields to compare. Fewer fields make the checkpoint and the memory of the feed smaller.
   * @default all attributes and relationships
   */
  fields?: readonly Field[] | undefined;
  /**
   * Time in ms between the starts of two consecutive readings of all records. A reading may take longer if the
   * share of the budget is small or the consumer is slow.
   * @default 300_000, or 3_600_000 with an `inbox`
   */
  every?: number | undefined;
  /**
   * Time in ms between the starts of two full readings of all containers. This option is used if the service can sort
   * the list of containers by the last change. The readings between two full readings then read only changed containers
   * (docs/guides/feed.md). The option has no effect if every reading is full. Every reading is full for shipments,
   * tracking requests, `ids`, `include`, and up to 100 containers.
   * @default 86_400_000
   */
  reconcile?: number | undefined;
  /**
   * The part of the request budget that the feed may use in each window, above 0 and at most 1. The feed uses less if
   * other calls need the budget, but it may always send one request in each window.
   * @default 0.2
   */
  share?: number | undefined;
  /**
   * An inbox of webhook deliveries. The feed then reads a record as soon as a notification about it arrives. The feed
   * handles the notifications itself during the iteration, so the inbox must not have another worker. If you use a
   * separate worker, add `feed.handler` to its router instead.
   */
  inbox?: Pick<Inbox, 'claim' | 'begin' | 'renew' | 'done' | 'fail'> | undefined;
  /**
   * The position to continue from: the last stored `feed.checkpoint`. If you have also stored checkpoints of items,
   * pass an array: first this checkpoint, then the checkpoints of the items in their original sequence.
   */
  from?: FeedCheckpoint | readonly FeedCheckpoint[] | undefined;
  /** Ends the feed. The iteration rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** The changes of records, one after the other. */
export interface Feed<R, Field extends FieldOf<R> = FieldOf<R>>
  extends AsyncGenerator<Change<R, Field>, void, undefined> {
  /**
   * The position after the last item that was yielded. If you store this position before you handle that item, and the
   * process ends in between, the item is lost. If you store this position after you have handled the item, and the
   * process ends in between, the item is yielded again. `undefined` before the first item.
   */
  readonly checkpoint: FeedCheckpoint | undefined;
  /**
   * Handles a notification of a webhook: the feed reads the record of the notification. Add the handler to the router
   * of your worker. The handler resolves when the consumer has received the resulting changes and requests the next
   * item. The notification counts as handled only then. The handler rejects if the record could not be read, or if the
   * feed has ended. The worker then handles the notification again later.
   *
   * @example
   * router.on('container.*', feed.handler);
   */
  readonly handler: (notification: { id: string }, context?: { signal?: AbortSignal | undefined }) => Promise<void>;
}

/** {@link WatchOptions} without types, after the checks. */
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

/** @throws {ConfigurationError} for invalid options. */
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
    // An array from `dynamicInclude` keeps its class in `filter` and `sort`.
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
