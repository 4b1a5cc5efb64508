import type { Ids } from '../base/random.ts';
import type { Calendar } from '../world/calendar.ts';
import type { Carrier } from '../world/carriers.ts';
import type { Places } from '../world/places.ts';
import type { Changes } from './changes.ts';
import type { Clock } from './clock.ts';
import type { Features, Settings } from './settings.ts';
import type { Document, Notification, Shipment, Store, TrackingRequest } from './store.ts';
import type { Voyages } from './voyages.ts';

/** A future action of the service. Tasks are data, so that they can be saved. */
export type Task =
  /** The carrier responds to a tracking request. */
  | { kind: 'answer'; request: TrackingRequest }
  /** A tracking request ends with a shipment, or with the reason why there is no shipment. */
  | { kind: 'outcome'; request: TrackingRequest; failedReason: string | null }
  /** An attempt to reach the carrier fails. */
  | { kind: 'attempt'; request: TrackingRequest; count: number }
  /** A step of the processing of a document. If `goOn` is set, the next step follows. */
  | { kind: 'document'; document: Document; step: 'classify' | 'extract' | 'link'; goOn: boolean }
  /** The next moment of a voyage at which webhooks may have to be notified. */
  | { kind: 'voyage'; shipment: Shipment; index: number }
  /** The email of a scenario arrives. */
  | { kind: 'email'; shipment: Shipment }
  /** A notification is sent again. */
  | { kind: 'delivery'; notification: Notification };

/** A task and its time. */
export interface Entry {
  at: number;
  task: Task;
}

/** The future tasks of the service, ordered by time. All times are on the service's clock. */
export interface Agenda {
  /** Entries with the same time run in the order in which they were added. */
  add(at: number, task: Task): void;
  /** Removes and returns the next entry that is due. */
  take(now: number): Entry | undefined;
  /** All entries, in the order in which they will run. */
  list(): Entry[];
}

/** A binary heap: each entry runs before the two entries below it. */
export function createAgenda(): Agenda {
  const heap: (Entry & { order: number })[] = [];
  let added = 0;

  const isBefore = (a: number, b: number) => {
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return one !== undefined;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  };
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as (typeof heap)[0], heap[a] as (typeof heap)[0]];
  };

  return {
    add(at, task) {
      let index = heap.push({ at, task, order: added++ }) - 1;
      for (let above = (index - 1) >> 1; index > 0 && isBefore(index, above); above = (index - 1) >> 1) {
        swap(index, above);
        index = above;
      }
    },
    take(now) {
      const first = heap[0];
      if (first === undefined || first.at > now) return undefined;
      swap(0, heap.length - 1);
      heap.pop();
      for (let index = 0; ; ) {
        const below = isBefore(2 * index + 1, 2 * index + 2) ? 2 * index + 1 : 2 * index + 2;
        if (below >= heap.length || !isBefore(below, index)) return first;
        swap(index, below);
        index = below;
      }
    },
    list: () => heap.toSorted((a, b) => a.at - b.at || a.order - b.order).map(({ at, task }) => ({ at, task })),
  };
}

/** The identity of an account. */
export interface AccountIdentity {
  readonly name: string;
  readonly companyName: string;
  readonly apiKeys: readonly string[];
}

/**
 * Selects the treatment of filters and `sort` in lists of shipments and containers: `current` follows the documentation
 * of the service, `older` is the earlier treatment.
 */
export type ListsOf = 'current' | 'older';

/** The service behind the HTTP interface, for one account: everything that a route handler works with. */
export interface Backend {
  /** The service's time in ms since 1970. It does not change while a request is handled; see {@link runAgenda}. */
  now: number;
  seed: number;
  account: AccountIdentity;
  /** The treatment of filters and `sort` in lists. It can change at any time. */
  lists: ListsOf;
  /** The paid features. They can change at any time. */
  features: Features;
  /** The settings. They can change at any time. */
  settings: Settings;
  trackingDelayMs: number;
  clock: Clock;
  calendar: Calendar;
  ids: Ids;
  agenda: Agenda;
  store: Store;
  carriers: Carrier[];
  places: Places;
  voyages: Voyages;
  /** Id of the user that the API keys belong to. */
  userId: string;
  deliveries: Deliveries;
  changes: Changes;
  /** Performs a task of the agenda. */
  perform(backend: Backend, task: Task): void;
  /** Sends the requests that the service makes. */
  send(request: Request): Promise<Response>;
  /** The header with the signature of a delivery. */
  webhookHeader: string;
}

/** The deliveries of notifications to webhooks. A delivery is repeated until it is acknowledged or given up. */
export interface Deliveries {
  /** Starts a delivery. Every attempt sends the same body. */
  start(backend: Backend, notification: Notification): void;
  /** Makes another attempt. */
  retry(backend: Backend, notification: Notification): void;
  /** Resolves when no delivery is in progress or queued. */
  idle(): Promise<void>;
  /** Drops the queued deliveries and aborts the deliveries in progress. Nothing is sent after this call. */
  stop(): void;
}

/** Runs the entries that are due, each at its time. Then sets the service's time to the time of the clock. */
export function runAgenda(backend: Backend): void {
  const { account, agenda, changes, clock } = backend;
  changes.during(() => {
    const now = clock.now();
    let hasChanged = false;
    for (let entry = agenda.take(now); entry !== undefined; entry = agenda.take(now)) {
      backend.now = entry.at;
      backend.perform(backend, entry.task);
      hasChanged = true;
    }
    backend.now = now;
    if (hasChanged) changes.emit({ type: 'account', account: account.name });
  });
}

/** The accounts of the sandbox. They share the clock and the world, but nothing else. */
export interface Accounts {
  readonly all: readonly Backend[];
  /** The first account, which is also used for requests that belong to no account. */
  readonly first: Backend;
  named(name: string): Backend | undefined;
  /** The account that an API key belongs to. */
  withKey(key: string): Backend | undefined;
}

export function createAccounts(first: Backend, ...others: Backend[]): Accounts {
  const all = [first, ...others];
  const byKey = new Map(all.flatMap(backend => backend.account.apiKeys.map(key => [key, backend])));
  return {
    all,
    first,
    named: name => all.find(({ account }) => account.name === name),
    withKey: key => byKey.get(key),
  };
}

/** Runs the due tasks of all accounts. */
export function runAgendas({ all }: Accounts): void {
  for (const backend of all) runAgenda(backend);
}
