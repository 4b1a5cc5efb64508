import type { Ids } from '../base/random.ts';
import type { Calendar } from '../world/calendar.ts';
import type { Carrier } from '../world/carriers.ts';
import type { Places } from '../world/places.ts';
import type { Agenda, Task } from './agenda.ts';
import type { Changes } from './changes.ts';
import type { Clock } from './clock.ts';
import type { Features } from './features.ts';
import type { Settings } from './settings.ts';
import type { Notification, Store } from './store.ts';
import type { Voyages } from './voyages.ts';

/** Who an account is. */
export interface AccountIdentity {
  readonly name: string;
  readonly companyName: string;
  readonly apiKeys: readonly string[];
}

/** What an account's lists of shipments and containers do with filters and `sort`: what the service documents, or what it did before. */
export type ListsOf = 'current' | 'older';

/** The service behind the HTTP interface, for one account: everything that a route handler works with. */
export interface Backend {
  /** The service's time in ms since 1970. It does not change while a request is handled; see {@link runAgenda}. */
  now: number;
  seed: number;
  account: AccountIdentity;
  /** How the account answers lists. It can change at any time. */
  lists: ListsOf;
  /** They can change at any time. */
  features: Features;
  /** They can change at any time. */
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
  /** Does what was on the agenda. */
  perform(backend: Backend, task: Task): void;
  /** Sends the requests that the service makes. */
  send(request: Request): Promise<Response>;
  /** The header with the signature of a delivery. */
  webhookHeader: string;
}

/** The deliveries of notifications to webhooks. Each is repeated until it is acknowledged, or given up. */
export interface Deliveries {
  /** Every attempt sends the same body. */
  start(backend: Backend, notification: Notification): void;
  /** Tries once more. */
  retry(backend: Backend, notification: Notification): void;
  /** Resolves when no delivery is in progress or queued. */
  idle(): Promise<void>;
  /** Drops the queued deliveries and ends those under way. Nothing is sent after it. */
  stop(): void;
}

/** Runs the entries that are due, each at its own time. Then sets the service's time to that of the clock. */
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
