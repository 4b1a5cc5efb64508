import { ConfigurationError } from '../errors.ts';
import { defined } from './base/checks.ts';
import { createIds } from './base/random.ts';
import { createFaults } from './http/faults.ts';
import { createLatency } from './http/latency.ts';
import { createLog } from './http/pipeline.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createRouter } from './http/router.ts';
import { createAccess, mcpRoutes } from './mcp/routes.ts';
import { createDeliveries } from './notifications/deliveries.ts';
import { createGrants } from './oauth/grants.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { type AccountOptions, accountsOf, ONLY_ACCOUNT, type SandboxOptions } from './options.ts';
import { routes } from './routes/index.ts';
import { type Assembled, damaged, readState, restoreAccount, restoreCounters, type SavedAccount } from './saved.ts';
import { addTemplates } from './service/custom-fields.ts';
import { populate } from './service/seed.ts';
import { perform } from './service/tracking.ts';
import { type AccountIdentity, type Backend, createAccounts, createAgenda } from './state/backend.ts';
import type { Changes } from './state/changes.ts';
import { createClock } from './state/clock.ts';
import { createFeatures, createSettings } from './state/settings.ts';
import { createStore } from './state/store.ts';
import { createVoyages } from './state/voyages.ts';
import { createCalendar } from './world/calendar.ts';
import { createCarriers } from './world/carriers.ts';
import { createPlaces } from './world/places.ts';

/**
 * Creates all parts of a sandbox: from its options or, if `state` is set, from a saved state.
 *
 * @throws {ConfigurationError} for a saved state whose parts do not fit together.
 */
export function assemble(options: SandboxOptions, changes: Changes): Assembled {
  if (!options.state) return assembled(options, changes);
  try {
    return assembled(options, changes);
  } catch (error) {
    throw error instanceof ConfigurationError ? error : damaged((error as Error).message);
  }
}

function assembled(options: SandboxOptions, changes: Changes): Assembled {
  const { state } = options;
  const seed = state?.seed ?? options.seed ?? 1;
  const ids = createIds(seed);
  const carriers = createCarriers(ids);
  const saved = state && readState(state, carriers);
  const start = new Date(options.now ?? beginningOfHour()).getTime();
  const world: World = {
    changes,
    seed,
    clock: createClock({
      start,
      speed: options.speed ?? 1,
      monotonic: options.monotonic ?? (() => performance.now()),
      saved: saved?.clock,
    }),
    calendar: createCalendar(),
    ids,
    carriers,
    places: createPlaces(ids),
  };
  const [first, ...others] = saved ? saved.accounts.map(restored) : accountsOf(options).map(created);
  const accounts = createAccounts(defined(first), ...others);
  const rateLimit = options.rateLimit === false ? null : createRateLimit(options.rateLimit);
  const grants = createGrants(ids);
  const log = createLog(options.keepRequests);
  if (saved !== undefined) {
    restoreCounters(ids.counters, saved.ids);
    log.count = saved.requests;
    for (const [counter, times] of saved.windows) rateLimit?.windows.set(counter, times);
    grants.restore(saved.grants);
  }
  const names = accounts.all.map(({ account }) => account.name);
  const outside = [
    ...mcpRoutes(createAccess(accounts, grants, rateLimit), options.mcpEdition ?? 'early-2026'),
    ...oauthRoutes(grants, names),
  ];
  return {
    accounts,
    clock: world.clock,
    ids,
    router: createRouter(routes),
    outside: createRouter(outside),
    rateLimit,
    latency: createLatency(options.latency, seed),
    faults: createFaults(options.faults, seed, [...routes, ...outside], saved?.faults),
    grants,
    log,
    changes,
  };

  function created([name, { companyName = name, apiKeys = [name], shipments = 0, ...switched }]: [
    string,
    AccountOptions,
  ]) {
    const identity = { name, companyName, apiKeys: [...apiKeys] };
    const backend = createBackend(world, options, identity, switched);
    addTemplates(backend, ids);
    populate(backend, shipments);
    return backend;
  }

  function restored({ name, companyName, apiKeys, ...account }: SavedAccount) {
    const identity = { name, companyName, apiKeys };
    const backend = createBackend(world, options, identity, account);
    restoreAccount(backend, { ...identity, ...account });
    return backend;
  }
}

/** The beginning of the present hour, so that sandboxes that are created in the same hour show the same times. */
function beginningOfHour(): Date {
  const now = new Date();
  now.setUTCMinutes(0, 0, 0);
  return now;
}

/** The part of the backend that all accounts share. */
type World = Pick<Backend, 'changes' | 'seed' | 'clock' | 'calendar' | 'ids' | 'carriers' | 'places'>;

function createBackend(
  world: World,
  options: SandboxOptions,
  account: AccountIdentity,
  { features, settings, lists = 'current' }: Pick<AccountOptions, 'features' | 'settings' | 'lists'>,
): Backend {
  const { seed, clock, calendar, places } = world;
  const ids = account.name === ONLY_ACCOUNT ? world.ids : createIds(seed, account.name);
  const store = createStore();
  return {
    ...world,
    now: clock.now(),
    account,
    features: createFeatures(features),
    settings: createSettings(settings),
    lists,
    // A clock that stands still would never reach the outcome, so `client.track` would wait for it for ever.
    trackingDelayMs: options.trackingDelayMs ?? (clock.speed === 0 ? 0 : 300),
    ids,
    agenda: createAgenda(),
    store,
    voyages: createVoyages({ places, calendar, ids }, seed, store),
    userId: ids.of('user'),
    deliveries: createDeliveries(options.webhooks),
    perform,
    send: options.fetch ?? (request => fetch(request)),
    webhookHeader: options.webhookHeader ?? 'X-SVC-Webhook-Signature',
  };
}
