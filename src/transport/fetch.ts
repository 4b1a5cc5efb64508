import type { Fetch } from '../options.ts';

/** The runtime's own, as it was when this package was loaded. */
const NATIVE_FETCH = globalThis.fetch;

/**
 * Whether requests go through the runtime's own `fetch`, which keeps its promises: it ends with its signal, body included.
 * Whatever stands in its place may not.
 */
export function isNative(fetch: Fetch | undefined): boolean {
  return fetch === undefined && globalThis.fetch === NATIVE_FETCH;
}
