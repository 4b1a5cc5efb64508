import { knownNames, milliseconds, objectArgument } from '../../arguments.ts';

/** One delivery as an inbox keeps it. */
export interface InboxEntry {
  /** `data.id` of the notification: what duplicates are told by. */
  id: string;
  /** Name of the event. */
  event: string;
  /** Entries of one group are handed out one at a time, in their `order`: a container, unless `orderBy` says otherwise. */
  group: string;
  /** Sorts as text: the time of the event, then when the service recorded it (api/webhooks.md section 2). */
  order: string;
  /** The bytes as they were delivered. */
  body: Uint8Array;
  /** Epoch, in ms. */
  receivedAt: number;
  /** Why nobody can handle it: such an entry is stored as a dead letter. */
  poison?: string;
}

/** An entry that was handed out. Until its lease runs out nobody else gets it, nor another one of its group. */
export interface Claim {
  /** What was handed out. */
  entry: InboxEntry;
  /** 1 at the first time. Counted when it is handed out, so that a crash counts too. */
  attempt: number;
  /** Tells this claim from later ones of the same entry. */
  lease: string;
  /** Rises with each claim of the same group, at least. Handlers get it, to keep a stale one of them from writing last. */
  fence?: number | undefined;
}

/** What is to be handed out. */
export interface ClaimOptions {
  /** The most to hand out. */
  limit: number;
  /** How long they belong to the caller, in ms. */
  leaseMs: number;
  /**
   * Groups that the caller is still busy with, so that it is not handed what it has, also where the lease is over. An inbox
   * that does not look at it works, and costs an attempt where a process was paused.
   */
  except?: readonly string[] | undefined;
  /** Takes what the inbox has to say, such as that it has repaired something. */
  warn?: ((message: string) => void) | undefined;
}

/** An entry that is given up. */
export interface DeadLetter {
  /** Id of the notification, or what stands for it where the body could not be read. */
  id: string;
  /** Name of the event. */
  event: string;
  /** The body as it came. */
  body: Uint8Array;
  /** How many attempts were made. */
  attempts: number;
  /** Message of the last error. */
  error: string;
  /** Epoch, in ms. */
  diedAt: number;
}

/**
 * Where deliveries wait for their worker. One atomic `put` is both the check for duplicates and the acceptance: when it
 * resolves, the entry must survive a crash. Write one for a store of your own; the worker needs nothing else.
 */
export interface Inbox {
  /** Stores the entry, unless its `id` was ever stored before. */
  put(entry: InboxEntry): Promise<'stored' | 'duplicate'>;
  /**
   * Hands out up to `limit` entries that are due, the first of as many groups, for `leaseMs`. A group with an entry that is
   * handed out, or that waits for another attempt, is left alone. What the store has lost a part of is repaired, or handed
   * out without a body: then it becomes a dead letter.
   */
  claim(options: ClaimOptions): Promise<Claim[]>;
  /** Prolongs a lease. False if another claim has taken its place. */
  renew(claim: Claim, options: { leaseMs: number }): Promise<boolean>;
  /** The entry is handled: its group goes on. Its `id` is remembered. False if another claim has taken its place. */
  done(claim: Claim): Promise<boolean>;
  /**
   * The entry was not handled: its group waits for `retryInMs`, or goes on without it where that is `undefined`, and the
   * entry is a dead letter. False if another claim has taken the place of this one.
   */
  fail(claim: Claim, options: { error: string; retryInMs: number | undefined }): Promise<boolean>;
  /** Whether the entry was stored, whatever has become of it: what `recover({ inbox })` asks. */
  has(id: string): Promise<boolean>;
  /** The dead letters, oldest first. */
  deadLetters(options?: { limit?: number | undefined }): Promise<DeadLetter[]>;
  /** Makes a dead letter an entry again, with all its attempts. False if there is none with this `id`. */
  revive(id: string): Promise<boolean>;
}

/** How long an inbox remembers. */
export interface RetentionOptions {
  /**
   * How long a handled `id` is remembered, in ms. A delivery that is repeated later counts as new, and signatures do not
   * age: whoever has recorded one can send it again (api/webhooks.md section 3). `Infinity`: for ever.
   * @default 2_592_000_000, 30 days
   */
  retentionMs?: number | undefined;
}

const DEFAULT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Whole ms, or `Infinity`. @throws {ConfigurationError} for anything but a time. */
export function retentionOf(inbox: string, options: RetentionOptions): number {
  knownNames(inbox, objectArgument(inbox, options, '{ retentionMs: 2_592_000_000 }'), ['retentionMs']);
  const { retentionMs = DEFAULT_RETENTION_MS } = options;
  return Math.ceil(milliseconds('retentionMs', retentionMs));
}
