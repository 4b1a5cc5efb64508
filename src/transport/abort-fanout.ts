/**
 * One listener a signal, however many wait on it: with a listener each, adding the n-th to a signal costs n steps in
 * Node.
 */
export class AbortFanout<T> {
  readonly #groups = new WeakMap<AbortSignal, Group<T>>();
  readonly #onAbort: (members: T[]) => void;

  constructor(onAbort: (members: T[]) => void) {
    this.#onAbort = onAbort;
  }

  add(signal: AbortSignal, member: T): void {
    const group = this.#groups.get(signal);
    if (group) {
      group.others ??= new Set();
      group.others.add(member);
      return;
    }
    const created = new Group(member, this.#onAbort);
    this.#groups.set(signal, created);
    signal.addEventListener('abort', created);
  }

  delete(signal: AbortSignal, member: T): void {
    const group = this.#groups.get(signal);
    if (!group) return;
    if (group.first === member) group.first = undefined;
    else group.others?.delete(member);
    if (group.first !== undefined || group.others?.size) return;
    this.#groups.delete(signal);
    signal.removeEventListener('abort', group);
  }
}

/** Most signals have one member, and a set for it would take more memory than all the rest. */
class Group<T> implements EventListenerObject {
  first: T | undefined;
  others: Set<T> | undefined;
  readonly #onAbort: (members: T[]) => void;

  constructor(first: T, onAbort: (members: T[]) => void) {
    this.first = first;
    this.#onAbort = onAbort;
  }

  handleEvent(): void {
    const members = [...(this.others ?? [])];
    if (this.first !== undefined) members.unshift(this.first);
    this.#onAbort(members);
  }
}
