/**
 * Adds one listener to each signal, however many members wait for it. With one listener per member, Node takes n steps to
 * add the n-th.
 */
export class AbortFanout<T extends object> {
  /** Most signals have one member. A set for one member would take more memory than everything else here. */
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
