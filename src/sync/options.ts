import { ConfigurationError } from '../errors.ts';
import type { Logger } from '../hooks.ts';
import {
  describeValue,
  milliseconds,
  nonBlankStrings,
  numberAtLeast,
  objectArgument,
  oneOf,
  optionNames,
  refuseUnknownNames,
  requiredText,
} from '../internal/arguments.ts';
import { consoleLogger } from '../internal/console-logger.ts';
import type { EventName, NamedEvent } from '../model/index.ts';
import { checkHeaderName } from '../webhooks/check-options.ts';
import type { Inbox } from '../webhooks/inbox/inbox.ts';
import { type History, historyOf, type SyncHistory } from './history.ts';
import type { SyncClient } from './service-reader.ts';
import type { SyncStore } from './store.ts';
import { SYNCED_TYPES, type SyncedType } from './tables/names.ts';

/** The methods that sync calls on the inbox of the webhook receiver. */
export type SyncInbox = Pick<Inbox, 'claim' | 'begin' | 'renew' | 'done' | 'fail' | 'has'>;

/** The webhook that sync keeps registered. */
export interface SyncWebhook<E extends string = EventName> {
  /** The https address of your receiver. */
  url: string;
  /**
   * The key with which deliveries are signed. If it is set, sync checks the endpoint with two samples when `run` or
   * `follow` begins.
   * @default none: no check, unless the service sends the secret
   */
  secret?: string | undefined;
  /**
   * Name of the header that contains the signature of deliveries. Sync needs it to check the endpoint. Pass the same
   * name to your receiver.
   * @default the only header with a name like `X-*-Webhook-Signature`
   */
  header?: string | undefined;
  /**
   * The events that the webhook subscribes to: known events, or any `string`, such as the names from
   * `webhooks.events()`.
   * @default all events that the account can have
   */
  events?: readonly NamedEvent<E>[] | undefined;
}

/** Intervals of the repeated work, in ms. */
export interface SyncIntervals {
  /**
   * Interval of the reconciliations. All lists are read, and the records that are no longer in the lists are checked.
   * @default 86_400_000, a day
   */
  reconcile?: number | undefined;
  /**
   * Interval at which changes are read if there are no webhooks. If the service sorts its lists, this takes a few
   * requests. Otherwise, and for a small account, each reading is a reconciliation.
   * @default 300_000, 5 minutes
   */
  poll?: number | undefined;
  /**
   * Interval of the search for notifications that did not arrive. Each search takes one or a few requests.
   * @default 900_000, 15 minutes
   */
  recover?: number | undefined;
}

/** Options of {@link createSync}. */
export interface SyncOptions<E extends string = EventName> {
  /** The client that sync reads with. The rate limit of the client applies. */
  client: SyncClient;
  /** The store of the records: `sqliteStore()`, `postgresStore()`, or your own store. */
  store: SyncStore;
  /**
   * The inbox of your webhook receiver. Sync handles its notifications, because an inbox has one consumer. If you have
   * a worker, leave this option out, and pass `sync.handler` to the router of the worker.
   * @default none: changes are found by polling, unless `webhook` is set
   */
  inbox?: SyncInbox | undefined;
  /**
   * The webhook that sync registers and keeps active. Without this option, register a webhook yourself to receive
   * notifications.
   */
  webhook?: SyncWebhook<E> | undefined;
  /** The record types to keep. @default all */
  tables?: readonly SyncedType[] | undefined;
  /**
   * The part of the client's rate limit that sync may use, above 0 and at most 1. The rest is for your own calls. Even
   * with 1, calls of the priority `interactive` are sent before the calls of sync.
   * @default 0.5
   */
  share?: number | undefined;
  /**
   * The window of the client's rate limit, in ms. This is needed only if you use a custom limiter that does not report
   * the window.
   * @default the window of the client
   */
  windowMs?: number | undefined;
  /**
   * `true` if the store may have records of another account. Sync then marks these records as deleted, and stores the
   * records of the account of the client. By default, a pass rejects with a {@link ConfigurationError} before it
   * writes, if the service has none of the stored records.
   * @default false
   */
  acceptOtherAccount?: boolean | undefined;
  /**
   * `true`, or options: stores each value of chosen fields in the table `history`, with its first and last time. The
   * table is empty at first. It contains only values that are read or delivered later. Each process with this store
   * needs the same setting. If this option is missing although another process has set it, sync logs a warning. With
   * `false`, sync does not log this warning. The store must support a history, like `sqliteStore()` and
   * `postgresStore()`.
   * @default none
   */
  history?: boolean | SyncHistory | undefined;
  /** Intervals of the repeated work. */
  every?: SyncIntervals | undefined;
  /** Receives warnings and errors; `false` turns them off. @default console */
  logger?: false | Pick<Logger, 'warn' | 'error'> | undefined;
}

