import { weakRef } from '../internal/weak-ref.ts';
import { RollingWindowLimiter, type RollingWindowOptions } from './rolling-window.ts';

export interface SharedBudgetOptions extends RollingWindowOptions {
  baseUrl: string;
  /**
   * The API key or token, or the function that returns the token. Two functions are equal if they are the same object.
   */
  credential: string | (() => unknown);
  /** Called once for each budget that is shared by clients with different limits. */
  warn?: ((message: string) => void) | undefined;
}

interface Entry {
  /**
   * Keeps the limiter in memory until all its slots are free, even if it has no client any more: the service still
   * counts the requests of these slots.
   */
  busy: RollingWindowLimiter | undefined;
  readonly limiter: Pick<WeakRef<RollingWindowLimiter>, 'deref'>;
  warned: boolean;
}

interface Registry {
  budgets: Map<string, Entry>;
  identities: WeakMap<() => unknown, number>;
  identityCount: number;
  purgeAt: number;
}

const REGISTRY = Symbol.for('container-tracking-sdk.budgets.1');

/** All copies of this package share one registry: a program may load it as an ES module and as CommonJS. */
function registry(): Registry {
  const realm = globalThis as { [REGISTRY]?: Registry };
  realm[REGISTRY] ??= { budgets: new Map(), identities: new WeakMap(), identityCount: 0, purgeAt: 16 };
  return realm[REGISTRY];
}

/**
 * Returns the limiter that all clients with this base URL and credential share, because the service counts all requests
 * of a key together. If their limits differ, the stricter limit applies.
 */
export function sharedBudget(options: SharedBudgetOptions): RollingWindowLimiter {
  const key = budgetKey(options.baseUrl, options.credential);
  const entry = registry().budgets.get(key);
  const shared = entry?.limiter.deref();
  if (!entry || !shared) return register(key, options);
  const differing = shared.tighten(options);
  if (differing.length > 0 && !entry.warned) {
    entry.warned = true;
    options.warn?.(
      `Clients with the same key and base URL have different rate limits (${differing.join(', ')}); the stricter ones apply to all of them.`,
    );
  }
  return shared;
}

function register(key: string, options: RollingWindowOptions): RollingWindowLimiter {
  const { budgets, purgeAt } = registry();
  if (budgets.size >= purgeAt) purge();
  const keeper: Pick<Entry, 'busy'> = { busy: undefined };
  const limiter = new RollingWindowLimiter({ ...options, keeper });
  budgets.set(key, Object.assign(keeper, { limiter: weakRef(limiter), warned: false }));
  return limiter;
}

/** Removes unused entries. The threshold is doubled, so that the cost of a new budget is constant on average. */
function purge(): void {
  const all = registry();
  for (const [key, entry] of all.budgets) {
    if (entry.busy?.isIdle()) entry.busy = undefined;
    if (!entry.busy && !entry.limiter.deref()) all.budgets.delete(key);
  }
  all.purgeAt = Math.max(16, all.budgets.size * 2);
}

function budgetKey(baseUrl: string, credential: string | (() => unknown)): string {
  const who = typeof credential === 'string' ? `string ${credential}` : `function ${identity(credential)}`;
  return hash(`${baseUrl.replace(/\/+$/, '')} ${who}`);
}

function identity(credential: () => unknown): number {
  const all = registry();
  if (!all.identities.has(credential)) {
    all.identityCount += 1;
    all.identities.set(credential, all.identityCount);
  }
  return all.identities.get(credential) as number;
}

/**
 * The hash cyrb53 without its last step. This step only combines two numbers into one number. The hash keeps API keys
 * out of a registry that exists longer than its clients. The hash need not resist an attacker.
 */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  return `${high} ${low}`;
}
