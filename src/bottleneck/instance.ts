/** The part of a Bottleneck instance (2.19) that is used here. */
export interface BottleneckLike {
  schedule<T>(options: { priority: number }, job: () => PromiseLike<T>): PromiseLike<T>;
}

/** The settings of an instance. Bottleneck has no public way to read them. */
interface Internals {
  _store?: { storeOptions?: { maxConcurrent?: number | null } };
  /** The instance that this one is chained to. */
  _limiter?: Internals | null;
}

/**
 * The smallest `maxConcurrent` of the instance and of those that it is chained to; `undefined` if none has one. An instance
 * whose settings cannot be read counts as `Infinity`.
 */
export function concurrencyOf(instance: unknown): number | undefined {
  let least: number | undefined;
  for (let link: Internals | null | undefined = instance as Internals; link; link = link._limiter) {
    const settings = link._store?.storeOptions;
    const own = settings ? (settings.maxConcurrent ?? undefined) : Number.POSITIVE_INFINITY;
    if (own !== undefined) least = Math.min(own, least ?? own);
  }
  return least;
}
