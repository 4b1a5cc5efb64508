import { ConfigurationError } from '../../errors.ts';
import { type Streaming, type StreamOptions, stream } from '../work/stream.ts';
import {
  type Claim,
  type ClaimOptions,
  type DeadLetter,
  type FailOptions,
  type Inbox,
  type InboxEntry,
  type InboxStats,
  type RetentionOptions,
  retentionOf,
} from './inbox.ts';
import { Subscribers } from './subscribers.ts';
import { attemptOf, begunOf, SUSPECT, uncounted } from './suspicion.ts';

/** Options of {@link memoryInbox}. */
export interface MemoryInboxOptions extends RetentionOptions {
  /** Confirms that notifications may be lost. A notification that was not handled is lost when the process ends. */
  ephemeral: true;
}

/**
 * An inbox in memory, for tests and examples. When the process ends it loses notifications, and the service does not send
 * them again.
 *
 * @throws {ConfigurationError} if `ephemeral: true` is missing, for an unknown option, and for a `retentionMs` that is not valid.
 */
export function memoryInbox(options: MemoryInboxOptions): Inbox & Streaming {
  if (options?.ephemeral !== true) {
    throw new ConfigurationError(
      'memoryInbox() loses notifications when the process ends: pass { ephemeral: true } in tests, else use sqliteInbox().',
    );
  }
  return new MemoryInbox(retentionOf('memoryInbox', options, ['ephemeral']));
}

/** A clock that is never set back. */
const now = () => performance.now();

interface Group {
  /** The entries, sorted by `order`. */
  entries: { entry: InboxEntry; attempts: number; suspicion: number }[];
  dueAt: number;
  lease: string | undefined;
}

class MemoryInbox implements Inbox, Streaming {
  readonly #retentionMs: number;
  /** The groups with entries, by name. */
  readonly #groups = new Map<string, Group>();
  readonly #dead = new Map<string, DeadLetter & { entry: InboxEntry }>();
  readonly #open = new Set<string>();
  /** Time until which each handled `id` is remembered, oldest first. */
  readonly #handled = new Map<string, number>();
  readonly #subscribers = new Subscribers();
  /** Counts the claims. */
  #fence = 0;

  constructor(retentionMs: number) {
    this.#retentionMs = retentionMs;
  }

  async put(entry: InboxEntry): Promise<'stored' | 'duplicate'> {
    if (this.#isKnown(entry.id)) return 'duplicate';
    if (entry.poison === undefined) this.#add(entry);
    else this.#bury(entry, 0, entry.poison);
    this.#subscribers.wake();
    return 'stored';
  }

  async claim({ limit, leaseMs, except = [], begins = false }: ClaimOptions): Promise<Claim[]> {
    this.#forget();
    const claims: Claim[] = [];
    for (const [name, group] of this.#groups) {
      const [head] = group.entries;
      if (claims.length >= limit) break;
      if (!head || group.dueAt > now() || except.includes(name)) continue;
      const isSuspect = begins && head.suspicion > 0;
      head.suspicion = Math.max(head.suspicion, isSuspect ? SUSPECT : 1);
      if (!isSuspect) head.attempts += 1;
      this.#fence += 1;
      group.lease = crypto.randomUUID();
      group.dueAt = now() + leaseMs;
      claims.push({ entry: head.entry, ...attemptOf(head, begins), lease: group.lease, fence: this.#fence });
    }
    return claims;
  }

  async begin(claim: Claim): Promise<boolean> {
    const stored = this.#stored(claim);
    if (stored && claim.begunAlone !== undefined) {
      stored.attempts = claim.attempt;
      stored.suspicion = begunOf(claim);
    }
    return stored !== undefined;
  }

  async renew(claim: Claim, { leaseMs }: { leaseMs: number }): Promise<boolean> {
    const group = this.#leased(claim);
    if (group) group.dueAt = now() + leaseMs;
    return group !== undefined;
  }

  async done(claim: Claim): Promise<boolean> {
    const group = this.#leased(claim);
    if (!group) return false;
    this.#handled.set(claim.entry.id, now() + this.#retentionMs);
    this.#remove(claim, group);
    return true;
  }

  async fail(claim: Claim, { error, retryInMs, isAttempt }: FailOptions): Promise<boolean> {
    const group = this.#leased(claim);
    if (!group) return false;
    const stored = this.#stored(claim);
    if (retryInMs === undefined) {
      this.#bury(claim.entry, stored?.attempts ?? claim.attempt, error);
      this.#remove(claim, group);
    } else {
      group.lease = undefined;
      group.dueAt = now() + retryInMs;
      const fewer = uncounted(claim, isAttempt);
      if (stored && fewer !== undefined) {
        stored.attempts -= fewer;
        stored.suspicion = 0;
      }
    }
    return true;
  }

  async has(id: string): Promise<boolean> {
    return this.#isKnown(id);
  }

  async deadLetters({ limit = 100 }: { limit?: number | undefined } = {}): Promise<DeadLetter[]> {
    return [...this.#dead.values()].slice(0, limit).map(({ entry, ...letter }) => letter);
  }

  async revive(id: string): Promise<boolean> {
    const letter = this.#dead.get(id);
    if (!letter) return false;
    this.#dead.delete(id);
    this.#add(letter.entry);
    this.#subscribers.wake();
    return true;
  }

  subscribe(wake: () => void): () => void {
    return this.#subscribers.add(wake);
  }

  async stats(): Promise<InboxStats> {
    return { open: this.#open.size, dead: this.#dead.size };
  }

  stream(options?: StreamOptions) {
    return stream(this, options);
  }

  #isKnown(id: string): boolean {
    return this.#open.has(id) || this.#handled.has(id) || this.#dead.has(id);
  }

  #add(entry: InboxEntry): void {
    const group = this.#groups.get(entry.group) ?? { entries: [], dueAt: now(), lease: undefined };
    // Most entries arrive in their order, so the search begins at the end.
    const before = group.entries.findLastIndex(other => other.entry.order <= entry.order);
    group.entries.splice(before + 1, 0, { entry, attempts: 0, suspicion: 0 });
    this.#groups.set(entry.group, group);
    this.#open.add(entry.id);
  }

  #leased(claim: Claim): Group | undefined {
    const group = this.#groups.get(claim.entry.group);
    return group?.lease === claim.lease ? group : undefined;
  }

  #stored(claim: Claim): Group['entries'][number] | undefined {
    return this.#leased(claim)?.entries.find(({ entry }) => entry.id === claim.entry.id);
  }

  #remove(claim: Claim, group: Group): void {
    this.#open.delete(claim.entry.id);
    const index = group.entries.findIndex(({ entry }) => entry.id === claim.entry.id);
    group.entries.splice(index, 1);
    group.lease = undefined;
    group.dueAt = now();
    // The group moves to the end of the queue, so that a busy group does not delay the other groups.
    this.#groups.delete(claim.entry.group);
    if (group.entries.length > 0) this.#groups.set(claim.entry.group, group);
  }

  #bury(entry: InboxEntry, attempts: number, error: string): void {
    const { id, event, body } = entry;
    this.#dead.set(id, { id, event, body, attempts, error, diedAt: Date.now(), entry });
  }

  #forget(): void {
    for (const [id, until] of this.#handled) {
      if (until > now()) break;
      this.#handled.delete(id);
    }
  }
}
