import type { Fetch } from '../options.ts';

/** The runtime's own `fetch`, read when this package was loaded: a program may replace the global later. */
const NATIVE_FETCH = globalThis.fetch;

/**
 * Whether requests use the runtime's own `fetch`. It is known to end when its signal aborts, also while the body is read.
 * Another `fetch` may not.
 */
export function isNative(fetch: Fetch | undefined): boolean {
  return fetch === undefined && globalThis.fetch === NATIVE_FETCH;
}
