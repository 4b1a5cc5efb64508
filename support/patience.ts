import { vi } from 'vitest';

/**
 * For all tests. By default, `vi.waitFor` and `vi.waitUntil` give up after one second, which may be too early on a busy
 * machine. Only a condition that never becomes true reaches this limit.
 */
const LIMIT_MS = 15_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (condition, options) => waitFor(condition, patient(options));
vi.waitUntil = (condition, options) => waitUntil(condition, patient(options));

function patient(options: number | object | undefined): object {
  return { timeout: LIMIT_MS, ...(typeof options === 'number' ? { timeout: options } : options) };
}
