import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { Fault } from './http/faults.ts';
import type { Pipeline } from './http/pipeline.ts';
import type { Grants, GrantsState } from './oauth/grants.ts';
import type { AccountIdentity, Backend, Entry, ListsOf } from './state/backend.ts';
import { type ClockState, LAST_TIME } from './state/clock.ts';
import type { Features, Settings } from './state/settings.ts';
import type { Collections, RecordOf, Store } from './state/store.ts';
import type { Carrier } from './world/carriers.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Records that refer to one another, as JSON. Each record is in `records` once. A reference is the position of a record
 * in this list.
 */
export interface Graph {
  /** The value from which all records can be reached. */
  root: Json;
  /** The objects that `root` and other objects refer to, by their position. */
  records: Json[];
}

/**
 * If JSON does not have a value, the key of this value begins with this sign. If any other key begins with the sign,
 * the sign is doubled.
 */
const SIGN = '@';

/**
 * @param nameOf Returns the name of an object that is not part of the graph, such as a carrier.
 * @throws {TypeError} for a function.
 */
export function encodeGraph(root: unknown, nameOf: (object: object) => string | undefined): Graph {
  const positions = new Map<object, number>();
  const records: Json[] = [];
  const waiting: object[] = [];

  function reference(record: object): Json {
    let position = positions.get(record);
    if (position === undefined) {
      position = positions.size;
      positions.set(record, position);
      waiting.push(record);
    }
    return { [SIGN]: position };
  }

  function encode(value: unknown): Json {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : { [`${SIGN}number`]: String(value) };
    if (value instanceof Uint8Array) return { [`${SIGN}bytes`]: toBase64(value) };
    if (value instanceof RegExp) return { [`${SIGN}regexp`]: [value.source, value.flags] };
    if (Array.isArray(value)) return value.map(encode);
    if (typeof value !== 'object') throw new TypeError(`${typeof value} cannot be saved`);
    const name = nameOf(value);
    if (name !== undefined) return { [`${SIGN}name`]: name };
    return 'id' in value && typeof value.id === 'string' ? reference(value) : encodeFields(value);
  }

  function encodeFields(object: object): Json {
    const fields = Object.entries(object).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      fields.map(([key, value]) => [key.startsWith(SIGN) ? SIGN + key : key, encode(value)] as const),
    );
  }

  const encoded = encode(root);
  // The loop appends further records to `waiting`.
  for (const record of waiting) records.push(encodeFields(record));
  return { root: encoded, records };
}

/** @throws {TypeError} for a graph that `encodeGraph` has not made. */
export function decodeGraph({ root, records }: Graph, named: (name: string) => object | undefined): unknown {
  const made: object[] = records.map(() => ({}));

  function decode(value: Json): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(decode);
    const [[key, content] = ['', null]] = Object.entries(value);
    if (!key.startsWith(SIGN) || key.startsWith(SIGN + SIGN)) return fill({}, value);
    switch (key.slice(SIGN.length)) {
      case '':
        return present(made[Number(content)]);
      case 'number':
        return Number(content);
      case 'bytes':
        return fromBase64(String(content));
      case 'regexp':
        return new RegExp(...(content as [string, string]));
      case 'name':
        return present(named(String(content)));
      default:
        throw new TypeError(`${key} is unknown`);
    }
  }

  function fill(object: object, fields: { [key: string]: Json }): object {
    for (const [key, value] of Object.entries(fields)) {
      const name = key.startsWith(SIGN) ? key.slice(SIGN.length) : key;
      // A field may have any name, even `__proto__`.
      Object.defineProperty(object, name, {
        value: decode(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return object;
  }

  for (const [position, fields] of records.entries()) {
    fill(present(made[position]), fields as { [key: string]: Json });
  }
  return decode(root);
}

function present(object: object | undefined): object {
  if (object === undefined) throw new TypeError('a reference has no target');
  return object;
}

const CHUNK = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0));
}

/** The time fields of a record. `true` if the time may be `null`. */
type TimesOf<T> = {
  readonly [K in keyof T & `${string}At` as T[K] extends number | null ? K : never]: null extends T[K] ? true : false;
};

