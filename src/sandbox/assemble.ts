import { createIds, createRandom } from './base/random.ts';
import { createFaults } from './http/faults.ts';
import type { Pipeline } from './http/pipeline.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createRouter } from './http/router.ts';
import { createAccess } from './mcp/access.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { createDeliveries } from './notifications/deliveries.ts';
import { createGrants } from './oauth/grants.ts';
import { oauthRoutes } from './oauth/routes.ts';
import type { SandboxOptions } from './options.ts';
import { routes } from './routes/index.ts';
import { populate } from './service/populate.ts';
import { createAgenda } from './state/agenda.ts';
import type { Backend } from './state/backend.ts';
import { createClock } from './state/clock.ts';
import { createStore } from './state/store.ts';
import { createVoyages } from './state/voyages.ts';
import { createCalendar } from './world/calendar.ts';
import { createCarriers } from './world/carriers.ts';
import { createPlaces } from './world/places.ts';

/** Creates everything that a sandbox consists of. */
export function assemble(options: SandboxOptions): Pipeline {
  const backend = createBackend(options);
  populate(backend, options.shipments ?? 0);
  const apiKeys = new Set(options.apiKeys ?? ['sandbox']);
  const rateLimit = options.rateLimit === false ? null : createRateLimit(options.rateLimit);
  const grants = createGrants(backend.ids);
  return {
    backend,
    router: createRouter(routes),
    outside: createRouter([...mcpRoutes(createAccess(apiKeys, grants, rateLimit)), ...oauthRoutes(grants)]),
    apiKeys,
    rateLimit,
    latency: latencyOf(options.latency, backend.seed),
    faults: createFaults(options.faults),
    requests: [],
  };
}

function latencyOf(latency: SandboxOptions['latency'], seed: number): () => number {
  if (typeof latency === 'function') return latency;
  if (typeof latency === 'number' || latency === undefined) return () => latency ?? 0;
  const random = createRandom(seed, 'latency');
  return () => random.between(...latency);
}

/** A Monday morning in Asia. No port that a voyage uses has a holiday near this date. */
const START = '2026-03-09T03:00:00Z';

function createBackend(options: SandboxOptions): Backend {
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
