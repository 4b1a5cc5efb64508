import { weakRef } from './weak-ref.ts';

/**
 * Adds one listener to each signal, for any number of members that wait for the signal. With one listener per member,
 * Node takes n steps to add the n-th listener.
 */
export class AbortFanout<T extends object> {
  /**
   * The member of a signal, or a set of members. Most signals have one member, and a set for one member would take more
   * memory than the rest of this class.
   */
  readonly #members = new WeakMap<EventTarget, T | Set<T>>();
  /** All signals share this function, because a hundred thousand signals may be in use. */
  readonly #listener: (event: Event) => void;

  constructor(onAbort: (members: T[], reason: unknown) => void) {
    this.#listener = ({ target }) => {
      const members = target && this.#members.get(target);
      if (members) onAbort(members instanceof Set ? [...members] : [members], (target as AbortSignal).reason);
    };
  }

  add(signal: AbortSignal, member: T): void {
    const members = this.#members.get(signal);
    if (members instanceof Set) {
      members.add(member);
    } else if (members) {
      this.#members.set(signal, new Set([members, member]));
    } else {
      this.#members.set(signal, member);
      signal.addEventListener('abort', this.#listener);
    }
  }

  delete(signal: AbortSignal, member: T): void {
    const members = this.#members.get(signal);
    if (members instanceof Set) members.delete(member);
    const isLast = members instanceof Set ? members.size === 0 : members === member;
    if (!isLast) return;
    this.#members.delete(signal);
    signal.removeEventListener('abort', this.#listener);
  }
}

/** Aborting, waiting and time limits. No listener or timer remains afterwards. */

/** The longest delay of a timer. A timer with a longer delay would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `onTimeout` after `ms`, or never if `ms` is infinite. Returns a function that stops the timer. */
export function startTimer(ms: number, onTimeout: () => void): () => void {
  if (ms === Infinity) return () => {};
  let timer: ReturnType<typeof setTimeout>;
  const arm = (left: number) => {
    const rest = left - MAX_TIMER_MS;
    timer = rest > 0 ? setTimeout(arm, MAX_TIMER_MS, rest) : setTimeout(onTimeout, left);
  };
  // Node warns of a negative delay. The time may have passed since the caller read the clock.
  arm(Math.max(0, ms));
  return () => clearTimeout(timer);
}

/**
 * Returns a function that returns the time since this call, in ms. The time in which this process was stopped or the
 * machine slept is included. The monotonic clock stops while a machine sleeps. Therefore the time is measured with two
 * clocks, and the longer time is returned.
 */
export function startStopwatch(): () => number {
  const [start, startDate] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - start, Date.now() - startDate);
}

/** An object that is notified when a signal aborts. */
export interface Follower {
  aborted(reason: unknown): void;
}

/**
 * Node 20 warns of a leak when a signal gets its eleventh listener. So all calls that follow a signal share one
 * listener.
 */
const followers = new AbortFanout<Follower>((members, reason) => {
  for (const member of members) member.aborted(reason);
});

/**
 * Notifies the follower when the signal aborts, or immediately if the signal has already aborted. `unfollow` ends this.
 */
export function follow(signal: AbortSignal, follower: Follower): void {
  if (signal.aborted) follower.aborted(signal.reason);
  else followers.add(signal, follower);
}

export function unfollow(signal: AbortSignal, follower: Follower): void {
  followers.delete(signal, follower);
}

/**
 * Calls `aborted` when the signal aborts, or immediately if it has aborted. Returns a function that ends the wait for
 * the signal.
 */
export function onAbort(signal: AbortSignal, aborted: (reason: unknown) => void): () => void {
  const follower = { aborted };
  follow(signal, follower);
  return () => unfollow(signal, follower);
}

/** Has a signal that aborts when one of the followed signals aborts, or when a time limit ends. `dispose` ends this. */
export class Scope {
  readonly #controller = new AbortController();
  readonly #stops: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with the reason of the followed signal when that signal aborts. */
  follow(signal: AbortSignal | undefined): this {
    if (signal) this.#stops.push(onAbort(signal, reason => this.abort(reason)));
    return this;
  }

  /** Aborts after `ms`, with the error that `reason` returns. */
  limit(ms: number, reason: () => unknown): this {
    this.#stops.push(startTimer(ms, () => this.abort(reason())));
    return this;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  dispose(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** Settles like the promise, or rejects with the reason of the signal when it aborts. A custom `fetch` may ignore its signal. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const ignore = onAbort(signal, reject);
    promise.then(resolve, reject).finally(ignore);
  });
}

/** Resolves after `ms`; rejects with the reason of the signal if it aborts first. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let stop: (() => void) | undefined;
  const rest = new Promise<void>(resolve => {
    stop = startTimer(ms, resolve);
  });
  return abortable(rest, signal).finally(stop);
}

/** Keeps a controller in memory as long as its response, or the body of the response, is in use. */
const controllers = new WeakMap<object, AbortController>();
/**
 * Older versions of workerd have no FinalizationRegistry. In these versions, the signal keeps the controller in memory.
 */
const dropped =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<() => void>(clean => clean());

/**
 * Makes a signal abort a response whose body is not read yet. The signal may exist as long as the program, but it keeps
 * a response in memory only while the response is used.
 */
export function abortResponseWith(signal: AbortSignal, response: Response, controller: AbortController): void {
  controllers.set(response, controller);
  if (response.body) controllers.set(response.body, controller);
  const held = weakRef(controller);
  const follower: Follower = { aborted: reason => held.deref()?.abort(reason) };
  follow(signal, follower);
  dropped?.register(controller, () => unfollow(signal, follower));
}