const TIMES: { readonly [C in Collections]: TimesOf<RecordOf<C>> } = {
  shipments: { createdAt: false, inPhaseAt: false, stoppedAt: true },
  containers: { createdAt: false, refreshedAt: true },
  partyRoles: { createdAt: false },
  trackingRequests: { createdAt: false, updatedAt: false },
  announced: { inPhaseAt: false },
  parties: {},
  webhooks: { createdAt: false },
  notifications: { createdAt: false, lastAttemptAt: true, dueAt: false },
  customFieldDefinitions: { createdAt: false, updatedAt: false },
  customFields: {},
  uploads: { createdAt: false },
  documents: { createdAt: false, updatedAt: false },
  emailSubmissions: { createdAt: false },
};

/**
 * Checks that all times in the records of an account are valid.
 *
 * @throws {TypeError} for the first invalid time.
 */
export function checkTimes(store: Store): void {
  for (const [name, times] of Object.entries(TIMES)) {
    for (const record of store[name as Collections].newestFirst()) {
      const values = record as unknown as Record<string, unknown>;
      for (const [field, mayBeMissing] of Object.entries(times)) {
        if (!(mayBeMissing && values[field] === null)) timeIn(`${field} in ${name}`, values[field]);
      }
    }
  }
  for (const { gaps } of store.shipments.newestFirst())
    for (const { from, to } of gaps) for (const at of [from, to]) timeIn('gaps in shipments', at);
  for (const { representation } of store.documents.newestFirst())
    if (representation) timeIn('createdAt in representations', representation.createdAt);
  for (const { about } of store.notifications.newestFirst())
    if ('at' in about) timeIn('about.at in notifications', about.at);
  for (const { definition, value } of store.customFields.newestFirst()) {
    if (definition.dataType === 'datetime' && value !== null)
      timeIn('value in customFields', Date.parse(String(value)));
  }
}

/** @throws {TypeError} for a value that is not a time. */
export function timeIn(where: string, value: unknown): void {
  if (typeof value === 'number' && Math.abs(value) <= LAST_TIME) return;
  throw new TypeError(`${where} is ${describeValue(value)}, which is not a time`);
}

/**
 * The saved state of a sandbox: a JSON value. It has the keys of the accounts, the secrets of the webhooks and the contents of
 * the files.
 */
export interface SandboxState extends Graph {
  /** Identifies the value as a saved state. */
  format: typeof FORMAT;
  /** The version of the format. A newer version cannot be read. */
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

/** The part of a sandbox that is saved. */
export interface Saved {
  clock: ClockState;
  ids: [kind: string, count: number][];
  /** The number of requests since the start. */
  requests: number;
  /** The times of the requests in each window of the rate limit. */
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

/** @throws {ConfigurationError} for a value that is not a saved state, and for a state with a newer format. */
export function checkState(state: unknown): void {
  if (!isRecord(state) || state.format !== FORMAT) {
    const given = describeValue(state);
    throw new ConfigurationError(
      `state is ${given} that sandbox.save() did not return; pass the value that it returned.`,
    );
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

/** @throws {ConfigurationError} for a state that was damaged when it was changed by hand. */
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

/** The error for a state that was damaged when it was changed by hand. */
export function damaged(why: string): ConfigurationError {
  return new ConfigurationError(`state is damaged: ${why}. Save the sandbox again.`);
}

/** Restores the saved records and the saved agenda. */
export function restoreAccount(backend: Backend, saved: SavedAccount): void {
  const { store, agenda, deliveries } = backend;
  restoreCounters(backend.ids.counters, saved.ids);
  for (const number of saved.containerNumbers) store.containerNumbers.add(number);
  for (const [name, records] of Object.entries(saved.records)) {
    const collection = store[name as Collections] as { add(record: object): void };
    for (const record of records) collection.add(record);
  }
  const waiting = new Set<object>();
  checkTimes(store);
  for (const { at, task } of saved.agenda) {
    timeIn('at in the agenda', at);
    agenda.add(at, task);
    if (task.kind === 'delivery') waiting.add(task.notification);
  }
  // Repeats the deliveries that were in progress when the state was saved.
  for (const notification of store.notifications.newestFirst().reverse()) {
    const isUnderway = notification.deliveryStatus === 'pending' && !waiting.has(notification);
    if (isUnderway) deliveries.retry(backend, notification);
  }
}

export function restoreCounters(counters: Map<string, number>, saved: [string, number][]): void {
  for (const [kind, count] of saved) counters.set(kind, count);
}
