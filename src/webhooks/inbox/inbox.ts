import { numberAtLeast, objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';

/** One delivery, as an inbox stores it. */
export interface InboxEntry {
  /** The `id` of the notification. Two deliveries with the same `id` are duplicates. */
  id: string;
  /** The name of the event. */
  event: string;
  /**
   * The entries of a group are handed out one at a time, in the sequence of their `order`. By default, the entries of
   * one container form a group: see `orderBy`.
   */
  group: string;
  /**
   * The position in the group, compared as text: the time of the event, then the time at which the service recorded it.
   */
  order: string;
  /** The unchanged bytes of the delivery. */
  body: Uint8Array;
  /** Time of receipt, in ms since the epoch. */
  receivedAt: number;
  /** The reason why the entry cannot be handled. If set, the entry is stored as a dead letter. */
  poison?: string;
}

/** An entry that was handed out. Until its lease ends, no other entry of its group is handed out. */
export interface Claim {
  /** The entry that was claimed. */
  entry: InboxEntry;
  /**
   * The number of this attempt, from 1. An attempt is counted when the entry is handed out, so a crash counts too.
   * {@link Inbox.begin} counts the attempt of a suspect.
   */
  attempt: number;
  /**
   * Set only if the entry is a suspect. An entry is a suspect after an earlier claim that was not settled and was not
   * given back. The handler of the entry, or another handler that ran at the same time, may have ended the process. The
   * value is the number of times that the handler of the suspect has begun alone since then. The worker first calls
   * {@link Inbox.begin}, and then handles the entry while no other handler runs.
   */
  begunAlone?: number | undefined;
  /** Unique for each claim. */
  lease: string;
  /**
   * The number of the claim. It is higher than the number of each earlier claim of its group. Handlers receive it as a
   * fencing token.
   */
  fence?: number | undefined;
}

/** Options of {@link Inbox.claim}. */
export interface ClaimOptions {
  /** Upper bound for the number of entries that are handed out. */
  limit: number;
  /** Time in ms for which the entries belong to the caller. */
  leaseMs: number;
  /**
   * Groups that the caller is still handling. Entries of these groups must not be handed out to the caller, even if their
   * lease has ended. An inbox may ignore this option, because the worker gives such claims back.
   */
  except?: readonly string[] | undefined;
  /**
   * `true` if the caller handles a suspect only while no other handler runs, and first calls {@link Inbox.begin}. If
   * `false`, the inbox does not mark suspects, and counts an attempt for each entry that it returns.
   * @default false
   */
  begins?: boolean | undefined;
  /** Called with messages of the inbox, for example about a repair. */
  warn?: ((message: string) => void) | undefined;
}

/** Options of {@link Inbox.fail}. */
export interface FailOptions {
  /** The reason why the entry could not be handled. */
  error: string;
  /** Time in ms for which the group waits before another attempt. `undefined` makes the entry a dead letter. */
  retryInMs: number | undefined;
  /**
   * `false` if the claim was too late to be used. It must then not count as an attempt. If an inbox ignores this
   * option, an entry that is often claimed too late becomes a dead letter, although no handler has received it.
   *
   * If a suspect fails and its `begunAlone` is 0, its handler ran alone and did not end the process. In this case, the
   * attempt before this one must not count.
   * @default true
   */
  isAttempt?: boolean | undefined;
}

/** An entry that will not be tried again. */
export interface DeadLetter {
  /** Id of the notification, or a digest of the body if the body is not a notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** The unchanged body. */
  body: Uint8Array;
  /** Number of attempts. */
  attempts: number;
  /** The message of the last error. */
  error: string;
  /** Time at which the entry became a dead letter, in ms since the epoch. */
  diedAt: number;
}

/** Numbers of entries in an inbox. */
export interface InboxStats {
  /** Entries that were not handled yet. Entries that are handed out are included. */
  open: number;
  /** Dead letters. */
  dead: number;
}

/**
 * Stores deliveries until a worker handles them. Implement it for your own store.
 *
 * `put` checks for duplicates and stores the entry in one atomic step. After this call resolves, the entry must survive
 * a crash.
 */
export interface Inbox {
  /** Stores the entry, unless an entry with this `id` is stored or remembered. */
  put(entry: InboxEntry): Promise<'stored' | 'duplicate'>;
  /**
   * Hands out up to `limit` entries for `leaseMs`. From each group, only the first entry is handed out. A group is
   * skipped while one of its entries is handed out, or waits for another attempt. If the store has lost a part of an
   * entry, the inbox repairs the entry, or hands it out with an empty body. The worker then makes it a dead letter.
   */
  claim(options: ClaimOptions): Promise<Claim[]>;
  /**
   * Called when the handler of a suspect begins and no other handler runs. Counts the attempt, at most once per claim.
   * Resolves to false if the entry was claimed again. Optional: without this method, `claim` counts every attempt, and
   * does not mark suspects.
   */
  begin?(claim: Claim): Promise<boolean>;
  /**
   * Extends a lease, so that it ends `leaseMs` from now. Resolves to false if the entry was claimed again in the
   * meantime.
   */
  renew(claim: Claim, options: { leaseMs: number }): Promise<boolean>;
  /**
   * Marks the entry as handled, and remembers its `id`. The next entry of its group is then due. Resolves to false if the
   * entry was claimed again.
   */
  done(claim: Claim): Promise<boolean>;
  /**
   * Reports that the entry could not be handled. Its group waits for `retryInMs`. If `retryInMs` is `undefined`, the
   * entry becomes a dead letter, and the next entry of its group is due. Resolves to false if the entry was claimed
   * again.
   */
  fail(claim: Claim, options: FailOptions): Promise<boolean>;
  /** True if an entry with this `id` is stored or remembered. `recover({ inbox })` calls this method. */
  has(id: string): Promise<boolean>;
  /** The dead letters, oldest first. The default of `limit` is 100. */
  deadLetters(options?: { limit?: number | undefined }): Promise<DeadLetter[]>;
  /**
   * Turns a dead letter into an entry again and resets its attempts. Resolves to false if there is no dead letter with
   * this `id`.
   */
  revive(id: string): Promise<boolean>;
  /**
   * Calls `wake` each time this or another process has stored or revived an entry. The returned function ends this
   * subscription. Optional: the worker also polls, so calls may be late, missing or unnecessary.
   */
  subscribe?(wake: () => void): () => void;
  /** Counts the entries, for monitoring. Optional: leave it out if the store cannot count cheaply. */
  stats?(): Promise<InboxStats>;
}

/** Options for the time for which an inbox remembers handled notifications. */
export interface RetentionOptions {
  /**
   * Time in ms for which the `id` of a handled notification is remembered. If the same delivery arrives after this
   * time, it counts as new. Signatures do not expire: anyone who has recorded a delivery can send it again. `Infinity`
   * means forever.
   * @default 2_592_000_000, 30 days
   */
  retentionMs?: number | undefined;
}

const DEFAULT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** The time in whole ms, or `Infinity`. @throws {ConfigurationError} for an unknown option, or a value that is not a duration. */
export function retentionOf(inbox: string, options: RetentionOptions, otherNames: readonly string[] = []): number {
  const given = objectArgument(inbox, options, '{ retentionMs: 2_592_000_000 }');
  refuseUnknownNames(inbox, given, ['retentionMs', ...otherNames]);
  const { retentionMs = DEFAULT_RETENTION_MS } = options;
  return Math.ceil(numberAtLeast(1, 'retentionMs', retentionMs));
}
