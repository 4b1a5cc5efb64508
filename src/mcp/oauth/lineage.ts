import type { TokenStore } from './store.ts';

const identities = new WeakMap<TokenStore, () => unknown>();

/**
 * What stands for the sign-ins of a store, whose tokens change: the service counts the requests of an account, and one store
 * has one sign-in for an address.
 */
export function lineageOf(store: TokenStore): string | (() => unknown) {
  if (store.id !== undefined) return `store ${store.id}`;
  const identity = identities.get(store) ?? (() => {});
  identities.set(store, identity);
  return identity;
}