const OPTION_NAMES = optionNames<SyncOptions>({
  client: true,
  store: true,
  inbox: true,
  webhook: true,
  tables: true,
  share: true,
  windowMs: true,
  acceptOtherAccount: true,
  history: true,
  every: true,
  logger: true,
});

/** The options with their defaults. */
export interface Settings {
  client: SyncClient;
  store: SyncStore;
  inbox: SyncInbox | undefined;
  webhook: SyncWebhook<string> | undefined;
  types: ReadonlySet<SyncedType>;
  share: number;
  windowMs: number | undefined;
  acceptOtherAccount: boolean;
  history: History | undefined;
  /** True if the user has decided against a history. */
  isHistoryRefused: boolean;
  every: Required<{ [K in keyof SyncIntervals]: number }>;
  logger: false | Pick<Logger, 'warn' | 'error'>;
}

const STORE_METHODS = ['migrate', 'write', 'checkpoint', 'missing', 'unseen', 'due', 'lock', 'status', 'close'];
const INBOX_METHODS = ['claim', 'renew', 'done', 'fail', 'has'];

/** @throws {ConfigurationError} for an option that is missing, unknown or out of range. */
export function settingsOf(options: SyncOptions<string>): Settings {
  refuseUnknownNames(
    'createSync',
    objectArgument('The argument of createSync()', options, '{ client, store }'),
    OPTION_NAMES,
  );
  const {
    client,
    store,
    inbox,
    webhook,
    tables,
    share = 0.5,
    windowMs,
    acceptOtherAccount = false,
    history,
    every = {},
    logger = consoleLogger,
  } = options;
  requireOption('client', client, 'a TrackingClient');
  hasMethods('client', client, ['request']);
  requireOption('store', store, "a store, such as sqliteStore('tracking.db')");
  hasMethods('store', store, STORE_METHODS);
  if (inbox !== undefined) hasMethods('inbox', inbox, INBOX_METHODS);
  if (webhook !== undefined) {
    objectArgument('webhook', webhook, "{ url: 'https://…' }");
    refuseUnknownNames('webhook', webhook, ['url', 'secret', 'header', 'events']);
    if (!URL.canParse(requiredText('webhook.url', webhook.url))) {
      throw new ConfigurationError(`webhook.url is ${describeValue(webhook.url)}; it must be an https address.`);
    }
    checkHeaderName(webhook.header);
    if (webhook.secret !== undefined) requiredText('webhook.secret', webhook.secret);
    if (webhook.events !== undefined && nonBlankStrings('webhook.events', webhook.events).length === 0) {
      throw new ConfigurationError('webhook.events is empty; leave it out for all events.');
    }
  }
  if (tables !== undefined && (!Array.isArray(tables) || tables.length === 0)) {
    throw new ConfigurationError(`tables must be an array of record types: ${SYNCED_TYPES.join(', ')}.`);
  }
  for (const type of tables ?? []) oneOf('A type in tables', type, SYNCED_TYPES);
  if (!(numberAtLeast(0, 'share', share) > 0 && share <= 1)) {
    throw new ConfigurationError(`share is ${share}; it must be above 0 and at most 1.`);
  }
  refuseUnknownNames('every', objectArgument('every', every, '{ reconcile: 86_400_000 }'), [
    'reconcile',
    'poll',
    'recover',
  ]);
  const { reconcile = 86_400_000, poll = 300_000, recover = 900_000 } = every;
  const intervals = { reconcile, poll, recover };
  for (const [name, ms] of Object.entries(intervals)) milliseconds(name, ms);
  if (windowMs !== undefined) milliseconds('windowMs', windowMs);
  if (typeof acceptOtherAccount !== 'boolean') {
    throw new ConfigurationError(
      `acceptOtherAccount is ${describeValue(acceptOtherAccount)}; it must be true or false.`,
    );
  }
  if (logger !== false) hasMethods('logger', logger, ['warn', 'error']);
  const types = new Set(tables ?? SYNCED_TYPES);
  return {
    ...{ client, store, inbox, webhook, types, share, windowMs, acceptOtherAccount, every: intervals, logger },
    history: historyOf(history, types, store),
    isHistoryRefused: history === false,
  };
}

function requireOption(name: string, value: unknown, example: string): void {
  if (value === undefined) throw new ConfigurationError(`${name} is missing; pass ${example}.`);
}

function hasMethods(name: string, value: unknown, methods: readonly string[]): void {
  const missing = methods.find(
    method => typeof (value as Record<string, unknown> | undefined)?.[method] !== 'function',
  );
  if (missing !== undefined) throw new ConfigurationError(`${name} has no method ${missing}.`);
}
