import { createIds, type Ids } from '../base/random.ts';
import { createDeliveries, type Deliveries } from '../notifications/deliveries.ts';
import type { Features, SandboxOptions } from '../options.ts';
import { type Calendar, createCalendar } from '../world/calendar.ts';
import { type Carrier, createCarriers } from '../world/carriers.ts';
import { createPlaces, type Places } from '../world/places.ts';
import { type Agenda, createAgenda } from './agenda.ts';
import { type Clock, createClock } from './clock.ts';
import { createStore, type Shipment, type Store } from './store.ts';
import { createVoyages, type Voyages } from './voyages.ts';

/** Everything that a route handler works with. */
export interface Backend {
  /** The service's time, which stands still while a request is handled; see {@link settle}. */
  now: number;
  seed: number;
  features: Features;
  trackingDelayMs: number;
  clock: Clock;
  calendar: Calendar;
  ids: Ids;
  agenda: Agenda;
  store: Store;
  carriers: Carrier[];
  places: Places;
  voyages: Voyages;
  /** Id of the user that the API key belongs to. */
  userId: string;
  deliveries: Deliveries;
  /** Shipments whose events are told of. */
  watched: WeakSet<Shipment>;
  /** Sends what the service sends. */
  send(request: Request): Promise<Response>;
}

/** A Monday morning in Asia; nothing that a voyage touches has a holiday. */
const START = '2026-03-09T03:00:00Z';

export function createBackend(options: SandboxOptions): Backend {
  const start = new Date(options.now ?? START).getTime();
  const clock = createClock({
    start,
    speed: options.speed ?? 1,
    monotonic: options.monotonic ?? (() => performance.now()),
  });
  const seed = options.seed ?? 1;
  const ids = createIds(seed);
  const places = createPlaces(ids);
  const calendar = createCalendar();
  return {
    now: clock.now(),
    seed,
    features: { routing: true, refresh: true, rail: true, documents: true, ...options.features },
    trackingDelayMs: options.trackingDelayMs ?? 500,
    clock,
    calendar,
    ids,
    agenda: createAgenda(),
    store: createStore(),
    carriers: createCarriers(ids),
    places,
    voyages: createVoyages({ places, calendar, ids }, seed),
    userId: ids.of('user'),
    deliveries: createDeliveries(options.webhooks),
    watched: new WeakSet(),
    send: options.fetch ?? (request => fetch(request)),
  };
}

/** Lets happen what is due, each thing at its time, then brings the service's time up to the clock. */
export function settle(backend: Backend): void {
  const now = backend.clock.now();
  for (let entry = backend.agenda.take(now); entry !== undefined; entry = backend.agenda.take(now)) {
    backend.now = entry.at;
    entry.run();
  }
  backend.now = now;
}
