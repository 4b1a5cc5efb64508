import { vi } from 'vitest';

/**
 * For all tests. `vi.waitFor` and `vi.waitUntil` give up after one second by default, which may be too early on a busy
 * machine. The limit is only there for conditions that never hold.
 */
const LIMIT_MS = 15_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (condition, options) => waitFor(condition, patient(options));
vi.waitUntil = (condition, options) => waitUntil(condition, patient(options));

function patient(options: number | object | undefined): object {
  return { timeout: LIMIT_MS, ...(typeof options === 'number' ? { timeout: options } : options) };
}
