import { milliseconds, objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';

/** One delivery as an inbox keeps it. */
export interface InboxEntry {
  /** The `id` of the notification. Two deliveries with the same `id` are duplicates. */
  id: string;
  /** The name of the event. */
  event: string;
  /** Entries of one group are handed out one at a time, in their `order`. A container, unless `orderBy` says otherwise. */
  group: string;
  /** Compared as text: the time of the event, then the time at which the service recorded it. */
  order: string;
  /** The unchanged bytes of the delivery. */
  body: Uint8Array;
  /** When it was received, in ms since the epoch. */
  receivedAt: number;
  /** Why the entry cannot be handled. If it is set, the entry is stored as a dead letter. */
  poison?: string;
}

/** An entry that was handed out. Until its lease ends, neither this entry nor another one of its group is handed out. */
export interface Claim {
  /** The entry that was claimed. */
  entry: InboxEntry;
  /**
   * The number of this attempt: 1 for the first. Counted when the entry is handed out, so a crash counts too. That of a suspect is
   * counted by {@link Inbox.begin}.
   */
  attempt: number;
  /**
   * Set for a suspect only: an earlier claim of the entry was neither settled nor given back, so its handler may have ended the
   * process, or that of another entry beside it. This is how often its handler has begun alone since. The worker calls
   * {@link Inbox.begin}, then handles it while no other handler runs.
   */
  begunAlone?: number | undefined;
  /** Unique for each claim. */
  lease: string;
  /** The number of the claim: higher than that of each earlier claim of its group. Handlers get it as a fencing token. */
  fence?: number | undefined;
}

/** Options of {@link Inbox.claim}. */
export interface ClaimOptions {
  /** The largest number of entries to hand out. */
  limit: number;
  /** Time in ms for which the entries belong to the caller. */
  leaseMs: number;
  /**
   * Groups that the caller is still handling. They must not be handed out to it, even if their lease is over. An inbox may
   * ignore this; the worker gives back such a claim.
   */
  except?: readonly string[] | undefined;
  /**
   * `true` if the caller handles suspects alone, and calls {@link Inbox.begin} before. Otherwise the inbox marks none, and counts
   * an attempt for each entry that it returns.
   * @default false
   */
  begins?: boolean | undefined;
  /** Called with messages of the inbox, for example that it has repaired something. */
  warn?: ((message: string) => void) | undefined;
}

/** Options of {@link Inbox.fail}. */
export interface FailOptions {
  /** Why the entry could not be handled. */
  error: string;
  /** Wait of its group before another attempt, in ms. `undefined` makes the entry a dead letter. */
  retryInMs: number | undefined;
  /**
   * `false` if the claim came too late to be used: it must not count as an attempt then. An inbox may ignore this; then an
   * entry that is often claimed too late becomes a dead letter that no handler has seen.
   *
   * A suspect with a `begunAlone` of 0 that fails has begun alone without ending the process: the attempt before this one must not
   * count either.
   * @default true
   */
  isAttempt?: boolean | undefined;
}

/** An entry that was given up. */
export interface DeadLetter {
  /** Id of the notification, or a digest of the body if the body is not a notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** The body as it came. */
  body: Uint8Array;
  /** Number of attempts that were made. */
  attempts: number;
  /** The message of the last error. */
  error: string;
  /** When it was given up, in ms since the epoch. */
  diedAt: number;
}

/** Numbers of entries in an inbox. */
export interface InboxStats {
  /** Entries that nobody has handled yet, those in hand included. */
  open: number;
  /** Dead letters. */
  dead: number;
}

/**
 * Stores deliveries until a worker handles them. Implement it for a store of your own.
 *
 * `put` checks for duplicates and stores the entry in one atomic step. When it resolves, the entry must survive a crash.
 */
export interface Inbox {
  /** Stores the entry, unless its `id` was ever stored before. */
  put(entry: InboxEntry): Promise<'stored' | 'duplicate'>;
  /**
   * Hands out up to `limit` entries for `leaseMs`: the first entry of each of up to `limit` groups. A group is skipped while
   * one of its entries is handed out, or waits for another attempt. If the store has lost a part of an entry, the inbox
   * repairs it, or hands it out with an empty body: the worker makes it a dead letter.
   */
  claim(options: ClaimOptions): Promise<Claim[]>;
  /**
   * The handler of a suspect begins, and no other runs: counts the attempt, once however often it is called. False if the entry was
   * claimed again in the meantime. Optional: without it, `claim` counts every attempt, and marks no suspects.
   */
  begin?(claim: Claim): Promise<boolean>;
  /** Extends a lease, counted from now. False if the entry was claimed again in the meantime. */
  renew(claim: Claim, options: { leaseMs: number }): Promise<boolean>;
  /** The entry was handled; the next one of its group is due. The `id` is remembered. False if it was claimed again since. */
  done(claim: Claim): Promise<boolean>;
  /**
   * The entry could not be handled. Its group waits for `retryInMs`; if that is `undefined`, the entry becomes a dead letter
   * and the next one of its group is due. False if the entry was claimed again since.
   */
  fail(claim: Claim, options: FailOptions): Promise<boolean>;
  /** True if an entry with this `id` is stored or remembered. `recover({ inbox })` calls it. */
  has(id: string): Promise<boolean>;
  /** The dead letters, oldest first. `limit` is 100 unless given. */
  deadLetters(options?: { limit?: number | undefined }): Promise<DeadLetter[]>;
  /** Turns a dead letter into an entry again and resets its attempts. False if there is no dead letter with this `id`. */
  revive(id: string): Promise<boolean>;
  /**
   * Calls `wake` when an entry was stored or revived, by this process or by another one, until the returned function is called.
   * Optional: the worker also polls, so a call may be late, missing or without need.
   */
  subscribe?(wake: () => void): () => void;
  /** Counts its entries, for monitoring. Optional: an inbox that cannot count cheaply leaves it out. */
  stats?(): Promise<InboxStats>;
}

/** The time for which an inbox remembers. */
export interface RetentionOptions {
  /**
   * Time in ms for which the `id` of a handled notification is remembered. A delivery that is repeated later counts as new.
   * Signatures do not expire: anybody who has recorded a delivery can send it again. `Infinity` means forever.
   * @default 2_592_000_000, 30 days
   */
  retentionMs?: number | undefined;
}

const DEFAULT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** In whole ms, or `Infinity`. @throws {ConfigurationError} for an unknown option, or a value that is not a time. */
export function retentionOf(inbox: string, options: RetentionOptions, otherNames: readonly string[] = []): number {
  const given = objectArgument(inbox, options, '{ retentionMs: 2_592_000_000 }');
  refuseUnknownNames(inbox, given, ['retentionMs', ...otherNames]);
  const { retentionMs = DEFAULT_RETENTION_MS } = options;
  return Math.ceil(milliseconds('retentionMs', retentionMs));
}
