import { AuthenticationError, ConfigurationError } from '../errors.ts';
import { nonBlankStrings, objectArgument, oneOf, optionalSignal, refuseUnknownNames } from '../internal/arguments.ts';
import type { EventName } from '../model/index.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import type { Notification } from '../webhooks/notification/notification.ts';
import { parseNotification } from '../webhooks/notification/parse.ts';
import { createWorker } from '../webhooks/work/worker.ts';
import { asReader } from './as-reader.ts';
import type { Context } from './context.ts';
import { type DryRun, dryRun } from './dry-run.ts';
import { DueReads } from './due-reads.ts';
import { Emitter } from './emitter.ts';
import { endsSoon } from './ends-soon.ts';
import type { SyncEvent, SyncEventOf } from './events.ts';
import { followForEver, migrateOnce } from './follow.ts';
import { closeGap } from './gap.ts';
import { createHandler } from './handler.ts';
import { type StatusAt, statusAt } from './history.ts';
import { historyCheck } from './history-setting.ts';
import { listsFor } from './lists.ts';
import { type Settings, type SyncOptions, settingsOf } from './options.ts';
import { isFilled, type PassResult, runPass } from './pass.ts';
import { resync } from './resync.ts';
import { ServiceClock } from './service-clock.ts';
import { ServiceReader } from './service-reader.ts';
import { readAtOf, type SyncFailure, type SyncStatus, statusOf } from './status.ts';
import type { SyncedType } from './tables/names.ts';

/** Options of the methods of {@link Sync}. */
export interface SyncCallOptions {
  /**
   * Ends the work. This takes at most 10 s, even if the service or the database does not respond. Committed rows stay
   * in the store, and the next call continues after them.
   */
  signal?: AbortSignal | undefined;
}

/** Options of {@link Sync.resync}. */
export interface ResyncOptions extends SyncCallOptions {
  /** The record types whose tables are read again, for example `['container']`. */
  tables: readonly SyncedType[];
}

/** Options of {@link Sync.dryRun}. */
export interface DryRunOptions extends SyncCallOptions {
  /** The record types, as for {@link Sync.resync}. @default all: a back-fill or a reconciliation */
  tables?: readonly SyncedType[] | undefined;
}

/** Keeps a database up to date with the service: see {@link createSync}. */
export interface Sync {
  /**
   * Writes the records that a notification contains, and remembers the records that have to be read. Add this handler
   * to the router of your worker. If the store fails, the handler rejects, and the worker tries again.
   *
   * @example
   * const router = createRouter().otherwise(sync.handler);
   */
  readonly handler: (this: void, notification: Notification, context?: unknown) => Promise<void>;
  /**
   * An inbox for a webhook receiver that has no other inbox. The records of a delivery are committed before the
   * delivery is acknowledged, and a repeated delivery changes nothing. This inbox does not store notifications.
   * Therefore a worker cannot claim notifications from it.
   *
   * @example
   * const receiver = createReceiver({ secrets, inbox: sync.inbox });
   */
  readonly inbox: Pick<Inbox, 'put'>;
  /**
   * Creates the tables, or migrates them to the version of this package.
   *
   * @throws {StoreError} with the code `store_newer` if a newer version of the package has created the tables.
   */
  migrate(options?: SyncCallOptions): Promise<{ from: number; to: number }>;
  /**
   * Fills the store once: reads all lists, page by page, and commits each page with a checkpoint. After an
   * interruption, the next call continues after the last page. Resolves to `undefined` if the store was filled before.
   * Waits while another process reads.
   */
  backfill(options?: SyncCallOptions): Promise<PassResult | undefined>;
  /**
   * Reads all lists again, and then each record that is no longer in them. If the service no longer has a record, its
   * row stays, with `deleted_at`. An interrupted reconciliation is completed first. Waits while another process reads.
   */
  reconcile(options?: SyncCallOptions): Promise<PassResult>;
  /**
   * Reads everything once, for a job that a scheduler starts. It migrates the tables first. Then it back-fills an empty
   * store, or reconciles a store that was filled before.
   *
   * @throws {StoreError} with the code `store_busy` if another process reads. The call then rejects without waiting,
   * and reads nothing.
   */
  once(options?: SyncCallOptions): Promise<PassResult>;
  /**
   * Reads some tables again: first the lists with their records, then each stored record that is not in these lists.
   * Rows that are missing or differ are written. If the service no longer has a record, it is marked as deleted.
   * Related records in the responses are written too.
   *
   * If a reader is already active (another process, or a call of `run` in this process), this reader also reads these
   * tables. This call then resolves to `undefined` when the tables have been read. An interrupted call is not lost: the
   * next process that reads completes it.
   *
   * @throws {ConfigurationError} for a type that this sync does not keep.
   * @example
   * await sync.resync({ tables: ['container'] });
   */
  resync(options: ResyncOptions): Promise<PassResult | undefined>;
  /**
   * Reads in the same way as the next pass, and compares the result with the store, but writes nothing. It sends as
   * many requests as the pass, and may run while another process reads.
   *
   * @throws {ConfigurationError} for a type that this sync does not keep, and for a custom store without the method
   *   `differing`.
   * @example
   * const { requests, tables } = await sync.dryRun();
   */
  dryRun(options?: DryRunOptions): Promise<DryRun>;
  /**
   * Follows the changes until the signal aborts: handles the notifications of `inbox`, and reads the records that the
   * notifications do not contain. It also reads the records of notifications that did not arrive. Without
   * notifications, it polls the lists. Resolves after an abort.
   */
  follow(options?: SyncCallOptions): Promise<void>;
  /**
   * Does all the work until the signal aborts: migrates, back-fills, follows and reconciles. Any number of processes
   * may run it with the same store: one process reads, and every process writes the notifications that it receives.
   * Resolves after an abort.
   *
   * @throws {AuthenticationError} if the service refuses the key at the start, or for an hour. Other errors that a
   *   repetition cannot resolve are thrown too.
   */
  run(options?: SyncCallOptions): Promise<void>;
  /** The content of the store, and its lag behind the service. */
  status(): Promise<SyncStatus>;
  /**
   * The `readAt` of the status. It does not count rows, so a probe may call it every few seconds.
   *
   * @throws {StoreError} before `migrate()`, and if the store cannot be read.
   */
  readAt(): Promise<number | undefined>;
  /**
   * Resolves to the records that the service had at a time, each with the values of the chosen fields at that time.
   * Needs the option `history`.
   *
   * @throws {ConfigurationError} without the option `history`, and for an argument that is not a date.
   * @throws {StoreError} with the code `store_outdated` if the store has no history yet.
   * @example
   * const { records } = await sync.statusAt(new Date('2026-03-09T12:00:00Z'));
   */
  statusAt(date: Date): Promise<StatusAt>;
  /**
   * Calls the listener with each event of a type. Returns a function that removes the listener.
   *
   * @throws {ConfigurationError} for an event type that does not exist, and if the listener is not a function.
   * @example
   * sync.on('progress', ({ records, total, remainingMs }) => console.log(records, total, remainingMs));
   */
  on<T extends SyncEvent['type']>(type: T, listener: (event: SyncEventOf<T>) => unknown): () => void;
}

