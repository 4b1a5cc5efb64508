import { vi } from 'vitest';

/**
 * For all tests. `vi.waitFor` and `vi.waitUntil` give up after one second by default, which a busy machine may need for what is
 * right. The limit is only there for what never comes.
 */
const LIMIT_MS = 15_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (condition, options) => waitFor(condition, patient(options));
vi.waitUntil = (condition, options) => waitUntil(condition, patient(options));

function patient(options: number | object | undefined): object {
  return { timeout: LIMIT_MS, ...(typeof options === 'number' ? { timeout: options } : options) };
}
