import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import { decodeGraph, encodeGraph, type Graph, type Json } from './base/graph.ts';
import type { Fault } from './http/faults.ts';
import type { Pipeline } from './http/pipeline.ts';
import type { Grants, GrantsState } from './oauth/grants.ts';
import type { Entry } from './state/agenda.ts';
import type { AccountIdentity, Backend, ListsOf } from './state/backend.ts';
import type { ClockState } from './state/clock.ts';
import type { Features } from './state/features.ts';
import type { Settings } from './state/settings.ts';
import type { Store } from './state/store.ts';
import { checkTimes, timeIn } from './state/times.ts';
import type { Carrier } from './world/carriers.ts';

/**
 * The saved state of a sandbox: a JSON value. It has the keys of the accounts, the secrets of the webhooks and the contents of
 * the files.
 */
export interface SandboxState extends Graph {
  /** Says what it is. */
  format: typeof FORMAT;
  /** The version of the format. A newer one cannot be read. */
  version: number;
  /** The seed of the sandbox. */
  seed: number;
}

/** Everything that a sandbox consists of. */
export interface Assembled extends Pipeline {
  grants: Grants;
}

const FORMAT = 'container-tracking-sandbox';
const VERSION = 1;

/** What is saved of a sandbox. */
export interface Saved {
  clock: ClockState;
  ids: [kind: string, count: number][];
  /** How many requests there were. */
  requests: number;
  /** The times in the windows of the rate limit. */
  windows: [counter: string, times: number[]][];
  faults: { fault: Fault; left: number }[];
  grants: { [K in keyof GrantsState]: [string, unknown][] };
  accounts: SavedAccount[];
}

export interface SavedAccount extends AccountIdentity {
  features: Features;
  settings?: Settings;
  /** @default 'current' */
  lists?: ListsOf;
  ids: [kind: string, count: number][];
  containerNumbers: string[];
  /** The records of each collection, the oldest first. */
  records: Record<string, { id: string }[]>;
  agenda: Entry[];
}

/** @throws {ConfigurationError} for a fault with a function in its body. */
export function save({ accounts, clock, ids, log, rateLimit, faults, grants }: Assembled): SandboxState {
  const saved: Saved = {
    clock: { start: clock.start, now: clock.now(), elapsed: clock.elapsed() },
    ids: [...ids.counters],
    requests: log.count,
    windows: [...(rateLimit?.windows ?? [])],
    faults: faults.waiting.filter(({ left }) => left > 0),
    grants: {
      clients: [...grants.state.clients],
      codes: [...grants.state.codes],
      accessTokens: [...grants.state.accessTokens],
      refreshTokens: [...grants.state.refreshTokens],
    },
    accounts: accounts.all.map(saveAccount),
  };
  const carriers = new Map<object, string>(accounts.first.carriers.map(carrier => [carrier, carrier.scac]));
  try {
    const graph = encodeGraph(saved, object => carriers.get(object));
    return { format: FORMAT, version: VERSION, seed: accounts.first.seed, ...graph };
  } catch (error) {
    throw new ConfigurationError(`The sandbox cannot be saved: ${(error as Error).message}.`);
  }
}

function saveAccount({ account, agenda, features, ids, lists, settings, store }: Backend): SavedAccount {
  const { containerNumbers, ...collections } = store;
  return {
    ...account,
    features: { ...features },
    settings: { ...settings },
    ...(lists === 'older' && { lists }),
    ids: [...ids.counters],
    containerNumbers: [...containerNumbers],
    records: Object.fromEntries(
      Object.entries(collections).map(([name, collection]) => [name, collection.newestFirst().reverse()]),
    ),
    agenda: agenda.list(),
  };
}

/** @throws {ConfigurationError} for something else than a saved state, and for one of a newer format. */
export function checkState(state: unknown): void {
  if (!isRecord(state) || state.format !== FORMAT) {
    const given = describeValue(state);
    throw new ConfigurationError(`state is ${given} that sandbox.save() has not made; give what it has returned.`);
  }
  const { version, seed, records } = state;
  if (typeof version === 'number' && version > VERSION) {
    throw new ConfigurationError(
      `state has the format ${version}, and this version of the package reads formats up to ${VERSION}. Update the package.`,
    );
  }
  if (version !== VERSION || !Number.isSafeInteger(seed) || !Array.isArray(records) || !isRecord(state.root)) {
    throw damaged('a part of it is missing');
  }
}

/** @throws {ConfigurationError} for a state that has been changed by hand, and not well. */
export function readState({ root, records }: { root: Json; records: Json[] }, carriers: readonly Carrier[]): Saved {
  try {
    const saved = decodeGraph({ root, records }, name => carriers.find(({ scac }) => scac === name)) as Saved;
    for (const [name, value] of Object.entries(saved.clock)) timeIn(`clock.${name}`, value);
    for (const [, times] of saved.windows) for (const time of times) timeIn('windows', time);
    const { codes, accessTokens } = saved.grants;
    for (const [, granted] of [...codes, ...accessTokens])
      timeIn('until in grants', (granted as { until: unknown }).until);
    return saved;
  } catch (error) {
    throw damaged((error as Error).message);
  }
}

/** A state that has been changed by hand, and not well. */
export function damaged(why: string): ConfigurationError {
  return new ConfigurationError(`state is damaged: ${why}. Save the sandbox again.`);
}

/** Puts the saved records back, and what was to happen later. */
export function restoreAccount(backend: Backend, saved: SavedAccount): void {
  const { store, agenda, deliveries } = backend;
  restoreCounters(backend.ids.counters, saved.ids);
  for (const number of saved.containerNumbers) store.containerNumbers.add(number);
  for (const [name, records] of Object.entries(saved.records)) {
    const collection = store[name as Exclude<keyof Store, 'containerNumbers'>] as { add(record: object): void };
    for (const record of records) collection.add(record);
  }
  const waiting = new Set<object>();
  checkTimes(store);
  for (const { at, task } of saved.agenda) {
    timeIn('at in the agenda', at);
    agenda.add(at, task);
    if (task.kind === 'delivery') waiting.add(task.notification);
  }
  // Those that were being sent.
  for (const notification of store.notifications.newestFirst().reverse()) {
    const isUnderway = notification.deliveryStatus === 'pending' && !waiting.has(notification);
    if (isUnderway) deliveries.retry(backend, notification);
  }
}

export function restoreCounters(counters: Map<string, number>, saved: [string, number][]): void {
  for (const [kind, count] of saved) counters.set(kind, count);
}
