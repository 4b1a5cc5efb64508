import { type Checks, iterable, optionalFunction, plainCopy, wholeNumber } from '../internal/arguments.ts';
import { concurrentMap } from '../internal/concurrent-map.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { IncludeList } from '../model/index.ts';
import { ShipmentReader } from './read-shipments.ts';
import { checkedInclude, type Tracked, type TrackItem, type TrackingGroups, track } from './track.ts';
import { checkedWaitOptions, type TrackingProgress, WAIT, type WaitOptions } from './wait-options.ts';

/** Options of `client.trackMany`. */
export interface TrackManyOptions extends Omit<WaitOptions, 'onProgress'> {
  /**
   * Upper bound for the numbers in progress plus the results that the consumer has not taken yet. It only limits memory,
   * because a waiting number costs almost nothing.
   * @default 1000
   */
  concurrency?: number | undefined;
  /** Like `onProgress` of `track`. Also receives the item and its position among the items. */
  onProgress?: ((progress: TrackingProgress & { item: TrackItem; index: number }) => void) | undefined;
}

const TRACK_MANY = {
  ...WAIT,
  concurrency: (name, value) => wholeNumber(name, value ?? 1000),
  onProgress: (name, value) => optionalFunction(name, value ?? undefined),
  include: (_, value) => value,
} satisfies Checks<TrackManyOptions & Including>;

interface Including {
  include?: readonly string[] | undefined;
}

/** The outcome for one number. */
export type TrackResult<Include extends IncludeList = []> = {
  /** The item that was tracked, or could not be tracked. */
  item: TrackItem;
  /** Position of the item, from 0. */
  index: number;
} & (
  | ({ ok: true } & Tracked<Include>)
  | {
      ok: false;
      /** Reason why the item could not be tracked. */
      error: unknown;
    }
);

/**
 * Yields results in the order in which they are ready. After an abort, the iteration rejects immediately. No work
 * continues after an abort, or after the consumer has stopped.
 *
 * @param left aborts when the consumer stops the iteration, even while it waits for a result.
 */
export async function* trackMany(
  groups: TrackingGroups,
  items: Iterable<TrackItem> | AsyncIterable<TrackItem>,
  options: (TrackManyOptions & Including) | undefined,
  left: AbortSignal,
  { pace }: { pace: { windowMs: number } },
): AsyncGenerator<TrackResult, void, undefined> {
  const { include: paths, ...checked } = checkedWaitOptions('trackMany()', options, TRACK_MANY);
  const { signal, onProgress, waitTimeout, concurrency } = checked;
  const include = await checkedInclude('trackMany()', paths);
  iterable('The first argument of trackMany()', items);
  const scope = new Scope().follow(signal).follow(left);
  const mapping = { concurrency, startNext: 'at-yield', signal: scope.signal } as const;
  const call = { signal: scope.signal, priority: 'bulk' } as const;
  const reader = include.length > 0 ? new ShipmentReader(groups.shipments, { ...call, include }, pace) : undefined;
  const outcomes = concurrentMap(items, mapping, (item, index, signal) => {
    const reading = reader?.begin();
    const tracked = track(groups, plainCopy(item), {
      waitTimeout,
      signal,
      priority: 'bulk',
      read: reading?.read,
      onProgress: progress => onProgress?.({ ...progress, item, index }),
    });
    return abortable(tracked, signal).finally(reading?.end);
  });
  try {
    for await (const outcome of outcomes) {
      scope.signal.throwIfAborted();
      yield outcome;
    }
  } catch (error) {
    if (!left.aborted || error !== left.reason) throw error;
  } finally {
    scope.dispose();
  }
}
