import { type AccountOptions, accountsOf, ONLY_ACCOUNT } from './account-options.ts';
import { defined } from './base/defined.ts';
import { createIds, createRandom } from './base/random.ts';
import { createFaults } from './http/faults.ts';
import { createLog } from './http/log.ts';
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
import { createAccounts } from './state/accounts.ts';
import { createAgenda } from './state/agenda.ts';
import type { Backend } from './state/backend.ts';
import type { Changes } from './state/changes.ts';
import { createClock } from './state/clock.ts';
import { createFeatures } from './state/features.ts';
import { createStore } from './state/store.ts';
import { createVoyages } from './state/voyages.ts';
import { createCalendar } from './world/calendar.ts';
import { createCarriers } from './world/carriers.ts';
import { createPlaces } from './world/places.ts';

/** Creates everything that a sandbox consists of. */
export function assemble(options: SandboxOptions, changes: Changes): Pipeline {
  const world = createWorld(options, changes);
  const [first, ...others] = accountsOf(options).map(([name, account]) => createBackend(world, options, name, account));
  const accounts = createAccounts(defined(first), ...others);
  const rateLimit = options.rateLimit === false ? null : createRateLimit(options.rateLimit);
  const grants = createGrants(world.ids);
  return {
    accounts,
    clock: world.clock,
    ids: world.ids,
    router: createRouter(routes),
    outside: createRouter([
      ...mcpRoutes(createAccess(accounts, grants, rateLimit)),
      ...oauthRoutes(
        grants,
        accounts.all.map(({ account }) => account.name),
      ),
    ]),
    rateLimit,
    latency: latencyOf(options.latency, world.seed),
    faults: createFaults(options.faults),
    log: createLog(options.keepRequests),
    changes,
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

/** What all accounts share. */
type World = Pick<Backend, 'changes' | 'seed' | 'clock' | 'calendar' | 'ids' | 'carriers' | 'places'>;

function createWorld({ seed = 1, now = START, speed = 1, monotonic }: SandboxOptions, changes: Changes): World {
  const start = new Date(now).getTime();
  const ids = createIds(seed);
  return {
    changes,
    seed,
    clock: createClock({ start, speed, monotonic: monotonic ?? (() => performance.now()) }),
    calendar: createCalendar(),
    ids,
    carriers: createCarriers(ids),
    places: createPlaces(ids),
  };
}

function createBackend(world: World, options: SandboxOptions, name: string, account: AccountOptions): Backend {
  const { seed, clock, calendar, places } = world;
  const ids = name === ONLY_ACCOUNT ? world.ids : createIds(seed, name);
  const backend: Backend = {
    ...world,
    now: clock.now(),
    account: { name, companyName: account.companyName ?? name, apiKeys: [...(account.apiKeys ?? [name])] },
    features: createFeatures(account.features),
    trackingDelayMs: options.trackingDelayMs ?? 500,
    ids,
    agenda: createAgenda(),
    store: createStore(),
    voyages: createVoyages({ places, calendar, ids }, seed),
    userId: ids.of('user'),
    deliveries: createDeliveries(options.webhooks),
    watched: new WeakSet(),
    send: options.fetch ?? (request => fetch(request)),
  };
  populate(backend, account.shipments ?? 0);
  return backend;
}