/**
 * Keeps a database up to date with the service: loads everything once, follows the notifications, and reads the records
 * that were missed.
 *
 * Each row has the time at which the service had this content, on the clock of the service. Older content never
 * replaces newer content. The order of the deliveries, the number of retries and the number of processes do not matter.
 *
 * @throws {ConfigurationError} for an option that is missing, unknown or out of range.
 * @example
 * const sync = createSync({ client, store: sqliteStore('tracking.db') });
 * await sync.run({ signal });
 */
export function createSync<const E extends string = EventName>(options: SyncOptions<E>): Sync;
export function createSync(options: SyncOptions<string>): Sync {
  const settings = settingsOf({ ...options });
  const { client, store, types, share, windowMs, acceptOtherAccount, history } = settings;
  const emitter = new Emitter();
  const { emit } = emitter;
  const onQueued = (estimatedWaitMs: number) => {
    if (estimatedWaitMs >= LONG_WAIT_MS) emit({ type: 'waiting', estimatedWaitMs });
  };
  const reader = new ServiceReader(client, new ServiceClock(), { share, windowMs, onQueued });
  const checkHistory = historyCheck({ store, history, emit }, settings.isHistoryRefused);
  const shared = { reader, store, types, acceptOtherAccount, history, checkHistory, emit };
  const context: Context = { ...shared, lists: listsFor(types) };
  const due = new DueReads(context);
  const handle = createHandler(context, () => due.wake());
  let wasNotified = false;
  const isNotified = () => wasNotified || settings.inbox !== undefined || settings.webhook !== undefined;
  logTo(settings, emitter);
  let failure: SyncFailure | undefined;
  emitter.on('error', ({ phase, error, retryInMs }) => {
    failure = { phase, error, since: failure?.since ?? Date.now(), retryAt: Date.now() + retryInMs };
  });
  emitter.on('continued', () => {
    failure = undefined;
  });

  const handler = (notification: Notification): Promise<void> => {
    wasNotified = true;
    return handle(notification);
  };

  async function following(given: SyncCallOptions | undefined, whole: boolean): Promise<void> {
    const signal = signalOf(given);
    failure = undefined;
    const worker = startWorker(settings, handler);
    try {
      await endsSoon(followForEver({ context, settings, due, isNotified }, signal, whole), signal).finally(
        () => worker && endsSoon(worker.stop(), signal),
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function migrate(given?: SyncCallOptions): Promise<{ from: number; to: number }> {
    const signal = signalOf(given);
    const versions = await endsSoon(store.migrate({ signal, history: history !== undefined }), signal);
    emit({ type: 'migrated', ...versions });
    return versions;
  }

  async function reading<T>(
    given: SyncCallOptions | undefined,
    task: (signal: AbortSignal) => Promise<T>,
    waits = true,
  ) {
    const signal = signalOf(given);
    return endsSoon(asReader(context, signal, task, waits), signal);
  }

  async function readAll(signal: AbortSignal): Promise<PassResult> {
    const first = await runPass(context, due, signal);
    // The pass has read some records before its interruption. These records may have changed since then.
    const result = first.resumed ? await runPass(context, due, signal) : first;
    await closeGap(context);
    return result;
  }

  return {
    handler,
    inbox: {
      async put({ body }) {
        await handler(parseNotification(body));
        return 'stored';
      },
    },
    migrate,
    async backfill(given) {
      return reading(given, async signal => {
        return (await isFilled(context)) ? undefined : runPass(context, due, signal);
      });
    },
    reconcile: given => reading(given, readAll),
    async once(given) {
      await migrate(given);
      return reading(given, readAll, false);
    },
    async resync(given) {
      const options = objectArgument('The argument of resync()', given, "{ tables: ['container'] }");
      refuseUnknownNames('resync', options, ['tables', 'signal']);
      const tables = typesIn(options.tables, types);
      const signal = signalOf({ signal: given.signal });
      return endsSoon(resync(context, due, tables, signal), signal);
    },
    async dryRun(given = {}) {
      const options = objectArgument('The argument of dryRun()', given, "{ tables: ['container'] }");
      refuseUnknownNames('dryRun', options, ['tables', 'signal']);
      const tables = options.tables && typesIn(options.tables, types);
      const signal = signalOf({ signal: given.signal });
      return endsSoon(dryRun(context, tables, signal), signal);
    },
    follow: given => following(given, false),
    async run(given) {
      const signal = signalOf(given);
      try {
        await migrateOnce(context, () => migrate(given), signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      await following(given, true);
    },
    status: () => statusOf(context, failure),
    readAt: () => readAtOf(context),
    statusAt: date => statusAt(context, date),
    on: (type, listener) => emitter.on(type, listener),
  };
}

/** @throws {ConfigurationError} unless this sync keeps all of these tables. */
function typesIn(tables: readonly SyncedType[] | undefined, types: ReadonlySet<SyncedType>): readonly SyncedType[] {
  const names = nonBlankStrings('tables', tables) as readonly SyncedType[];
  if (names.length === 0) throw new ConfigurationError('tables is empty; it needs at least one record type.');
  for (const name of names) oneOf('A type in tables', name, [...types]);
  return names;
}

function signalOf(given: SyncCallOptions | undefined): AbortSignal {
  // An invalid signal is refused. If the signal were ignored, the call would never end.
  if (given !== undefined) {
    refuseUnknownNames('The argument', objectArgument('The argument', given, '{ signal }'), ['signal']);
  }
  return optionalSignal(given?.signal) ?? new AbortController().signal;
}

function startWorker({ inbox, logger }: Settings, handle: (notification: Notification) => Promise<void>) {
  if (!inbox) return undefined;
  return createWorker({ inbox, router: { handle }, logger }).start();
}

/** A wait of at least this length (in ms) is logged, as in the client. */
const LONG_WAIT_MS = 5000;

/** If a wait has at least this length (in ms), the log has the time of the next attempt. */
const LONG_PAUSE_MS = 120_000;
const REFUSED =
  '. If the key was replaced, start this process with the new key. Sync ends if the key is refused for an hour.';

/** Logs the events that a person should see. */
function logTo({ logger }: Settings, emitter: Emitter): void {
  if (!logger) return;
  const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
  emitter.on('skipped', ({ list, record, error }) => {
    logger.warn(`sync: ${list ?? `${record?.type} ${record?.id}`} cannot be read: ${messageOf(error)}`);
  });
  emitter.on('incomplete', ({ list, missing, total }) => {
    logger.warn(`sync: ${missing} of ${total} ${list} have changed position while they were read.`);
  });
  const hasSaid = emitter.on('waiting', ({ estimatedWaitMs }) => {
    hasSaid();
    const seconds = Math.round(estimatedWaitMs / 1000);
    logger.warn(`sync: reads wait for their share of the rate limit (\`share\`), now for ${seconds} s.`);
  });
  emitter.on('error', ({ phase, error, retryInMs }) => {
    const isLong = retryInMs > LONG_PAUSE_MS;
    const when = isLong
      ? `at ${new Date(Date.now() + retryInMs).toISOString()}`
      : `in ${Math.ceil(retryInMs / 1000)} s`;
    const remedy = error instanceof AuthenticationError ? REFUSED : '';
    logger.error(`sync: ${phase} failed and is tried again ${when}: ${messageOf(error)}${remedy}`);
  });
  emitter.on('continued', ({ phase, afterMs }) => {
    logger.warn(`sync: ${phase} works again after ${Math.ceil(afterMs / 1000)} s.`);
  });
  emitter.on('checked', ({ ok, message }) => {
    if (!ok) logger.warn(`sync: the webhook does not work: ${message}`);
  });
  emitter.on('history', ({ message }) => logger.warn(`sync: ${message}`));
  emitter.on('misfit', ({ recordType, column, expected, count, example }) => {
    logger.warn(
      `sync: ${count} values of ${recordType}.${column} are not of the kind ${expected}, for example in ${example}.`,
    );
  });
}
