import { AbortFanout } from './abort-fanout.ts';

/** Aborting, waiting and giving up, without a listener or a timer left behind. */

/** The longest delay that a timer can hold; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `onTimeout` after `ms` and returns what stops that. An infinite `ms` never fires. */
export function startTimer(ms: number, onTimeout: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  const timer = setTimeout(onTimeout, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

/** What is told of the abort of a signal. */
export interface Follower {
  aborted(reason: unknown): void;
}

/** Node 20 warns of a leak at the eleventh listener on a signal, and every call of a client follows the same one. */
const followers = new AbortFanout<Follower>((members, reason) => {
  for (const member of members) member.aborted(reason);
});

/** Tells the follower when the signal aborts, at once if it has, until it is unfollowed. */
export function follow(signal: AbortSignal, follower: Follower): void {
  if (signal.aborted) follower.aborted(signal.reason);
  else followers.add(signal, follower);
}

export function unfollow(signal: AbortSignal, follower: Follower): void {
  followers.delete(signal, follower);
}

/** Calls back when the signal aborts, until what it returns is called. */
function onAbort(signal: AbortSignal, aborted: (reason: unknown) => void): () => void {
  const follower = { aborted };
  followers.add(signal, follower);
  return () => followers.delete(signal, follower);
}

/** A signal of its own that follows others until it is disposed of. */
export class Scope {
  readonly #controller = new AbortController();
  readonly #following: (() => void)[] = [];
  readonly #timers: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with the other signal's own reason when that signal does. */
  follow(signal: AbortSignal | undefined): this {
    if (!signal) return this;
    if (signal.aborted) {
      this.#controller.abort(signal.reason);
      return this;
    }
    this.#following.push(onAbort(signal, reason => this.#controller.abort(reason)));
    return this;
  }

  /** Aborts with the error that `reason` makes, `ms` from now. */
  limit(ms: number, reason: () => unknown): this {
    this.#timers.push(startTimer(ms, () => this.#controller.abort(reason())));
    return this;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  dispose(): void {
    for (const stop of this.#timers.splice(0)) stop();
    for (const stop of this.#following.splice(0)) stop();
  }
}

/** Settles like the promise, or rejects with the signal's reason as soon as it aborts: a `fetch` may ignore its signal. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const ignore = onAbort(signal, reject);
    promise.then(resolve, reject).finally(ignore);
  });
}

/** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = startTimer(ms, () => {
      ignore();
      resolve();
    });
    const ignore = onAbort(signal, () => {
      stop();
      ignore();
      reject(signal.reason);
    });
  });
}

/** Keeps a controller for as long as somebody has its response, or the body of it. */
const controllers = new WeakMap<object, AbortController>();
/** Older Workers have none. There the signal holds the response. */
const dropped =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<() => void>(clean => clean());

/** A function of its own: closures of one function hold what any of them uses. */
function strong<T>(value: T): { deref(): T } {
  return { deref: () => value };
}

/**
 * Lets a signal end a response that was handed out unread. Nothing is held once the response is dropped: the signal may
 * live as long as the program.
 */
export function abortResponseWith(signal: AbortSignal, response: Response, controller: AbortController): void {
  controllers.set(response, controller);
  if (response.body) controllers.set(response.body, controller);
  const held = dropped ? new WeakRef(controller) : strong(controller);
  const follower: Follower = { aborted: reason => held.deref()?.abort(reason) };
  follow(signal, follower);
  dropped?.register(controller, () => unfollow(signal, follower));
}
